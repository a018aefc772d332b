"""Descriptions of agents and their options for people, read from declarations and docstrings."""

import inspect
import re
from typing import Any, NamedTuple

from agents.agent import Agent
from agents.agent_options import default_of
from game import Game
from options import DeclaredOption, option_text

LISTS = ("Options:", "Attributes:")  # the titles of a docstring's list of options
_ENTRY = re.compile(r"(?P<names>\w+(, \w+)*): (?P<text>.*)")


class DescribedOption(NamedTuple):
    """An option of an agent.

    Attributes:
        name: its name.
        default: its value unless it is set, as text.
        values: the values that it may have, in words that could follow `must be`.
        help: what it means; empty if that is nowhere said.
    """

    name: str
    default: str
    values: str
    help: str


class Description(NamedTuple):
    """An agent.

    Attributes:
        name: as it is registered.
        summary: a sentence.
        details: the other paragraphs of its docstring, with sources.
        options: in the order in which they are declared.
        presets: what each value of an option `preset` means.
    """

    name: str
    summary: str
    details: tuple[str, ...]
    options: tuple[DescribedOption, ...]
    presets: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """Lists, dictionaries and texts."""
        return self._asdict() | {"options": [option._asdict() for option in self.options]}


def describe(agent_class: type[Agent], game: Game) -> Description:
    """What an agent is, with its options for a game."""
    paragraphs = _paragraphs(agent_class)
    documented: dict[str, str] = {}
    for document in agent_class.option_documents(game):
        documented = listed(document) | documented
    options = []
    for name, option in agent_class.option_defaults(game).items():
        declared = option if isinstance(option, DeclaredOption) else DeclaredOption(name, type(option), option)
        text = declared.help or documented.get(name, "")
        options.append(DescribedOption(name, option_text(default_of(option)), declared.range, text))
    details = tuple(paragraph for paragraph in paragraphs[1:] if not paragraph.startswith(LISTS))
    return Description(agent_class.registered_name, paragraphs[0], details, tuple(options), dict(agent_class.presets))


def _docstring(document: type) -> str:
    """The docstring of the class itself; an inherited one would describe another class."""
    return inspect.cleandoc(document.__dict__.get("__doc__") or "")


def _paragraphs(document: type) -> list[str]:
    return [" ".join(text.split()) for text in _docstring(document).split("\n\n")]


def listed(document: type) -> dict[str, str]:
    """For each name, what the lists of a docstring say; several names may share an entry, as in `first, last: ...`."""
    entries: dict[str, str] = {}
    for paragraph in _docstring(document).split("\n\n"):
        title, _, rest = paragraph.partition("\n")
        for entry in _entries(rest) if title.strip() in LISTS else []:
            if match := _ENTRY.fullmatch(entry):
                entries |= dict.fromkeys(match["names"].split(", "), match["text"])
    return entries


def _entries(text: str) -> list[str]:
    """The entries of an indented list, each joined to one line; a line that is indented further continues an entry."""
    lines = inspect.cleandoc("\n" + text).splitlines()
    entries: list[str] = []
    for line in lines:
        if line.startswith(" ") and entries:
            entries[-1] += " " + line.strip()
        else:
            entries.append(line.strip())
    return entries
