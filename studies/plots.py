"""Drawing that several studies share."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from studies.study import Figure, Row, Rows, grouped

COUNTS = ("games", "positions", "trees")  # the columns with the number of cases of a row
FEW = 20
LEAST_WIDTH = 8.0  # inches of a picture
APART = 5  # points between the whiskers of lines at the same place
POINTS_AN_INCH = 72
WEAK = {"alpha": 0.4, "markerfacecolor": "white"}


def values_of(rows: Iterable[Row], column: str) -> list[Any]:
    """The different values of a column, in order of appearance."""
    return list(dict.fromkeys(row[column] for row in rows))


def rows_by(rows: Iterable[Row], *columns: str) -> dict[Any, list[Row]]:
    """Rows by their value in a column, or by their values in several."""
    return grouped(rows, itemgetter(*columns))


def panels(
    figure: Figure, rows: Iterable[Row], *columns: str, width: float, height: float, down: int = 1, **shared: Any
) -> list[tuple[Any, Any, list[Row]]]:
    """Panels of so many inches, at most `down` above each other, for each value of `rows_by`: axes, value, its rows."""
    groups = rows_by(rows, *columns)
    count = max(1, len(groups))
    down = min(down, count)
    across = math.ceil(count / down)
    figure.set_size_inches(max(LEAST_WIDTH, width * across), height * down)
    axes = figure.subplots(down, across, squeeze=False, **shared).flat
    return [(one, *group) for one, group in zip(axes, groups.items(), strict=False)]


def number_of(row: Row) -> int | None:
    """The number of games, positions or trees of a row; None if it has none."""
    return next((row[column] for column in COUNTS if row.get(column) is not None), None)


def cases(rows: Rows) -> str:
    """How many games, positions or trees rows have: "100 games", "40 to 100 games"; "" if they have none."""
    found = {column: [row[column] for row in rows if row.get(column) is not None] for column in COUNTS}
    ranges = {column: sorted({min(numbers), max(numbers)}) for column, numbers in found.items() if numbers}
    return ", ".join(f"{' to '.join(f'{end:,}' for end in ends)} {column}" for column, ends in ranges.items())


def plot_shares(axes: Any, lines: Mapping[str, Rows], x: str, few: int = FEW) -> None:
    """Draw lines of shares over the column `x`, with 95 % intervals; `lines` has their rows by label.

    Rows have share, low and high. Lines are drawn slightly apart, so that no whisker hides another. Points of fewer
    than `few` cases are hollow, with their number. A line without rows is left out, and the others keep their colours.
    """
    from matplotlib.transforms import ScaledTranslation

    drawn = [(f"C{number}", *line) for number, line in enumerate(lines.items()) if line[1]]
    for number, (colour, label, rows) in enumerate(drawn):
        beside = APART * (number - (len(drawn) - 1) / 2) / POINTS_AN_INCH
        place = axes.transData + ScaledTranslation(beside, 0, axes.figure.dpi_scale_trans)
        points = [(row[x], row["share"]) for row in rows]
        is_weak = [(number_of(row) or few) < few for row in rows]
        for ends, weak_ends in zip(pairwise(points), pairwise(is_weak), strict=True):
            axes.plot(*zip(*ends, strict=True), alpha=0.3 if any(weak_ends) else 1, color=colour, transform=place)
        for row, point, weak in zip(rows, points, is_weak, strict=True):
            error = [[row["share"] - row["low"]], [row["high"] - row["share"]]]
            style = {"capsize": 3, "color": colour, "transform": place, "clip_on": False} | (WEAK if weak else {})
            axes.errorbar(*point, yerr=error, fmt="o", **style)
            if weak:
                side = "top" if number % 2 else "bottom"  # so that two numbers at the same place can be read
                axes.text(*point, f"  {number_of(row)}", va=side, color=colour, fontsize=8, transform=place)
        axes.plot([], [], "o-", color=colour, label=label)  # for the legend, with a filled point
        axes.update_datalim(points)
    axes.margins(x=0.08)
    axes.autoscale_view()


def plot_means(axes: Any, rows: Rows, x: str, column: str, label: str) -> None:
    """Draw a line of means over the column `x`, with 95 % intervals."""
    half = [row[f"{column}, half the interval"] for row in rows]
    axes.errorbar([row[x] for row in rows], [row[column] for row in rows], yerr=half, fmt="o-", capsize=3, label=label)


def plot_named(
    axes: Any, names: Sequence[str], rows: Rows, columns: tuple[str, str, str] = ("share", "low", "high")
) -> None:
    """Draw for each row of a table its name, its value, and the 95 % interval as whiskers."""
    value, low, high = columns
    for place, row in enumerate(rows):
        error = [[row[value] - row[low]], [row[high] - row[value]]]
        weak = WEAK if (number_of(row) or FEW) < FEW else {}
        axes.errorbar([row[value]], [place], xerr=error, fmt="o", capsize=3, color="C0", clip_on=False, **weak)
    axes.set_yticks(range(len(rows)), names, fontsize=8)
    axes.set_ylim(len(rows) - 0.5, -0.5)


def finish_shares(
    axes: Any, label: str, title: str, ylabel: str = "share of the points", half: bool = True, across: bool = False
) -> None:
    """Finish a picture of shares: an axis from 0 to 1, titles, and a dotted line at one half.

    With `across` shares run from left to right, and `label` is for their axis; else `label` is for the other axis.
    """
    if half:
        (axes.axvline if across else axes.axhline)(0.5, color="grey", linestyle=":")
    (axes.set_xlim if across else axes.set_ylim)(0, 1)
    if not across and axes.get_subplotspec().is_first_col():
        axes.set_ylabel(ylabel)
    finish(axes, label, title)


def finish(axes: Any, label: str, title: str) -> None:
    """Finish a picture: the label of the horizontal axis, a title, and a grid."""
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.3)


def numbered_ticks(axes: Any, rows: Iterable[Row], x: str) -> None:
    """Mark the values of the column `x` on the horizontal axis, with the number of cases below each."""
    ticks = {row[x]: f"{row[x]:,}\nn = {number_of(row)}" for row in rows}
    axes.set_xticks(list(ticks), list(ticks.values()), fontsize=8)


def legend_beside(figure: Figure, title: str = "") -> None:
    """The legend of the first panel for all panels, beside them."""
    lines = figure.axes[0].get_legend_handles_labels()
    figure.legend(*lines, loc="outside right center", title=title, title_fontsize=8, fontsize=8)


def logarithmic(axes: Any, ticks: Sequence[float], base: int = 10) -> None:
    """Make the horizontal axis logarithmic, with these ticks, written as numbers."""
    axes.set_xscale("log", base=base)
    axes.set_xticks(ticks, [f"{tick:,g}" if tick < 10**6 else f"{tick:,}" for tick in ticks], fontsize=8)
    axes.minorticks_off()


def note_of(rows: Rows, half: str = "") -> str:
    """The note below a picture: the number of cases at each point, the meaning of whiskers and of one half."""
    shares = [row for row in rows if row.get("share") is not None]
    rows = shares or rows
    parts = [f"n = {found}"] if (found := cases(rows)) else []
    if any((number_of(row) or FEW) < FEW for row in shares):
        parts.append("hollow: few, with their number")
    if any(row.get(column) is not None for row in rows for column in ("low", "from")):
        parts.append("whiskers: 95 % intervals")
    return "; ".join([*parts, *([f"dotted, 0.5: {half}"] if half else [])])
