"""Synthetic trees: how often UCT finds the right move at the root, by c and by simulations, beside minimax."""

import math
from itertools import islice
from typing import Any

from studies.plots import finish_shares, legend_beside, panels, plot_shares
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, grouped
from studies.synthetic.choices import decisive_trees, moves_of_uct
from studies.synthetic.minimax import EVALUATION, PLAYOUT, minimax_move
from studies.synthetic.rules import CRITICAL as CRITICAL_KIND

CS = (0.001, 0.1, 0.5, 1.41, 10.0, 1e6)
DRAWN = (0.001, 0.5, 1.41)  # the picture has only these of them, to be readable; the table has all
SIMULATIONS = (100, 1000, 10_000, 30_000)
TREES_A_UNIT = 20
# Random playouts say nothing about critical trees of this depth: in 100 trees of each kind the right move was found as
# often as by drawing lots, with every c. So a leaf is worth the truth (+1 or -1) with a normal error of this deviation,
# as in the papers.
NOISE = 1.5
CRITICAL = [
    ("critical_tree", {"branching": b, "depth": 50, "rate": rate, "noise": NOISE})
    for rate in (1.0, 0.9)
    for b in (2, 5, 8)
]
P_GAMES: list[tuple[str, dict[str, Any]]] = [("p_game", {"branching": b, "depth": d}) for b, d in ((2, 20), (8, 8))]


def plan(extent: Extent) -> list[Unit]:
    """A unit is some trees of one kind and one c; c = None stands for minimax."""
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
    """The depth of the deepest full-width search that has at most so many leaves; at least 1."""
    return max(1, math.floor(math.log(leaves + 0.5, branching)))


def work(unit: Unit) -> Result:
    """How often the move was right, for each number of simulations (of minimax: of leaves)."""
    checkpoints, right = unit["simulations"], [0] * len(unit["simulations"])
    trees = decisive_trees(unit["game"], unit["options"], unit["first"])
    for seed, tree, values in islice(trees, unit["trees"]):
        if unit["c"] is None:
            depths = [min(depth_within(tree.kernel.branching, count), tree.kernel.depth) for count in checkpoints]
            leaf = EVALUATION if tree.kernel.kind == CRITICAL_KIND else PLAYOUT
            moves = [minimax_move(tree, depth, leaf, seed) for depth in depths]
        else:
            moves = moves_of_uct(tree, unit["c"], checkpoints, seed)
        right = [count + (values[move] == 1) for count, move in zip(right, moves, strict=True)]
    return {"right": right}


def tabulate(done: Done) -> list[Row]:
    """A row for each kind of tree, c, and number of simulations."""
    rows: list[Row] = []
    searches = grouped(done, lambda entry: (entry.unit["game"], str(entry.unit["options"]), entry.unit["c"]))
    for found in searches.values():
        unit, trees = found[0].unit, sum(unit["trees"] for unit, _ in found)
        options, c = unit["options"], unit["c"]
        kind = {"tree": unit["game"], "branching": options["branching"], "depth": options["depth"]}
        kind |= {"critical rate": options.get("rate"), "method": "minimax" if c is None else "UCT", "c": c}
        for number, count in enumerate(unit["simulations"]):
            right = sum(result["right"][number] for _, result in found)
            rows.append({**kind, "simulations": count, "trees": trees, **share_of_count(right, trees)})
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each kind of tree, a line for minimax and one for each c of DRAWN, over simulations."""
    kinds = ("tree", "branching", "critical rate")
    for axes, (_, branching, rate), mine in panels(figure, rows, *kinds, width=3.2, height=3.25, down=2, sharey=True):
        lines = {
            "minimax of as many positions" if c is None else f"UCT, c = {c:g}": [row for row in mine if row["c"] == c]
            for c in (None, *DRAWN)
        }
        plot_shares(axes, lines, "simulations")
        axes.axhline(1 / branching, color="grey", linestyle="--", label="drawing lots")
        axes.set_xscale("log")
        name = f"critical, rate {rate:g}" if rate is not None else "P-game"
        title = f"{name}, {branching} moves"
        finish_shares(axes, "simulations", title, "share of trees with the right move", half=False)
    legend_beside(figure)


ABOUT = About(
    title="How often is the move right in synthetic trees, by c and by simulations?",
    claim=(
        "UCT converges to the right move in P-games (Kocsis & Szepesvari 2006). In critical win-loss "
        "trees with critical rate 1 and c large enough, more simulations make UCT worse (Nguyen & Ramanujan 2022)."
    ),
    setting=(
        "Critical: one move in many keeps the result; leaves are the truth with an error of deviation 1.5; 50 plies. "
        "P-games: 20 plies with 2 moves, 8 with 8. Other c: see the table."
    ),
    half="",
)
