"""Games against misbehaving agents: are all verdicts right, and does the referee stay as small as it was?

    python benchmarks/endurance.py --games 200

Printed every twenty games: the referee's resident memory, its open descriptors, and the processes that are left.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import positive
from simulator.referee.game_record import Reason
from tests.scoundrels.games import (
    HONEST,
    PATIENT,
    PLAYS_ON,
    QUICK,
    SHORT,
    deed,
    gtp_scoundrel,
    play,
    quiet_opening,
    scoundrel,
)

STEP = 20  # games between two lines
MB = 1 << 20


class Case(NamedTuple):
    """A misbehaving agent and the reason for which it loses; games take the cases in turn."""

    agent: str
    reason: Reason


CASES = (
    Case(scoundrel("raises_in_step"), Reason.CRASH),
    Case(deed("returns_none"), Reason.ILLEGAL),
    Case(scoundrel("sleeps"), Reason.TIMEOUT),
    Case(gtp_scoundrel("noise"), Reason.CRASH),
    Case(scoundrel("exits"), Reason.CRASH),
    Case(deed("allocates"), Reason.MEMORY),
    Case(HONEST, Reason.NORMAL),
    Case(deed("segfaults"), Reason.CRASH),
    Case(deed("forks_and_exits"), Reason.CRASH),
    Case(gtp_scoundrel("endless"), Reason.CRASH),
    Case(deed("floods_stdout"), Reason.TIMEOUT),
    Case(scoundrel("resigns"), Reason.RESIGNATION),
)


class Sample(NamedTuple):
    """The referee after a number of games.

    Attributes:
        games: so far.
        wrong: texts of the verdicts that were wrong, so far.
        resident_mb: MB of 2^20 bytes.
        descriptors: how many are open.
        children: its child processes, without those that it had before.
    """

    games: int
    wrong: tuple[str, ...]
    resident_mb: float
    descriptors: int
    children: int


def misjudged(number: int) -> str | None:
    """Play a game with the case whose turn it is; returns the text of the verdict if it is wrong, else None."""
    case, player = CASES[number % len(CASES)], number // len(CASES) % 2
    if case.reason == Reason.NORMAL:
        record = play(HONEST, PLAYS_ON, PATIENT, opening=quiet_opening(30), seed=number)
        loser = None
    else:
        limits = SHORT if case.reason == Reason.TIMEOUT else PATIENT
        agents, opening = ((case.agent, QUICK), ()) if player == 0 else ((QUICK, case.agent), ("a1/0r",))
        record = play(*agents, limits, opening=opening)
        loser = player
    verdict = record.verdict
    return None if (verdict.reason, verdict.loser) == (case.reason, loser) else f"game {number}: {verdict.text}"


def endure(games: int) -> Iterator[Sample]:
    """Play so many games; yields a sample after each."""
    process, wrong = psutil.Process(), []
    others = set(process.children(recursive=True))
    for number in range(games):
        if text := misjudged(number):
            wrong.append(text)
        resident = process.memory_info().rss / MB
        children = len(set(process.children(recursive=True)) - others)
        yield Sample(number + 1, tuple(wrong), resident, process.num_fds(), children)


def main() -> int:
    """Play, and print a line every STEP games; returns 1 if a verdict was wrong, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=positive, default=200)
    arguments = parser.parse_args()
    started = time.monotonic()
    print(f"{'games':>6} {'seconds':>8} {'MB':>7} {'descriptors':>12} {'children':>9} {'wrong':>6}")
    for sample in endure(arguments.games):
        if sample.games % STEP == 0 or sample.games == arguments.games:
            seconds = time.monotonic() - started
            print(
                f"{sample.games:6} {seconds:8.1f} {sample.resident_mb:7.1f} {sample.descriptors:12} "
                f"{sample.children:9} {len(sample.wrong):6}",
                flush=True,
            )
    for text in sample.wrong:
        print(text)
    return 1 if sample.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
