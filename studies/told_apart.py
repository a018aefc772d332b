"""Whether a search values sound moves above those that fall into traps: counting, table and picture."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from simulator.statistics.elo import wilson_interval
from studies.plots import finish_shares, plot_shares, values_of
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

    The interval takes positions for independent trials, so that a unit must have one of each game that was played.
    Pairs of moves in a position are not independent: what is counted there is their share. Wilson's interval is that of
    wins and losses, and shares vary less, so that it errs on the wide side. A unit has the numbers of simulations, its
    result under "counts" for each of them a list of what `count_apart` found in positions.
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

    A position without pairs says nothing. See `tabulate` for the interval.
    """
    shares = [found / pairs for pairs, found in counts if pairs]
    if not shares:
        return {}
    share = sum(shares) / len(shares)
    low, high = wilson_interval(share * len(shares), len(shares))
    return {"positions": len(shares), "share": share, "low": low, "high": high}


def _rows(counts: Sequence[dict[str, list[float]]]) -> list[Row]:
    """A row for each level of which there is a trap beside a sound move."""
    rows = []
    for level in dict.fromkeys(level for count in counts for level in count):
        entries = [count[level] for count in counts]
        if row := share_of_positions(entries):
            rows.append({"level": int(level), **row})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel for each game and kind of play, a line a level, over simulations."""
    kinds = list(dict.fromkeys((row["game"], row["play"]) for row in rows))
    figure.set_size_inches(4 * len(kinds), 4)
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
        mine = [row for row in rows if (row["game"], row["play"]) == kind]
        for level in values_of(mine, "level"):
            plot_shares(axes, [row for row in mine if row["level"] == level], "simulations", f"level {level}")
        counts = values_of(mine, "simulations")
        axes.set_xscale("log")
        axes.set_xticks(counts, [f"{count:,}" for count in counts])
        axes.minorticks_off()
        finish_shares(axes, "simulations", f"{kind[0]}, {kind[1]} play")
        axes.legend(fontsize=8)
    figure.axes[0].set_ylabel("pairs of a sound move and a trap told apart")
