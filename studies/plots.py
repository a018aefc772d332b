"""Drawing that several studies share."""

from collections.abc import Iterable, Sequence
from typing import Any

from studies.study import Row

COUNTS = ("games", "positions", "trees")  # the columns that say how many a row is about
FEW = 20


def values_of(rows: Iterable[Row], column: str) -> list[Any]:
    """The different values of a column, in the order in which they come."""
    return list(dict.fromkeys(row[column] for row in rows))


def number_of(row: Row) -> int | None:
    """How many games, positions or trees a row is about, None if it does not say."""
    return next((row[column] for column in COUNTS if row.get(column) is not None), None)


def plot_shares(axes: Any, rows: Sequence[Row], x: str, label: str) -> None:
    """A line of shares over a column, with 95 % intervals; `rows` have share, low and high. Points of FEW are faint."""
    across, shares = [row[x] for row in rows], [row["share"] for row in rows]
    is_weak = [(number_of(row) or FEW) < FEW for row in rows]
    (line,) = axes.plot(across, shares, label=label, alpha=0.3 if any(is_weak) else 1)
    for row, weak in zip(rows, is_weak, strict=True):
        error = [[row["share"] - row["low"]], [row["high"] - row["share"]]]
        style = {"alpha": 0.35, "markerfacecolor": "white"} if weak else {}
        axes.errorbar([row[x]], [row["share"]], yerr=error, fmt="o", capsize=3, color=line.get_color(), **style)


def finish_shares(axes: Any, xlabel: str, title: str, even: str | None = "equally strong") -> None:
    """What every picture of shares has: from 0 to 1, and the line of one half, with what it means."""
    if even is not None:
        axes.axhline(0.5, color="grey", linestyle=":")
        axes.text(0.99, 0.505, even, transform=axes.transAxes, ha="right", va="bottom", fontsize=6, color="grey")
    axes.set_ylim(0, 1)
    axes.set_xlabel(xlabel)
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.3)


def note_of(rows: Sequence[Row]) -> str:
    """What a picture says below: how many of what there are at each point, and what its whiskers are."""
    rows, parts = [row for row in rows if row.get("share") is not None] or rows, []
    for column in COUNTS:
        if numbers := [row[column] for row in rows if row.get(column) is not None]:
            least, most = min(numbers), max(numbers)
            parts.append(f"n = {most:,} {column}" if least == most else f"n = {least:,} to {most:,} {column}")
            parts += [f"hollow: fewer than {FEW}"] if least < FEW else []
    if any(row.get("low") is not None for row in rows):
        parts.append("whiskers: 95 % intervals")
    return "; ".join(parts)
