"""UCB1 with 1 / sqrt(n) computed (as the agent plays) against UCB1 with 1 / sqrt(n) looked up in a table.

    python benchmarks/cached_terms.py --rounds 5

Both look up sqrt(ln N); they differ in the one term that is needed for every child. They search alternately from the
empty board, so that a busy minute hits both; the ratio is what counts. The file is also an example of a formula that is
added from outside: a NamedTuple, a compiled function, and an `overload` of `choose` for the NamedTuple's type.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

if __name__ == "__main__":
    # A formula of this file must not enter the compiled code that agents share.
    _cache = tempfile.TemporaryDirectory()
    os.environ["UNFORCED_CACHE"] = _cache.name

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.search import implement_formula
from agents.uct.searcher import Searcher
from agents.uct.selection import TABLE_SIZE, choose_ucb1, first_untried, ucb1
from agents.uct.settings import TreeSettings
from agents.uct.tree import SCORE_OF_WIN, SCORE_SHIFT, VISIT_MASK
from benchmarks.bench import alternately, search_rate
from benchmarks.command_line import as_input, positive, run_script
from game import RESOLVED, load_game

_WORTH_A_WIN = np.float32(1.0 / SCORE_OF_WIN)


class TabledUCB1(NamedTuple):
    """UCB1 with both terms in tables.

    Attributes:
        c: float32, the weight of exploration.
        sqrt_log: float32[65536], sqrt(ln n).
        inverse_sqrt: float32[65536], 1 / sqrt(n).
    """

    c: np.float32
    sqrt_log: np.ndarray
    inverse_sqrt: np.ndarray


def tabled_ucb1(c: float) -> TabledUCB1:
    """The formula with its tables."""
    plain = ucb1(c)
    visits = np.maximum(1, np.arange(TABLE_SIZE, dtype=np.float64))
    return TabledUCB1(plain.c, plain.sqrt_log, (1 / np.sqrt(visits)).astype(np.float32))


@jit(inline="always")
def _key(word: Any, inverse_sqrt: Any, exploration: Any, j: Any) -> Any:
    """The same as `agents.uct.selection._key`, with r looked up; `word` has fewer than `TABLE_SIZE` visits."""
    r = inverse_sqrt[word & VISIT_MASK]
    score = np.float32(np.int32(word >> U64(SCORE_SHIFT)))
    bound = r * (score * _WORTH_A_WIN * r + exploration)
    key = U64(np.float32(bound).view(np.uint32)) << U64(12) | U64(j)
    return U64(0) if word & RESOLVED != U64(0) else key


@jit
def choose_tabled(formula: Any, tree: Any, first: Any, count: Any, parent_visits: Any) -> Any:
    """Choose a child with the table; nodes with more visits than it has, which are few, use the agent's formula."""
    if parent_visits >= TABLE_SIZE:
        return choose_ucb1(formula, tree, first, count, parent_visits)
    untried = first_untried(tree.stats, first, count)
    if untried >= 0:
        return untried
    exploration = formula.c * formula.sqrt_log[parent_visits]
    best = U64(0)
    words = tree.stats[first : first + count]
    for j in range(count):
        best = max(best, _key(words[j], formula.inverse_sqrt, exploration, j))
    return first + np.int64(best & U64((1 << 12) - 1))


implement_formula(TabledUCB1, choose_tabled)


def rates(rounds: int, simulations: int, capacity: int) -> dict[str, float]:
    """Simulations a second of both formulas from the empty board, medians of rounds taken in turns."""
    pentago, settings = load_game("pentago"), TreeSettings(memory="stop")
    with as_input():
        computed, tabled = (Searcher(pentago, capacity, 1, settings) for _ in range(2))
    tabled.formula = tabled_ucb1(settings.c)
    for searcher in (computed, tabled):
        search_rate(searcher, 100)  # compiles
    return alternately(
        rounds,
        computed=lambda _: search_rate(computed, simulations),
        tabled=lambda _: search_rate(tabled, simulations),
    )


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=positive, default=5, help="searches of each formula; the median counts")
    parser.add_argument("--simulations", type=positive, default=500_000, help="of each search")
    parser.add_argument("--capacity", type=positive, default=5_000_000, help="nodes of each tree")
    arguments = parser.parse_args()
    found = rates(arguments.rounds, arguments.simulations, arguments.capacity)
    print(f"1 / sqrt(n) computed   {found['computed']:>10,.0f} simulations/s")
    print(f"1 / sqrt(n) looked up  {found['tabled']:>10,.0f} simulations/s")
    print(f"computed : looked up   {found['computed'] / found['tabled']:>10.2f}")


if __name__ == "__main__":
    run_script(main)
