"""Shares with their intervals, as columns of tables."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev

from simulator.statistics.elo import Z_95, wilson_interval
from studies.plots import FEW
from studies.study import Row


def share_of_count(count: float, total: int) -> Row:
    """The share of `count` in a total of independent cases, with Wilson's 95 % interval."""
    low, high = wilson_interval(count, total)
    return {"share": count / total, "low": low, "high": high}


def share_of_positions(counts: Iterable[Sequence[float]]) -> Row:
    """The mean over positions of the share of their pairs, with its 95 % interval; {} if no position has pairs.

    `counts` has for each position its number of pairs, and how many of them count; positions without pairs are left
    out. With fewer than FEW positions the interval is Wilson's.
    """
    shares = [found / pairs for pairs, found in counts if pairs]
    if not shares:
        return {}
    mean = fmean(shares)
    if len(shares) < FEW:
        low, high = wilson_interval(mean * len(shares), len(shares))
    else:
        half = _half_width(shares)
        low, high = max(0.0, mean - half), min(1.0, mean + half)
    return {"positions": len(shares), "share": mean, "low": low, "high": high}


def mean_difference(differences: Sequence[float]) -> Row:
    """The mean of independent differences with its 95 % interval; {} for fewer than FEW."""
    if len(differences) < FEW:
        return {}
    mean, half = fmean(differences), _half_width(differences)
    return {"difference": mean, "from": mean - half, "to": mean + half}


def means_with_intervals(columns: Iterable[str], cases: Iterable[Iterable[float]]) -> Row:
    """For each column its mean over independent cases, and half the 95 % interval; NaN for one case."""
    row: Row = {}
    for column, values in zip(columns, zip(*cases, strict=True), strict=True):
        row |= {column: fmean(values), f"{column}, half the interval": _half_width(values)}
    return row


def _half_width(values: Sequence[float]) -> float:
    """Half the 95 % interval of a mean of independent values; NaN for one value."""
    return math.nan if len(values) == 1 else Z_95 * stdev(values) / math.sqrt(len(values))
