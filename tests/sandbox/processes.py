"""What tests of processes share: one for what cannot be undone, waiting, and what the kernel says of them."""

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60.0


def in_a_process(code: str, *arguments: object) -> list[str]:
    """What a Python program prints, line by line; it has to end well."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def stat_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, from the state of the first thread on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def busy_ticks(pid: int) -> int:
    """The processor time of a process."""
    return int(stat_of(pid)[11]) + int(stat_of(pid)[12])
