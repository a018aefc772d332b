"""The sandbox around an agent's processes, which enforces its limits; each mechanism has a module of its own.

- `sandbox.py`: the sandbox of one agent, which uses all the others. Begin reading here
- `isolation.py`: which mechanisms this system has, and which of them enforces which limit
- `visible_files.py`: which files an agent may read
- `bubblewrap.py`: namespaces, in which an agent has its own processes, network and file tree; after its first move its
  own files are removed from that tree
- `cgroups.py`: control groups: memory, number of processes, processors; freezing and killing all processes at once
- `confine.py`: which rights a process gives up before an agent's code runs in it, with `syscalls.py`, the filter of
  system calls
- `cores.py`: which cores an agent's processes run on
- `processes.py`: finding, measuring, stopping and killing processes, with `proc.py`, which reads /proc
- `linux.py`: calls to the kernel for which Python has no functions
"""
