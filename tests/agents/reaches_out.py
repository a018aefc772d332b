"""Asks for what is not its own, one deed after the other, and says which deeds were granted.

`reaches_out.py:deeds=tcp;clock,pid=123,port=4711`: 123 is the referee's pid. Without `deeds`, it does those of ALL.
`file` and `folder` belong to somebody else. `move` says from which of its moves on it asks. A deed that nobody forbids
does the machine no harm: it sets the clock to the present time. What does not exist counts as forbidden.
"""

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

OUTSIDE = "192.0.2.1"  # kept free for documentation (RFC 5737): a packet to it harms nobody
I386_SOCKET = bytes.fromhex("53 b867010000 bb02000000 b901000000 31d2 cd80 5b c3")  # socket(AF_INET, SOCK_STREAM, 0)
X32_SOCKET = 0x40000000 + 41
CLONE_NEWUSER, CLONE_NEWNS, MS_MOVE = 0x10000000, 0x00020000, 8192
IO_URING_SETUP = 425  # the same number on every machine
PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17
FIOSETOWN, FIOASYNC = 0x8901, 0x5452
LIMITED = (resource.RLIMIT_DATA, resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC)


def refuse(what):
    raise PermissionError(1, what)


def call(name, *arguments):
    """Call a function of libc; raise OSError if its result is negative, as Python's own functions do."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def numbers():
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def family():
    """The pids of itself and of its ancestors, the sandbox among them."""
    pid = os.getpid()
    while pid > 0:
        yield pid
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


# --- The network ----------------------------------------------------------------------------------------------------


def tcp(options, host="127.0.0.1"):
    """Connects; the address OUTSIDE counts as reached although it never answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.settimeout(0)
        error = connection.connect_ex((host, options["port"]))
        if error not in (0, errno.EINPROGRESS):
            raise OSError(error, os.strerror(error))
        connection.settimeout(1)
        if host != OUTSIDE and (error := connection.connect_ex((host, options["port"]))) not in (0, errno.EISCONN):
            raise OSError(error, os.strerror(error))


def udp(options, host="127.0.0.1"):
    """Sends a packet; if it went to this machine, waits for an answer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(1)
        sender.sendto(b"hello", (host, options["port"]))
        if host != OUTSIDE:
            sender.recvfrom(10)


def unix(options):
    """Connects to a socket in the abstract name space, which no file system hides."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(f"\0scoundrel-{options['port']}")


def letter(options):
    """Writes to a name in the abstract name space from a socket that was made in a pair."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with near, far:
        near.sendto(b"hello", f"\0scoundrel-letters-{options['port']}")


def connected_letter(options):
    """Does the same as `letter`, after it has connected the socket to the name."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with near, far:
        near.connect(f"\0scoundrel-letters-{options['port']}")
        near.send(b"hello")


def listen(options):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()


def i386(options):
    """Makes a socket by the system calls of 32-bit programs, which have other numbers."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(I386_SOCKET)
    found = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    if found < 0:
        raise OSError(-found, os.strerror(-found))
    os.close(found)


NETWORK = {
    "tcp": tcp,
    "tcp_outside": lambda options: tcp(options, OUTSIDE),
    "udp": udp,
    "udp_outside": lambda options: udp(options, OUTSIDE),
    "unix": unix,
    "letter": letter,
    "connected_letter": connected_letter,
    "listen": listen,
    # A system call of x32 programs
    "x32": lambda options: os.close(call("syscall", X32_SOCKET, socket.AF_INET, socket.SOCK_STREAM, 0)),
}

# --- Rights ---------------------------------------------------------------------------------------------------------


def affinity(options):
    """Asks for every processor, and succeeds if it may then use more than one."""
    os.sched_setaffinity(0, range(os.cpu_count()))
    if (cores := len(os.sched_getaffinity(0))) <= 1:
        refuse(f"{cores} processors and no more")


def limits(options):
    """Raises every limit of LIMITED to infinity; the first limit that cannot be raised ends the deed."""
    for which in LIMITED:
        if resource.prlimit(0, which)[1] != resource.RLIM_INFINITY:
            resource.prlimit(0, which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def mount(options):
    """Moves a mount without naming it: EINVAL counts as granted, because the kernel checks the right to mount first."""
    try:
        call("mount", None, b"/", None, MS_MOVE, None)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise


def capabilities(options):
    """Looks whether it has any capability."""
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    if int(status["CapEff"], 16) == 0:
        refuse("no capabilities")


RIGHTS = {
    "clock": lambda options: time.clock_settime_ns(time.CLOCK_REALTIME, time.time_ns()),
    "priority": lambda options: os.setpriority(os.PRIO_PROCESS, 0, -5),
    "real_time": lambda options: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "affinity": affinity,
    "limits": limits,
    "referees_limits": lambda options: resource.prlimit(
        options["pid"], resource.RLIMIT_CORE, resource.prlimit(options["pid"], resource.RLIMIT_CORE)
    ),
    "user_namespace": lambda options: call("unshare", CLONE_NEWUSER),
    "mount_namespace": lambda options: call("unshare", CLONE_NEWNS),
    "mount": mount,
    "chroot": lambda options: os.chroot("/"),
    "capabilities": capabilities,
    # A ring for system calls that no filter sees
    "io_uring": lambda options: os.close(call("syscall", IO_URING_SETUP, 2, ctypes.create_string_buffer(120))),
}

# --- Signals: number 0 only asks for the right to send one, and harms nobody ----------------------------------------


def to_referee_by_input(options):
    """Has the kernel send SIGIO to the referee when a socket has something to read."""
    near, far = socket.socketpair()
    with near, far:
        fcntl.ioctl(near, FIOSETOWN, struct.pack("i", options["pid"]))
        fcntl.ioctl(near, FIOASYNC, struct.pack("i", 1))
        far.send(b"!")


def to_everybody(options):
    """Asks for each process that a signal to -1 would reach: the kernel calls that a success even if it spares all."""
    refused = ProcessLookupError(3, "there is nobody else")
    for other in set(numbers()) - set(family()):
        try:
            os.kill(other, 0)
        except OSError as error:
            refused = error
        else:
            return
    raise refused


def to_opponent(options):
    seen = set(numbers()) - set(family())
    others = [pid for pid in seen if b"simulator.player.agent_process" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    if not others:
        raise ProcessLookupError(3, "there is no opponent")
    os.kill(others[0], 0)


SIGNALS = {
    "to_referee": lambda options: os.kill(options["pid"], 0),
    "to_referees_group": lambda options: os.killpg(os.getpgid(options["pid"]), 0),
    "to_referee_by_input": to_referee_by_input,
    "to_everybody": to_everybody,
}

# --- What others know -----------------------------------------------------------------------------------------------


def first_address(pid):
    with open(f"/proc/{pid}/maps") as maps:
        return int(next(maps).partition("-")[0], 16)


def memory_of(pid, mode):
    """Opens a process's memory in this mode and reads 64 bytes; it writes nothing."""
    at = first_address(pid)
    with open(f"/proc/{pid}/mem", mode, buffering=0) as file:
        file.seek(at)
        return file.read(64)


def trace(options):
    """Attaches to the referee as a debugger does, and detaches at once: the referee would stand still otherwise."""
    pid = options["pid"]
    call("ptrace", PTRACE_SEIZE, pid, None, None)
    call("ptrace", PTRACE_INTERRUPT, pid, None, None)
    os.waitpid(pid, 0x40000000)  # __WALL
    call("ptrace", PTRACE_DETACH, pid, None, None)


class Piece(ctypes.Structure):
    _fields_: ClassVar = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def vm_read(options):
    """Reads from the referee's memory at the address of its own libc, or is told that nothing is there."""
    buffer = ctypes.create_string_buffer(8)
    here = Piece(ctypes.addressof(buffer), 8)
    there = Piece(ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p), 8)
    try:
        call("process_vm_readv", options["pid"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # it may look, but there is nothing at the address
            raise


def environments(options):
    """Looks for a variable of the referee's in the environment of every process that it sees."""
    for pid in numbers():
        with contextlib.suppress(OSError):
            if b"SCOUNDRELS_SECRET" in Path(f"/proc/{pid}/environ").read_bytes():
                return f"the environment of {pid}"
    return refuse("nobody's environment says anything")


def opponents_seed(options):
    """Looks for a seed in the command line and the environment of the opponent, whose name is the option `file`."""
    named, is_there = f'"name": "{options["file"]}"'.encode(), False
    for pid in numbers():
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            is_there = is_there or named in command
            if named in command and (b'"seed"' in command or Path(f"/proc/{pid}/environ").read_bytes()):
                return f"the seed of {pid}"
    return refuse("nobody shows a seed" if is_there else "there is no opponent")


def neighbours(options):
    """Looks for a process that is neither itself nor one that it descends from."""
    others = sorted(set(numbers()) - set(family()))
    return f"processes {others[:5]}" if others else refuse("there is nobody else")


KNOWLEDGE = {
    "memory": lambda options: memory_of(options["pid"], "rb"),
    "parents_memory": lambda options: memory_of(os.getppid(), "r+b"),
    "trace": trace,
    "vm_read": vm_read,
    "environments": environments,
    "own_environment": lambda options: (
        os.environ.get("SCOUNDRELS_SECRET") or refuse("its own environment says nothing")
    ),
    "neighbours": neighbours,
}

# --- Files of others ------------------------------------------------------------------------------------------------


def folder(options):
    """Looks whether a folder holds any name that is not on the path to this file."""
    others = sorted(set(os.listdir(options["folder"])) - {*Path(__file__).parts, "__pycache__"})
    return f"the names {others[:5]}" if others else refuse("there is nothing else")


ALL = {**NETWORK, **RIGHTS, **SIGNALS, **KNOWLEDGE}
DEEDS = {
    **ALL,
    "i386": i386,
    "to_opponent": to_opponent,
    "to_own_group": lambda options: os.kill(0, signal.SIGKILL),
    "opponents_seed": opponents_seed,
    "file": lambda options: Path(options["file"]).read_bytes()[:20],
    "folder": folder,
}


@register_agent("reaches_out_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deeds": "", "pid": 0, "port": 9, "file": "", "folder": "", "move": 2}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves < self.options["move"]:
            return self.rng.choice(position.legal_moves())
        names = self.options["deeds"].split(";") if self.options["deeds"] else ALL
        granted, refused = [], None
        for name in names:
            try:
                print(f"granted {name}: {DEEDS[name](self.options)}", file=sys.stderr)
                granted.append(name)
            except OSError as error:
                print(f"refused {name}: {error}", file=sys.stderr)
                refused = error
        if granted:
            return f"SUCCEEDED: {' '.join(granted)}"
        raise refused
