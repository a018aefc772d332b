"""Play a tournament to its end in processes that are killed at random instants, and say how often they were.

    python killed_tournament.py RECORDS KILLS SEED

The coordinator is forked from this process, so that it is at work at once; its workers are processes of their own. The
program prints a line of JSON: how many coordinators were killed, and how many pairs the records held after each kill.
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

from agents.agent import parse_agent
from agents.limits import Limits
from simulator.records.database import read_store, write_store
from simulator.records.schema import PLANNED
from simulator.records.store import StoreError
from simulator.referee.conditions import Conditions
from simulator.tournament.coordinator import Coordinator
from simulator.tournament.plan import Plan
from simulator.tournament.settings import TournamentSettings
from simulator.tournament.workers.local import LocalExecutor

RESIGNER = Path(__file__).parent / "agents" / "gtp_resigner.py"
NAMES = ("alpha", "beta", "gamma", "delta")
SPECS = {name: parse_agent(f"gtp:{sys.executable} -I -S {RESIGNER}") for name in NAMES}
JITTER = 0.03  # the longest time from the save of a pair to a kill, in seconds; the next pair takes about as long
PAIRS_A_KILL = 4  # pairs to play for each kill: one or two come before it, more on a busy machine


def settings_of(rounds: int) -> TournamentSettings:
    """A round robin of agents that resign at once."""
    return TournamentSettings(
        Conditions(limits=Limits(60, 60, 60), isolation="none"), rounds=rounds, opening_plies=2, seed=1
    )


def play(path: Path, rounds: int, workers: int = 2) -> None:
    """Play the rest of the tournament."""
    with write_store(path) as store, LocalExecutor(workers) as executor:
        Coordinator(store, Plan(settings_of(rounds), SPECS, records=path), executor).run()


def play_until(stop: Callable[[float], bool], path: Path, rounds: int, workers: int = 1) -> float | None:
    """Play in a process, killed when `stop(seconds)` says so; return the seconds, None if the tournament ended."""
    started, child = time.monotonic(), os.fork()
    if child == 0:
        play(path, rounds, workers)
        os._exit(0)
    while not stop(seconds := time.monotonic() - started):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            assert status == 0, f"the tournament ended with status {status}"
            return None
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return seconds


def saved_pairs(path: Path) -> int:
    """How many pairs the records hold; 0 if there are no records yet."""
    try:
        with read_store(path) as store:
            return sum(pair.state != PLANNED for pair in store.pairs())
    except StoreError:
        return 0


def instant(rng: random.Random, path: Path, longest: float) -> Callable[[float], bool]:
    """When to kill: shortly after 1 to 3 more pairs are saved, or in half of the cases at any time up to `longest`."""
    at = rng.uniform(0, longest) if rng.random() < 0.5 else math.inf
    enough, jitter = saved_pairs(path) + rng.randrange(1, 4), rng.uniform(0, JITTER)

    def stop(seconds: float) -> bool:
        nonlocal at
        if saved_pairs(path) >= enough:
            at = min(at, seconds + jitter)
        return seconds >= at

    return stop


def main() -> None:
    """Kill the tournament, look at the records and go on, again and again; then play to the end."""
    path, kills, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rng, saved = random.Random(seed), []
    rounds = PAIRS_A_KILL * kills // 6
    seconds = play_until(lambda seconds: saved_pairs(path) > 0, path, rounds)
    while len(saved) < kills and seconds is not None:
        if play_until(instant(rng, path, seconds), path, rounds, workers=rng.randrange(1, 3)) is None:
            break
        saved.append(saved_pairs(path))
    play(path, rounds)
    print(json.dumps({"kills": len(saved), "saved": saved}))


if __name__ == "__main__":
    main()
