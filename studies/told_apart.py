"""Whether a search values sound moves above those that fall into traps: counting, table and picture."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from studies.plots import cases, finish_shares, logarithmic, panels, plot_shares, rows_by, values_of
from studies.shares import mean_difference, share_of_positions
from studies.study import Done, Figure, Result, Row, Rows, grouped, units_by


def count_in_first(
    positions: Iterable[Any],
    judged: Callable[[Any], Mapping[Any, int]],
    searched: Callable[[Any], Iterable[Mapping[Any, float]]],
    levels: Sequence[int],
) -> Result:
    """The result of a unit: what is told apart in the first of these positions with a trap and a sound move.

    `judged` has the levels of a position's moves, 0 for a sound move; `searched` has their values after each of the
    unit's numbers of simulations. "counts" has for each of these what `count_apart` finds; it is empty without such a
    position.
    """
    for position in positions:
        level_of = judged(position)
        if any(level_of.values()) and not all(level_of.values()):
            return {"counts": [[count_apart(level_of, values, levels)] for values in searched(position)]}
    return {"counts": []}


def count_apart(
    level_of: Mapping[Any, int], values: Mapping[Any, float], levels: Sequence[int]
) -> dict[str, list[float]]:
    """By level: the number of pairs of a trap and a sound move, and how many of them a search's values tell apart.

    A pair is told apart if the sound move has the larger value; equal values count half. Moves without a level or a
    value are left out.
    """
    by_level = grouped(level_of.keys() & values.keys(), lambda move: level_of[move])
    sound = [values[move] for move in by_level.get(0, [])]
    found = {}
    for level in levels:
        traps = [values[move] for move in by_level.get(level, [])]
        apart = sum((other > trap) + (other == trap) / 2 for trap in traps for other in sound)
        found[str(level)] = [float(len(traps) * len(sound)), float(apart)]
    return found


def tabulate(done: Done) -> list[Row]:
    """A row for each game, kind of play, number of simulations and level; each position counts once.

    A position counts by the share of its pairs that are told apart, since its pairs are not independent. Positions must
    be independent: a unit has at most one of each game that was played. A unit has "simulations", a list of numbers;
    its result has "counts", for each of these numbers a list of what `count_apart` found, with one entry a position.
    """
    rows = []
    for (game, play), mine in units_by(done, "game", "play").items():
        for number, simulations in enumerate(mine[0][0]["simulations"]):
            counts = [count for _, result in mine for count in (result["counts"][number] if result["counts"] else ())]
            labels = {"game": game, "play": play, "simulations": simulations}
            rows += [{**labels, **row} for row in _rows(counts)]
    return rows


def _rows(counts: Sequence[dict[str, list[float]]]) -> list[Row]:
    """A row for each level that has a trap beside a sound move in some position, and one for each two levels.

    Two levels are compared in the positions that have both, by the mean difference of their shares.
    """
    levels = list(dict.fromkeys(level for count in counts for level in count))
    rows = []
    for level in levels:
        if row := share_of_positions([count[level] for count in counts]):
            rows.append({"level": level, **row})
    for first, second in combinations(levels, 2):
        both = [count for count in counts if count[first][0] and count[second][0]]
        gaps = [count[first][1] / count[first][0] - count[second][1] / count[second][0] for count in both]
        if row := mean_difference(gaps):
            rows.append({"level": f"{first} less {second}", "positions": len(gaps), **row})
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each game and kind of play, a line for each level, over simulations."""
    rows = [row for row in rows if row.get("share") is not None]
    for axes, (game, play), mine in panels(figure, rows, "game", "play", width=4, height=4):
        lines = {f"{level}, {cases(line)}": line for level, line in rows_by(mine, "level").items()}
        plot_shares(axes, lines, "simulations")
        logarithmic(axes, values_of(mine, "simulations"))
        title = f"{game.capitalize()}, {play} play"
        finish_shares(axes, "simulations", title, "share of pairs whose sound move\nhas the larger value")
        axes.legend(fontsize=8, title="trap: lost by force in plies", title_fontsize=8, loc="lower center")
