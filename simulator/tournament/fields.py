"""Every setting of a match or tournament, declared once: its name, values, default and help.

Command lines, TOML files and `settings.settings_from` all read `SETTINGS`. The key `move-time` of a file is
`--move-time` on a command line. Nothing heavy is imported here, because every `--help` imports this module. Begin
reading at `SETTINGS`.
"""

import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from options import DeclaredOption, InputError, OptionError, did_you_mean

LIMITS = {  # the settings that can be set for a single agent, with their attributes of `Limits`
    "move-time": "move_seconds",
    "first-move-time": "first_move_seconds",
    "clock": "clock_seconds",
    "cushion": "cushion_seconds",
    "memory": "memory_mb",
}

_SECONDS = r"\d{1,6}(?:\.\d+)?"
_CLOCK = rf"\A(?=[^+]*[1-9])({_SECONDS})(?:\+({_SECONDS}))?\Z"
MOST_MEMORY = 1_000_000_000  # MB: the kernel's limit, a multiple of this in bytes, has 63 bits
FORMATS = ("round-robin", "gauntlet", "swiss", "course")


@dataclass(frozen=True)
class Setting(DeclaredOption):
    """One setting. A default of None or an empty text means "not set"; nobody can give an empty text.

    Attributes:
        metavar: stands for the value in a command line's help.
        pattern: a regular expression that a text has to match at its beginning.
        words: which values it takes, if type and bounds do not say it well.
    """

    metavar: str = field(default="", kw_only=True)
    pattern: str = field(default=r"[^\0]+\Z", kw_only=True)
    words: str = field(default="", kw_only=True)

    def check(self, value: Any) -> Any:
        """The value, in the setting's type. Raises OptionError if the setting does not take it."""
        checked = super().check(value)
        if self.type is str and not re.match(self.pattern, checked):
            raise OptionError(self.name, f"must be {self.range}, not {value!r}")
        return checked

    @property
    def range(self) -> str:
        """Which values the setting takes, in words."""
        return self.words or super().range


def _text(name: str, default: str, metavar: str, text: str) -> Setting:
    return Setting(name, str, default, metavar=metavar, words="one character or more, without NUL", help=text)


def _choice(name: str, text: str, *choices: str) -> Setting:
    return Setting(name, str, choices[0], choices=choices, help=text)


def _number(name: str, default: int | None, least: int, text: str) -> Setting:
    return Setting(name, int, default, least, metavar="N", help=text)


def _time(name: str, default: float, text: str) -> Setting:
    above_0 = sys.float_info.min
    return Setting(name, float, default, above_0, metavar="S", words="a number above 0", help=text)


SETTINGS = (
    _text("records", "", "FILE", "A file for all games and settings; run again to continue."),
    _number("workers", 1, 1, "Pairs of games played at the same time, each on a core."),
    _text("cluster", "", "ADDRESS", "Play on the workers of a Dask scheduler, such as tcp://host:8786."),
    _choice("format", "Who plays whom.", *FORMATS),
    _number("rounds", None, 1, "How many rounds; in the format course, opponents of each agent in round 1."),
    _number("pairs", 1, 1, "Pairs of games in each pairing."),
    _text("champion", "", "NAME", "The agent that meets all others in a gauntlet.  [default: the first agent]"),
    _text("game", "pentago", "NAME", "The game: a name that `games` lists, or a file."),
    Setting(
        "seed",
        int,
        None,
        0,
        math.inf,
        metavar="N",
        words="a whole number from 0 on",
        help="Seed of all random numbers, to repeat games; keep it secret until they are over.  [default: new]",
    ),
    _text("openings", "", "FILE", "Openings, one a line, instead of random ones."),
    _number("opening-plies", None, 0, "Random moves of each opening.  [default: the game's]"),
    _number("opening-balance", 0, 0, "Take the most even of 16 random openings, by searches of N simulations."),
    _time("move-time", 2.0, "Seconds for each later move."),
    _time("first-move-time", 30.0, "Seconds for the first move, start and set-up included."),
    Setting(
        "clock",
        str,
        "",
        metavar="S+S",
        pattern=_CLOCK,
        words='a game clock in seconds, as "300+2" or "300"',
        help="Time for the whole game, and an increment for each move: 300+2.  [default: none]",
    ),
    Setting("cushion", float, 1.0, 0, metavar="S", help="By how many seconds an answer may be late before it loses."),
    Setting(
        "memory",
        int,
        500,
        1,
        MOST_MEMORY,
        metavar="MB",
        words=f"a whole number from 1 to {MOST_MEMORY:,}",
        help="Memory for all of an agent's processes.",
    ),
    _choice(
        "rules", "What a late answer costs: a random move is played instead, or the game is lost.", "course", "strict"
    ),
    _choice(
        "isolation",
        "best: what this system has; required: do not play if a limit is not enforced; none: for debugging.",
        *("best", "required", "none"),
    ),
    Setting("transcripts", bool, False, words="true or false", help="Keep the GTP of each game in the records, too."),
)
BY_KEY: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


def limits_from(values: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of `Limits` for some settings, which are given by key.

    With a game clock and no `move-time`, a move may take all the time on the clock.

    >>> limits_from({"clock": "300+2", "memory": 900})
    {'memory_mb': 900, 'move_seconds': inf, 'clock_seconds': 300.0, 'increment_seconds': 2.0}
    """
    found = {name: values[key] for key, name in LIMITS.items() if key in values}
    if match := re.match(_CLOCK, str(found.pop("clock_seconds", ""))):
        found.setdefault("move_seconds", math.inf)
        found |= {"clock_seconds": float(match[1]), "increment_seconds": float(match[2] or 0)}
    return found


def split_limits(text: str) -> tuple[str, dict[str, Any]]:
    """An agent's text, and its own limits, which follow an `@`, by key. Raises InputError for a wrong value.

    >>> split_limits("uct_agent:c=0.5@move_time=1,memory=900")
    ('uct_agent:c=0.5', {'move-time': 1.0, 'memory': 900})
    >>> split_limits("gtp:ssh me@host gnugo")
    ('gtp:ssh me@host gnugo', {})
    """
    agent, _, rest = text.rpartition("@")
    parts = [part.partition("=") for part in rest.split(",")]
    values = {key.strip().replace("_", "-"): value.strip() for key, _, value in parts}
    is_misspelt = not text.startswith("gtp:") and "/" not in rest and all(equals for _, equals, _ in parts)
    if not agent or not (is_misspelt or LIMITS.keys() & values):
        return text, {}
    try:
        return agent, {key: limit(key).read(value) for key, value in values.items()}
    except InputError as error:
        raise InputError(f"in {text!r}: {error}") from error


def with_limits(text: str, limits: Mapping[str, Any]) -> str:
    """An agent's text with more limits appended, given by key; limits that it already has stay.

    >>> with_limits("uct_agent@memory=900", {"memory": 500, "move-time": 0.5})
    'uct_agent@memory=900,move-time=0.5'
    """
    own = split_limits(text)[1]
    more = ",".join(f"{key}={value}" for key, value in limits.items() if key not in own)
    return f"{text}{',' if own else '@'}{more}" if more else text


def limit(key: str) -> Setting:
    """The setting of a key. Raises InputError if it is no limit."""
    if key not in LIMITS:
        raise InputError(f"there is no limit {key}; {did_you_mean(key, LIMITS)}")
    return BY_KEY[key]
