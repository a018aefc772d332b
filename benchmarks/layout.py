"""The layout of nodes' statistics: one array for each word (as shipped) against an array of records of 32 bytes.

    python benchmarks/layout.py --rounds 5

Selection reads the statistics of all children of a node, and nothing else of these. This scans families of children at
random places of a big array for the largest UCB1, with the same arithmetic for both layouts, alternately.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import positive, run_script
from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.selection import _inverse_sqrt, _key
from agents.uct.tree import SCORE_SHIFT, VISIT_MASK
from benchmarks.bench import alternately

STATS_WORD = 3  # of the four words of a record
EXPLORATION = np.float32(1.5)


@jit
def scan_words(stats: Any, firsts: Any, count: Any) -> Any:
    """The sum of the argmax of each family, in `stats`, uint64[nodes]."""
    total = U64(0)
    for first in firsts:
        best = U64(0)
        words = stats[first : first + count]
        for j in range(count):
            best = max(best, _key(words[j], _inverse_sqrt(words[j] & VISIT_MASK), EXPLORATION, j))
        total += best & U64(4095)
    return total


@jit
def scan_records(records: Any, firsts: Any, count: Any) -> Any:
    """The same in `records`, uint64[nodes, 4]."""
    total = U64(0)
    for first in firsts:
        best = U64(0)
        family = records[first : first + count]
        for j in range(count):
            word = family[j, STATS_WORD]
            best = max(best, _key(word, _inverse_sqrt(word & VISIT_MASK), EXPLORATION, j))
        total += best & U64(4095)
    return total


def random_stats(nodes: int, rng: np.random.Generator) -> np.ndarray:
    """Statistics of nodes that were visited 1 to 99 times."""
    visits = rng.integers(1, 100, nodes).astype(np.uint64)
    scores = (rng.random(nodes) * 16 * visits).astype(np.uint64)
    return scores << U64(SCORE_SHIFT) | visits


def rates(rounds: int, nodes: int, children: int, families: int) -> dict[str, float]:
    """Families a second for both layouts, medians of rounds taken in turns."""
    rng = np.random.default_rng(1)
    stats = random_stats(nodes, rng)
    records = np.zeros((nodes, 4), np.uint64)
    records[:, STATS_WORD] = stats
    firsts = rng.integers(0, nodes - children, families)
    assert scan_words(stats, firsts, children) == scan_records(records, firsts, children)

    def rate(scan: Any, array: np.ndarray) -> float:
        start = time.perf_counter()
        scan(array, firsts, children)
        return families / (time.perf_counter() - start)

    return alternately(rounds, words=lambda _: rate(scan_words, stats), records=lambda _: rate(scan_records, records))


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=positive, default=5, help="scans of each layout; the median counts")
    parser.add_argument(
        "--nodes", type=positive, default=4_000_000, help="of the array: 40 bytes each for both layouts"
    )
    parser.add_argument("--children", type=positive, default=240, help="of a family; Pentago has up to 288")
    parser.add_argument("--families", type=positive, default=200_000, help="scanned in a round")
    arguments = parser.parse_args()
    if arguments.nodes <= arguments.children:
        parser.error("--nodes has to be more than --children")
    found = rates(arguments.rounds, arguments.nodes, arguments.children, arguments.families)
    print(f"one array a word     {found['words']:>12,.0f} families/s")
    print(f"records of 32 bytes  {found['records']:>12,.0f} families/s")
    print(f"words : records      {found['words'] / found['records']:>12.2f}")


if __name__ == "__main__":
    run_script(main)
