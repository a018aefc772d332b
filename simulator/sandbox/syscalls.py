"""System calls that no agent needs: a filter of the kernel (seccomp) refuses them with EPERM.

The filter stays with a process, its threads and all its children, through every program that they execute. It keeps
agents away from clocks, priorities, affinities, sockets, other processes, namespaces, and what outlives a process.
If no control group counts what processes leave behind, it also refuses new processes (`allows_processes`); if no
namespace protects the files, it also refuses every way to write them (`allows_writing`) and signals to others.

A call is refused always (the tables of numbers) or because of one argument (`RULES` and the rules below it). Begin
reading at `program`.

Sources: `man 2 seccomp`, `linux/seccomp.h`, `linux/bpf_common.h`; numbers from the kernel's tables of system calls.
"""

import errno
import os
import platform
import struct
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from simulator.sandbox import linux

Numbers = tuple[int | None, int | None]
"""A call's number on x86_64 and on aarch64; None if there is no such call. From 424 on, all architectures agree."""


def _table(text: str) -> Mapping[str, Numbers]:
    """Calls by name, from entries such as `fork 57 -`, with commas between them, and lines that begin with #."""
    lines = (line for line in text.splitlines() if not line.strip().startswith("#"))
    entries = (entry.split() for entry in ",".join(lines).split(",") if entry.strip())
    return {name: (_number(x86_64), _number(aarch64)) for name, x86_64, aarch64 in entries}


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)


REFUSED = _table(
    """
    # other processes
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, pidfd_getfd 438 438,
    process_madvise 440 440
    # clocks
    clock_settime 227 112, settimeofday 164 170, adjtimex 159 171, clock_adjtime 305 266
    # a larger share of the processors
    sched_setaffinity 203 122, sched_setscheduler 144 119, sched_setparam 142 118, sched_setattr 314 274,
    setpriority 141 140, ioprio_set 251 30
    # network; socketpair, which asyncio wants, stays, but it gets no name, finds nobody by name (see `sendto`), and no
    # descriptor can be sent through it, out of sight
    socket 41 198, bind 49 200, connect 42 203, listen 50 201, accept 43 202, accept4 288 242, sendmsg 46 211,
    sendmmsg 307 269
    # memory and messages that outlive the process that made them
    shmget 29 194, shmat 30 196, shmctl 31 195, msgctl 71 187, semctl 66 191, msgget 68 186, msgsnd 69 189,
    msgrcv 70 188, semget 64 190, semop 65 193, semtimedop 220 192, mq_open 240 180, mq_unlink 241 181,
    mq_timedsend 242 182, mq_timedreceive 243 183, memfd_secret 447 447
    # signals that come by themselves, and could wake who is stopped
    timer_create 222 107
    # files that others see too: who opens or reads them, who holds a lock
    flock 73 32, inotify_init 253 -, inotify_init1 294 26, fanotify_init 300 262
    # attributes of files, which change without their being written
    chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
    fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5, lsetxattr 189 6,
    fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16, setxattrat 463 463,
    removexattrat 466 466, file_setattr 469 469
    # namespaces and mounts
    mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, unshare 272 97, setns 308 268, open_tree 428 428,
    move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442,
    open_tree_attr 467 467
    # ways around the filter
    io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, io_setup 206 0
    # filters and rule sets of an agent's own, which are memory in no process's size
    seccomp 317 277, landlock_create_ruleset 444 444, landlock_add_rule 445 445, landlock_restrict_self 446 446
    # the kernel's own machinery
    open_by_handle_at 304 265, bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, add_key 248 217,
    request_key 249 218, keyctl 250 219, syslog 103 116, acct 163 89, quotactl 179 60, quotactl_fd 443 443,
    swapon 167 224, swapoff 168 225, reboot 169 142, init_module 175 105, finit_module 313 273, delete_module 176 106,
    kexec_load 246 104, kexec_file_load 320 294
    """
)

# Refused if nothing counts what processes leave in the kernel: calls that make another process, or memory that is in no
# process's size (larger buffers of sockets, pages that live on in a pipe).
OF_PROCESSES = _table("fork 57 -, vfork 58 -, setsockopt 54 208, vmsplice 278 75")

# Refused if no namespace makes the files read-only and hides the other processes.
OF_FILES = _table(
    """
    creat 85 -, mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35, rename 82 -, renameat 264 38,
    renameat2 316 276, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, mknod 133 -, mknodat 259 33,
    truncate 76 45, tkill 200 130, pidfd_open 434 434, pidfd_send_signal 424 424
    """
)

# Refused if files may be written: a file in memory could grow as large as they may, and is in no process's size.
OF_MEMORY_FILES = _table("memfd_create 319 279")

# Calls whose arguments lie in memory, where a filter cannot look. They fail with ENOSYS, so libraries use older calls.
UNKNOWN = _table("clone3 435 435")
UNKNOWN_OF_FILES = _table("openat2 437 437")


class Rule(NamedTuple):
    """A call that is refused by one of its arguments.

    Attributes:
        numbers: the numbers of the call.
        argument: the index of the argument, from 0; its low 32 bits count.
        values: values of the argument, masked by `mask`, for which the call is refused.
        mask: the bits of the argument that count.
        only: `values` are allowed instead, and all others are refused.
        high: the high 32 bits count instead of the low ones.
        where: another argument and its value; the rule applies only if that argument has this value.
    """

    numbers: Numbers
    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    only: bool = False
    high: bool = False
    where: tuple[int, int] | None = None


_CLONE, _PRLIMIT, _MMAP, _SENDTO, _FCNTL = (56, 220), (302, 261), (9, 222), (44, 206), (72, 25)

_NEW_NAMESPACE_FLAGS = 0x7E020000  # CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET
_CLONE_THREAD_WITH_FILES = 0x00010400  # a thread with a table of descriptors of its own could hold more than allowed
_CLOSE_RANGE_UNSHARE = 0x2
_MFD_HUGETLB = 0x4
_MAP_SHARED_WITHOUT_FILE = 0x21  # MAP_SHARED | MAP_ANONYMOUS
_MAP_HUGETLB = 0x40000

# Refused commands of fcntl: locks (F_GETLK, F_SETLK, F_SETLKW, the same for open files), which process gets a signal
# and which (F_SETOWN, F_SETSIG, F_SETOWN_EX), leases, by which a process delays others that open a file, F_NOTIFY,
# F_SETPIPE_SZ, hints that stay with a file (F_SET_RW_HINT, F_SET_FILE_RW_HINT), delegations, which are leases of
# folders (F_GETDELEG, F_SETDELEG).
_FCNTL_COMMANDS = (5, 6, 7, 36, 37, 38, 8, 10, 15, 1024, 1026, 1031, 1036, 1038, 1039, 1040)
_F_SETFL, _O_ASYNC = 4, 0x2000
# Refused options of prctl: PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SCHED_CORE,
# and PR_FUTEX_HASH, which makes a table of any size that is in no process's size.
_PRCTL_OPTIONS = (1, 4, 22, 36, 62, 78)
# Allowed commands of ioctl: TCGETS, TCGETS2, TIOCGPGRP and TIOCGWINSZ (is it a terminal?), FIONREAD, FIONBIO, FIOCLEX,
# FIONCLEX. Others send signals (FIOSETOWN, FIOASYNC) or set attributes of files that are open for reading.
_IOCTL_COMMANDS = (0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5421, 0x5451, 0x5450)
# MADV_POPULATE_READ and _WRITE: nobody can stop a process meanwhile. MADV_COLD, MADV_PAGEOUT, POSIX_FADV_DONTNEED: the
# kernel drops what it keeps of files, and the opponent then has to read them from the disk on its own clock.
_MADV_POPULATE, _MADV_DROP, _FADV_DONTNEED = (22, 23), (20, 21), 4
_WRITING = 0x3 | 0x40 | 0x200  # O_WRONLY and O_RDWR, O_CREAT, O_TRUNC

RULES: Mapping[str, Rule] = {
    "clone": Rule(_CLONE, 0, (0,), _NEW_NAMESPACE_FLAGS, only=True),
    "prlimit64": Rule(_PRLIMIT, 0, (0,), only=True),  # 0: the caller itself
    "fcntl": Rule(_FCNTL, 1, _FCNTL_COMMANDS),
    "fcntl that asks for signals": Rule(_FCNTL, 2, (_O_ASYNC,), _O_ASYNC, where=(1, _F_SETFL)),
    "ioctl": Rule((16, 29), 1, _IOCTL_COMMANDS, only=True),
    "sendto": Rule(_SENDTO, 4, (0,), only=True),  # no address: to the other end of a pair
    "sendto an address in the upper half": Rule(_SENDTO, 4, (0,), only=True, high=True),
    "prctl": Rule((157, 167), 0, _PRCTL_OPTIONS),
    "madvise": Rule((28, 233), 2, (*_MADV_POPULATE, *_MADV_DROP)),
    "fadvise64": Rule((221, 223), 3, (_FADV_DONTNEED,)),
    "mmap of reserved huge pages": Rule(_MMAP, 3, (_MAP_HUGETLB,), _MAP_HUGETLB),  # in no process's size
    "memfd_create": Rule((319, 279), 1, (_MFD_HUGETLB,), _MFD_HUGETLB),
}

RULES_OF_PROCESSES: Mapping[str, Rule] = {
    "clone of a process": Rule(_CLONE, 0, (_CLONE_THREAD_WITH_FILES,), _CLONE_THREAD_WITH_FILES, only=True),
    "close_range": Rule((436, 436), 2, (_CLOSE_RANGE_UNSHARE,), _CLOSE_RANGE_UNSHARE),
    "mmap of shared memory": Rule(_MMAP, 3, (_MAP_SHARED_WITHOUT_FILE,), _MAP_SHARED_WITHOUT_FILE),
}

RULES_OF_FILES: Mapping[str, Rule] = {
    "open": Rule((2, None), 1, (0,), _WRITING, only=True),
    "openat": Rule((257, 56), 2, (0,), _WRITING, only=True),
}

# Calls that send a signal; their first argument is the receiving process. The caller's own process stays allowed.
SIGNALS = _table("kill 62 129, tgkill 234 131, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240")

_X32_BIT = 0x40000000  # the second system call table of x86_64

_LOAD, _EQUAL, _AT_LEAST, _RETURN, _AND = 0x20, 0x15, 0x35, 0x06, 0x54  # opcodes of the kernel's BPF
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; 8 bytes an argument, low half first
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


class _Architecture(NamedTuple):
    column: int  # of the tables above
    audit: int  # the kernel's number for the architecture
    has_x32: bool


_ARCHITECTURES = {"x86_64": _Architecture(0, 0xC000003E, True), "aarch64": _Architecture(1, 0xC00000B7, False)}


def is_supported() -> bool:
    """Whether there is a filter for this processor, and the kernel accepts filters."""
    return platform.machine() in _ARCHITECTURES and os.path.exists("/proc/sys/kernel/seccomp/actions_avail")


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


_REFUSE = _instruction(_RETURN, _ERRNO | errno.EPERM)
_REFUSE_AS_UNKNOWN = _instruction(_RETURN, _ERRNO | errno.ENOSYS)


def program(
    architecture: str,
    *,
    allows_processes: bool = True,
    allows_writing: bool = True,
    allows_memory_files: bool = True,
    own_process: int | None = None,
) -> bytes:
    """The filter as instructions of the kernel's BPF. Raises KeyError for an unknown architecture.

    Args:
        architecture: its name, as `platform.machine` gives it.
        allows_processes: whether new processes and shared memory without a file are allowed; threads always are.
        allows_writing: whether calls that change files are allowed.
        allows_memory_files: whether files in memory are allowed; if no file may grow, they do no harm.
        own_process: the only process to which signals may be sent; None allows all.
    """
    column, audit, has_x32 = _ARCHITECTURES[architecture]
    steps = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, audit, if_true=1),
        _instruction(_RETURN, _KILL),  # 32-bit calls have other numbers
        _instruction(_LOAD, _NUMBER),
    ]
    if has_x32:
        steps += [_instruction(_AT_LEAST, _X32_BIT, if_false=1), _REFUSE]
    refused, unknown, rules = [REFUSED], [UNKNOWN], [*RULES.values()]
    if not allows_processes:
        refused.append(OF_PROCESSES)
        rules += RULES_OF_PROCESSES.values()
    if not allows_writing:
        refused.append(OF_FILES)
        unknown.append(UNKNOWN_OF_FILES)
        rules += RULES_OF_FILES.values()
    if not allows_memory_files:
        refused.append(OF_MEMORY_FILES)
    if own_process is not None:
        rules += [Rule(numbers, 0, (own_process,), only=True) for numbers in SIGNALS.values()]
    for tables, answer in ((refused, _REFUSE), (unknown, _REFUSE_AS_UNKNOWN)):
        for number in _numbers(tables, column):
            steps += [_instruction(_EQUAL, number, if_false=1), answer]
    for rule in rules:
        steps += _by_argument(rule, column)
    return b"".join([*steps, _instruction(_RETURN, _ALLOW)])


def _numbers(tables: Iterable[Mapping[str, Numbers]], column: int) -> list[int]:
    return sorted(number for table in tables for row in table.values() if (number := row[column]) is not None)


def _by_argument(rule: Rule, column: int) -> list[bytes]:
    """The instructions for a rule; none if this architecture has no such call."""
    number = rule.numbers[column]
    if number is None:
        return []
    offset = _ARGUMENTS + 8 * rule.argument + (4 if rule.high else 0)
    steps = [_instruction(_LOAD, offset), _instruction(_AND, rule.mask)]
    if rule.only:
        count = len(rule.values)
        steps += [_instruction(_EQUAL, value, if_true=count - i) for i, value in enumerate(rule.values)]
        steps.append(_REFUSE)
    else:
        for value in rule.values:
            steps += [_instruction(_EQUAL, value, if_false=1), _REFUSE]
    if rule.where is not None:
        argument, value = rule.where
        condition = [_instruction(_LOAD, _ARGUMENTS + 8 * argument), _instruction(_EQUAL, value, if_false=len(steps))]
        steps = [*condition, *steps]
    steps.append(_instruction(_LOAD, _NUMBER))
    return [_instruction(_EQUAL, number, if_false=len(steps)), *steps]


def install(**options: Any) -> None:
    """Put the filter on this thread and all that it starts; `options` are those of `program`.

    Raises OSError if the kernel refuses, KeyError for an unknown architecture.
    """
    linux.install_filter(program(platform.machine(), **options))
