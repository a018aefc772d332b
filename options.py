"""What may be set from outside: an option's declaration, and its value read and checked against that."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar, Self

MOST_INT = (1 << 63) - 1  # of an option without a limit of its own: what compiled code holds


class InputError(ValueError):
    """What a person asked for cannot be had; the message says why, and what can."""


class Failure(Exception):
    """What was asked for cannot be done, and nothing was wrong with asking; the message says why."""


def did_you_mean(text: str, known: Iterable[str], alike: float = 0.6) -> str:
    """What to say of an unknown name: the known one that is most like it (from this similarity on), or else all.

    >>> did_you_mean("plya", ["play", "match"]), did_you_mean("x", ["play", "match"])
    ('did you mean play?', 'there are: play, match')
    """
    names = list(known)
    close = close_name(text, names, alike)
    return f"did you mean {close}?" if close else f"there are: {', '.join(names)}"


def close_name(text: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name that is most like a text, from this similarity on (0 to 1); None if none is."""
    from difflib import get_close_matches  # noqa: PLC0415  (agents' processes import this module)

    return next(iter(get_close_matches(text, list(known), n=1, cutoff=alike)), None)


class OptionError(InputError):
    """There is no such option, or not with this value. Attributes: option: its name. reason: the rest."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option} {reason}")
        self.option, self.reason = option, reason


class UnknownOption(OptionError):
    """A game does not have this option; the message names the games that have it."""


# What a text may say for a truth value.
SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class DeclaredOption:
    """Something that may be set from outside, of a game or of an agent.

    Attributes:
        name: how it is called.
        type: int, float, bool or str.
        default: None where it depends on other things; `help` then says how.
        least, most: bounds of a number, allowed themselves.
        help: a sentence.
        choices: the texts that it may be; empty for any.

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
        """The value, in the option's type. Raises OptionError."""
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
            raise OptionError(self.name, f"must be {self.range}, not {value!r}")
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
    """Something that may be set when a game is loaded: a keyword of `load_game`, and after two dashes of command lines.

    Attributes:
        in_position: whether a position has it as well, as an attribute and in its text, and goes before the game.

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
        name: what has the options.
        title: what people call it.
        options: what may be set; keywords of the constructor.
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
        """Every option with the value in force, defaults too: keywords that make the same object again."""
        return {option.name: getattr(self, option.name) for option in self.options}

    @property
    def board_options(self) -> dict[str, Any]:
        """Those of `settled_options` that a position does not have itself."""
        own = {option.name for option in self.options if option.in_position}
        return {name: value for name, value in self.settled_options.items() if name not in own}

    def for_position(self, position: Any) -> Self:
        """The same with the options that a position has itself."""
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
