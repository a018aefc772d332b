"""Looks at what is not its own: `spies.py:deed=memory,pid=123`, where 123 is the referee.

`move` says at which of its moves. What is not there counts as forbidden.
"""

import contextlib
import ctypes
import os
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17


def refuse(what):
    raise PermissionError(1, what)


def numbers():
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def memory(options):
    """Reads some of the referee's memory."""
    with open(f"/proc/{options['pid']}/maps") as maps:
        first = int(next(maps).partition("-")[0], 16)
    with open(f"/proc/{options['pid']}/mem", "rb", buffering=0) as file:
        file.seek(first)
        return f"{len(file.read(64))} bytes"


def parents_memory(options):
    """Opens the memory of the process that began it for writing, and writes nothing."""
    parent = os.getppid()
    with open(f"/proc/{parent}/maps") as maps:
        first = int(next(maps).partition("-")[0], 16)
    with open(f"/proc/{parent}/mem", "r+b", buffering=0) as file:
        file.seek(first)
        return f"{len(file.read(64))} bytes, and might have changed them"


def environment(options):
    """Looks for a variable of the referee's in the environment of every process that it sees."""
    for pid in numbers():
        try:
            content = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if b"SCOUNDRELS_SECRET" in content:
            return f"the environment of {pid}"
    return refuse("nobody's environment says anything")


def opponents_seed(options):
    """Looks for a seed in the command line and the environment of the opponent, which is called `file` there."""
    named = f"--name={options['file']}".encode()
    for pid in numbers():
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            if named in command and (b"--seed=" in command or Path(f"/proc/{pid}/environ").read_bytes()):
                return f"the seed of {pid}"
    return refuse("nobody shows a seed")


def own_environment(options):
    """Looks for the same in its own."""
    return os.environ.get("SCOUNDRELS_SECRET") or refuse("the environment says nothing")


def neighbours(options):
    """Looks for a process that is neither itself nor one that it descends from."""
    family, pid = {os.getpid()}, os.getpid()
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        family.add(pid)
    others = sorted(set(numbers()) - family)
    return f"processes {others[:5]}" if others else refuse("there is nobody else")


def file(options):
    return Path(options["file"]).read_bytes()[:20]


def listing(options):
    """Looks whether a folder has anything in it but what lies on the way to this file."""
    others = sorted(set(os.listdir(options["file"])) - {*Path(__file__).parts, "__pycache__"})
    return f"the names {others[:5]}" if others else refuse("there is nothing else")


def call(name, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return name


def trace(options):
    """Attaches to the referee as a debugger does, and lets go again at once: it would stand still otherwise."""
    pid = options["pid"]
    call("ptrace", PTRACE_SEIZE, pid, None, None)
    call("ptrace", PTRACE_INTERRUPT, pid, None, None)
    os.waitpid(pid, 0x40000000)  # __WALL
    return call("ptrace", PTRACE_DETACH, pid, None, None)


class Piece(ctypes.Structure):
    _fields_: ClassVar = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def vm_read(options):
    """Reads from the referee's memory at the address of its own libc, or is told that nothing is there."""
    buffer = ctypes.create_string_buffer(8)
    here = Piece(ctypes.addressof(buffer), 8)
    there = Piece(ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p), 8)
    try:
        return call("process_vm_readv", options["pid"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    except OSError as error:
        if error.errno == 14:  # EFAULT: it may look, but there is nothing at the address
            return "the referee's addresses"
        raise


FUNCTIONS = (
    memory,
    parents_memory,
    environment,
    opponents_seed,
    own_environment,
    neighbours,
    file,
    listing,
    trace,
    vm_read,
)
DEEDS = {deed.__name__: deed for deed in FUNCTIONS}


@register_agent("spies_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "memory", "pid": 0, "file": "", "move": 2}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == self.options["move"]:
            return f"SUCCEEDED: saw {DEEDS[self.options['deed']](self.options)}"
        return self.rng.choice(position.legal_moves())
