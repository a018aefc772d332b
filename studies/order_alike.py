"""How far two opinions put the moves of a position into the same order: counting, table and picture."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from studies.plots import finish_shares, plot_shares, values_of
from studies.study import Finished, Row
from studies.told_apart import share_of_positions

LEAST_DIFFERENCE = 0.005  # of two winning chances that tell two moves apart


def count_alike(judged: Mapping[Any, float], valued: Mapping[Any, float]) -> tuple[int, float]:
    """Pairs of moves that the first opinion tells apart, and how many the second puts into the same order.

    Moves without a value are left out; equal values are half.

    >>> count_alike({"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1}, {"a": 0.6, "b": 0.7, "c": 0.6})
    (2, 0.5)
    """
    pairs, alike = 0, 0.0
    for first, second in combinations([move for move in judged if move in valued], 2):
        better, worse = (first, second) if judged[first] > judged[second] else (second, first)
        if judged[better] - judged[worse] >= LEAST_DIFFERENCE:
            pairs += 1
            alike += (valued[better] > valued[worse]) + (valued[better] == valued[worse]) / 2
    return pairs, alike


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each game, number of simulations and depth of the judge; each position counts as one.

    A unit has a "game", the numbers of "simulations" and the "depths"; its result has under "counts" for each number of
    simulations and each depth what `count_alike` found. Intervals as in `told_apart.tabulate`.
    """
    rows = []
    for game in dict.fromkeys(unit["game"] for unit, _ in done):
        mine = [(unit, result) for unit, result in done if unit["game"] == game]
        for i, simulations in enumerate(mine[0][0]["simulations"]):
            for j, depth in enumerate(mine[0][0]["depths"]):
                found = [result["counts"][i][j] for _, result in mine if result["counts"]]
                if row := share_of_positions(found):
                    rows.append({"game": game, "simulations": simulations, "depth": depth, **row})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel a game, a line a number of simulations, over the depth of the judge."""
    games = values_of(rows, "game")
    figure.set_size_inches(4 * len(games), 4)
    for axes, game in zip(figure.subplots(1, len(games), squeeze=False)[0], games, strict=True):
        mine = [row for row in rows if row["game"] == game]
        for count in values_of(mine, "simulations"):
            plot_shares(axes, [row for row in mine if row["simulations"] == count], "depth", f"{count:,} simulations")
        finish_shares(axes, "depth of minimax", game)
        axes.legend(fontsize=8)
    figure.axes[0].set_ylabel("pairs of moves in the same order")
