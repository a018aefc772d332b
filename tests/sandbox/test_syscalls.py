"""The filter of system calls: what it refuses, what it leaves, and that its numbers are the kernel's."""

import errno
import re
import struct
from pathlib import Path

import pytest

from simulator.sandbox import syscalls
from tests.sandbox.processes import in_a_process

HEADERS = [
    Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    Path("/usr/include/asm-generic/unistd.h"),  # aarch64 has no numbers of its own
]
MACHINES = ["x86_64", "aarch64"]
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
OTHER_AUDIT = 0x40000003  # i386
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
WITH_ARGUMENT = {"clone": syscalls._CLONE, "clone3": syscalls._CLONE3, "prlimit64": syscalls._PRLIMIT}

needs_filter = pytest.mark.skipif(not syscalls.is_supported(), reason="no filter of system calls on this system")


def decide(machine: str, number: int, argument: int = 0, audit: int | None = None) -> int:
    """What the kernel would do with a call: the filter's program run step by step, slowly and plainly."""
    data = struct.pack("=iIQQ", number, AUDIT[machine] if audit is None else audit, 0, argument)
    steps = list(struct.iter_unpack("HBBI", syscalls.program(machine)))
    word, at = 0, 0
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
        holds = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[code]
        at += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", syscalls.REFUSED)
def test_every_call_of_the_table_is_refused(machine: str, name: str) -> None:
    assert decide(machine, syscalls.REFUSED[name][MACHINES.index(machine)]) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_that_are_not_in_the_table_are_left(machine: str) -> None:
    column = MACHINES.index(machine)
    listed = {numbers[column] for numbers in (*syscalls.REFUSED.values(), *WITH_ARGUMENT.values())}
    assert {decide(machine, number) for number in set(range(470)) - listed} == {ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_fork_is_left_and_a_namespace_refused(machine: str) -> None:
    number = syscalls._CLONE[MACHINES.index(machine)]
    flags = {"new time": 0x80, "new user": 0x10000000, "new pid": 0x20000000, "new net": 0x40000000, "new mnt": 0x20000}
    assert decide(machine, number, 17) == ALLOW  # SIGCHLD: fork
    assert decide(machine, number, 0x3D0F00) == ALLOW  # a thread of glibc's
    assert decide(machine, number, flags["new user"] | 17) == EPERM
    assert all(decide(machine, number, flags[f"new {kind}"]) == EPERM for kind in ("pid", "net", "mnt"))


@pytest.mark.parametrize("machine", MACHINES)
def test_clone3_is_unknown_so_that_libraries_fall_back(machine: str) -> None:
    assert decide(machine, syscalls._CLONE3[MACHINES.index(machine)]) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_limits_of_oneself_are_left_and_those_of_others_refused(machine: str) -> None:
    number = syscalls._PRLIMIT[MACHINES.index(machine)]
    assert (decide(machine, number, 0), decide(machine, number, 1)) == (ALLOW, EPERM)


def test_other_tables_of_system_calls_are_no_way_around() -> None:
    socket = syscalls.REFUSED["socket"][0]
    assert decide("x86_64", 0, audit=OTHER_AUDIT) == KILL
    assert decide("x86_64", socket | 0x40000000) == EPERM  # x32


@pytest.mark.parametrize("column", range(2), ids=MACHINES)
def test_numbers_are_the_kernels(column: int) -> None:
    if not HEADERS[column].exists():
        pytest.skip(f"{HEADERS[column]} is not installed")
    text = HEADERS[column].read_text()
    kernels = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)\b", text)}
    ours = {name: numbers[column] for name, numbers in (syscalls.REFUSED | WITH_ARGUMENT).items()}
    known = {name: number for name, number in ours.items() if name in kernels}  # an older header lacks newer calls
    assert len(known) > len(ours) * 0.9
    assert known == {name: kernels[name] for name in known}


# --- In the kernel --------------------------------------------------------------------------------------------------


@needs_filter
def test_the_kernel_refuses_every_call_of_the_table() -> None:
    """Without the filter, these arguments would be wrong and do nothing: so no error but EPERM is the filter's."""
    lines = in_a_process(
        """
        import ctypes, platform
        from simulator.sandbox import syscalls
        libc = ctypes.CDLL(None, use_errno=True)
        column = syscalls._MACHINES[platform.machine()].column
        nothing = [ctypes.c_long(-1)] * 6
        syscalls.install()
        for name, numbers in syscalls.REFUSED.items():
            print(name, libc.syscall(ctypes.c_long(numbers[column]), *nothing), ctypes.get_errno())
        """
    )
    assert lines == [f"{name} -1 {errno.EPERM}" for name in syscalls.REFUSED]


DEEDS = {
    "a socket": "socket.socket()",
    "another process's memory": "call('process_vm_readv', os.getpid(), 0, 0, 0, 0, 0)",
    "more processors": "os.sched_setaffinity(0, os.sched_getaffinity(0))",
    "priority": "os.setpriority(os.PRIO_PROCESS, 0, 5)",
    "scheduling": "os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
    "another process's limits": "resource.prlimit(os.getppid(), resource.RLIMIT_CORE)",
    "memory that no process holds": "call('shmget', 0, 4096, 0o1600)",
    "leaving a namespace": "call('unshare', 0)",
}


@needs_filter
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_what_can_be_done_without_the_filter_is_refused_with_it(deed: str) -> None:
    lines = in_a_process(
        f"""
        import ctypes, errno, os, platform, resource, socket
        from simulator.sandbox import syscalls

        def call(name, *arguments):
            libc, column = ctypes.CDLL(None, use_errno=True), syscalls._MACHINES[platform.machine()].column
            if libc.syscall(ctypes.c_long(syscalls.REFUSED[name][column]), *arguments) < 0:
                raise OSError(ctypes.get_errno(), name)

        def attempt():
            try:
                {deed}
                print("done")
            except OSError as error:
                print(errno.errorcode[error.errno])

        attempt()
        syscalls.install()
        attempt()
        """
    )
    if lines[0] != "done":
        pytest.skip(f"not to be had here even without the filter: {lines[0]}")
    assert lines[1] == "EPERM"


@needs_filter
def test_honest_agents_have_what_they_need() -> None:
    lines = in_a_process(
        """
        import asyncio, concurrent.futures, os, resource, socket, subprocess, sys, threading
        from simulator.sandbox import syscalls
        syscalls.install()

        found = []
        thread = threading.Thread(target=lambda: found.append("thread"))
        thread.start()
        thread.join()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found += pool.map(str, ["pool"])
        found.append(subprocess.run(["/bin/echo", "program"], capture_output=True, text=True).stdout.strip())
        ours, theirs = socket.socketpair()
        ours.sendall(b"socketpair")
        found.append(theirs.recv(100).decode())

        async def main():
            await asyncio.sleep(0)
            process = await asyncio.create_subprocess_exec("/bin/echo", "loop", stdout=asyncio.subprocess.PIPE)
            return (await process.communicate())[0].decode().strip()

        found.append(asyncio.run(main()))
        soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))
        found.append("limits")
        child = os.fork()
        if child == 0:
            os._exit(7)
        found.append(f"fork {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}")
        print(found)
        """
    )
    assert lines == ["['thread', 'pool', 'program', 'socketpair', 'loop', 'limits', 'fork 7']"]


@needs_filter
def test_children_and_their_programs_keep_the_filter() -> None:
    lines = in_a_process(
        """
        import subprocess, sys
        from simulator.sandbox import syscalls
        syscalls.install()
        attempt = "import socket\\ntry: socket.socket()\\nexcept OSError as error: print(error.errno)"
        print(subprocess.run([sys.executable, "-c", attempt], capture_output=True, text=True).stdout.strip())
        """
    )
    assert lines == [str(errno.EPERM)]


def test_another_processor_is_an_error_that_names_it() -> None:
    with pytest.raises(KeyError, match="riscv64"):
        syscalls.program("riscv64")
