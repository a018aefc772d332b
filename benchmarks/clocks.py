"""Whether the referee's clocks are fair on a busy machine, with a spinning process for every core or `--busy` of them.

    python benchmarks/clocks.py --moves 2000 --busy 6

An agent that sleeps until 150 ms before its limit plays against itself, and no answer may be late; then an agent that
sleeps until 50 ms after its limit, and every answer has to be late. The agents use their own clocks, so the excess of
the measured over the intended time comes from wake-ups, two pipes and the referee. Printed is the distribution of this
excess, and of `delay_seconds`, the part of it that the referee knows of. After a void game, in which the referee itself
was held up, another game is played. Exit code 0 if no answer was judged wrongly, else 1.

The games are Go on 9x9 by random moves without passes, because these are long; each player's first move, which starts
its process, is left out.
"""

import argparse
import itertools
import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import parse_agent
from agents.limits import Limits
from benchmarks.command_line import duration, natural, positive, run_script
from benchmarks.margin import busy_processors, distribution, later_moves
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import MoveRecord, Reason
from simulator.referee.referee import play_game

EARLY_SECONDS, LATE_SECONDS = 0.15, 0.05
BOARD_SIZE = 9

SLEEPER = """
import time

from agents.agent import Agent, register_agent


@register_agent("sleeper_agent")
class SleeperAgent(Agent):
    default_options = {"seconds": 0.1}

    def step(self, position, clock):
        moves = position.legal_moves()
        move = self.rng.choice([move for move in moves if str(move) != "pass"] or moves)
        if position.ply > 1:
            time.sleep(max(0.0, self.options["seconds"] - clock.elapsed))
        return move
"""


class Played(NamedTuple):
    """The games of an agent that means to answer after some time.

    Attributes:
        intended: seconds until an answer.
        moves: all but each player's first in each game.
        faults: texts of verdicts of games that did not end on the board.
        void: texts of verdicts of void games.
    """

    intended: float
    moves: list[MoveRecord]
    faults: list[str]
    void: list[str]

    @property
    def late(self) -> int:
        """How many answers were judged to come after the limit."""
        return sum(move.replaced for move in self.moves)

    def over(self, limit: float) -> str:
        """For each late answer by how many ms it was late and, in brackets, the referee's own delay in ms, as text."""
        late = [(move.seconds - limit, move.delay_seconds) for move in self.moves if move.replaced]
        return ", ".join(f"{over * 1000:.0f} ({delay * 1000:.0f})" for over, delay in late)


def play(intended: float, limits: Limits, count: int) -> Played:
    """Play games until there are so many moves, or a game is lost by a fault."""
    played = Played(intended, [], [], [])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sleeper.py"
        file.write_text(SLEEPER)
        spec = parse_agent(f"{file}:seconds={intended:g}")
        for seed in itertools.count():
            record = play_game((spec, spec), Conditions("go", {"size": BOARD_SIZE}, limits), seed=seed)
            played.moves.extend(later_moves(record))
            if record.verdict.reason is Reason.VOID:
                played.void.append(record.verdict.text)
            elif record.verdict.reason is not Reason.NORMAL:
                played.faults.append(record.verdict.text)
            if len(played.moves) >= count or played.faults:
                return played
    raise AssertionError("there is always another seed")


def show(name: str, played: Played) -> None:
    """Print counts, and the distributions of the measured less the intended time and of the referee's own delays."""
    print(f"{name}: {len(played.moves)} answers after {played.intended:g} s, {played.late} of them late")
    print(f"  measured less intended: {distribution([move.seconds - played.intended for move in played.moves])}")
    print(f"  the referee's own delay: {distribution([move.delay_seconds for move in played.moves])}")
    for text in (*played.faults, *played.void):
        print(f"  {text}")


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=positive, default=2000, help="of the agent that is in time")
    parser.add_argument("--late-moves", type=positive, default=200, help="of the agent that is late")
    parser.add_argument("--move-time", type=duration, default=0.2, help="seconds a move")
    parser.add_argument("--busy", type=natural, default=os.cpu_count() or 1, help="processes that spin meanwhile")
    arguments = parser.parse_args()
    limits = Limits(move_seconds=arguments.move_time)
    with busy_processors(arguments.busy):
        early = play(arguments.move_time - EARLY_SECONDS, limits, arguments.moves)
        show("in time", early)
        late = play(arguments.move_time + LATE_SECONDS, limits, arguments.late_moves)
        show("late", late)
    if early.late:
        print(f"in time, and yet late by so many ms (the referee's own delay): {early.over(arguments.move_time)}")
    if early.late or early.faults or late.late < len(late.moves) or late.faults:
        sys.exit("answers were judged wrongly")


if __name__ == "__main__":
    run_script(main)
