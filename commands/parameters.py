"""Options that several commands share: agents, the game, limits, the seed."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import click

from options import OptionError, option_text
from simulator.tournament.fields import BY_KEY, Field, Kind, limits_from

if TYPE_CHECKING:
    from agents.limits import Limits
    from game import Game
    from options import GameOption
    from simulator.sandbox.isolation import IsolationLevel

RECORDS = click.argument("records", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
AGENT_HELP = """\b
An agent is
  a registered name                  random_agent, uct_agent, ...
  a folder with agent.py             ann
  a Python file                      submissions/my_agent.py
  a submission, packed               submissions/ann.zip
  one of these with options          uct_agent:puct=0.2
  another program that speaks GTP    "gtp:gnugo --mode gtp"
"""


class _Agent(click.ParamType[Any]):
    """An agent's text, with its Python file in the place of a folder or a zip file, which is unpacked."""

    name = "agent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text."""
        from commands.errors import errors_for_people
        from simulator.submission.named_agents import file_of

        with errors_for_people():
            return file_of(value)


class _GameName(click.ParamType[Any]):
    """The name of a game, in lower case."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name."""
        return value.lower()


AGENT, GAME_NAME = _Agent(), _GameName()


class Finite(click.types.FloatParamType):
    """A number that is neither infinity nor none: clocks and scores cannot be set to them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class FiniteRange(click.FloatRange, Finite):
    """A `Finite` in a range."""


def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
    """A click option whose default is shown in the help."""
    return click.option(*names, show_default=settings.get("default") not in (None, ""), **settings)


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order in which the help lists them."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


POSITIVE = FiniteRange(min=0, min_open=True)


# --- Settings -------------------------------------------------------------------------------------------------------


def field_options(*keys: str, with_defaults: bool = False) -> Callable[[Any], Any]:
    """The options for these settings, in this order.

    What is not given is None, because a file may say it; `with_defaults` it has the setting's default.
    """
    return options(*(_option(BY_KEY[key], with_defaults) for key in keys))


def _option(field: Field, with_default: bool) -> Callable[[Any], Any]:
    shown = f"{field.help}  [default: {field.default}]" if field.default else field.help
    if field.kind.type is bool:
        return click.option(f"--{field.key}", is_flag=True, default=None, help=shown)
    default = field.kind.read(field.default) if with_default else None
    taken = GAME_NAME if field.key == "game" else _click_type(field.kind)
    return click.option(f"--{field.key}", type=taken, default=default, metavar=field.metavar or None, help=shown)


def _click_type(kind: Kind) -> click.ParamType[Any]:
    if kind.choices:
        return click.Choice(kind.choices)
    least = None if kind.least == float("-inf") else kind.least
    if kind.type is int:
        return click.IntRange(min=None if least is None else int(least))
    if kind.type is float:
        return Finite() if least is None else FiniteRange(min=least, min_open=kind.is_open)
    return _Pattern(kind) if kind.pattern is not None else click.STRING


class _Pattern(click.ParamType[Any]):
    """A text that fits the pattern of a kind."""

    name = "text"

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text."""
        if not self._kind.accepts(value):
            self.fail(f"expected {self._kind}, not {value!r}", param, ctx)
        return value


def given(flags: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on a command line, by the keys of settings."""
    return {name.replace("_", "-"): value for name, value in flags.items() if value is not None}


def limits_of(flags: Mapping[str, Any]) -> "Limits":
    """The limits that the flags of a command line set."""
    from agents.limits import Limits

    return Limits(**limits_from(given(flags)))


GAME, MEMORY, ISOLATION = (field_options(key, with_defaults=True) for key in ("game", "memory", "isolation"))
SEED = field_options("seed")
FIXED_SEED = option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Seed of all random numbers.")


# --- Games ----------------------------------------------------------------------------------------------------------


def option_parameters(rename: Mapping[str, str] | None = None) -> list[click.Option]:
    """An option of the command line for each that some game declares; values stay texts, for the game to read.

    `rename` has the names of flags that are not those of the declaration.
    """
    from game import options_by_name

    return [_parameter(name, games, (rename or {}).get(name, name)) for name, games in options_by_name().items()]


def _parameter(name: str, games: "Mapping[str, GameOption]", flag: str) -> click.Option:
    declared = next(iter(games.values()))
    default = [] if declared.default is None else [f"default: {option_text(declared.default)}"]
    text = f"In {' and '.join(games)}: {declared.help}  [{'; '.join([*default, declared.range])}]"
    metavar = {int: "N", float: "X"}.get(declared.type, "TEXT")
    # Most options have hyphens, and files underscores: a game's name is taken with both, a command's own flag as it is.
    flags = dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"] if flag == name else [f"--{flag}"])
    return click.Option([*flags, name], metavar=metavar, help=text)


def take_options(parameters: dict[str, Any]) -> dict[str, str]:
    """Take the values of `option_parameters` out of a command's parameters; those that were given, as texts."""
    from game import options_by_name

    values = {name: parameters.pop(name, None) for name in options_by_name()}
    return {name: text for name, text in values.items() if text is not None}


class GameCommand(click.Command):
    """A command with the options of all games, which it gets as one parameter, `game_options`: texts by name.

    They are listed behind --game. Games are imported when the command is asked for, not with its module.
    """

    flags: ClassVar[Mapping[str, str]] = {}  # names of flags that are not those of the declaration

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters and those of the games."""
        own = super().get_params(ctx)
        place = next(i for i, parameter in enumerate(own, 1) if parameter.name == "game")
        return [*own[:place], *option_parameters(self.flags), *own[place:]]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        ctx.params["game_options"] = take_options(ctx.params)
        return super().invoke(ctx)


class ChosenGame(NamedTuple):
    """A game with the options that the command line gave."""

    game: "Game"
    options: dict[str, Any]


def chosen_game(name: str, texts: Mapping[str, str], position: str | None = None) -> ChosenGame:
    """The game with the options that the command line gave.

    Raises UsageError for an option that it does not have, or not with this value, or that `position` says as well;
    UnknownGame.
    """
    from game import game_class, load_game, read_options

    try:
        options = read_options(name, texts)
        for option in options:
            if position and game_class(name).option(option).in_position:
                raise OptionError(option, f"is in the --position: change it there, and leave --{option} out")
        return ChosenGame(load_game(name, **options), options)
    except OptionError as error:
        context = click.get_current_context(silent=True)
        flags = getattr(context.command, "flags", {}) if context else {}
        raise click.UsageError(f"--{flags.get(error.option, error.option)} {error.reason}") from error


def insist_on_isolation(isolation: "IsolationLevel", limits: "Limits") -> None:
    """Before anything starts, say on stderr what nothing enforces here.

    Raises IsolationError where isolation is required and something is not to be had.
    """
    from simulator.sandbox.cores import choose_cores
    from simulator.sandbox.isolation import available_mechanisms

    if isolation == "required":
        available_mechanisms().require(limits, choose_cores(limits.processors))
    elif warning := available_mechanisms(isolation).warning(limits, choose_cores(limits.processors)):
        click.echo(warning, err=True)


def two_agents(game: "Game", *texts: str) -> tuple[Any, Any]:
    """The agents of a match and what to call them."""
    from simulator.player.lookup import find_agents, unique_names

    specs = find_agents(texts, game)
    return specs, unique_names(specs)
