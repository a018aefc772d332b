"""Root's privileges, given up for good; where bubblewrap has not done so already.

Source: `man 7 capabilities`, `linux/capability.h`.
"""

import ctypes
import os
from contextlib import suppress
from pathlib import Path

_PR_CAPBSET_DROP = 24
_VERSION_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def held() -> int:
    """The capabilities that this process has, a bit each; 0 where the kernel does not say."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("CapEff:"):
                return int(line.split()[1], 16)
    return 0


def drop() -> None:
    """Give up all capabilities, also for programs that are executed from now on. Raises OSError."""
    if not held():
        return
    libc = ctypes.CDLL(None, use_errno=True)
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) == 0:
        capability += 1  # until the first that this kernel does not know
    header, none = _Header(_VERSION_3, 0), (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable, 2 words each
    if libc.capset(ctypes.byref(header), none) != 0:
        raise OSError(ctypes.get_errno(), f"capset: {os.strerror(ctypes.get_errno())}")
