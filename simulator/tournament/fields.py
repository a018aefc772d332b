"""Every setting of a match or tournament, declared once: its key, what it takes, where it goes, its help.

The options of command lines and the keys of TOML files come from this table; `settings.py` puts the values where they
belong. Nothing heavy is imported here: every `--help` reads it. Begin reading at `FIELDS`.
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from options import did_you_mean

FORMATS = ("round-robin", "gauntlet", "swiss", "course")

RUN, SETTINGS, CONDITIONS, LIMITS = "run", "settings", "conditions", "limits"  # where a value goes

_SECONDS = r"\d{1,6}(?:\.\d+)?"
_CLOCK = re.compile(rf"(?=[^+]*[1-9])({_SECONDS})(?:\+({_SECONDS}))?")


class FieldError(ValueError):
    """A value that a setting does not take; the message says what it takes."""


class Kind(NamedTuple):
    """What a setting takes: a type, and bounds, choices or a pattern.

    Attributes:
        type: bool, int, float or str; int counts as float.
        least: the smallest number.
        is_open: whether `least` itself is too small.
        choices: of a text.
        pattern: that a text fits.
        words: what is expected, where bounds and choices do not say it.
    """

    type: type
    least: float = -math.inf
    is_open: bool = False
    choices: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    words: str = ""

    def __str__(self) -> str:
        if self.words:
            return self.words
        if self.choices:
            return "one of " + ", ".join(f'"{choice}"' for choice in self.choices)
        bound = "" if self.least == -math.inf else f", {'more than 0' if self.is_open else f'{self.least:g} or more'}"
        return {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}[
            self.type
        ] + bound

    def accepts(self, value: Any) -> bool:
        """Whether a value, of TOML or JSON, is one."""
        if self.type in (int, float):
            is_number = type(value) is int or (self.type is float and type(value) is float and math.isfinite(value))
            return is_number and (value > self.least if self.is_open else value >= self.least)
        if self.type is bool:
            return isinstance(value, bool)
        fits = self.pattern is None or (isinstance(value, str) and self.pattern.fullmatch(value) is not None)
        return isinstance(value, str) and bool(value) and fits and (not self.choices or value in self.choices)

    def read(self, text: str) -> Any:
        """The value that a text means. Raises FieldError."""
        try:
            value = text if self.type in (str, bool) else self.type(text)
        except ValueError:
            value = None
        if not self.accepts(value):
            raise FieldError(f"{self}, not {text!r}")
        return value


TEXT, SWITCH = Kind(str), Kind(bool)
COUNT, NUMBER = Kind(int, 1), Kind(int, 0)
POSITIVE, NOT_NEGATIVE = Kind(float, 0, is_open=True), Kind(float, 0)


class Field(NamedTuple):
    """One setting.

    Attributes:
        key: in a TOML file; on a command line with two dashes in front.
        goes_to: RUN (how it is played), SETTINGS, CONDITIONS or LIMITS.
        name: of the attribute there.
        default: what applies where nothing is set, for the help.
    """

    key: str
    goes_to: str
    name: str
    kind: Kind
    metavar: str
    help: str
    default: str = ""


FIELDS = (
    Field("records", RUN, "records", TEXT, "FILE", "The file with all games and settings; run again to continue."),
    Field("workers", RUN, "workers", COUNT, "N", "Pairs of games played at the same time, each on a core.", "1"),
    Field("cluster", RUN, "cluster", TEXT, "ADDRESS", "Play on the workers of a Dask scheduler, as tcp://host:8786."),
    Field("format", SETTINGS, "format", Kind(str, choices=FORMATS), "", "Who plays whom.", "round-robin"),
    Field(
        "rounds", SETTINGS, "rounds", COUNT, "N", "Number of rounds; in the course's format, of opponents in the first."
    ),
    Field("pairs", SETTINGS, "pairs", COUNT, "N", "Pairs of games in each pairing.", "1"),
    Field("champion", SETTINGS, "champion", TEXT, "NAME", "Who meets all others in a gauntlet.", "the first agent"),
    Field("game", CONDITIONS, "game", TEXT, "NAME", "Which game.", "pentago"),
    Field(
        "seed",
        SETTINGS,
        "seed",
        NUMBER,
        "N",
        "Seed of all random numbers: games can be repeated, and foreseen by who knows it.",
        "a new one",
    ),
    Field("openings", RUN, "openings", TEXT, "FILE", "Openings, one a line, instead of random ones."),
    Field("opening-plies", SETTINGS, "opening_plies", NUMBER, "K", "Random moves of each opening.", "the game's"),
    Field(
        "opening-balance",
        SETTINGS,
        "opening_balance",
        NUMBER,
        "N",
        "Take the most even of 16 random openings, by a search of N simulations.",
        "0",
    ),
    Field("move-time", LIMITS, "move_seconds", POSITIVE, "S", "Seconds for each later move.", "2"),
    Field(
        "first-move-time",
        LIMITS,
        "first_move_seconds",
        POSITIVE,
        "S",
        "Seconds for the first move, start and set-up included.",
        "30",
    ),
    Field(
        "clock",
        LIMITS,
        "clock",
        Kind(str, pattern=_CLOCK, words='a game clock in seconds, as "300+2" or "300"'),
        "S+S",
        "A clock for the whole game with an increment for each move, as 300+2.",
        "none",
    ),
    Field("cushion", LIMITS, "cushion_seconds", NOT_NEGATIVE, "S", "By how much an answer may be late.", "1"),
    Field("memory", LIMITS, "memory_mb", COUNT, "MB", "For all of an agent's processes.", "500"),
    Field(
        "rules",
        CONDITIONS,
        "rules",
        Kind(str, choices=("course", "strict")),
        "",
        "What a late answer costs: a random move instead, or the game.",
        "course",
    ),
    Field(
        "isolation",
        CONDITIONS,
        "isolation",
        Kind(str, choices=("best", "required", "none")),
        "",
        "The sandbox: the best that this system has; the same, but refuse to play if a limit is not enforced; none.",
        "best",
    ),
    Field("transcripts", CONDITIONS, "transcripts", SWITCH, "", "Keep the GTP of each game in the records, too."),
)

BY_KEY: Mapping[str, Field] = {field.key: field for field in FIELDS}


def values_for(goes_to: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some values, by key, that go to one place, by the names of the attributes there."""
    return {f.name: values[f.key] for f in FIELDS if f.goes_to == goes_to and f.key in values}


def limits_from(values: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of `Limits` that some values, by key, say.

    A game clock alone leaves each move all the time that is on it.

    >>> limits_from({"clock": "300+2", "memory": 900})
    {'memory_mb': 900, 'move_seconds': inf, 'clock_seconds': 300.0, 'increment_seconds': 2.0}
    """
    found = values_for(LIMITS, values)
    if "clock" in found:
        match = _CLOCK.fullmatch(found.pop("clock"))
        assert match is not None, "checked by its kind"
        found.setdefault("move_seconds", math.inf)
        found |= {"clock_seconds": float(match[1]), "increment_seconds": float(match[2] or 0)}
    return found


def split_limits(text: str) -> tuple[str, dict[str, Any]]:
    """An agent's text, and the limits of its own behind an `@`, by key. Raises FieldError for a wrong value.

    >>> split_limits("uct_agent:c=0.5@move_time=1,memory=900")
    ('uct_agent:c=0.5', {'move-time': 1.0, 'memory': 900})
    >>> split_limits("gtp:ssh me@host gnugo")
    ('gtp:ssh me@host gnugo', {})
    """
    agent, _, rest = text.rpartition("@")
    parts = [part.partition("=") for part in rest.split(",")]
    keys = [key.strip().replace("_", "-") for key, _, _ in parts]
    known = {field.key for field in FIELDS if field.goes_to == LIMITS}
    is_misspelt = not text.startswith("gtp:") and "/" not in rest and all(equals for _, equals, _ in parts)
    if not agent or not (known.intersection(keys) or is_misspelt):
        return text, {}
    return agent, dict(_read_limit(key, value, text) for key, (_, _, value) in zip(keys, parts, strict=True))


def _read_limit(key: str, value: str, text: str) -> tuple[str, Any]:
    field = BY_KEY.get(key)
    if field is None or field.goes_to != LIMITS:
        known: Iterable[str] = (field.key for field in FIELDS if field.goes_to == LIMITS)
        raise FieldError(f"in {text!r}: {key} is no limit; {did_you_mean(key, known)}")
    try:
        return key, field.kind.read(value.strip())
    except FieldError as error:
        raise FieldError(f"in {text!r}: {key} is {error}") from error
