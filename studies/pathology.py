"""Minimax pathology: when looking further ahead makes decisions worse, on two kinds of small trees.

All trees of a unit are computed at once, in arrays of all their nodes level by level.
"""

from collections.abc import Sequence

import numpy as np

from studies.plots import cases, finish_shares, plot_shares, rows_by
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, units_by

DEPTH = 12  # plies of a tree, with two moves each
# The share of leaves that the second player, who makes the last move, wins: with any other share, the deeper trees are,
# the more of them the same player wins.
GOLDEN = (3 - 5**0.5) / 2
INDEPENDENT, INCREMENTAL = "independent leaves", "incremental values"
TREES_A_UNIT = 2000


def plan(extent: Extent) -> list[Unit]:
    """Some thousands of trees of both kinds."""
    return [
        {"kind": kind, "seed": extent.seed, "part": part, "trees": extent.choose(TREES_A_UNIT, 300)}
        for kind in (INDEPENDENT, INCREMENTAL)
        for part in range(extent.count(20, 1))
    ]


def independent_levels(rng: np.random.Generator, trees: int) -> list[np.ndarray]:
    """Heuristic values of all nodes for the first player, level by level: how many of its leaves that player wins."""
    levels = [(rng.random((trees, 1 << DEPTH)) < 1 - GOLDEN).astype(np.float32)]
    for _ in range(DEPTH):
        levels.append(levels[-1][:, 0::2] + levels[-1][:, 1::2])
    return levels[::-1]


def incremental_levels(rng: np.random.Generator, trees: int) -> list[np.ndarray]:
    """Heuristic values as sums of +1 and -1 along the path; at a leaf the first player wins if the sum is above 0."""
    levels = [np.zeros((trees, 1), np.float32)]
    for _ in range(DEPTH):
        levels.append(np.repeat(levels[-1], 2, axis=1) + rng.choice([-1.0, 1.0], (trees, 2 * levels[-1].shape[1])))
    levels[-1] = np.where(levels[-1] > 0, DEPTH + levels[-1], levels[-1] - DEPTH)
    return levels


def minimax_to(levels: Sequence[np.ndarray], depth: int) -> np.ndarray:
    """The values of both moves at the roots for the first player, by minimax over so many plies: float[trees, 2]."""
    values = levels[depth]
    for ply in range(depth - 1, 0, -1):
        pairs = np.stack([values[:, 0::2], values[:, 1::2]])
        values = pairs.max(axis=0) if ply % 2 == 0 else pairs.min(axis=0)
    return values


def work(unit: Unit) -> Result:
    """For each depth how often the move is right (equal values: half), in trees with a winning and a losing move."""
    rng = np.random.default_rng([unit["seed"], unit["part"], unit["kind"] == INDEPENDENT])
    levels = (independent_levels if unit["kind"] == INDEPENDENT else incremental_levels)(rng, unit["trees"])
    truth = minimax_to(levels, DEPTH) > (0.5 if unit["kind"] == INDEPENDENT else 0)
    decisive = truth[:, 0] != truth[:, 1]
    right = []
    for depth in range(1, DEPTH + 1):
        values = minimax_to(levels, depth)[decisive]
        choice = np.sign(values[:, 0] - values[:, 1]) * np.where(truth[decisive, 0], 1, -1)
        right.append(float((choice + 1).sum() / 2))
    return {"right": right, "trees": int(decisive.sum())}


def tabulate(done: Done) -> list[Row]:
    """A row for each kind of tree and depth."""
    rows = []
    for kind, found in units_by(done, "kind").items():
        trees = sum(result["trees"] for _, result in found)
        for depth in range(1, DEPTH + 1):
            right = sum(result["right"][depth - 1] for _, result in found)
            rows.append({"tree": kind, "depth": depth, "trees": trees} | share_of_count(right, trees))
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A line for each kind of tree."""
    axes = figure.subplots()
    plot_shares(axes, {f"{name}, {cases(line)}": line for name, line in rows_by(rows, "tree").items()}, "depth")
    title = f"minimax in trees of {DEPTH} plies with two moves, one of which wins"
    finish_shares(axes, "plies that minimax looks ahead", title, "share of trees in which the move is right")
    axes.legend()


ABOUT = About(
    title="Minimax pathology: does looking further ahead make decisions worse?",
    claim=(
        "In trees whose leaves are independent of each other, deeper minimax decides worse until it sees the end; "
        "where values grow step by step along a path, as in most games, it decides better (Nau 1982; Pearl 1983)."
    ),
    setting="Whiskers are shorter than points (0.01). Independent leaves: after 11 plies the won leaves say who wins.",
    half="as good as drawing lots",
)
