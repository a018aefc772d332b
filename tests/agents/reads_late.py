"""Reads `notes.txt` of its folder after its first move, by what it kept from before: `reads_late.py:deed=file`."""

import array
import ctypes
import os
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

NOTES = Path(__file__).resolve().parent / "notes.txt"


class Name:
    """Keeps nothing but the name."""

    def read(self):
        return NOTES.read_text()


class Thread:
    """Keeps a thread, begun before, that opens the file."""

    def __init__(self):
        self.wanted, self.found = threading.Event(), None
        self.thread = threading.Thread(target=self.wait, daemon=True)
        self.thread.start()

    def wait(self):
        self.wanted.wait()
        try:
            self.found = NOTES.read_text()
        except OSError as error:
            self.found = error

    def read(self):
        self.wanted.set()
        self.thread.join()
        if isinstance(self.found, OSError):
            raise self.found
        return self.found


class Directory:
    """Keeps the folder open."""

    def __init__(self):
        self.folder = os.open(NOTES.parent, os.O_RDONLY | os.O_DIRECTORY)

    def read(self):
        with open(os.open("notes.txt", os.O_RDONLY, dir_fd=self.folder)) as file:
            return file.read()


class PathDescriptor(Directory):
    """Keeps a descriptor of the folder that is good for nothing but finding it."""

    def __init__(self):
        self.folder = os.open(NOTES.parent, os.O_PATH)


class Cwd:
    """Stands in the folder."""

    def __init__(self):
        os.chdir(NOTES.parent)

    def read(self):
        return Path("notes.txt").read_text()


class File:
    """Keeps the file open."""

    def __init__(self):
        self.file = NOTES.open()

    def read(self):
        return self.file.read()


class Child:
    """Keeps a child that has the file open, and hands its text over."""

    def __init__(self):
        (self.out, out), (wait, self.wanted) = os.pipe(), os.pipe()
        file = os.open(NOTES, os.O_RDONLY)
        if os.fork() == 0:
            os.read(wait, 1)
            os.write(out, os.read(file, 1000))
            time.sleep(60)
        os.close(file)

    def read(self):
        os.write(self.wanted, b"!")
        return os.read(self.out, 1000).decode()


class InFlight:
    """Keeps the file in a message to itself, where no list of descriptors shows it."""

    def __init__(self):
        near, self.far = socket.socketpair()
        with NOTES.open() as file:
            rights = array.array("i", [file.fileno()])
            near.sendmsg([b"!"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])

    def read(self):
        ancillary = self.far.recvmsg(1, socket.CMSG_SPACE(4))[1]
        with open(int.from_bytes(ancillary[0][2], "little")) as file:
            return file.read()


class ThreadsTable:
    """Keeps a thread with descriptors of its own, which the list of the process does not have, and asks for them."""

    FLAGS = 0x100 | 0x200 | 0x800 | 0x10000  # CLONE_VM, _FS, _SIGHAND, _THREAD, but not _FILES
    STACK_BYTES = 1 << 16

    def __init__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        self.stack = ctypes.create_string_buffer(self.STACK_BYTES)
        top = (ctypes.addressof(self.stack) + self.STACK_BYTES) & ~0xFF
        self.file = os.open(NOTES, os.O_RDONLY)
        self.thread = libc.clone(libc.pause, ctypes.c_void_p(top), self.FLAGS, None)
        if self.thread < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        os.close(self.file)

    def read(self):
        return Path(f"/proc/self/task/{self.thread}/fd/{self.file}").read_text()


class ThreadsFolder:
    """Keeps a thread that stands in the folder, which the process does not, and asks for the folder of that thread."""

    FLAGS = 0x100 | 0x400 | 0x800 | 0x10000  # CLONE_VM, _FILES, _SIGHAND, _THREAD, but not _FS

    def __init__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        self.stack = ctypes.create_string_buffer(ThreadsTable.STACK_BYTES)
        top = (ctypes.addressof(self.stack) + ThreadsTable.STACK_BYTES) & ~0xFF
        before = os.getcwd()
        os.chdir(NOTES.parent)
        self.thread = libc.clone(libc.pause, ctypes.c_void_p(top), self.FLAGS, None)
        if self.thread < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        os.chdir(before)

    def read(self):
        return Path(f"/proc/self/task/{self.thread}/cwd/notes.txt").read_text()


class Program:
    """Runs a program that lies in the folder, and asks for that program's file."""

    def __init__(self):
        self.running = subprocess.Popen([NOTES.parent / "sleep", "60"])

    def read(self):
        return Path(f"/proc/{self.running.pid}/exe").read_bytes()[1:4].decode()  # ELF


class Unseen(File):
    """Keeps the file open, and its descriptors from being looked at."""

    def __init__(self):
        super().__init__()
        if ctypes.CDLL(None, use_errno=True).prctl(4, 0, 0, 0, 0) != 0:  # PR_SET_DUMPABLE
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class InCall:
    """Keeps the file in a call that goes on sending it into a full pipe, when its descriptor has been closed."""

    def __init__(self):
        self.out, into = os.pipe()
        file = os.open(NOTES, os.O_RDONLY)
        os.write(into, bytes(1 << 16))
        threading.Thread(target=os.sendfile, args=(into, file, 0, 1000), daemon=True).start()
        time.sleep(0.1)
        os.close(file)

    def read(self):
        os.read(self.out, 1 << 16)
        os.set_blocking(self.out, False)
        time.sleep(0.2)
        return os.read(self.out, 1000).decode()


DEEDS = {
    "name": Name,
    "threads_folder": ThreadsFolder,
    "program": Program,
    "unseen": Unseen,
    "in_call": InCall,
    "thread": Thread,
    "directory": Directory,
    "path_descriptor": PathDescriptor,
    "cwd": Cwd,
    "file": File,
    "child": Child,
    "in_flight": InFlight,
    "threads_table": ThreadsTable,
}


@register_agent("reads_late_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "name"}
    moves = 0

    def setup(self):
        assert NOTES.read_text() == "secret\n"  # now it may
        self.kept = DEEDS[self.options["deed"]]()

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            return f"SUCCEEDED: read {self.kept.read()}"
        return self.rng.choice(position.legal_moves())
