"""Levels for people to play against: a search with few simulations; the low levels also play some moves at random.

Here are their names and numbers. `agents/level_agent.py` is the agent; docs/levels.md says how strong each level is.
"""

import re
from typing import NamedTuple

from options import InputError

AGENT, DEFAULT_LEVEL = "level_agent", 5


class Level(NamedTuple):
    """What a level is made of.

    Attributes:
        number: from 1, the weakest.
        name: for people.
        simulations: of the search for each move; 0 searches for as long as there is time.
        weaker: the share of moves that are drawn at random, without a search.
        careful: whether it takes a win if there is one, and makes no move that loses at once if there is another.
    """

    number: int
    name: str
    simulations: int
    weaker: float
    careful: bool


LEVELS = (
    Level(1, "first steps", 1, 0.42, False),
    Level(2, "beginner", 1, 0.25, False),
    Level(3, "casual", 1, 0.31, True),
    Level(4, "steady", 1, 0.06, True),
    Level(5, "club", 5, 0.0, True),
    Level(6, "strong", 17, 0.0, True),
    Level(7, "expert", 48, 0.0, True),
    Level(8, "master", 310, 0.0, True),
    Level(9, "full strength", 0, 0.0, True),
)
LEVEL_NAMES = ", ".join(f"{level.number} {level.name}" for level in LEVELS)  # for messages


def find_level(text: str) -> Level:
    """The level with that number or name. Raises InputError if there is none.

    >>> find_level("5").name, find_level("Club").number
    ('club', 5)
    """
    wanted = " ".join(text.lower().split())
    number = int(wanted) if re.fullmatch("[0-9]{1,9}", wanted) else None
    for level in LEVELS:
        if number == level.number or wanted == level.name:
            return level
    raise InputError(f"there is no level {text!r:.40}; there are: {LEVEL_NAMES}")


def level_text(text: str) -> str:
    """The text of the agent that plays the level with that number or name. Raises InputError if there is none.

    >>> level_text("beginner")
    'level_agent:level=2'
    """
    return f"{AGENT}:level={find_level(text).number}"


def level_of(agent: str) -> Level | None:
    """The level that an agent's text means; None for another agent, for no such level, and if other options are given.

    >>> level_of("level_agent:level=2").name, level_of("level_agent:level=2,simulations=9"), level_of("uct_agent")
    ('beginner', None, None)
    """
    source, _, options = agent.partition(":")
    if source != AGENT:
        return None
    name, _, value = (options or f"level={DEFAULT_LEVEL}").partition("=")
    if name.strip() != "level" or not re.fullmatch("[0-9]{1,9}", value.strip()):
        return None
    return next((level for level in LEVELS if level.number == int(value)), None)
