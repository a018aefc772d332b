"""Calls to the kernel that Python has no names for; on another system they do nothing, or are not reached.

Imported by programs that start without Python's packages (`inside.py`): the standard library only.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress

HAS_PRCTL = sys.platform == "linux"

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36


def prctl(option: int, *arguments: int) -> None:
    """The call of that name. Raises OSError where the kernel refuses."""
    libc = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    if libc.prctl(option, *words) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}): {os.strerror(ctypes.get_errno())}")


def adopt_orphans() -> None:
    """Let descendants whose parent ends become children of this process, so that they can be found and reaped."""
    _try_prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends, also one that is stopped."""
    _try_prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def hide_memory() -> None:
    """Keep other processes of this user from reading this one's memory, environment and descriptors in /proc."""
    _try_prctl(_PR_SET_DUMPABLE, 0)


def _try_prctl(option: int, value: int) -> None:
    if HAS_PRCTL:
        with suppress(OSError):  # it makes tidying up surer, and nothing depends on it alone
            prctl(option, value)
