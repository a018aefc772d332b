"""Takes folders away from a running sandbox, so that nothing in them can be opened any more."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from simulator.sandbox import linux

SECONDS = 10.0  # it takes 0.02 s


def unmount_in(pid: int, folders: Iterable[Path]) -> None:
    """Unmount folders in the user and mount namespaces of a process. Raises OSError.

    A process of its own does it, because the kernel lets only a single-threaded process enter a user namespace.
    Entering needs no privilege of whoever made the namespace.
    """
    command = [sys.executable, "-I", "-S", linux.__file__, str(pid), *map(str, folders)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise OSError(f"reads cannot be ended within {SECONDS:g} s") from error
    if done.returncode != 0:
        raise OSError(f"reads cannot be ended: {done.stderr.decode(errors='replace').strip()}")
