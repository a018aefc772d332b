"""How many simulations UCT needs in deeper and deeper P-games, compared with the leaves of alpha-beta."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from simulator.statistics.elo import wilson_interval
from studies.plots import finish, panels, values_of
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, units_by
from studies.synthetic.choices import decisive_trees, moves_of_uct
from studies.synthetic.minimax import leaves_of_alphabeta

DEPTHS = {2: (4, 6, 8, 10, 12, 14, 16, 18, 20), 8: (2, 4, 6, 8)}  # in plies, by the number of moves
C = 1.41
SIMULATIONS = tuple(2**k for k in range(1, 18))
WRONG = 0.05  # the share of trees in which the move may be wrong
TREES_A_UNIT = 20


def plan(extent: Extent) -> list[Unit]:
    """Some trees for each number of moves and depth."""
    return [
        {
            "branching": branching,
            "depth": depth,
            "first": (extent.seed * 1000 + part) * TREES_A_UNIT,
            "trees": extent.choose(TREES_A_UNIT, 4),
            "simulations": extent.choose(SIMULATIONS, SIMULATIONS[:8]),
        }
        for branching, depths in DEPTHS.items()
        for depth in extent.choose(depths, depths[:2])
        for part in range(extent.count(25, 1))
    ]


def work(unit: Unit) -> Result:
    """How often UCT's move was right after each number of simulations, and the leaves of alpha-beta in each tree."""
    options = {"branching": unit["branching"], "depth": unit["depth"]}
    right, leaves = np.zeros(len(unit["simulations"]), np.int64), []
    for seed, tree, values in islice(decisive_trees("p_game", options, unit["first"]), unit["trees"]):
        right += [values[move] == 1 for move in moves_of_uct(tree, C, unit["simulations"], seed)]
        leaves.append(leaves_of_alphabeta(tree))
    return {"right": right.tolist(), "leaves": leaves}


def enough(simulations: Sequence[int], shares: Sequence[float]) -> int | None:
    """The smallest number of simulations from which on the share is large enough; None if there is none.

    >>> enough([2, 4, 8, 16], [0.95, 0.9, 0.96, 1.0])
    8
    """
    found = None
    for count, share in zip(reversed(simulations), reversed(shares), strict=True):
        if share < 1 - WRONG:
            break
        found = count
    return found


def tabulate(done: Done) -> list[Row]:
    """A row for each number of moves and depth."""
    rows: list[Row] = []
    for (branching, depth), mine in units_by(done, "branching", "depth").items():
        trees = sum(unit["trees"] for unit, _ in mine)
        shares = np.sum([result["right"] for _, result in mine], axis=0) / trees
        counts = mine[0][0]["simulations"]
        lows, highs = zip(*(wilson_interval(share * trees, trees) for share in shares.tolist()), strict=True)
        rows.append(
            {
                "branching": branching,
                "depth": depth,
                "trees": trees,
                "leaves": branching**depth,
                "leaves of alpha-beta": float(np.mean([leaves for _, result in mine for leaves in result["leaves"]])),
                "simulations of UCT": enough(counts, shares.tolist()),
                "from": enough(counts, highs),
                "to": enough(counts, lows),
                "right after the most simulations": float(shares[-1]),
            }
        )
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each number of moves, over the depth."""
    for axes, branching, mine in panels(figure, rows, "branching", width=4, height=4.5):
        for column in ("leaves", "leaves of alpha-beta", "simulations of UCT"):
            found = [(row["depth"], row[column]) for row in mine if row[column] is not None]
            axes.plot(*zip(*found, strict=True), marker="o", label=column)
        known = [row for row in mine if None not in (row["from"], row["simulations of UCT"], row["to"])]
        at, needed = [row["depth"] for row in known], [row["simulations of UCT"] for row in known]
        below = [row["simulations of UCT"] - row["from"] / 2 for row in known]
        above = [row["to"] - row["simulations of UCT"] for row in known]
        axes.errorbar(at, needed, yerr=[below, above], fmt="none", capsize=3, color=axes.lines[-1].get_color())
        axes.set_yscale("log")
        axes.set_xticks(values_of(mine, "depth"))
        finish(axes, "plies of the tree", f"P-games with {branching} moves")
    figure.axes[0].set_ylabel("leaves or simulations")
    figure.axes[0].legend(fontsize=7)


ABOUT = About(
    title="How many simulations does UCT need, by depth, to err in at most one of 20 P-games?",
    claim=(
        "UCT converges in P-games about as fast as alpha-beta: it needs simulations of the order of the branching "
        "factor to the power of half the depth (Kocsis & Szepesvari 2006)."
    ),
    setting="UCT: c = 1.41. Whiskers begin one step (a factor of 2) below the interval: the number may lie between.",
    half="",
)
