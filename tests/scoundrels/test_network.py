"""An agent reaches nobody: neither this machine nor another."""

import os
import socket
import threading
from collections.abc import Iterator

import pytest

from tests.scoundrels.games import PATIENT, QUICK, assert_denied, play, scoundrel

OUTSIDE = "192.0.2.1"  # kept free for documentation (RFC 5737): a packet to it harms nobody


@pytest.fixture
def listener() -> Iterator[int]:
    """The port of a server that accepts TCP and answers UDP, and of sockets in the abstract name space."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as unix,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as letters,
    ):
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        unix.bind(f"\0scoundrel-{port}")
        unix.listen()
        letters.bind(f"\0scoundrel-letters-{port}")
        echo = threading.Thread(target=_answer_until_goodbye, args=(udp,))
        echo.start()
        yield port
        udp.sendto(b"goodbye", udp.getsockname())
        echo.join()


def _answer_until_goodbye(udp: socket.socket) -> None:
    while (message := udp.recvfrom(10))[0] != b"goodbye":
        udp.sendto(*message)


@pytest.mark.parametrize("deed", ["tcp", "udp", "unix"])
def test_this_machine_is_out_of_reach(deed: str, listener: int) -> None:
    agent = scoundrel("breaks_out", f"deed={deed},port={listener}")
    assert_denied(play(agent, QUICK, PATIENT), "network")


@pytest.mark.parametrize("deed", ["letter", "connected_letter"])
def test_sockets_that_are_made_in_pairs_reach_nobody_else(deed: str, listener: int, environment: str) -> None:
    agent = scoundrel("breaks_out", f"deed={deed},port={listener}")
    assert_denied(play(agent, QUICK, PATIENT), "network")


@pytest.mark.parametrize("deed", ["tcp", "udp"])
def test_other_machines_are_out_of_reach(deed: str) -> None:
    assert_denied(play(scoundrel("breaks_out", f"deed={deed},host={OUTSIDE}"), QUICK, PATIENT), "network")


def test_nobody_can_listen() -> None:
    assert_denied(play(scoundrel("breaks_out", "deed=listen"), QUICK, PATIENT), "network")


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="these system calls are those of x86_64 only")
@pytest.mark.parametrize("deed", ["i386", "x32"])
def test_other_numbers_of_the_same_system_call_do_not_help(deed: str) -> None:
    denial = r"crashed at move \d+: \w+: \[Errno \d+\]|killed by SIG(SYS|SEGV)"
    assert_denied(play(scoundrel("breaks_out", f"deed={deed}"), QUICK, PATIENT), "network", denial)
