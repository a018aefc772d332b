"""What /proc says of processes."""

from pathlib import Path


def busy_ticks(pid: int) -> int:
    """The processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
