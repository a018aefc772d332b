"""System calls that no agent has any business with, refused with EPERM by a filter of the kernel (seccomp).

The filter stays with a process, its threads and all its children. It is no sandbox by itself: it keeps agents away from
clocks, priorities, affinities, sockets, other processes and namespaces, also where bubblewrap is missing.

Sources: `man 2 seccomp`, `linux/seccomp.h`, `linux/bpf_common.h`; numbers from the kernel's tables of system calls.
"""

import ctypes
import errno
import os
import platform
import struct
from typing import NamedTuple

# name: number on x86_64, on aarch64. From 424 on the kernel numbers calls alike everywhere.
REFUSED = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    # clocks
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    # a larger share of the processors
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    # network; socketpair, which asyncio wants, stays, but no descriptor can be sent through it, out of sight
    "socket": (41, 198),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # memory that no process holds
    "shmget": (29, 194),
    # namespaces and mounts
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    # ways around the filter, and the kernel's own machinery
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
}

_CLONE, _CLONE3, _PRLIMIT, _MMAP = (56, 220), (435, 435), (302, 261), (9, 222)
_SHARED_WITHOUT_FILE = 0x21  # MAP_SHARED | MAP_ANONYMOUS
_NEW_NAMESPACE_FLAGS = 0x7E020000  # CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET
_X32_BIT = 0x40000000  # the second system call table of x86_64

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # opcodes of the kernel's BPF
_AND = 0x54
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; 8 bytes an argument, low half first
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2


class _Machine(NamedTuple):
    column: int  # of the table above
    audit: int  # the architecture as the kernel calls it
    has_x32: bool


_MACHINES = {"x86_64": _Machine(0, 0xC000003E, True), "aarch64": _Machine(1, 0xC00000B7, False)}


def is_supported() -> bool:
    """Whether the filter can be made for this processor and the kernel takes filters."""
    return platform.machine() in _MACHINES and os.path.exists("/proc/sys/kernel/seccomp/actions_avail")


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def program(machine: str, shared_memory: bool = True) -> bytes:
    """The filter as instructions of the kernel's BPF. Raises KeyError for another machine than those known.

    Without `shared_memory`, memory that processes share is refused too: what one of them filled and left belongs to no
    process, and only a control group counts it.
    """
    column, audit, has_x32 = _MACHINES[machine]
    refuse, refuse_unknown = _instruction(_RETURN, _ERRNO | errno.EPERM), _instruction(_RETURN, _ERRNO | errno.ENOSYS)
    steps = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, audit, if_true=1),
        _instruction(_RETURN, _KILL),  # 32-bit calls have other numbers
        _instruction(_LOAD, _NUMBER),
    ]
    if has_x32:
        steps += [_instruction(_AT_LEAST, _X32_BIT, if_false=1), refuse]
    for number in sorted(numbers[column] for numbers in REFUSED.values()):
        steps += [_instruction(_EQUAL, number, if_false=1), refuse]
    # Flags of clone3 lie in memory, where a filter cannot look: glibc takes ENOSYS for "use clone".
    steps += [_instruction(_EQUAL, _CLONE3[column], if_false=1), refuse_unknown]
    steps += _with_argument(_CLONE[column], _ANY_BIT, _NEW_NAMESPACE_FLAGS, refuse, refuse_if=True)
    steps += _with_argument(_PRLIMIT[column], _EQUAL, 0, refuse, refuse_if=False)  # 0: the caller itself
    if not shared_memory:
        steps += _mapping(_MMAP[column], refuse)
    return b"".join([*steps, _instruction(_RETURN, _ALLOW)])


def _mapping(number: int, refuse: bytes) -> list[bytes]:
    """mmap, refused where its flags, the fourth argument, say that others see what has no file."""
    return [
        _instruction(_EQUAL, number, if_false=4),
        _instruction(_LOAD, _ARGUMENTS + 3 * 8),
        _instruction(_AND, _SHARED_WITHOUT_FILE),
        _instruction(_EQUAL, _SHARED_WITHOUT_FILE, if_false=1),
        refuse,
    ]


def _with_argument(number: int, test: int, value: int, refuse: bytes, refuse_if: bool) -> list[bytes]:
    """A call that is refused where a test of its first argument comes out as said."""
    jumps = (0, 1) if refuse_if else (1, 0)
    return [
        _instruction(_EQUAL, number, if_false=4),
        _instruction(_LOAD, _ARGUMENTS),
        _instruction(test, value, *jumps),
        refuse,
        _instruction(_LOAD, _NUMBER),
    ]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def forbid_new_privileges() -> None:
    """No program that is executed from now on gains privileges. Raises OSError."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0)


def install(shared_memory: bool = True) -> None:
    """Put the filter on this thread and all that it begins. Raises OSError, KeyError for an unknown processor."""
    steps = program(platform.machine(), shared_memory)
    forbid_new_privileges()
    filter_program = _Program(len(steps) // 8, steps)
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(filter_program), 0)


def _prctl(option: int, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_ulong(argument) for argument in (*arguments, 0)[:4]]
    if libc.prctl(option, *words) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}): {os.strerror(ctypes.get_errno())}")
