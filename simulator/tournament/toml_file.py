"""A tournament as a TOML file: a key for each option of the command line, without the leading dashes.

`docs/tournaments.md` has an example. `agents` is a list, or has a table for each agent, with a name and limits. Files
of agents and games, `openings` and `records` are looked for in the folder of the TOML file, and patterns are expanded
there, too. The keys are those of `fields.SETTINGS` and of the game's options. Begin reading at `read_toml`.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct, ValidationError, convert

from agents.agent import agent_names
from game import file_and_hash, game_class, game_names, options_by_name
from options import InputError, did_you_mean
from simulator.records.file_errors import text_of
from simulator.tournament.fields import BY_KEY, limit, split_limits, with_limits

ADVICE = "name a TOML file with the tournament's settings (docs/tournaments.md has one), or the agents themselves"

_FILE = re.compile(r"[^:]*\.(py|zip)([:@]|$)")  # the file's name may have an @ in it
_PATTERN = re.compile(r"[*?\[]")
_AGENTS = Annotated[list[str], Meta(min_length=1)] | Annotated[dict[str, dict[str, Any]], Meta(min_length=1)]


class TomlFile(NamedTuple):
    """What a tournament's file says; paths start from the folder in which the program runs.

    Attributes:
        agents: the agents as on a command line.
        names: for each agent, what tables call it; empty for its usual name.
        values: all other values, by key.
    """

    agents: list[str]
    names: list[str]
    values: dict[str, Any]


class _AgentTable(Struct, forbid_unknown_fields=True):
    """A table [agents.NAME]; without the key `agent`, NAME itself is the agent."""

    agent: str = ""
    limits: dict[str, Any] = {}


def known_keys(*, game: str = BY_KEY["game"].default) -> list[str]:
    """Every key that a file for this game may have."""
    return ["agents", *BY_KEY, *options_by_name(game)]


def read_toml(path: Path) -> TomlFile:
    """What a tournament's file says. Raises InputError."""
    try:
        text = text_of(path)
    except (OSError, InputError) as error:
        is_text = isinstance(error.__cause__, UnicodeDecodeError)  # in another encoding, and the error says what to do
        raise InputError(str(error) if is_text else f"{error}; {ADVICE}") from error
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number of thousands of digits, or brackets in brackets
        raise InputError(f"{path} is not TOML: {error}") from error
    with _place(path, text, "game"):
        known = known_keys(**_game(values, path.parent))
    for key, value in values.items():
        with _place(path, text, key):
            _check(key, value, known)
    entries, agents, names = values.pop("agents", []), list[str](), list[str]()
    for entry in entries:
        with _place(path, text, f"agents.{entry}", "agents"):
            found = _agents(entry, entries, path.parent)
        agents += found
        names += [entry] if isinstance(entries, dict) and len(found) == 1 else [""] * len(found)
    files = {key: os.path.expanduser(values[key]) for key in ("openings", "records") if key in values}
    beside = {key: str(path.parent / file) for key, file in files.items()}
    return TomlFile(agents, names, values | beside | _game(values, path.parent))


@contextmanager
def _place(path: Path, text: str, *keys: str) -> Iterator[None]:
    """Prefix errors within the block with the file and the line of the first of these keys that it has, else line 1."""
    try:
        yield
    except InputError as error:
        starts = (re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=\].]""") for key in keys)
        found = (n for start in starts for n, line in enumerate(text.splitlines(), 1) if start.match(line))
        raise InputError(f"{path}, line {next(found, 1)}: {error}") from error


def _game(values: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """The game's full name as the value of `game`, if the file names a game; the game's file may lie beside it.

    Raises InputError.
    """
    if "game" not in values:
        return {}
    name = BY_KEY["game"].check(values["game"])
    is_beside = name not in game_names() and (folder / file_and_hash(name)[0]).exists()
    return {"game": game_class(str(folder / name) if is_beside else name).name}


def _check(key: str, value: Any, known: list[str]) -> None:
    """Raises InputError for an unknown key, or a value that the key does not take."""
    if key == "agents":
        try:
            convert(value, _AGENTS)
        except ValidationError as error:
            words = 'a list of texts, as in ["uct_agent", "submissions/*.py"], or tables [agents.NAME]'
            raise InputError(f"agents must be {words}, not {value!r}") from error
    elif key in BY_KEY:
        BY_KEY[key].check(value)
    elif key not in known:  # a game checks its options itself
        raise InputError(f"there is no key {key}; {did_you_mean(key, known)}")


def _agents(entry: str, entries: list[str] | dict[str, Any], folder: Path) -> list[str]:
    """The agents that an entry of a list or a table of a file means, patterns filled in. Raises InputError."""
    if isinstance(entries, list):
        return _beside(entry, folder)
    if not entry.isprintable():
        raise InputError(f"the name {entry!r} has characters that cannot be printed")
    try:
        found = convert(entries[entry], _AgentTable)
        for key, value in found.limits.items():
            limit(key).check(value)
    except ValidationError as error:
        above = "; keys of the whole tournament stand above the first [agents...] table"
        raise InputError(f'[agents.{entry}] may have agent = "..." and limits = {{...}}: {error}{above}') from error
    except InputError as error:
        raise InputError(f"[agents.{entry}]: {error}") from error
    return [with_limits(text, found.limits) for text in _beside(found.agent or entry, folder)]


def _beside(entry: str, folder: Path) -> list[str]:
    """The agents that an entry means, with files looked for in `folder`; a pattern means all that match, sorted.

    Raises InputError.
    """
    if "\0" in entry:
        raise InputError(f"the agent {entry!r} has a NUL in its name")
    if entry.startswith("gtp:"):
        return [entry]
    source = split_limits(entry)[0].partition(":")[0]
    if _PATTERN.search(source):
        return [f"{path}{entry.removeprefix(source)}" for path in _fitting(source, folder)]
    is_path = _FILE.match(entry) or "/" in source or ((folder / source).is_dir() and source not in agent_names())
    return [str(folder / entry) if is_path and not source.startswith("~") else entry]


def _fitting(pattern: str, folder: Path) -> list[Path]:
    """The files that match a pattern, sorted, without hidden ones (`.unpacked`). Raises InputError if none does."""
    found = glob(os.path.expanduser(pattern), root_dir=folder, recursive=True)
    if not found:
        raise InputError(f"no file matches {pattern}; relative paths start from the folder of the tournament's file")
    return sorted(folder / name for name in found)
