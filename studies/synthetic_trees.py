"""Synthetic trees: how often UCT finds the right move at the root, by c and by simulations, beside minimax."""

import math
from collections.abc import Sequence
from typing import Any

from simulator.statistics.elo import wilson_interval
from studies.plots import finish_shares, plot_shares
from studies.study import Extent, Finished, Result, Row, Study, Unit
from studies.synthetic.choices import decisive_trees, moves_of_uct
from studies.synthetic.minimax import EVALUATION, PLAYOUT, minimax_move
from studies.synthetic.rules import CRITICAL as CRITICAL_KIND

CS = (0.001, 0.1, 0.5, 1.41, 10.0, 1e6)
DRAWN = (0.1, 1.41)  # of these: the picture is to be read; the table has all
SIMULATIONS = (100, 1000, 10_000, 30_000)
TREES_A_UNIT = 20
# Random playouts know nothing of critical trees of this depth: 100 trees of each kind gave the right move as often as
# drawing lots, by every c. So leaves are worth the truth (+1 or -1) with an error of this deviation, as in the papers.
NOISE = 1.5
CRITICAL = [
    ("critical_tree", {"branching": b, "depth": 50, "rate": rate, "noise": NOISE})
    for rate in (1.0, 0.9)
    for b in (2, 5, 8)
]
P_GAMES: list[tuple[str, dict[str, Any]]] = [("p_game", {"branching": b, "depth": d}) for b, d in ((2, 20), (8, 8))]


def plan(extent: Extent) -> list[Unit]:
    """Some trees of each kind for each c; None stands for minimax."""
    kinds = extent.choose(CRITICAL + P_GAMES, [CRITICAL[0], P_GAMES[1]])
    return [
        {
            "game": name,
            "options": options,
            "c": c,
            "simulations": extent.choose(SIMULATIONS, (100, 1000)),
            "first": (extent.seed * 1000 + part) * TREES_A_UNIT,
            "trees": extent.choose(TREES_A_UNIT, 4),
        }
        for name, options in kinds
        for c in (None, *extent.choose(CS, (0.5, 1e6)))
        for part in range(extent.count(5, 1))
    ]


def depth_within(branching: int, leaves: int) -> int:
    """The deepest minimax that has no more leaves than that."""
    return max(1, math.floor(math.log(leaves + 0.5, branching)))


def work(unit: Unit) -> Result:
    """How often the move was right, for each number of simulations, or of leaves of minimax."""
    checkpoints, right = unit["simulations"], [0] * len(unit["simulations"])
    for seed, tree, values in decisive_trees(unit["game"], unit["options"], unit["first"], unit["trees"]):
        if unit["c"] is None:
            depths = [min(depth_within(tree.kernel.branching, count), tree.kernel.depth) for count in checkpoints]
            leaf = EVALUATION if tree.kernel.kind == CRITICAL_KIND else PLAYOUT
            moves = [minimax_move(tree, depth, leaf, 1, seed) for depth in depths]
        else:
            moves = moves_of_uct(tree, unit["c"], checkpoints, seed)
        right = [count + (values[move] == 1) for count, move in zip(right, moves, strict=True)]
    return {"right": right}


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each kind of tree, c, and number of simulations."""
    sums: dict[tuple[Any, ...], list[int]] = {}
    for unit, result in done:
        options = unit["options"]
        key = (unit["game"], options["branching"], options["depth"], options.get("rate"), unit["c"])
        for count, right in zip(unit["simulations"], result["right"], strict=True):
            sums.setdefault((*key, count), [0, 0])
            sums[*key, count][0] += right
            sums[*key, count][1] += unit["trees"]
    rows = []
    for (tree, branching, depth, rate, c, count), (right, trees) in sums.items():
        low, high = wilson_interval(right, trees)
        kind: Row = {"tree": tree, "branching": branching, "depth": depth, "critical rate": rate}
        method: Row = {"method": "minimax" if c is None else "UCT", "c": c, "simulations": count}
        rows.append({**kind, **method, "trees": trees, "share": right / trees, "low": low, "high": high})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel a kind of tree, a line for minimax and one for each c of DRAWN, over simulations."""
    kinds = list(dict.fromkeys((row["tree"], row["branching"], row["critical rate"]) for row in rows))
    columns = math.ceil(len(kinds) / 2)
    figure.set_size_inches(3.2 * columns, 6.5)
    panels = figure.subplots(2, columns, squeeze=False, sharey=True).flat
    for axes, kind in zip(panels, kinds, strict=False):
        mine = [row for row in rows if (row["tree"], row["branching"], row["critical rate"]) == kind]
        lines = {
            "minimax of as many positions" if c is None else f"UCT, c = {c:g}": [row for row in mine if row["c"] == c]
            for c in (None, *DRAWN)
        }
        plot_shares(axes, lines, "simulations")
        axes.set_xscale("log")
        name = f"critical, rate {kind[2]:g}" if kind[2] is not None else "P-game"
        finish_shares(axes, "simulations", f"{name}, {kind[1]} moves", "share of trees with the right move", half=False)
    figure.axes[1].legend(fontsize=8)


STUDY = Study(
    title="How often is the move right in synthetic trees, by c and by simulations?",
    claim=(
        "UCT converges to the right move in P-games (Kocsis & Szepesvari 2006). In critical win-loss "
        "trees with critical rate 1 and c large enough, more simulations make UCT worse (Nguyen & Ramanujan 2022)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    setting=(
        "Critical: one move in many keeps the result; leaves are the truth with an error of deviation 1.5; 50 "
        "plies. P-games: 20 plies with 2 moves, 8 with 8."
    ),
    half="",
)
