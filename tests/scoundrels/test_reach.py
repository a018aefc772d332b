"""In every mode, an agent reaches nobody, sees only itself, and has no more rights than it was given."""

import os
import signal
import socket
import threading

import pytest

from simulator.referee.game_record import Reason
from tests.agents.reaches_out import ALL, NETWORK
from tests.scoundrels.environments import PLAIN, modes
from tests.scoundrels.games import (
    HONEST,
    PATIENT,
    QUICK,
    assert_denied,
    assert_lost,
    deed,
    is_enforced,
    play,
    program,
    scoundrel,
    told,
)


@pytest.fixture
def listener():
    """The port of a server that accepts TCP and answers UDP; abstract Unix sockets have this number in their names."""
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


def _answer_until_goodbye(udp):
    while (message := udp.recvfrom(10))[0] != b"goodbye":
        udp.sendto(*message)


@pytest.fixture
def received():
    """The numbers of the SIGIO signals, which tell of input, that this process received."""
    numbers = []
    before = signal.signal(signal.SIGIO, lambda number, frame: numbers.append(number))
    yield numbers
    signal.signal(signal.SIGIO, before)


def test_nothing_that_is_not_its_own_is_granted(environment, listener, received, monkeypatch):
    """That is the network, rights, signals to others, and others' secrets; the record says what nothing enforces."""
    monkeypatch.setenv("SCOUNDRELS_SECRET", "42")
    record = play(scoundrel("reaches_out", f"pid={os.getpid()},port={listener}"), QUICK, PATIENT)
    assert told(record, "granted") | told(record, "refused") == set(ALL), record.verdict
    found = told(record, "granted") - (
        {"neighbours"} if environment == PLAIN else set()
    )  # commands are seen, not memory
    rows = {name: "network" if name in NETWORK else "privileges" for name in found}
    assert not [name for name, row in rows.items() if is_enforced(record, row)], record.verdict
    assert received == []
    if environment != PLAIN:
        assert_lost(record, Reason.CRASH, "crashed at move 3: ")


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="these system calls are those of x86_64 only")
def test_other_numbers_of_the_same_system_call_do_not_help():
    denial = r"crashed at move \d+: \w+: \[Errno \d+\]|killed by SIG(SYS|SEGV)"
    assert_denied(play(program("reaches_out", "deeds=i386"), QUICK, PATIENT), "network", denial)


@modes(PLAIN)
def test_the_seed_of_the_opponent_is_not_to_be_seen(environment):
    opponent = f"honest-{os.getpid()}"
    spy = program("reaches_out", f"deeds=opponents_seed,file={opponent}")
    record = play(spy, HONEST, PATIENT, names=("spy", opponent))
    assert_lost(record, Reason.CRASH, "nobody shows a seed" if environment == PLAIN else "there is no opponent")


def test_no_signal_reaches_the_opponent():
    record = play(program("reaches_out", "deeds=to_opponent"), scoundrel("hangs_at_exit"), PATIENT)
    assert_denied(record, "privileges")


def test_a_signal_to_its_own_group_ends_the_agent_only():
    record = play(program("reaches_out", "deeds=to_own_group"), QUICK, PATIENT)
    if "no signals to others" in record.enforcement["privileges"]:  # its group might hold others
        assert_denied(record, "privileges")
    else:
        assert_lost(record, Reason.CRASH, "was killed by SIGKILL")


def test_two_busy_processes_have_one_processor():
    assert_denied(play(deed("uses_two_processors", program), QUICK, PATIENT), "processor")
