"""Calls to the Linux kernel for which Python has no functions: no other module uses ctypes for them.

Programs that start without Python's packages import this module (`confine.py`), and it is run as a program that enters
namespaces (see `bubblewrap.unmount_in`). So it imports little, and only from the standard library.
Sources: `man 2 prctl`, `capset`, `seccomp`, `setns`, `umount2`, `man 7 capabilities`, and the headers that they name.
"""

import ctypes
import itertools
import os
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 24, 38, 22, 2
_LINUX_CAPABILITY_VERSION_3 = 0x20080522
_CLONE_NEWUSER, _CLONE_NEWNS, _MNT_DETACH = 0x10000000, 0x00020000, 2


def _call(what: str, name: str, *arguments: object) -> None:
    """Call the C library's function of this name. Raises OSError, which says what failed."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def prctl(option: int, *arguments: int) -> None:
    """The system call `prctl`. Raises OSError."""
    words = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    _call(f"prctl({option})", "prctl", option, *words)


# --- Processes: if the kernel refuses, these functions do nothing ---


def adopt_orphans() -> None:
    """Have descendants whose parent has ended become children of this process, so that they can be found and reaped."""
    _try_prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when the thread that started it ends.

    SIGKILL also kills a process that is stopped.
    """
    _try_prctl(_PR_SET_PDEATHSIG, number)


def hide_memory() -> None:
    """Keep other processes of this user from reading this one's memory, environment and descriptors in /proc."""
    _try_prctl(_PR_SET_DUMPABLE, 0)


def _try_prctl(option: int, value: int) -> None:
    with suppress(OSError):  # it helps to clean up, and nothing depends on it alone
        prctl(option, value)


# --- Privileges ---


def drop_capabilities() -> None:
    """Give up root's privileges for good, also for programs that are executed from now on. Raises OSError."""
    if not _capabilities():
        return  # bubblewrap has taken them away already, or this is an ordinary user
    with suppress(OSError):  # raised by the first number that this kernel does not know, which ends the loop
        for capability in itertools.count():
            prctl(_PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(_LINUX_CAPABILITY_VERSION_3, 0)  # 0: this process
    none = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable, 2 words each
    _call("capset", "capset", ctypes.byref(header), none)


def _capabilities() -> int:
    """The capabilities that this process has, one bit each; 0 if the kernel does not say."""
    with suppress(OSError), open("/proc/self/status", errors="replace") as status:
        for line in status:
            if line.startswith("CapEff:"):
                return int(line.split()[1], 16)
    return 0


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install_filter(instructions: bytes) -> None:
    """Put a filter of system calls, 8 bytes an instruction, on this thread and all that it starts. Raises OSError.

    From then on, no program that is executed gains privileges.
    """
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    program = _FilterProgram(len(instructions) // 8, instructions)
    prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program))


# --- Namespaces ---


def main(pid: str, *folders: str) -> None:
    """Enter the user and mount namespaces of the process `pid`, and unmount folders: nothing there can be opened then.

    This process must have a single thread. Raises OSError.
    """
    namespaces = [(name, os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY)) for name in ("user", "mnt")]
    for (name, descriptor), kind in zip(namespaces, (_CLONE_NEWUSER, _CLONE_NEWNS), strict=True):
        _call(f"entering the {name} namespace of process {pid}", "setns", descriptor, kind)
    for folder in folders:
        _call(f"unmounting {folder}", "umount2", os.fsencode(folder), _MNT_DETACH)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(error.strerror)
