"""Light playouts of Go compared with a published reference, and their speed with the C++ twin's.

    python benchmarks/go_playouts.py
    python benchmarks/go_playouts.py --speed

Authors of Go programs agreed on what a light playout on 9x9 is: uniformly random legal moves (no suicide, simple ko)
that fill no own one-point eye, until both pass. The reference figures are those of the bot with which they compare
their own: a program that plays these rules and draws moves uniformly has to find the same figures. The exit code is 1
if a figure differs by more than its tolerance (and by more than four standard errors, if there are fewer playouts).

With `--speed`: playouts a second on one core, in turns: ours; the twin's, of the same games; the twin's with chains by
union-find, where ours relabels the stones of the smaller chain at a merger; ours with the agent's knowledge (heavy).
"""

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from benchmarks.command_line import natural, positive, run_script
from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.settings import Settings
from benchmarks import twin
from benchmarks.bench import Measurement, alternately
from go.game import Go
from go.playouts import LONGEST, play_out
from go.scoring import eye_score

PLAYOUTS = 1_000_000
REFERENCE_MOVES = 111.04  # +- 0.03, with both passes
REFERENCE_SHARES = {0.0: 0.5245, 6.5: 0.4471, 7.0: 0.4334, 7.5: 0.4213}  # black's, by komi; a draw counts half
MOVES_TOLERANCE, SHARE_TOLERANCE = 0.1, 0.002
STANDARD_ERRORS = 4  # the most that chance may explain

SPEED_PLAYOUTS = {9: 20_000, 19: 4_000}  # by size, in a round; short, so that other work hits both languages alike
HEAVY_PER_LIGHT = 4  # so many light playouts are measured for each heavy one


@jit(allocates=True)
def _play(kernel, root, rng, count, lengths, scores):
    """Play so many playouts from a root; count moves in `lengths` and black's points less white's in `scores`.

    `lengths` is int64[longest + 1], `scores` is int64[2 * size * size + 1] with 0 points in its middle.
    """
    state = root.copy()
    middle = kernel.size * kernel.size
    for _ in range(count):
        game.begin(kernel, state, root)
        lengths[play_out(kernel, state, rng, kernel.spare)] += 1
        scores[eye_score(kernel, state) + middle] += 1


class Sample(NamedTuple):
    """Playouts from the empty board.

    Attributes:
        lengths: int64 array: how many playouts took that many moves, with passes.
        scores: int64 array: how many ended with that many points more for black than white, from -size * size on.
        seconds: of processor time.
    """

    lengths: np.ndarray
    scores: np.ndarray
    seconds: float

    @property
    def playouts(self) -> int:
        """The number of playouts."""
        return int(self.lengths.sum())

    @property
    def moves(self) -> float:
        """The mean number of moves."""
        return float(np.average(np.arange(len(self.lengths)), weights=self.lengths))

    @property
    def moves_error(self) -> float:
        """The standard error of the mean number of moves."""
        squares = (np.arange(len(self.lengths)) - self.moves) ** 2
        return math.sqrt(float(np.average(squares, weights=self.lengths)) / self.playouts)

    def share(self, komi: float) -> float:
        """The share of the playouts that black wins; draws count half."""
        points = np.arange(len(self.scores)) - len(self.scores) // 2
        return float(np.average(np.sign(points - komi) / 2 + 0.5, weights=self.scores))

    def share_error(self, komi: float) -> float:
        """The standard error of the share (a little too large if there are draws)."""
        share = self.share(komi)
        return math.sqrt(share * (1 - share) / self.playouts)


def sample(go: Go, count: int, seed: int, **switches: Any) -> Sample:
    """So many playouts from the empty board, with these switches of the kernel."""
    lengths = np.zeros(LONGEST * go.size**2 + 1, np.int64)
    scores = np.zeros(2 * go.size**2 + 1, np.int64)
    root, rng, kernel = go.state(go.initial()), new_rng(seed), go.kernel._replace(**switches)
    start = time.process_time()
    _play(kernel, root, rng, count, lengths, scores)
    return Sample(lengths, scores, time.process_time() - start)


# --- Conformance ----------------------------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """A figure and the reference's."""

    name: str
    found: float
    error: float
    reference: float
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Whether the difference is within the tolerance, or within chance if chance allows more."""
        return abs(self.found - self.reference) <= max(self.tolerance, STANDARD_ERRORS * self.error)

    def __str__(self) -> str:
        digits = 4 if self.tolerance < 0.01 else 3
        verdict = "OK" if self.agrees else "DIFFERS"
        return (
            f"{self.name:<26}{self.found:>9.{digits}f} +- {self.error:.{digits}f}{self.reference:>11.{digits}f}"
            f"{self.found - self.reference:>+12.{digits}f}  {verdict}"
        )


def comparisons(found: Sample) -> list[Comparison]:
    """Every figure of the reference compared with that of a sample on 9x9."""
    moves = Comparison("moves a playout", found.moves, found.moves_error, REFERENCE_MOVES, MOVES_TOLERANCE)
    shares = [
        Comparison(
            f"black's share at komi {komi:g}", found.share(komi), found.share_error(komi), share, SHARE_TOLERANCE
        )
        for komi, share in REFERENCE_SHARES.items()
    ]
    return [moves, *shares]


# --- Speed ----------------------------------------------------------------------------------------------------------


def speeds(size: int, rounds: int) -> dict[str, float]:
    """Playouts a second on a board of this size: `unforced`, `cpp`, `cpp_union_find` and `heavy`.

    The first three play light playouts: `cpp` keeps no words of neighbours, `cpp_union_find` is the same with chains by
    union-find. `heavy` is ours with the agent's knowledge. Raises TwinError without a C++ compiler.
    """
    go, count = Go(size), SPEED_PLAYOUTS[size]
    knowledge = Settings.for_game(game.load_game("go", size=size)).switches
    sample(go, 10, 1)

    def of_twin(union_find: bool) -> Measurement:
        return lambda seed: count / float(twin.go_playouts(size, go.komi, count, seed, union_find)["seconds"])

    def ours(count: int, **switches: Any) -> Measurement:
        return lambda seed: count / sample(go, count, seed, **switches).seconds

    return alternately(
        rounds,
        unforced=ours(count),
        cpp=of_twin(union_find=False),
        cpp_union_find=of_twin(union_find=True),
        heavy=ours(count // HEAVY_PER_LIGHT, **knowledge),
    )


def print_conformance(count: int, seed: int) -> bool:
    """Print every comparison; returns whether all agree."""
    found = sample(Go(9), count, seed)
    print(f"{count:,} light playouts from the empty board of 9x9")
    print(f"{'':<26}{'found':>9} {'':<9}{'reference':>11}{'difference':>12}")
    compared = comparisons(found)
    for comparison in compared:
        print(comparison)
    return all(comparison.agrees for comparison in compared)


def print_speeds(rounds: int) -> None:
    """Print the rates on every board. Raises TwinError."""
    twin.build(twin.GO_SOURCE)
    print(f"{'playouts a second':<20}{'unforced':>12}{'C++':>12}{'ratio':>8}{'C++, union-find':>18}{'heavy':>12}")
    for size in SPEED_PLAYOUTS:
        rates = speeds(size, rounds)
        ratio = rates["unforced"] / rates["cpp"]
        row = f"{rates['unforced']:>12,.0f}{rates['cpp']:>12,.0f}{ratio:>8.2f}{rates['cpp_union_find']:>18,.0f}"
        print(f"{f'{size}x{size}':<20}{row}{rates['heavy']:>12,.0f}", flush=True)


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--playouts", type=positive, default=PLAYOUTS, help="for the comparison with the reference")
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--speed", action="store_true", help="measure the speed instead")
    parser.add_argument("--rounds", type=positive, default=41, help="of which the medians are taken, for --speed")
    arguments = parser.parse_args()
    if arguments.speed:
        print_speeds(arguments.rounds)
    elif not print_conformance(arguments.playouts, arguments.seed):
        sys.exit(1)


if __name__ == "__main__":
    run_script(main)
