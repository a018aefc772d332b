"""The worth of each part of the agent in Go: one part off at a time, fixed simulations, one opponent, many games.

    python experiments/ablation.py --games 200 --simulations 1000
    python experiments/ablation.py uct_agent uct_agent:priors=no --games 100 --simulations 3000 --against gnugo
    python experiments/ablation.py uct_agent:c=0.1 --against uct_agent

Each named agent (by default those of VARIANTS) plays the opponent, with black in every other game. The opponent is an
agent, `gtp:COMMAND`, or `gnugo` for GNU_GO. Agents play in one process, without a referee and without a clock: this
compares agents, and proves no strength. Results are printed in the order of the agents, each with a 95 % interval
(Wilson); a draw counts half.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import Agent, AgentError
from agents.limits import Limits
from benchmarks.command_line import duration, natural, positive, run_script
from game import load_game
from learning.workers import Workers
from simulator.player.lookup import find_agent
from simulator.statistics.elo import wilson_interval
from studies.gtp_engine import GNU_GO, GtpEngine
from studies.matches import make_agent, points_of_game

LEVEL = 10  # of GNU Go

# Compared by default: the agent with itself (a control), and the agent with one part switched off.
VARIANTS = (
    "uct_agent",
    "uct_agent:formula=ucb1,c=0.5",
    "uct_agent:heavy=no",
    "uct_agent:priors=no",
    "uct_agent:ladders=no",
    "uct_agent:surroundings=no",
    "uct_agent:mixture=1",
    "uct_agent:escape=0",
    "uct_agent:pattern=0",
    "uct_agent:self_atari=0",
    "uct_agent:nakade=0",
    "uct_agent:keep_eyes=no",
    "uct_agent:reuse=no",
)


def make_player(text: str, game: Any, seed: int, limits: Limits, arguments: dict[str, Any]) -> GtpEngine | Agent:
    """The player that a text names."""
    if text == "gnugo":
        return GtpEngine(f"{GNU_GO} --level {LEVEL} --seed {seed}", game)
    if text.startswith("gtp:"):
        return GtpEngine(text.removeprefix("gtp:"), game)
    given = {"simulations": arguments["simulations"]} if arguments["simulations"] else {}
    return make_agent(text, game, limits, seed, arguments["capacity"], **given)


def play_one(text: str, opponent: str, arguments: dict[str, Any], number: int) -> float:
    """Play one game; the agent is black if its number is even. Returns the agent's points: 1, 0.5 or 0."""
    game = load_game("go", size=arguments["size"], komi=arguments["komi"])
    seed, limits = 1000 * arguments["seed"] + number, Limits(move_seconds=arguments["move_time"])
    players = [make_player(name, game, 2 * seed + i, limits, arguments) for i, name in enumerate((text, opponent))]
    try:
        return points_of_game(game, game.initial(), players, limits, swapped=number % 2)
    finally:
        for player in players:
            player.close()


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("agents", nargs="*", default=VARIANTS, help="agents of this project  [VARIANTS]")
    parser.add_argument("--against", default="uct_agent", metavar="OPPONENT", help="[uct_agent]")
    parser.add_argument("--games", type=positive, default=100, help="of each agent  [100]")
    parser.add_argument("--simulations", type=natural, default=1000, help="a move; 0 uses --move-time  [1000]")
    parser.add_argument("--move-time", type=duration, default=2.0, help="seconds  [2]")
    parser.add_argument("--size", type=positive, default=9, help="of the board of Go  [9]")
    parser.add_argument("--komi", type=float, default=7.0, help="[7]")
    parser.add_argument("--capacity", type=positive, default=3_000_000, help="nodes of a tree  [3,000,000]")
    parser.add_argument("--seed", type=natural, default=1, help="[1]")
    parser.add_argument("--workers", type=positive, default=1, help="games at a time  [1]")
    arguments = parser.parse_args()
    try:
        game = load_game("go", size=arguments.size, komi=arguments.komi)
        for text in (*arguments.agents, arguments.against):
            if text not in ("gnugo", "uct_agent") and not (text == arguments.against and text.startswith("gtp:")):
                find_agent(text, game)
    except (AgentError, ValueError) as error:
        parser.error(str(error))
    return arguments


def main() -> None:
    """Parse, play, print."""
    arguments = parse()
    with Workers(arguments.workers) as workers:
        for text in arguments.agents:
            start = time.monotonic()
            tasks = ((text, arguments.against, vars(arguments), number) for number in range(arguments.games))
            points = 0.0
            for done, (_, won) in enumerate(workers.results(play_one, tasks), 1):
                points += won
                if sys.stderr.isatty():
                    print(f"\r{text}: {points:g} of {done}", end="", file=sys.stderr, flush=True)
            if sys.stderr.isatty():
                print("\r\x1b[K", end="", file=sys.stderr)
            low, high = wilson_interval(points, arguments.games)
            seconds = (time.monotonic() - start) / arguments.games
            print(
                f"{points / arguments.games:6.1%}  [{low:.1%}, {high:.1%}]  {arguments.games} games, "
                f"{seconds:.1f} s each  {text}",
                flush=True,
            )


if __name__ == "__main__":
    run_script(main)
