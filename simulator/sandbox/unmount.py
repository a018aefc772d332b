"""Takes folders away from a running sandbox, so that nothing in them can be opened any more.

A process of its own does it, because the kernel lets only a single-threaded process enter a user namespace. Entering
needs no privilege of whoever made the namespace.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from simulator.sandbox import linux

PROJECT = Path(__file__).parents[2]  # not from `jit`, which imports numba: that process has no packages
SECONDS = 10.0  # it takes 0.05 s


def unmount_in(pid: int, folders: Iterable[Path]) -> None:
    """Unmount folders in the namespaces of a process. Raises OSError."""
    command = [sys.executable, "-P", "-S", "-m", __name__, str(pid), *map(str, folders)]
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise OSError(f"reads cannot be ended within {SECONDS:g} s") from error
    if done.returncode != 0:
        raise OSError(f"reads cannot be ended: {done.stderr.decode(errors='replace').strip()}")


def main(pid: str, *folders: str) -> None:
    """Unmount folders, in the process that `unmount_in` starts."""
    linux.enter_namespaces(int(pid))
    for folder in folders:
        linux.unmount(folder)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(error.strerror)
