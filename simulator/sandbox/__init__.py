"""What holds an agent's processes to their limits, each limit by a mechanism that has a name; a module for each.

Begin reading at `cell.py`.

- `machine.py`: what this system offers, and which mechanism therefore holds which limit (`Machine.facts`)
- `cell.py`: all of it around one agent
- `view.py`: which files an agent may read
- `bubblewrap.py`: namespaces, that is an agent's own processes, network and file tree
- `detach.py`: taking the agent's folder away from under a running cell
- `cgroups.py`: memory, number of processes, processors, freezing and killing of all at once
- `inside.py`: what a process of an agent's does to itself before foreign code runs, with `capabilities.py` (root's
  privileges) and `syscalls.py` (a filter of system calls)
- `processors.py`: which processors they run on
- `processes.py`: finding, measuring, stopping and killing processes, with what `proc.py` reads from /proc, and signals
- `linux.py`: calls to the kernel that Python has no names for
"""
