"""The sandbox around an agent's processes, which enforces its limits; each mechanism has a module of its own.

- `sandbox.py`: all of it around one agent. Begin reading here
- `isolation.py`: what this system has, and so which mechanism enforces which limit
- `visible_files.py`: which files an agent may read
- `bubblewrap.py`: namespaces, in which an agent has its own processes, network and file tree; after its first move its
  own files are removed from that tree
- `cgroups.py`: memory, number of processes, processors; freezing and killing all at once
- `confine.py`: which rights a process gives up before an agent's code runs in it, with `syscalls.py`, the filter of
  system calls
- `cores.py`: which cores they run on
- `processes.py`: finding, measuring, stopping and killing processes, with `proc.py`, which reads /proc
- `linux.py`: calls to the kernel that Python has no names for
"""
