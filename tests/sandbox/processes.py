"""What /proc says of processes."""

from pathlib import Path


def stat_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, from the state of the first thread on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def busy_ticks(pid: int) -> int:
    """The processor time of a process."""
    return int(stat_of(pid)[11]) + int(stat_of(pid)[12])
