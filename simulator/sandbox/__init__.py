"""What holds an agent's processes to their limits, each limit by a mechanism that has a name; a module for each.

machine.py      what this system offers, and which mechanism therefore holds which limit (`Machine.facts`)
cell.py         all of it around one agent: begin reading here
view.py         which files an agent may read
bubblewrap.py   namespaces: an agent's own processes, network and file tree
cgroups.py      memory, number of processes, processors, freezing and killing of all at once
inside.py       what a process of an agent's does to itself before foreign code runs:
syscalls.py         a filter of system calls
landlock.py         files and network, where there are no namespaces
processors.py   which processors they run on
processes.py    finding, measuring, stopping and killing processes, with nothing but /proc and signals
detach.py       taking the agent's folder away from under a running cell
"""
