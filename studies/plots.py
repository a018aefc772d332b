"""Drawing that several studies share."""

from collections.abc import Iterable, Sequence
from typing import Any

from studies.study import Row


def values_of(rows: Iterable[Row], column: str) -> list[Any]:
    """The different values of a column, in the order in which they come."""
    return list(dict.fromkeys(row[column] for row in rows))


def plot_shares(axes: Any, rows: Sequence[Row], x: str, label: str) -> None:
    """A line of shares over a column, with 95 % intervals; `rows` have share, low and high."""
    share = [row["share"] for row in rows]
    below = [row["share"] - row["low"] for row in rows]
    above = [row["high"] - row["share"] for row in rows]
    axes.errorbar([row[x] for row in rows], share, yerr=[below, above], marker="o", capsize=3, label=label)


def finish_shares(axes: Any, xlabel: str, title: str, even: float | None = 0.5) -> None:
    """What every picture of shares has: the line of equals, from 0 to 1."""
    if even is not None:
        axes.axhline(even, color="grey", linestyle=":")
    axes.set_ylim(0, 1)
    axes.set_xlabel(xlabel)
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.3)
