"""Simulations a second of games in files and of OpenSpiel's MCTSBot, on one core, in processor time.

    python benchmarks/game_files.py
    python benchmarks/game_files.py --rounds 5

All run plain UCT from the start with one random playout a simulation, and back up proved results: in turns, our search
on `examples/games/NAME_fast.py`, OpenSpiel's bot in C++, and OpenSpiel's bot in Python. Needs OpenSpiel; start it with
nothing else running.
"""

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

import numpy as np

from agents.uct.searcher import Searcher
from agents.uct.settings import TreeSettings
from benchmarks.bench import alternately, search_rate
from benchmarks.command_line import positive, run_script
from benchmarks.kalah import rate_of_bot
from game import load_game
from options import Failure

NAMES = ("connect_four", "othello")
SIMULATIONS, SPIEL_SIMULATIONS, PYTHON_SIMULATIONS = 200_000, 10_000, 300  # in a round
CAPACITY = 2_000_000
MEMORY_MB = 1_000
EXPLORATION = 2.0  # of OpenSpiel's bots, whose values go from -1 to 1


def spiel_rate(name: str, seed: int) -> float:
    """Simulations a second of OpenSpiel's bot in C++."""
    spiel: Any = import_module("pyspiel")
    theirs, evaluator = spiel.load_game(name), spiel.RandomRolloutEvaluator(1, seed)
    bot = spiel.MCTSBot(theirs, evaluator, EXPLORATION, SPIEL_SIMULATIONS, MEMORY_MB, True, seed, False)
    return rate_of_bot(bot, theirs.new_initial_state())


def python_rate(name: str, seed: int) -> float:
    """Simulations a second of OpenSpiel's bot in Python."""
    spiel, mcts = import_module("pyspiel"), import_module("open_spiel.python.algorithms.mcts")
    theirs, random = spiel.load_game(name), np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(theirs, EXPLORATION, PYTHON_SIMULATIONS, evaluator, solve=True, random_state=random)
    return rate_of_bot(bot, theirs.new_initial_state())


def rates(name: str, rounds: int) -> dict[str, float]:
    """The median rates of our search and of both bots."""
    ours = Searcher(load_game(str(PROJECT / "examples" / "games" / f"{name}_fast.py")), CAPACITY, 1, TreeSettings())
    search_rate(ours, 10)
    return alternately(
        rounds,
        ours=lambda _: search_rate(ours, SIMULATIONS),
        spiel=lambda seed: spiel_rate(name, seed),
        python=lambda seed: python_rate(name, seed),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=positive, default=3, help="of which the median counts (default: 3)")
    rounds = parser.parse_args().rounds
    if find_spec("pyspiel") is None:
        raise Failure("this needs OpenSpiel: pip install open_spiel")
    print(f"{'':14}{'ours':>12}{'OpenSpiel, C++':>18}{'ratio':>8}{'OpenSpiel, Python':>20}{'ratio':>8}")
    for name in NAMES:
        found = rates(name, rounds)
        mine, spiel, python = found["ours"], found["spiel"], found["python"]
        print(f"{name:14}{mine:12,.0f}{spiel:18,.0f}{mine / spiel:8.1f}{python:20,.0f}{mine / python:8,.0f}")


if __name__ == "__main__":
    run_script(main)
