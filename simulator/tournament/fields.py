"""Every setting of a match or tournament, declared once: its name, what it takes, its default, its help.

Command lines, TOML files and `settings.settings_from` all read `Settings`. A name's underscores are hyphens in the
setting's key: `move_time` is `move-time` in a file, and `--move-time` on a command line. Nothing heavy is imported
here, because every `--help` reads it. Begin reading at `Settings`.
"""

import json
import math
import re
import sys
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert, field, structs
from msgspec.inspect import BoolType, FloatType, IntType, LiteralType, Metadata, Type, type_info

from options import InputError, did_you_mean

LIMITS = {  # the settings in which an agent's own may differ, and the attributes of `Limits` that they are
    "move-time": "move_seconds",
    "first-move-time": "first_move_seconds",
    "clock": "clock_seconds",
    "cushion": "cushion_seconds",
    "memory": "memory_mb",
}

CLOCK_WORDS = 'a game clock in seconds, as "300+2" or "300"'
_SECONDS = r"\d{1,6}(?:\.\d+)?"
_CLOCK = rf"\A(?=[^+]*[1-9])({_SECONDS})(?:\+({_SECONDS}))?\Z"


class SettingsError(InputError):
    """Settings that cannot be had, or do not fit together; the message says which and what to do."""


def of(metavar: str, **more: Any) -> Meta:
    """Bounds of a type, and what stands for its values in the help."""
    return Meta(extra={"metavar": metavar}, **more)


def about(text: str) -> Meta:
    """What the help says of a setting; a default that depends on other things stands in it."""
    return Meta(description=text)


_MOST = sys.float_info.max  # what is more is infinite
Text = Annotated[str, Meta(min_length=1)]
File = Annotated[Text, of("FILE")]
Name = Annotated[Text, of("NAME")]
Address = Annotated[Text, of("ADDRESS")]
Count = Annotated[int, of("N", ge=1)]
Number = Annotated[int, of("N", ge=0)]
Megabytes = Annotated[int, of("MB", ge=1)]
Positive = Annotated[float, of("S", gt=0, le=_MOST)]
Seconds = Annotated[float, of("S", ge=0, le=_MOST)]
Clock = Annotated[str, Meta(pattern=_CLOCK, extra={"metavar": "S+S", "words": CLOCK_WORDS})]
Format = Literal["round-robin", "gauntlet", "swiss", "course"]
FORMATS: tuple[str, ...] = get_args(Format)
Rules = Literal["course", "strict"]
Isolation = Literal["best", "required", "none"]


class Settings(Struct, kw_only=True, rename="kebab"):
    """The settings as people give them. Empty and None are for what nobody has set."""

    records: Annotated[File, about("The file with all games and settings; run again to continue.")] = ""
    workers: Annotated[Count, about("Pairs of games played at the same time, each on a core.")] = 1
    cluster: Annotated[Address, about("Play on the workers of a Dask scheduler, as tcp://host:8786.")] = ""
    format: Annotated[Format, about("Who plays whom.")] = "round-robin"
    rounds: Annotated[Count, about("How many; in the course's format, opponents of each agent in round 1.")] | None = (
        None
    )
    pairs: Annotated[Count, about("Pairs of games in each pairing.")] = 1
    champion: Annotated[Name, about("Who meets all others in a gauntlet.  [default: the first agent]")] = ""
    game: Annotated[Name, about("Which game.")] = "pentago"
    seed: Annotated[Number, about("To repeat games; keep it secret until they are over.  [default: new]")] | None = None
    openings_file: Annotated[File, about("Openings, one a line, instead of random ones.")] = field(
        default="", name="openings"
    )
    opening_plies: Annotated[Number, about("Random moves of each opening.  [default: the game's]")] | None = None
    opening_balance: Annotated[Number, about("Take the most even of 16 openings, by a search of N simulations.")] = 0
    move_time: Annotated[Positive, about("Seconds for each later move.")] = 2.0
    first_move_time: Annotated[Positive, about("Seconds for the first move, start and set-up included.")] = 30.0
    clock: Annotated[Clock, about("For the whole game, and an increment a move: 300+2.  [default: none]")] = ""
    cushion: Annotated[Seconds, about("By how much an answer may be late.")] = 1.0
    memory: Annotated[Megabytes, about("For all of an agent's processes.")] = 500
    rules: Annotated[Rules, about("What a late answer costs: a random move instead, or the game.")] = "course"
    isolation: Annotated[
        Isolation, about("best: what this system has; required: do not play if a limit is not enforced.")
    ] = "best"
    transcripts: Annotated[bool, about("Keep the GTP of each game in the records, too.")] = False


class Setting(NamedTuple):
    """One setting, as a struct declares it.

    Attributes:
        key: in a TOML file; on a command line with two dashes in front.
        type: of its values, with bounds.
        words: what it takes, for errors.
        bounds: the same type, taken apart by msgspec.
        choices: of a text.
        metavar, help: for a command line.
    """

    key: str
    type: Any
    words: str
    bounds: Type | None = None
    choices: tuple[str, ...] = ()
    default: Any = None
    metavar: str = ""
    help: str = ""

    def check(self, value: Any, *, is_text: bool = False) -> Any:
        """The value, if it is one that the setting takes; `is_text` for a number that is written as text.

        Raises SettingsError.
        """
        try:
            return convert(value, self.type, strict=not is_text)
        except ValidationError as error:
            shown = value if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)
            raise SettingsError(f"{self.key} is {self.words}, not {shown}") from error


def _setting(found: structs.FieldInfo) -> Setting:
    declared = found.type if get_origin(found.type) is Annotated else get_args(found.type)[0]  # without `| None`
    info = type_info(declared)
    assert isinstance(info, Metadata) and info.extra_json_schema, "every setting has help"
    bounds, extra = info.type, info.extra or {}
    choices = get_args(get_args(declared)[0]) if isinstance(bounds, LiteralType) else ()
    words = extra.get("words") or _words(bounds, choices)
    text = info.extra_json_schema["description"]
    return Setting(found.encode_name, declared, words, bounds, choices, found.default, extra.get("metavar", ""), text)


def _words(bounds: Type, choices: tuple[str, ...]) -> str:
    """What a setting of this kind takes."""
    if choices:
        return "one of " + ", ".join(f'"{choice}"' for choice in choices)
    if isinstance(bounds, IntType | FloatType):
        least = f"more than {bounds.gt:g}" if bounds.gt is not None else f"{bounds.ge:g} or more"
        return f"{'a whole number' if isinstance(bounds, IntType) else 'a number'}, {least}"
    return "true or false" if isinstance(bounds, BoolType) else "a text of one character or more"


BY_KEY: Mapping[str, Setting] = {each.encode_name: _setting(each) for each in structs.fields(Settings)}


def limits_from(values: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of `Limits` that some values, by key, say.

    A game clock alone leaves each move all the time that is on it.

    >>> limits_from({"clock": "300+2", "memory": 900})
    {'memory_mb': 900, 'move_seconds': inf, 'clock_seconds': 300.0, 'increment_seconds': 2.0}
    """
    found = {name: values[key] for key, name in LIMITS.items() if key in values}
    if match := re.match(_CLOCK, str(found.pop("clock_seconds", ""))):
        found.setdefault("move_seconds", math.inf)
        found |= {"clock_seconds": float(match[1]), "increment_seconds": float(match[2] or 0)}
    return found


def split_limits(text: str) -> tuple[str, dict[str, Any]]:
    """An agent's text, and the limits of its own behind an `@`, by key. Raises SettingsError for a wrong value.

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
        return agent, {key: limit(key).check(value, is_text=True) for key, value in values.items()}
    except SettingsError as error:
        raise SettingsError(f"in {text!r}: {error}") from error


def limit(key: str) -> Setting:
    """The setting of that key, which has to be a limit. Raises SettingsError."""
    if key not in LIMITS:
        raise SettingsError(f"{key} is no limit; {did_you_mean(key, LIMITS)}")
    return BY_KEY[key]
