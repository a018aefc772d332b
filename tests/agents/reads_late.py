"""Reads `notes.txt` of its folder at its second move, by what it has kept since `setup`: `reads_late.py:deed=file`.

Each deed keeps something, and returns a function that reads the file's text by it.
"""

import array
import ctypes
import os
import socket
import subprocess
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

NOTES = Path(__file__).resolve().parent / "notes.txt"
CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD = 0x100, 0x200, 0x400, 0x800, 0x10000
PR_SET_DUMPABLE = 4
STACK = ctypes.create_string_buffer(1 << 16)
libc = ctypes.CDLL(None, use_errno=True)


def thread():
    """Keeps only the name, and reads the file here, or else in a thread that was begun before."""
    wanted, found = threading.Event(), Future()

    def wait():
        wanted.wait()
        try:
            found.set_result(NOTES.read_text())
        except OSError as error:
            found.set_exception(error)

    threading.Thread(target=wait, daemon=True).start()

    def read():
        with suppress(OSError):
            return NOTES.read_text()
        wanted.set()
        return found.result()

    return read


def directory(flags=os.O_RDONLY | os.O_DIRECTORY):
    """Keeps the folder open."""
    folder = os.open(NOTES.parent, flags)
    return lambda: os.fdopen(os.open("notes.txt", os.O_RDONLY, dir_fd=folder)).read()


def path_descriptor():
    """Keeps a descriptor of the folder that only names the folder (O_PATH)."""
    return directory(os.O_PATH)


def cwd():
    """Keeps the folder as its current directory."""
    os.chdir(NOTES.parent)
    return Path("notes.txt").read_text


def file():
    """Keeps the file open."""
    return NOTES.open().read


def child():
    """Keeps a child that has the file open and hands its text over."""
    (out, into), (wait, wanted) = os.pipe(), os.pipe()
    file = os.open(NOTES, os.O_RDONLY)
    if os.fork() == 0:
        os.read(wait, 1)
        os.write(into, os.read(file, 1000))
        time.sleep(60)
    os.close(file)

    def read():
        os.write(wanted, b"!")
        return os.read(out, 1000).decode()

    return read


def in_flight():
    """Keeps the file in a message to itself, where no list of descriptors shows it."""
    near, far = socket.socketpair()
    with NOTES.open() as file:
        near.sendmsg([b"!"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file.fileno()]))])

    def read():
        ancillary = far.recvmsg(1, socket.CMSG_SPACE(4))[1]
        return os.fdopen(int.from_bytes(ancillary[0][2], "little")).read()

    return read


def thread_with_its_own(what):
    """Begin a thread that shares everything with the process except `what`, a CLONE_ flag; return its number."""
    flags = (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD) & ~what
    top = (ctypes.addressof(STACK) + len(STACK)) & ~0xFF
    if (number := libc.clone(libc.pause, ctypes.c_void_p(top), flags, None)) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return number


def threads_table():
    """Keeps a thread with descriptors of its own, which the process's list lacks, and reads by the thread's list."""
    file = os.open(NOTES, os.O_RDONLY)
    thread = thread_with_its_own(CLONE_FILES)
    os.close(file)
    return Path(f"/proc/self/task/{thread}/fd/{file}").read_text


def threads_folder():
    """Keeps a thread whose current directory is the folder, unlike the process's, and reads by that directory."""
    before = os.getcwd()
    os.chdir(NOTES.parent)
    thread = thread_with_its_own(CLONE_FS)
    os.chdir(before)
    return Path(f"/proc/self/task/{thread}/cwd/notes.txt").read_text


def program():
    """Keeps a program of the folder running, and reads the file of that program."""
    running = subprocess.Popen([NOTES.parent / "sleep", "60"])
    return lambda: Path(f"/proc/{running.pid}/exe").read_bytes()[1:4].decode()  # ELF


def unseen():
    """Keeps the file open, and keeps others from looking at its descriptors."""
    if libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return file()


def in_call():
    """Keeps the file in a call that goes on sending it into a full pipe after its descriptor was closed."""
    out, into = os.pipe()
    file = os.open(NOTES, os.O_RDONLY)
    os.write(into, bytes(1 << 16))
    threading.Thread(target=os.sendfile, args=(into, file, 0, 1000), daemon=True).start()
    time.sleep(0.1)
    os.close(file)

    def read():
        os.read(out, 1 << 16)
        os.set_blocking(out, False)
        time.sleep(0.2)
        return os.read(out, 1000).decode()

    return read


@register_agent("reads_late_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "thread"}
    moves = 0

    def setup(self):
        assert NOTES.read_text() == "secret\n"  # it still may
        self.read = globals()[self.options["deed"]]()

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            return f"SUCCEEDED: read {self.read()}"
        return self.rng.choice(position.legal_moves())
