"""The filter of system calls: what it refuses, what it allows, and that its numbers are the kernel's."""

import errno
import fcntl
import os
import platform
import re
import struct
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simulator.sandbox import syscalls
from tests.programs import run

HEADERS = [
    Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    Path("/usr/include/asm-generic/unistd.h"),  # aarch64 has no numbers of its own
]
ARCHITECTURES = ["x86_64", "aarch64"]
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OTHER_AUDIT = 0x40000003  # i386
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
UNLESS_LIMITED = {**syscalls.OF_PROCESSES, **syscalls.OF_FILES}  # calls that start processes or change files
TABLES = {**syscalls.REFUSED, **UNLESS_LIMITED}
UNKNOWN = {**syscalls.UNKNOWN, **syscalls.UNKNOWN_OF_FILES}
RULES = {**syscalls.RULES, **syscalls.RULES_OF_PROCESSES, **syscalls.RULES_OF_FILES}
ALL_NUMBERS = {
    **TABLES,
    **UNKNOWN,
    **syscalls.SIGNALS,
    **{name: rule.numbers for name, rule in RULES.items() if " " not in name},
}
FORK, THREAD = 17, 0x3D0F00  # flags of clone: SIGCHLD; a thread of glibc's
PLAIN: dict[str, Any] = {"allows_processes": False, "allows_writing": False, "own_process": 7}  # all of this is refused
THREADS_ONLY: dict[str, Any] = {"allows_processes": False}

needs_filter = pytest.mark.skipif(not syscalls.is_supported(), reason="no filter of system calls on this system")


@pytest.fixture(params=ARCHITECTURES)
def architecture(request):
    """The name of each architecture whose system calls are known."""
    return request.param


@cache
def steps_of(architecture, **options):
    """The instructions of a filter."""
    return list(struct.iter_unpack("HBBI", syscalls.program(architecture, **options)))


def decide(architecture, number, *arguments, audit=None, **options):
    """What the kernel would do with a call, found by running the filter's program step by step."""
    words = [argument & 0xFFFFFFFFFFFFFFFF for argument in (*arguments, 0, 0, 0, 0, 0, 0)[:6]]
    data = struct.pack("=iIQ6Q", number, AUDIT[architecture] if audit is None else audit, 0, *words)
    steps, word, at = steps_of(architecture, **options), 0, 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x06:
            return value
        if code == 0x20:
            word = struct.unpack_from("=I", data, value)[0]
            continue
        if code == 0x54:
            word &= value
            continue
        holds = {0x15: word == value, 0x35: word >= value}[code]
        at += if_true if holds else if_false


def number_of(name, architecture):
    number = {**ALL_NUMBERS, "mmap": syscalls._MMAP}[name][ARCHITECTURES.index(architecture)]
    if number is None:
        pytest.skip(f"{architecture} has no such call")
    return number


@pytest.mark.parametrize(
    ("table", "options", "decision"),
    [(syscalls.REFUSED, {}, EPERM), (UNLESS_LIMITED, {}, ALLOW), (UNLESS_LIMITED, PLAIN, EPERM)],
    ids=["refused", "limited", "not limited"],
)
def test_calls_of_the_tables_are_refused_some_only_where_nothing_else_limits_them(
    architecture, table, options, decision
):
    column = ARCHITECTURES.index(architecture)
    numbers = {name: row[column] for name, row in table.items() if row[column] is not None}
    found = {name: decide(architecture, number, **options) for name, number in numbers.items()}
    assert found == dict.fromkeys(numbers, decision)


@pytest.mark.parametrize("options", [{}, THREADS_ONLY, PLAIN], ids=["all held", "threads only", "plain"])
def test_calls_that_are_not_in_the_tables_are_allowed(architecture, options):
    listed = {numbers[ARCHITECTURES.index(architecture)] for numbers in ALL_NUMBERS.values()}
    assert {decide(architecture, number, **options) for number in set(range(470)) - listed} == {ALLOW}


@pytest.mark.parametrize(("name", "options"), [("clone3", {}), ("openat2", PLAIN)])
def test_calls_that_a_filter_cannot_read_are_unknown_so_that_libraries_fall_back(architecture, name, options):
    assert decide(architecture, number_of(name, architecture), **options) == ENOSYS


@pytest.mark.parametrize(
    ("name", "refused", "allowed"),
    [
        ("prlimit64", (1,), (0,)),
        ("fcntl", (3, fcntl.F_SETLEASE), (3, fcntl.F_SETFL)),
        ("fcntl", (3, fcntl.F_SETLK), (3, fcntl.F_DUPFD_CLOEXEC)),
        ("fcntl", (3, fcntl.F_NOTIFY), (3, fcntl.F_GETFD)),
        ("fcntl", (3, fcntl.F_SETSIG), (3, fcntl.F_GETFL)),
        ("prctl", (4, 0), (15, 0)),  # PR_SET_DUMPABLE, PR_SET_NAME
        ("fcntl", (3, 1036), (3, 1035)),  # F_SET_RW_HINT, F_GET_RW_HINT
        ("fcntl", (3, 1040), (3, 1035)),  # F_SETDELEG
        ("memfd_create", (0, 4), (0, 1)),  # MFD_HUGETLB, MFD_CLOEXEC
        ("prctl", (22, 2), (15, 0)),  # PR_SET_SECCOMP
        ("prctl", (36, 0), (38, 1)),  # PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS
        ("prctl", (78, 1, 1 << 23), (15, 0)),  # PR_FUTEX_HASH
        ("fcntl that asks for signals", (3, fcntl.F_SETFL, os.O_ASYNC), (3, fcntl.F_SETFL, os.O_NONBLOCK)),
        ("fcntl that asks for signals", (3, fcntl.F_SETFL, os.O_ASYNC | os.O_APPEND), (3, fcntl.F_GETFL, os.O_ASYNC)),
        ("ioctl", (3, 0x8901), (3, 0x541B)),  # FIOSETOWN, FIONREAD
        ("ioctl", (3, 0x40086602), (3, 0x5421)),  # FS_IOC_SETFLAGS, FIONBIO
        ("sendto", (3, 1 << 40, 1, 0, 1 << 20, 8), (3, 1 << 40, 1, 0, 0, 0)),
        ("sendto", (3, 1 << 40, 1, 0, 1 << 40, 8), (3, 1 << 40, 1, 0, 0, 8)),
        ("madvise", (0, 1 << 35, 22), (0, 1 << 35, 4)),  # MADV_POPULATE_READ, MADV_DONTNEED
        ("mmap of reserved huge pages", (0, 4096, 3, 0x40022), (0, 4096, 3, 0x22)),
    ],
)
def test_calls_are_refused_for_some_arguments_and_allowed_for_others(architecture, name, refused, allowed):
    number = RULES[name].numbers[ARCHITECTURES.index(architecture)]
    assert number is not None
    assert (decide(architecture, number, *refused), decide(architecture, number, *allowed)) == (EPERM, ALLOW)


NAMESPACES = (0x10000000, 0x20000000, 0x40000000, 0x20000)  # of users, processes, network, mounts
SHARED, PRIVATE, FILE = ((0, 4096, 3, flags) for flags in (0x21, 0x22, 0x01))
READING = (os.O_RDONLY, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK, os.O_DIRECTORY)
WRITING = (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_RDWR | os.O_TMPFILE)


@pytest.mark.parametrize(
    ("name", "options", "refused", "allowed"),
    [
        ("clone", {}, [(flag | FORK,) for flag in NAMESPACES], [(FORK,), (THREAD,)]),
        # The flags: CLONE_VFORK | CLONE_VM; and a thread without CLONE_FILES, which has descriptors of its own.
        ("clone", THREADS_ONLY, [(FORK,), (0x4100 | FORK,), (THREAD & ~0x400,)], [(THREAD,)]),
        ("memfd_create", {}, [], [()]),
        ("memfd_create", {"allows_memory_files": False}, [()], []),  # where files may be written
        ("mmap", {}, [], [SHARED, PRIVATE, FILE]),
        ("mmap", THREADS_ONLY, [SHARED], [PRIVATE, FILE]),  # nothing counts shared memory
        ("open", PLAIN, [(0, flags) for flags in WRITING], [(0, flags) for flags in READING]),
        ("open", {}, [], [(0, flags) for flags in WRITING]),  # something else protects the files
        ("openat", PLAIN, [(0, 0, flags) for flags in WRITING], [(0, 0, flags) for flags in READING]),
        ("openat", {}, [], [(0, 0, flags) for flags in WRITING]),
        *((name, PLAIN, [(8,), (0,), (-1,)], [(7,)]) for name in syscalls.SIGNALS),  # signals to oneself only
        *((name, {}, [], [(8,)]) for name in syscalls.SIGNALS),  # a namespace hides the others
    ],
)
def test_calls_are_refused_where_nothing_else_holds_the_agent(architecture, name, options, refused, allowed):
    number = number_of(name, architecture)
    found = [decide(architecture, number, *call, **options) for call in (*refused, *allowed)]
    assert found == [EPERM] * len(refused) + [ALLOW] * len(allowed)


def test_other_tables_of_system_calls_are_no_way_around():
    socket = syscalls.REFUSED["socket"][0]
    assert decide("x86_64", 0, audit=OTHER_AUDIT) == KILL
    assert decide("x86_64", socket | 0x40000000) == EPERM  # x32


@pytest.mark.parametrize("column", range(2), ids=ARCHITECTURES)
def test_numbers_are_the_kernels(column):
    if not HEADERS[column].exists():
        pytest.skip(f"{HEADERS[column]} is not installed")
    text = HEADERS[column].read_text()
    kernels = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\b", text)}
    ours = {name: numbers[column] for name, numbers in ALL_NUMBERS.items() if numbers[column] is not None}
    known = {name: number for name, number in ours.items() if name in kernels}  # an older header lacks newer calls
    assert len(known) > len(ours) * 0.9
    assert known == {name: kernels[name] for name in known}


# --- In the kernel --------------------------------------------------------------------------------------------------


@needs_filter
def test_the_kernel_refuses_every_call_of_the_table():
    """Without the filter, these wrong arguments would do nothing and give other errors: EPERM comes from the filter."""
    found = run(
        """
        import ctypes, os, platform
        from simulator.sandbox import syscalls
        libc = ctypes.CDLL(None, use_errno=True)
        column = syscalls._ARCHITECTURES[platform.machine()].column
        nothing = [ctypes.c_long(-1)] * 6
        tables = {**syscalls.REFUSED, **syscalls.OF_PROCESSES, **syscalls.OF_FILES}
        syscalls.install(allows_processes=False, allows_writing=False, own_process=os.getpid())
        for name, numbers in tables.items():
            if numbers[column] is not None:
                print(name, libc.syscall(ctypes.c_long(numbers[column]), *nothing), ctypes.get_errno())
        """
    )
    column = ARCHITECTURES.index(platform.machine())
    assert found.splitlines() == [
        f"{name} -1 {errno.EPERM}" for name, numbers in TABLES.items() if numbers[column] is not None
    ]


@needs_filter
def test_children_and_their_programs_keep_the_filter():
    found = run(
        """
        import subprocess, sys
        from simulator.sandbox import syscalls
        syscalls.install()
        attempt = "import socket\\ntry: socket.socket()\\nexcept OSError as error: print(error.errno)"
        print(subprocess.run([sys.executable, "-c", attempt], capture_output=True, text=True).stdout.strip())
        """
    )
    assert found == str(errno.EPERM)


def test_an_unknown_architecture_is_an_error_that_names_it():
    with pytest.raises(KeyError, match="riscv64"):
        syscalls.program("riscv64")
