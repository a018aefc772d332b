"""A tournament as a file: TOML, one key for each option of the command line, without its dashes in front.

    agents = ["uct_agent", "submissions/*.py"]
    format = "swiss"
    rounds = 5
    move-time = 2

Agents that need names or limits of their own are tables instead of a list:

    [agents.fast]
    agent = "uct_agent"
    limits = { move-time = 0.5 }

Agents' files and `openings` are looked for beside the file, where patterns are filled in too. The keys are those of
`fields.FIELDS` and of the game's options. Begin reading at `read_toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from agents.agent import agent_names
from game import options_by_name
from options import did_you_mean
from simulator.records.file_errors import cannot_read
from simulator.tournament.fields import BY_KEY, LIMITS

ADVICE = "name a TOML file with the tournament's settings (docs/tournaments.md has one), or the agents themselves"
AGENTS_WORDS = 'a list of texts, as in ["uct_agent", "submissions/*.py"], or tables [agents.NAME]'

_FILE = re.compile(r"[^:]*\.(py|zip)([:@]|$)")  # an @ may be in its name, too
_PATTERN = re.compile(r"[*?\[]")


class TomlFileError(ValueError):
    """A mistake in a tournament's file; the message says in which line, and what was expected."""


class NamedAgent(NamedTuple):
    """An agent as a file names it.

    Attributes:
        text: as on a command line.
        name: what tables call it; empty for the usual name.
        limits: its own, by key.
        absence: why it cannot play, as far as that is known without starting it; empty if it may.
        given: what stood there instead of `text`, where that leads to what was unpacked.
        authors: who has written it, where that is known.
    """

    text: str
    name: str = ""
    limits: Mapping[str, Any] = {}
    absence: str = ""
    given: str = ""
    authors: tuple[str, ...] = ()


class TomlFile(NamedTuple):
    """What a file says: its agents, and all other values by key; paths lead from where the program runs."""

    agents: list[NamedAgent]
    values: dict[str, Any]


def known_keys() -> list[str]:
    """Every key that a file may have."""
    return ["agents", *BY_KEY, *options_by_name()]


def read_toml(path: Path) -> TomlFile:
    """What a tournament's file says. Raises TomlFileError."""
    text = _text_of(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlFileError(f"{path} is not TOML: {error}") from error
    for key, value in values.items():
        _check(key, value, f"{path}, line {line_of(text, key)}")
    agents = list(_agents(values.pop("agents", []), path.parent, f"{path}, line {line_of(text, 'agents')}"))
    beside = {key: str(path.parent / values[key]) for key in ("openings", "records") if key in values}
    return TomlFile(agents, values | beside)


def _text_of(path: Path) -> str:
    """The content of a tournament's file. Raises TomlFileError where it cannot be read, or is no text."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TomlFileError(f"{cannot_read(path, error)}; {ADVICE}") from error
    if b"\0" in content:
        raise TomlFileError(f"{path} is a binary file; {ADVICE}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TomlFileError(f"{path}, line {line}: this is not UTF-8, as TOML has to be: save it as UTF-8") from error


def line_of(text: str, key: str) -> int:
    """The line, from 1, in which a key stands."""
    name = re.escape(key)
    lines = text.splitlines()
    found = (n for n, line in enumerate(lines, 1) if re.match(rf"""\s*\[*\s*["']?{name}["']?\s*[=\].]""", line))
    return next(found, 1)


def _check(key: str, value: Any, where: str) -> None:
    """Raises TomlFileError for a key that does not exist, or a value that it does not take."""
    if key == "agents":
        if not _are_agents(value):
            raise TomlFileError(f"{where}: agents is {AGENTS_WORDS}, not {_as_toml(value)}")
        return
    if key in BY_KEY:
        if not BY_KEY[key].kind.accepts(value):
            raise TomlFileError(f"{where}: {key} is {BY_KEY[key].kind}, not {_as_toml(value)}")
    elif key not in options_by_name():  # a game checks its options itself
        raise TomlFileError(f"{where}: there is no key {key}; {did_you_mean(key, known_keys())}")


def _are_agents(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(isinstance(table, dict) for table in value.values())
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _as_toml(value: Any) -> str:
    """As it would stand in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


# --- Agents ---------------------------------------------------------------------------------------------------------


def _agents(entries: list[str] | dict[str, Any], folder: Path, where: str) -> Iterator[NamedAgent]:
    """The agents of a file, patterns filled in. Raises TomlFileError."""
    if isinstance(entries, list):
        for entry in entries:
            yield from (NamedAgent(text) for text in _beside(entry, folder, where))
        return
    for name, table in entries.items():
        if not name.isprintable():
            raise TomlFileError(f"{where}: the name {name!r} has characters that cannot be printed")
        limits = table.get("limits", {})
        known = {"agent": isinstance(table.get("agent", name), str), "limits": isinstance(limits, dict)}
        if wrong := sorted(key for key in table if not known.get(key)):
            raise TomlFileError(f'{where}: [agents.{name}] has agent = "..." and limits = {{...}}, not {wrong[0]}')
        for key, value in limits.items():
            if key not in BY_KEY or BY_KEY[key].goes_to != LIMITS:
                raise TomlFileError(f"{where}: {key} is no limit of an agent ({name})")
            _check(key, value, f"{where} ({name})")
        texts = _beside(table.get("agent", name), folder, where)
        yield from (NamedAgent(text, name if len(texts) == 1 else "", limits) for text in texts)


def _beside(entry: str, folder: Path, where: str) -> list[str]:
    """The agents that an entry means: files beside the tournament's, for a pattern all that fit, sorted."""
    if entry.startswith("gtp:"):
        return [entry]
    source, mark, options = re.fullmatch(r"([^:@]*)([:@]?)(.*)", entry, re.DOTALL).groups()  # type: ignore[union-attr]
    if _PATTERN.search(source):
        return [f"{path}{mark}{options}" for path in _fitting(source, folder, where)]
    is_path = _FILE.match(entry) or "/" in source or ((folder / source).is_dir() and source not in agent_names())
    return [str(folder / entry) if is_path and not source.startswith("~") else entry]


def _fitting(pattern: str, folder: Path, where: str) -> list[Path]:
    """The files that a pattern means, sorted. Raises TomlFileError if there is none."""
    try:
        path = Path(pattern).expanduser()
        found = sorted(Path(path.anchor or folder).glob(str(path).removeprefix(path.anchor)))
    except (ValueError, RuntimeError) as error:  # the latter for a home that nobody knows
        raise TomlFileError(f"{where}: {pattern} is no pattern of files: {error}") from error
    if not found:
        raise TomlFileError(f"{where}: no file fits {pattern}, looked for beside the tournament's file")
    return found
