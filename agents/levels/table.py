"""The levels: what each is called, and what it is made of."""

from typing import NamedTuple

from options import InputError

AGENT = "level_agent"


class Level(NamedTuple):
    """What a level is made of.

    Attributes:
        number: from 1, the weakest.
        name: for people.
        simulations: of the search for each move; 0 searches for as long as there is time.
        weaker: the share of moves that are drawn at random and not searched for.
        careful: whether it takes a win where there is one, and makes no move that loses at once if there is another.
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
    Level(4, "steady", 1, 0.08, True),
    Level(5, "club", 4, 0.0, True),
    Level(6, "strong", 14, 0.0, True),
    Level(7, "expert", 42, 0.0, True),
    Level(8, "master", 340, 0.0, True),
    Level(9, "full strength", 0, 0.0, True),
)


def find_level(text: str) -> Level:
    """The level of a number or a name. Raises InputError.

    >>> find_level("5").name, find_level("Club").number
    ('club', 5)
    """
    wanted = " ".join(text.lower().split())
    for level in LEVELS:
        if wanted in (str(level.number), level.name):
            return level
    names = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
    raise InputError(f"there is no level {text!r:.40}; there are: {names}")


def level_text(text: str) -> str:
    """The text of the agent that plays a level, given by number or name. Raises InputError.

    >>> level_text("beginner")
    'level_agent:level=2'
    """
    return f"{AGENT}:level={find_level(text).number}"


def level_of(agent: str) -> Level | None:
    """The level that an agent's text means; None for another agent, other options than the level, or no such level.

    >>> level_of("level_agent:level=02").name, level_of("uct_agent"), level_of("level_agent:level=2,seed=1")
    ('beginner', None, None)
    """
    source, _, options = agent.partition(":")
    name, _, value = (options or f"level={DEFAULT_LEVEL}").partition("=")
    if source != AGENT or name.strip() != "level" or not value.strip().isdecimal():
        return None
    number = int(value)
    return next((level for level in LEVELS if level.number == number), None)


DEFAULT_LEVEL = 5
