"""Reaches for the network at its second move: `breaks_out.py:deed=tcp,host=127.0.0.1,port=4711`."""

import ctypes
import errno
import mmap
import os
import socket
from typing import ClassVar

from agents.agent import Agent, register_agent

I386_SOCKET = bytes.fromhex("53 b867010000 bb02000000 b901000000 31d2 cd80 5b c3")  # socket(AF_INET, SOCK_STREAM, 0)
X32_SOCKET = 0x40000000 + 41


def tcp(host, port):
    """Sends a packet; an address that never answers counts as reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.settimeout(0)
        error = connection.connect_ex((host, port))
        if error not in (0, errno.EINPROGRESS):
            raise OSError(error, os.strerror(error))
        connection.settimeout(1)
        if host.startswith("127.") and (error := connection.connect_ex((host, port))) not in (0, errno.EISCONN):
            raise OSError(error, os.strerror(error))


def udp(host, port):
    """Sends a packet; on the own machine it wants an answer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(1)
        sender.sendto(b"hello", (host, port))
        if host.startswith("127."):
            sender.recvfrom(10)


def unix(host, port):
    """Connects to a socket in the abstract name space, which no file system hides."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(f"\0scoundrel-{port}")


def letter(host, port):
    """Writes to a name in the abstract name space from a socket that was made in a pair."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with near, far:
        near.sendto(b"hello", f"\0scoundrel-letters-{port}")


def connected_letter(host, port):
    """The same after connecting the socket to the name."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with near, far:
        near.connect(f"\0scoundrel-letters-{port}")
        near.send(b"hello")


def listen(host, port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()


def i386(host, port):
    """Makes a socket by the system calls of 32-bit programs, which have other numbers."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(I386_SOCKET)
    found = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    if found < 0:
        raise OSError(-found, os.strerror(-found))
    os.close(found)


def x32(host, port):
    """Makes a socket by the system calls of the x32 programs."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = libc.syscall(X32_SOCKET, socket.AF_INET, socket.SOCK_STREAM, 0)
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    os.close(found)


DEEDS = {deed.__name__: deed for deed in (tcp, udp, unix, letter, connected_letter, listen, i386, x32)}


@register_agent("breaks_out_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "tcp", "host": "127.0.0.1", "port": 9}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            deed, host, port = (self.options[key] for key in ("deed", "host", "port"))
            DEEDS[deed](host, port)
            return f"SUCCEEDED: {deed} to {host}"
        return self.rng.choice(position.legal_moves())
