"""Whether the referee's clocks are fair on a busy machine, with a spinning process for every core or `--busy` of them.

    python benchmarks/clocks.py --moves 2000 --busy 6

An agent that sleeps until 150 ms before its limit plays against itself, and no answer may be late; then an agent that
sleeps until 50 ms after its limit, and every answer has to be late. The agents use their own clocks, so the excess of
the measured over the intended time comes from wake-ups, two pipes and the referee. Printed is the distribution of this
excess, and of `delay_seconds`, the part of it that the referee knows of. After a void game, in which the referee itself
was held up, another game is played. Exit code 1 if an answer was judged wrongly, or if all games were void.

The games are Go on 9x9 by random moves without passes, because these are long; each player's first move, which starts
its process, is left out.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import parse_agent
from agents.limits import Limits
from benchmarks.command_line import duration, natural, positive, run_script
from benchmarks.margin import Played, busy_processors, distribution, play
from simulator.referee.conditions import Conditions

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


def over(played: Played, limit: float) -> str:
    """For each late answer by how many ms it was late and, in brackets, the referee's own delay in ms, as text."""
    late = [(move.seconds - limit, move.delay_seconds) for move in played.moves if move.replaced]
    return ", ".join(f"{excess * 1000:.0f} ({delay * 1000:.0f})" for excess, delay in late)


def play_and_show(name: str, intended: float, limits: Limits, count: int) -> Played:
    """Play games of an agent that means to answer after so many seconds; print counts and distributions.

    The distributions are those of the measured less the intended time, and of the referee's own delays.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sleeper.py"
        file.write_text(SLEEPER)
        spec = parse_agent(f"{file}:seconds={intended:g}")
        played = play(spec, Conditions("go", {"size": BOARD_SIZE}, limits), count)
    print(f"{name}: {len(played.moves)} answers after {intended:g} s, {played.late} of them late")
    for text in (*played.faults, *played.void):
        print(f"  {text}")
    if played.moves:
        print(f"  measured less intended: {distribution([move.seconds - intended for move in played.moves])}")
        print(f"  the referee's own delay: {distribution([move.delay_seconds for move in played.moves])}")
    return played


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
        early = play_and_show("in time", arguments.move_time - EARLY_SECONDS, limits, arguments.moves)
        late = play_and_show("late", arguments.move_time + LATE_SECONDS, limits, arguments.late_moves)
    if early.late:
        print(f"in time, and yet late by so many ms (the referee's own delay): {over(early, arguments.move_time)}")
    if early.late or early.faults or late.late < len(late.moves) or late.faults:
        sys.exit("answers were judged wrongly")
    if not early.moves or not late.moves:
        sys.exit("all games were void: try with fewer processes, --busy")


if __name__ == "__main__":
    run_script(main)
