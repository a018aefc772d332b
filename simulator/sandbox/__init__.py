"""The sandbox around an agent's processes, which enforces its limits; each mechanism has a module of its own.

- `sandbox.py`: all of it around one agent. Begin reading here
- `isolation.py`: what this system offers, and which mechanism therefore enforces which limit
- `visible_files.py`: which files an agent may read
- `bubblewrap.py`: namespaces, that is processes, a network and a file tree of its own, from which the agent's own files
  are taken away after its first move
- `cgroups.py`: memory, number of processes, processors; freezing and killing all at once
- `confine.py`: what a process gives up before foreign code runs in it, with `syscalls.py`, the filter of system calls
- `cores.py`: which cores they run on
- `processes.py`: finding, measuring, stopping and killing processes, with `proc.py`, which reads /proc
- `linux.py`: calls to the kernel that Python has no names for
"""
