"""What an agent reports about its last move: its answer is read and checked once, and becomes a typed value.

The report is shown in records, SGF files, web pages and terminals, which do not check it again: an `Analysis` has only
known keys with proper values, and says what was left out.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Self

MAX_TEXT = 1 << 16  # characters of JSON; our own agents say about 500
LARGEST_NUMBER = 10**15  # below 2^53, so that every program that reads JSON reads the same number
MOST_MOVES = 100  # of a principal variation; the rest of a longer one is left out
LONGEST_MOVE = 20  # characters; Pentago's have 5
LONGEST_NOTE = 200  # characters
LONGEST_KEY = 30  # characters of an unknown key that a note repeats
PROVEN = ("win", "loss", "draw")


@dataclass(frozen=True)
class Analysis:
    """What an agent says of a move that it has made; None for what it does not say.

    Attributes:
        simulations, playouts, expanded, nodes, capacity, node_bytes: figures of the search and its tree; `expanded`
            counts the positions whose children this search has made.
        seconds: how long the agent searched.
        peak_rss_mb: the most memory that its process held, MB of 2^20 bytes; its engine adds this figure.
        value: the agent's own winning chance, 0 to 1.
        proven: "win", "loss" or "draw" for the side that moved.
        pv: the principal variation as texts of moves, the agent's own move first.
        depth_max, depth_mean, depth_pv, branching_mean: the shape of the tree.
        book_seconds: for a move from an opening book, how long the position and those after it were searched for the
            book; else None.
        compiling_seconds: if the agent's search was still being compiled and the agent moved without it: for how long
            so far; else None.
        note: which parts of the report were left out and why; empty if none was.
    """

    simulations: float | None = None
    playouts: float | None = None
    expanded: float | None = None
    nodes: float | None = None
    capacity: float | None = None
    node_bytes: float | None = None
    seconds: float | None = None
    peak_rss_mb: float | None = None
    value: float | None = None
    proven: str | None = None
    pv: tuple[str, ...] | None = None
    depth_max: float | None = None
    depth_mean: float | None = None
    depth_pv: float | None = None
    branching_mean: float | None = None
    book_seconds: float | None = None
    compiling_seconds: float | None = None
    note: str = ""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The analysis in an engine's answer to `unforced-search_stats`."""
        if len(text) > MAX_TEXT:
            return cls(note=f"left out: all of it (more than {MAX_TEXT} characters)")
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):  # RecursionError: JSON that is nested too deeply
            return cls(note="left out: all of it (it is not JSON)")
        return cls.from_json(content)

    @classmethod
    def from_json(cls, content: Any) -> Self:
        """The analysis of any JSON value: proper values of known keys are taken, and `note` names the rest.

        >>> Analysis.from_json({"value": 0.5, "proven": None, "nodes": -1, "mood": "good"}).to_json()
        {'value': 0.5, 'note': 'left out: nodes (not a number from 0), mood'}
        """
        if not isinstance(content, dict):
            return cls(note="left out: all of it (it is not an object of JSON)")
        found: dict[str, Any] = {}
        left_out = []
        for key, value in content.items():
            read, wanted = _READERS.get(key, (None, ""))
            if read is None:
                left_out.append(_shown(key))
            elif value is not None and (proper := read(value)) is None:
                left_out.append(f"{key} ({wanted})")
            elif value is not None:
                found[key] = proper
        return cls(**found | {"note": found.get("note") or _note(left_out)})

    def to_json(self) -> dict[str, Any]:
        """The values that are known, by key, in the order of the attributes."""
        content = {field.name: getattr(self, field.name) for field in fields(self)}
        return {key: list(value) if key == "pv" else value for key, value in content.items() if value not in (None, "")}


def _note(left_out: Iterable[str]) -> str:
    note = ", ".join(left_out)
    note = note if len(note) <= LONGEST_NOTE else f"{note[:LONGEST_NOTE]}..."
    return f"left out: {note}" if note else ""


def _shown(key: str) -> str:
    shown = "".join(character for character in key[:LONGEST_KEY] if character.isprintable())
    return shown or "a key that cannot be printed"


def _number(value: Any, largest: float = LARGEST_NUMBER) -> float | None:
    """The value if it is a number from 0 to `largest`, else None; a truth value or NaN is none."""
    return value if type(value) in (int, float) and 0 <= value <= largest else None


def _moves(value: Any) -> tuple[str, ...] | None:
    """The first MOST_MOVES moves of a principal variation; None if one of them is no text that can be shown."""
    if not isinstance(value, list) or not all(_is_plain(move, LONGEST_MOVE) for move in value[:MOST_MOVES]):
        return None
    return tuple(value[:MOST_MOVES])


def _is_plain(value: Any, longest: int) -> bool:
    """Whether a value is a text of at most `longest` printable characters.

    Control characters, surrogates, and marks that turn the direction of writing are not printable.
    """
    return isinstance(value, str) and len(value) <= longest and value.isprintable()


_Reader = Callable[[Any], Any]
_READERS: dict[str, tuple[_Reader, str]] = {
    **{field.name: (_number, "not a number from 0") for field in fields(Analysis) if field.type == float | None},
    "value": (lambda value: _number(value, 1), "not a number from 0 to 1"),
    "proven": (lambda value: value if isinstance(value, str) and value in PROVEN else None, "not win, loss or draw"),
    "pv": (_moves, f"not a list of moves of at most {LONGEST_MOVE} characters"),
    "note": (lambda value: value if _is_plain(value, 2 * LONGEST_NOTE) else None, "not a line of text"),
}
"""For each key: a function that returns its value, or None if that is not proper; and what to say then."""

STATS_KEYS = tuple(field.name for field in fields(Analysis) if field.name != "note")
"""The keys of `unforced-search_stats`, in the order of writing; the agent gives all of them but `peak_rss_mb`."""
