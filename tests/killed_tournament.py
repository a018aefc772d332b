"""Play a tournament to its end in processes that are killed at random instants, and say how often that was.

    python killed_tournament.py RECORDS KILLS SEED

The coordinator is forked from this process, so that it is at work at once; the processes that it starts are real. It
prints one line of JSON: how many were killed, and how many pairs were in the records after each kill.
"""

import json
import math
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agents.agent import Limits, parse_agent
from simulator.executor import LocalExecutor
from simulator.league import TournamentSettings
from simulator.pairs import Conditions
from simulator.schema import PLANNED
from simulator.store import StoreError, read_store, write_store
from simulator.tournament import Tournament

RESIGNER = Path(__file__).parent / "agents" / "gtp_resigner.py"
NAMES = ("alpha", "beta", "gamma", "delta")
SPECS = {name: parse_agent(f"gtp:{sys.executable} -I -S {RESIGNER}") for name in NAMES}
JITTER = 0.03  # seconds after a pair was saved; about as long as the next pair takes


def settings_of(rounds: int) -> TournamentSettings:
    """A round robin of agents that resign at once."""
    return TournamentSettings(
        Conditions(limits=Limits(60, 60, 60), isolation="none"), rounds=rounds, opening_plies=2, seed=1
    )


def play(path: Path, rounds: int) -> None:
    """Play what is left of the tournament."""
    with write_store(path) as store:
        Tournament(store, settings_of(rounds), SPECS, LocalExecutor(2)).run()


def play_until(stop: Callable[[float], bool], path: Path, rounds: int) -> float | None:
    """Play in a process that is killed when `stop(seconds)` says so; returns the seconds, None if it was not killed."""
    started, child = time.monotonic(), os.fork()
    if child == 0:
        play(path, rounds)
        os._exit(0)
    while not stop(seconds := time.monotonic() - started):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            assert status == 0, f"the tournament ended with status {status}"
            return None
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return seconds


def saved_pairs(path: Path) -> int:
    """How many pairs the records hold; 0 where there are no records yet."""
    try:
        with read_store(path) as store:
            return sum(pair.state != PLANNED for pair in store.pairs())
    except StoreError:
        return 0


def early(rng: random.Random, longest: float) -> Callable[[float], bool]:
    """At any time from the start to when a first pair is about to be saved."""
    end = rng.uniform(0, longest)
    return lambda seconds: seconds >= end


def late(rng: random.Random, path: Path) -> Callable[[float], bool]:
    """Shortly after some more pairs were saved."""
    enough, times = saved_pairs(path) + rng.randrange(1, 4), [math.inf]

    def stop(seconds: float) -> bool:
        if times[0] == math.inf and saved_pairs(path) >= enough:
            times[0] = seconds + rng.uniform(0, JITTER)
        return seconds >= times[0]

    return stop


def main() -> None:
    """Kill, look, go on; then play to the end."""
    path, kills, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rng, saved = random.Random(seed), []
    seconds = play_until(lambda seconds: saved_pairs(path) > 0, path, kills)
    while len(saved) < kills and seconds is not None:
        at = early(rng, seconds) if rng.random() < 0.5 else late(rng, path)
        assert play_until(at, path, kills) is not None, "it came to its end before it was killed"
        saved.append(saved_pairs(path))
    play(path, kills)
    print(json.dumps({"kills": len(saved), "saved": saved}))


if __name__ == "__main__":
    main()
