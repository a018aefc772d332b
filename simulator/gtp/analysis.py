"""What an agent says of its move: read and checked once, where it comes in.

An agent's words end in records, SGF files, web pages and on terminals. None of these looks at them again, because what
comes out of here is plain: known keys, each with a value of its own type and within its bounds, and nothing else.
"""

import json
from collections.abc import Callable
from typing import Any

MAX_TEXT = 1 << 16  # characters of JSON; our own agents say about 500
LARGEST_NUMBER = 10**15  # below 2^53, so that every program that reads JSON reads the same number
MOST_MOVES = 100  # of a principal variation; what comes behind them in a deep tree is left out
LONGEST_MOVE = 20  # characters; Pentago's have 5
PROVEN = ("win", "loss", "draw")


def parse_analysis(text: str) -> dict[str, Any]:
    """What an agent says of its move in JSON, as `plain_analysis` leaves it; empty if it is too long or no JSON."""
    if len(text) > MAX_TEXT:
        return {}
    try:
        return plain_analysis(json.loads(text))
    except (ValueError, RecursionError):  # the latter for JSON that is nested too deeply
        return {}


def plain_analysis(said: Any) -> dict[str, Any]:
    """Of anything that JSON can say, the keys of STATS_KEYS that have a proper value; the others are left out.

    >>> plain_analysis({"value": 0.5, "proven": None, "nodes": -1, "pv": ["c3/0r"], "mood": "good"})
    {'value': 0.5, 'pv': ['c3/0r']}
    """
    if not isinstance(said, dict):
        return {}
    found = {key: plain(said[key]) for key, plain in _PLAIN.items() if key in said}
    return {key: value for key, value in found.items() if value is not None}


def _number(value: Any, largest: float = LARGEST_NUMBER) -> float | None:
    """A number from 0 to `largest`, else None; truth values and NaN are no such numbers."""
    return value if type(value) in (int, float) and 0 <= value <= largest else None


def _share(value: Any) -> float | None:
    return _number(value, 1)


def _outcome(value: Any) -> str | None:
    return value if isinstance(value, str) and value in PROVEN else None


def _line(value: Any) -> list[str] | None:
    """The first moves of a line, None if one of them is none."""
    if not isinstance(value, list):
        return None
    moves = value[:MOST_MOVES]
    return moves if all(map(_is_move, moves)) else None


def _is_move(value: Any) -> bool:
    """Control characters, surrogates and marks that turn the direction of writing are not printable."""
    return isinstance(value, str) and len(value) <= LONGEST_MOVE and value.isprintable()


_PLAIN: dict[str, Callable[[Any], Any]] = {
    "simulations": _number,
    "playouts": _number,
    "nodes": _number,
    "capacity": _number,
    "node_bytes": _number,
    "seconds": _number,
    "peak_rss_mb": _number,
    "value": _share,
    "proven": _outcome,
    "pv": _line,
    "depth_max": _number,
    "depth_mean": _number,
    "depth_pv": _number,
    "branching_mean": _number,
}

STATS_KEYS = tuple(_PLAIN)
"""The keys of `unforced-search_stats` in the order in which they are written; all but `peak_rss_mb` are the agent's."""
