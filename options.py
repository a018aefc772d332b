"""Options of games and agents: how they are declared, and how their values are read and checked."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar, Self

MOST_INT = (1 << 63) - 1  # the limit of options that declare none: the largest int64, for compiled code


class InputError(ValueError):
    """A person asked for something that is impossible or does not exist; the message says why, and what is possible."""


class Failure(Exception):
    """What was asked for failed, although there was nothing wrong with asking; the message says why."""


def did_you_mean(text: str, known: Iterable[str], alike: float = 0.6) -> str:
    """What to say about an unknown name: the known name most like it, if their similarity is `alike` or more; else all.

    >>> did_you_mean("plya", ["play", "match"]), did_you_mean("x", ["play", "match"])
    ('did you mean play?', 'there are: play, match')
    """
    names = list(known)
    close = close_name(text, names, alike)
    return f"did you mean {close}?" if close else f"there are: {', '.join(names)}"


def close_name(text: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name most like a text; None if the similarity of each is less than `alike` (0 to 1)."""
    from difflib import get_close_matches  # noqa: PLC0415  (agents' processes import this module)

    return next(iter(get_close_matches(text, list(known), n=1, cutoff=alike)), None)


class OptionError(InputError):
    """An option does not exist, or cannot have this value. Attributes: option: its name. reason: the rest."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option} {reason}")
        self.option, self.reason = option, reason

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it can be pickled: a worker sends it to the process that it works for."""
        return type(self), (self.option, self.reason)


class UnknownOption(OptionError):
    """A game does not have this option; the message names the games that have it."""


# The texts that mean a truth value.
SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class DeclaredOption:
    """The declaration of an option, of a game or of an agent.

    Attributes:
        name: what it is called.
        type: int, float, bool or str.
        default: its value if nobody sets it; None if that depends on other things, and `help` says how.
        least, most: bounds of a number, inclusive; None for no bound.
        help: a sentence.
        choices: the texts that are allowed; empty if any text is.

    >>> DeclaredOption("policy", str, "ucb", choices=("ucb", "pure")).check("luck")
    Traceback (most recent call last):
    options.OptionError: policy must be ucb or pure, not 'luck'
    """

    name: str
    type: type
    default: Any = None
    least: float | None = None
    most: float | None = None
    help: str = field(default="", kw_only=True)
    choices: tuple[str, ...] = field(default=(), kw_only=True)

    def check(self, value: Any) -> Any:
        """The value, in the option's type. Raises OptionError if it is not allowed."""
        kind: Any = Real if self.type is float else self.type
        fits = isinstance(value, kind) and isinstance(value, bool) == (self.type is bool)
        if fits and self.type in (int, float):
            unlimited = MOST_INT if self.type is int else math.inf
            least = -unlimited if self.least is None else self.least
            most = unlimited if self.most is None else self.most
            fits = least <= value <= most and (self.type is int or math.isfinite(value))
        if fits and self.choices:
            fits = value in self.choices
        if not fits:
            is_too_large = self.type is int and self.most is None and isinstance(value, int) and value > MOST_INT
            most_there_is = f", {MOST_INT} at most" if is_too_large else ""
            raise OptionError(self.name, f"must be {self.range}{most_there_is}, not {value!r}")
        return self.type(value)

    def read(self, text: str) -> Any:
        """The value that a text means. Raises OptionError."""
        try:
            value = SWITCH[text.lower()] if self.type is bool else self.type(text)
        except (KeyError, ValueError) as error:
            raise OptionError(self.name, f"must be {self.range}, not {text!r}") from error
        return self.check(value)

    @property
    def range(self) -> str:
        """What values it takes: `2 to 19`, `a whole number`, `yes or no`, `mean or minimax`."""
        if self.choices:
            return " or ".join((", ".join(self.choices[:-1]), self.choices[-1]) if self.choices[1:] else self.choices)
        if self.least is not None and self.most is not None:
            return f"{self.least:g} to {self.most:g}"
        kind = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text"}[self.type]
        if self.least is not None:
            return f"{kind} from {self.least:g} on"
        return kind if self.most is None else f"{kind} up to {self.most:g}"


@dataclass(frozen=True)
class GameOption(DeclaredOption):
    """An option of a game: a keyword of `load_game`, and on command lines its name after two dashes.

    Attributes:
        in_position: whether a position has it, too, as an attribute and in its text; then the position's value counts.

    >>> GameOption("size", int, 9, 2, 19).read("5")
    5
    >>> GameOption("size", int, 9, 2, 19).check(20)
    Traceback (most recent call last):
    options.OptionError: size must be 2 to 19, not 20
    """

    in_position: bool = field(default=False, kw_only=True)


class WithOptions:
    """The base of classes that declare options; an object keeps the value of each in an attribute of the same name.

    Attributes:
        name: the registered name.
        title: what people call it.
        options: their declarations; their names are keywords of the constructor.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[tuple[GameOption, ...]] = ()

    @classmethod
    def option(cls, name: str) -> GameOption:
        """The declaration of an option. Raises UnknownOption."""
        for option in cls.options:
            if option.name == name:
                return option
        raise UnknownOption(name, f"is no option of {cls.title}")

    @property
    def settled_options(self) -> dict[str, Any]:
        """The value of every option, defaults too: keywords that make the same object again."""
        return {option.name: getattr(self, option.name) for option in self.options}

    @property
    def board_options(self) -> dict[str, Any]:
        """Those of `settled_options` that a position does not have itself."""
        own = {option.name for option in self.options if option.in_position}
        return {name: value for name, value in self.settled_options.items() if name not in own}

    def for_position(self, position: Any) -> Self:
        """The same game with the values of those options that the position has itself."""
        told = {option.name: getattr(position, option.name) for option in self.options if option.in_position}
        return type(self)(**self.settled_options | told) if told else self


def option_text(value: Any) -> str:
    """The text that `GameOption.read` reads as this value.

    >>> option_text(7.0), option_text(True), option_text(19)
    ('7', 'yes', '19')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def shortened(text: str) -> str:
    """A text as an error message quotes it: 60 characters at most."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def counted(number: float, what: str) -> str:
    """A number of things, in words.

    >>> counted(1, "move"), counted(1234, "move")
    ('1 move', '1,234 moves')
    """
    return f"{number:,.0f} {what}{'' if number == 1 else 's'}"
