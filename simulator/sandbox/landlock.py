"""Landlock: a process gives up access to files, TCP and the signalling of others, without any privilege.

It holds for the calling thread and what that begins afterwards, for good; what was restricted can be restricted
further. Files that are open stay open. Source: the kernel's `userspace-api/landlock`, `linux/landlock.h`.
"""

import ctypes
import os
import platform
import stat
from collections.abc import Iterable
from contextlib import suppress

from simulator.sandbox.syscalls import forbid_new_privileges

# The kernel's numbers for these calls are alike on every architecture but alpha.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1  # flag: only tell the version
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_FIRST_FILE_RIGHTS = (1 << 13) - 1
_LATER_FILE_RIGHTS = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # since which version
_TCP_SINCE, _TCP_RIGHTS = 4, 0b11  # bind, connect
_SCOPE_SINCE, _SCOPES = 6, 0b11  # abstract sockets and signals of processes outside


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Which version of Landlock the kernel has, 0 for none."""
    if platform.system() != "Linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))))


def holds_tcp() -> bool:
    """Whether TCP can be forbidden."""
    return version() >= _TCP_SINCE


def holds_signals() -> bool:
    """Whether signals to processes outside can be forbidden."""
    return version() >= _SCOPE_SINCE


def restrict(readable: Iterable[str], writable: Iterable[str] = ()) -> None:
    """Give up all files but those at or below `readable`; of `writable` (devices), writing is left as well.

    With them go TCP and signals to others, where the kernel's version can. Paths that do not exist are left out.
    Raises OSError, also where there is no Landlock.
    """
    has = version()
    files = _FIRST_FILE_RIGHTS
    for since, right in _LATER_FILE_RIGHTS.items():
        files |= right if has >= since else 0
    network = _TCP_RIGHTS if has >= _TCP_SINCE else 0
    rules = _Ruleset(files, network, _SCOPES if has >= _SCOPE_SINCE else 0)
    size = 8 if has < _TCP_SINCE else 16 if has < _SCOPE_SINCE else 24  # what an older kernel knows of the structure
    ruleset = _call(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(ruleset, path, _READ)
        for path in writable:
            _allow(ruleset, path, _READ_FILE | _WRITE_FILE)
        forbid_new_privileges()
        _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    with suppress(FileNotFoundError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights &= ~_READ_DIR
            rule = _PathRule(rights, descriptor)
            _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_RULE_PATH_BENEATH), ctypes.byref(rule), 0)
        finally:
            os.close(descriptor)


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result
