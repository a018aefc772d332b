"""A tournament as a file: TOML, one key for each option of the command line, without its dashes in front.

    agents = ["uct_agent", "submissions/*.py"]
    format = "swiss"
    rounds = 5
    move-time = 2

Agents' files and `openings` are looked for beside the file, where patterns are filled in too. Begin reading at `KEYS`,
then `read_league`.
"""

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from simulator.records.file_errors import cannot_read
from simulator.tournament.format_names import FORMATS

ADVICE = "name a TOML file with the tournament's settings (docs/tournaments.md has one), or the agents themselves"

_PATTERN = re.compile(r"[*?\[]")


class LeagueFileError(ValueError):
    """A mistake in a league's file; the message says in which line, and what was expected."""


class Kind(NamedTuple):
    """What a key takes: in words, and as a question."""

    words: str
    accepts: Callable[[Any], bool]


def whole_number(least: int) -> Kind:
    """An integer from `least` on."""
    return Kind(f"a whole number, {least} or more", lambda value: type(value) is int and value >= least)


def one_of(*choices: str) -> Kind:
    """One of a few texts."""
    return Kind("one of " + ", ".join(f'"{choice}"' for choice in choices), lambda value: value in choices)


TEXT = Kind("a text in quotes", lambda value: isinstance(value, str) and bool(value))
TEXTS = Kind(
    'a list of texts, as in ["uct_agent", "submissions/*.py"]',
    lambda value: isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value),
)
NUMBER = Kind("a number", lambda value: type(value) in (int, float) and math.isfinite(value))
POSITIVE = Kind("a number, more than 0", lambda value: NUMBER.accepts(value) and value > 0)
NOT_NEGATIVE = Kind("a number, 0 or more", lambda value: NUMBER.accepts(value) and value >= 0)

KEYS = {
    "agents": TEXTS,
    "records": TEXT,
    "workers": whole_number(1),
    "cluster": TEXT,
    "game": TEXT,
    "size": whole_number(1),
    "komi": NUMBER,
    "format": one_of(*FORMATS),
    "rounds": whole_number(1),
    "pairs": whole_number(1),
    "champion": TEXT,
    "seed": whole_number(0),
    "openings": TEXT,
    "opening-plies": whole_number(0),
    "opening-balance": whole_number(0),
    "move-time": POSITIVE,
    "first-move-time": POSITIVE,
    "cushion": NOT_NEGATIVE,
    "memory": whole_number(1),
    "rules": one_of("course", "strict"),
    "isolation": one_of("best", "required", "none"),
}


def read_league(path: Path) -> dict[str, Any]:
    """The keys of a league's file, those that it has; paths in it lead from where the program runs.

    Raises LeagueFileError.
    """
    text = _text_of(path)
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LeagueFileError(f"{path} is not TOML: {error}") from error
    for key, value in said.items():
        _check(key, value, f"{path}, line {line_of(text, key)}")
    if "agents" in said:
        where = f"{path}, line {line_of(text, 'agents')}"
        said["agents"] = [agent for entry in said["agents"] for agent in _beside(entry, path.parent, where)]
    if "openings" in said:
        said["openings"] = str(path.parent / said["openings"])
    if "records" in said:
        said["records"] = str(path.parent / said["records"])
    return said


def _text_of(path: Path) -> str:
    """What stands in a league's file. Raises LeagueFileError where it cannot be read, or is no text."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LeagueFileError(f"{cannot_read(path, error)}; {ADVICE}") from error
    if b"\0" in content:
        raise LeagueFileError(f"{path} is a binary file; {ADVICE}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise LeagueFileError(f"{path}, line {line}: this is not UTF-8, as TOML has to be: save it as UTF-8") from error


def line_of(text: str, key: str) -> int:
    """The line, from 1, in which a key stands."""
    name = re.escape(key)
    lines = text.splitlines()
    found = (n for n, line in enumerate(lines, 1) if re.match(rf"""\s*\[*\s*["']?{name}["']?\s*[=\].]""", line))
    return next(found, 1)


def _check(key: str, value: Any, where: str) -> None:
    if key not in KEYS:
        close = difflib.get_close_matches(key, KEYS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(KEYS)}"
        raise LeagueFileError(f"{where}: there is no key {key}; {hint}")
    if not KEYS[key].accepts(value):
        raise LeagueFileError(f"{where}: {key} is {KEYS[key].words}, not {_shown(value)}")


def _shown(value: Any) -> str:
    """As it would stand in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _beside(entry: str, folder: Path, where: str) -> list[str]:
    """The agents that an entry means: files beside the league's, for a pattern all that fit, sorted."""
    if entry.startswith("gtp:"):
        return [entry]
    source, colon, options = entry.partition(":")
    if _PATTERN.search(source):
        return [f"{path}{colon}{options}" for path in _fitting(source, folder, where)]
    is_path = source.endswith(".py") or "/" in source
    return [str(folder / entry) if is_path and not source.startswith("~") else entry]


def _fitting(pattern: str, folder: Path, where: str) -> list[Path]:
    """The files that a pattern means, sorted. Raises LeagueFileError if there is none."""
    try:
        path = Path(pattern).expanduser()
        found = sorted(Path(path.anchor or folder).glob(str(path).removeprefix(path.anchor)))
    except (ValueError, RuntimeError) as error:  # the latter for a home that nobody knows
        raise LeagueFileError(f"{where}: {pattern} is no pattern of files: {error}") from error
    if not found:
        raise LeagueFileError(f"{where}: no file fits {pattern}, looked for beside the league's file")
    return found


def merged(file: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says, and what a command line says instead; flags with the value None were not given."""
    return {**file, **{key: value for key, value in flags.items() if value is not None}}
