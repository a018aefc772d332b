"""Whether a search values sound moves above those that fall into traps: counting, table and picture."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean, stdev
from typing import Any, NamedTuple

from simulator.statistics.elo import Z_95, wilson_interval
from studies.plots import FEW, finish_shares, logarithmic, plot_shares, values_of
from studies.study import Finished, Row


class Valued(NamedTuple):
    """A move: the level of the trap that it falls into (0: sound), and what the search says it is worth."""

    level: int
    value: float


def count_apart(moves: Iterable[Valued], levels: Sequence[int]) -> dict[str, list[float]]:
    """By level: pairs of a trap and a sound move, and how many of them are told apart.

    Told apart means that the sound move has the larger value; equal is half.
    """
    moves = list(moves)
    sound = [move.value for move in moves if move.level == 0]
    found = {}
    for level in levels:
        traps = [move for move in moves if move.level == level]
        apart = sum((other > trap.value) + (other == trap.value) / 2 for trap in traps for other in sound)
        found[str(level)] = [float(len(traps) * len(sound)), float(apart)]
    return found


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each game, kind of play, number of simulations and level; each position counts as one.

    Positions are independent, so that a unit must have one of each game that was played. Pairs of moves in a position
    are not: what is counted there is their share. A unit has the numbers of simulations, its result under "counts" for
    each of them a list of what `count_apart` found in positions.
    """
    rows = []
    for game, play in dict.fromkeys((unit["game"], unit["play"]) for unit, _ in done):
        mine = [(unit, result) for unit, result in done if (unit["game"], unit["play"]) == (game, play)]
        for number, simulations in enumerate(mine[0][0]["simulations"]):
            counts = [count for _, result in mine for count in (result["counts"][number] if result["counts"] else ())]
            labels = {"game": game, "play": play, "simulations": simulations}
            rows += [{**labels, **row} for row in _rows(counts)]
    return rows


def share_of_positions(counts: Iterable[Sequence[float]]) -> Row:
    """Columns of a table for positions of which each has a number of pairs, and how many of them count; {} if none.

    A position without pairs says nothing. The interval is the mean's, of a FEW positions Wilson's.
    """
    shares = [found / pairs for pairs, found in counts if pairs]
    if not shares:
        return {}
    mean = fmean(shares)
    if len(shares) < FEW:
        low, high = wilson_interval(mean * len(shares), len(shares))
    else:
        half = half_width(shares)
        low, high = max(0.0, mean - half), min(1.0, mean + half)
    return {"positions": len(shares), "share": mean, "low": low, "high": high}


def half_width(values: Sequence[float]) -> float:
    """Half the 95 % interval of a mean of independent values."""
    return Z_95 * stdev(values) / math.sqrt(len(values))


def _rows(counts: Sequence[dict[str, list[float]]]) -> list[Row]:
    """A row for each level of which there is a trap beside a sound move, and one for each two levels.

    Two levels are compared in the positions that have both: the mean difference of their shares.
    """
    levels = list(dict.fromkeys(level for count in counts for level in count))
    rows = []
    for level in levels:
        if row := share_of_positions([count[level] for count in counts]):
            rows.append({"level": level, **row})
    for first, second in combinations(levels, 2):
        both = [count for count in counts if count[first][0] and count[second][0]]
        gaps = [count[first][1] / count[first][0] - count[second][1] / count[second][0] for count in both]
        if len(gaps) >= FEW:
            mean, half = fmean(gaps), half_width(gaps)
            labels = {"level": f"{first} less {second}", "positions": len(gaps)}
            rows.append({**labels, "difference": mean, "from": mean - half, "to": mean + half})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel for each game and kind of play, a line a level, over simulations."""
    rows = [row for row in rows if row.get("share") is not None]
    kinds = list(dict.fromkeys((row["game"], row["play"]) for row in rows))
    figure.set_size_inches(4 * len(kinds), 4)
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
        mine = [row for row in rows if (row["game"], row["play"]) == kind]
        lines = {level: [row for row in mine if row["level"] == level] for level in values_of(mine, "level")}
        labelled = {f"{level}, n = {line[0]['positions']:,}": line for level, line in lines.items()}
        plot_shares(axes, labelled, "simulations")
        logarithmic(axes, values_of(mine, "simulations"))
        finish_shares(axes, "simulations", f"{kind[0]}, {kind[1]} play", "pairs whose sound move\nhas the larger value")
        axes.legend(fontsize=8, title="trap: lost in plies", title_fontsize=8, loc="lower center")
