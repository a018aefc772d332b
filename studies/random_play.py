"""Random play: the value of moving first, for every game and board size."""

from typing import Any

from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import load_game
from simulator.statistics.elo import share_estimate
from studies.plots import finish, plot_named
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, grouped

PLAYOUTS_A_UNIT = 10_000
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pentago", {}),
    *(("kalah", {"pits": pits, "stones": stones}) for pits, stones in ((4, 4), (6, 3), (6, 4), (6, 6), (8, 6))),
    *(("go", {"size": size, "komi": komi}) for size in (5, 7, 9, 13, 19) for komi in (0.0, 7.0)),
)


@jit
def count_results(kernel, root, state, rng, playouts, counts):
    """Play random games from a position; counts: int64[3], games that its player to move lost, drew and won."""
    for _ in range(playouts):
        game.begin(kernel, state, root)
        counts[np.int64(2 * game.playout(kernel, state, rng))] += 1


def plan(extent: Extent) -> list[Unit]:
    """A unit is some thousands of games of one kind."""
    games = GAMES if not extent.quick else [entry for entry in GAMES if entry[1].get("size", 5) == 5]
    return [
        {
            "game": name,
            "options": options,
            "seed": extent.seed,
            "part": part,
            "playouts": extent.choose(PLAYOUTS_A_UNIT, 500),
        }
        for name, options in games
        for part in range(extent.count(10, 1))
    ]


def work(unit: Unit) -> Result:
    """Play the games of a unit."""
    found = load_game(unit["game"], **unit["options"])
    root = found.state(found.initial())
    counts = np.zeros(3, np.int64)
    rng = new_rng(unit["seed"], 1 + unit["part"])
    count_results(found.kernel, root, root.copy(), rng, unit["playouts"], counts)
    return {"counts": counts.tolist()}


def tabulate(done: Done) -> list[Row]:
    """A row for each game: shares of the points, and of draws."""
    rows = []
    for found in grouped(done, lambda entry: (entry.unit["game"], str(entry.unit["options"]))).values():
        unit, counts = found[0].unit, np.sum([result["counts"] for _, result in found], axis=0).tolist()
        games, share = sum(counts), share_estimate(counts)
        options = " ".join(f"{name}={value:g}" for name, value in unit["options"].items())
        row = {"game": unit["game"], "options": options, "games": games}
        row |= {"first": share.value, "low": share.low, "high": share.high}
        rows.append(row | {"won": counts[2] / games, "drawn": counts[1] / games})
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """The share of the first player, a point for each game."""
    axes = figure.subplots()
    plot_named(
        axes,
        [f"{row['game'].capitalize()} {(row['options'] or '').replace('=', ' ')}" for row in rows],
        rows,
        ("first", "low", "high"),
    )
    axes.axvline(0.5, color="grey", linestyle=":")
    finish(axes, "first player's share of the points, both playing at random", "")


ABOUT = About(
    title="What is the first move worth in random play?",
    claim=(
        "In Pentago Twist random play wins 55 % for White, who moves first (report of the course's project, 2021). "
        "For other games and sizes: a baseline for players with knowledge."
    ),
    half="the first move is worth nothing",
)
