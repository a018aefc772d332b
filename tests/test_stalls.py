"""The referee itself may be without a processor for a while; nobody loses by what it cannot know then."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from simulator.gtp.client import STALL_SECONDS, Client, Delays, EngineTimeout
from tests.programs import PROJECT, PYTHON
from tests.scoundrels.games import PLAYS_ON, late, quiet_opening

# --- The client -------------------------------------------------------------------------------------------------------


def client_with(on_wait, answer_after):
    """A client of an engine that answers its first request after some seconds, or never."""
    from_controller, to_engine = os.pipe()
    from_engine, to_controller = os.pipe()

    def engine():
        os.read(from_controller, 1 << 16)
        if answer_after is not None:
            time.sleep(answer_after)
            os.write(to_controller, b"=1 a1/0r\n\n")

    threading.Thread(target=engine, daemon=True).start()
    return Client(from_engine, to_engine, on_wait)


def stalls_once(seconds):
    """A callback for a waiting client that is held up for some seconds when it is called the second time."""
    waits = iter([0.0, seconds])
    return lambda: time.sleep(next(waits, 0.0))


def test_an_answer_that_came_during_a_stall_is_read_although_its_deadline_is_over():
    client = client_with(stalls_once(3.0), answer_after=0.1)
    started = time.monotonic()
    answer = client.receive(client.send(["genmove w"], started + 1)[0], started + 1)
    delays = client.take_delays()
    assert answer == "a1/0r"
    assert client.arrived - started - delays.unsure < 1 < client.arrived - started
    assert delays.worst > 2.5
    assert client.take_delays() == Delays()


def test_a_stall_puts_the_deadline_off():
    client = client_with(stalls_once(1.5), answer_after=None)
    started = time.monotonic()
    request = client.send(["genmove w"], started + 1)[0]
    with pytest.raises(EngineTimeout):
        client.receive(request, started + 1)
    assert time.monotonic() - started > 2.3


def test_small_delays_do_not_add_up():
    delays = Delays()
    for _ in range(100):
        delays = delays.after(STALL_SECONDS / 2)
    assert (delays.worst, delays.stalled, delays.unsure) == (STALL_SECONDS / 2, 0.0, STALL_SECONDS / 2)
    delays = delays.after(1.0).after(-0.01)
    assert (delays.worst, delays.stalled, delays.unsure) == (1.0, 1.0, 1.0)


# --- For real -------------------------------------------------------------------------------------------------------

GAME = """
import json, sys
from agents.agent import parse_agent
from agents.limits import Limits
from simulator.referee.conditions import Conditions
from simulator.referee.referee import play_game
from simulator.referee.events import ClockRuns

def announce(event):
    if isinstance(event, ClockRuns):
        print("asked", event.player, event.ply, flush=True)

agent, opening = sys.argv[1], sys.argv[2].split()
specs = (parse_agent(agent), parse_agent(sys.argv[3]))
limits = Limits(first_move_seconds=60, move_seconds=1, cushion_seconds=0.5)
record = play_game(specs, Conditions(limits=limits), opening=opening, observer=announce)
print(json.dumps({"reason": record.verdict.reason, "text": record.verdict.text, "loser": record.verdict.loser}))
"""


def test_a_referee_that_was_stopped_alone_costs_nobody_the_game():
    """Its agents went on meanwhile; the one that was asked answered after 0.4 s."""
    opening = " ".join(quiet_opening(10))
    command = [sys.executable, "-c", GAME, late(0.4), opening, PLAYS_ON]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as referee:
        assert referee.stdout is not None
        for line in referee.stdout:
            if line.split() == ["asked", "0", "12"]:
                break
        time.sleep(0.1)
        referee.send_signal(signal.SIGSTOP)
        time.sleep(2.5)
        referee.send_signal(signal.SIGCONT)
        said = json.loads(referee.stdout.read().splitlines()[-1])
    assert said["loser"] is None, said
    assert said["reason"] == "void"
    assert said["text"].startswith(f"move 13 of {PYTHON} (w): the referee itself was held up")
