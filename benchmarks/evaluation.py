"""The learned evaluation of Pentago in numba and in C++: values a second, and expansions with all their values.

    python benchmarks/evaluation.py
    python benchmarks/evaluation.py --width 256

A value is the value of one position. An expansion writes the distinct successors of a position, marks those that the
next player wins at once, and computes all their values. The C++ twin does the same alternately in the same minutes, and
finds the same values; processor time is measured. As in a search, the positions are close to one another, so that the
rows of the network that they need are in the processor's caches: they lie some random moves after one position from
random play. The weights are random unless a file of weights is given: the work is the same for all weights.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import twin
from benchmarks.bench import alternately
from benchmarks.command_line import positive, run_script
from benchmarks.foresight import random_position
from game import Game, load_game
from jit import jit
from pentago.evaluation import Network, load_network, make_network
from pentago.features import BUCKETS, FEATURES

import numpy as np  # isort: skip

import game

PLIES = (0, 8, 14, 20)
MOVES_AFTER = 4  # at most
POSITIONS = 200
EVALUATION_ROUNDS, EXPANSION_ROUNDS = 5000, 200  # some tenths of a second each


def random_weights(width: int) -> dict[str, np.ndarray]:
    """Random arrays for a file of weights, of the magnitude that weights have at the start of learning."""
    rng = np.random.default_rng(1)
    shapes = {
        "fragments": (FEATURES, width),
        "bias": (BUCKETS, width),
        "output": (BUCKETS, width),
        "offset": (BUCKETS,),
    }
    scale = {"fragments": 0.08, "bias": 0.3, "output": 0.3, "offset": 0.1}
    return {name: rng.normal(0, scale[name], shape).astype(np.float32) for name, shape in shapes.items()}


def positions_after(pentago: Game, ply: int, count: int) -> np.ndarray:
    """Open positions at most MOVES_AFTER random moves after one open position of a ply, as states, uint64[count, 2]."""
    rng = random.Random(ply)
    root = None
    while root is None:
        root = random_position(pentago, ply, rng)
    found: list[np.ndarray] = []
    while len(found) < count:
        position = root
        for _ in range(rng.randint(0, MOVES_AFTER)):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is None:
            found.append(pentago.state(position))
    return np.array(found)


@jit
def evaluate(kernel, states, rounds):
    """The sum of the values of all states, computed so many times."""
    total = 0.0
    for _ in range(rounds):
        for i in range(len(states)):
            total += game.evaluate(kernel, states[i])
    return total


@jit
def expand(kernel, states, scratch, payload0, payload1, stats, values, rounds):
    """The number of successors of all states and the sum of their values, computed so many times."""
    total, number = 0.0, 0
    for _ in range(rounds):
        for i in range(len(states)):
            count = game.children(kernel, states[i], payload0, payload1, stats, 0)
            game.values(kernel, states[i], scratch, payload0, payload1, stats, 0, count, values)
            number += count
            for j in range(count):
                total += values[j]
    return number, total


def expanded(kernel: Any, states: np.ndarray, rounds: int) -> tuple[int, float]:
    """Call `expand` with new working space; returns the same."""
    words = [np.zeros(game.max_children(kernel), np.uint64) for _ in range(3)]
    number, total = expand(kernel, states, np.zeros(2, np.uint64), *words, np.zeros(len(words[0]), np.float32), rounds)
    return int(number), float(total)


def rate(work: int, function: Any, *arguments: Any) -> float:
    """Work a second of processor time that a call does."""
    start = time.process_time()
    function(*arguments)
    return work / (time.process_time() - start)


def show(ply: int, name: str, rates: dict[str, float]) -> None:
    """Print a line of the table."""
    ratio = rates["numba"] / rates["cpp"]
    print(f"{ply:>3}  {name:<12}{rates['numba']:>14,.0f}{rates['cpp']:>14,.0f}{ratio:>8.2f}", flush=True)


def measure(ply: int, pentago: Game, network: Network, path: Path, rounds: int) -> None:
    """Measure values and expansions of positions after a ply, and print them."""
    kernel, states = pentago.kernel_with(evaluation=network), positions_after(pentago, ply, POSITIONS)
    twin.write_network(path, network, states)
    evaluate(kernel, states, 1)
    expanded(kernel, states, 1)
    work = POSITIONS * EVALUATION_ROUNDS
    rates = alternately(
        rounds,
        numba=lambda _: rate(work, evaluate, kernel, states, EVALUATION_ROUNDS),
        cpp=lambda _: work / float(twin.evaluations(path, EVALUATION_ROUNDS)["seconds"]),
    )
    show(ply, "values", rates)
    work = POSITIONS * EXPANSION_ROUNDS
    rates = alternately(
        rounds,
        numba=lambda _: rate(work, expanded, kernel, states, EXPANSION_ROUNDS),
        cpp=lambda _: work / float(twin.expansions(path, EXPANSION_ROUNDS)["seconds"]),
    )
    show(ply, "expansions", rates)


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, choices=(32, 64, 128, 256), default=64, help="of random weights")
    parser.add_argument("--weights", type=Path, help="a file of weights (.npz)")
    parser.add_argument("--rounds", type=positive, default=5, help="the median counts")
    arguments = parser.parse_args()
    network = load_network(arguments.weights) if arguments.weights else make_network(random_weights(arguments.width))
    print(f"a second of processor time, {len(network.shared)} hidden numbers")
    print(f"{'ply':>3}{'numba':>28}{'C++':>14}{'ratio':>8}")
    pentago = load_game("pentago")
    with tempfile.TemporaryDirectory() as folder:
        for ply in PLIES:
            measure(ply, pentago, network, Path(folder) / "network", arguments.rounds)


if __name__ == "__main__":
    run_script(main)
