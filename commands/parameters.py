"""Options that several commands share: agents, the game, limits, the seed."""

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TextIO

import click

from commands.errors import errors_for_people
from commands.wrong_rules import refuse_wrong_rules
from options import OptionError, option_text
from simulator.tournament.fields import BY_KEY, Setting, limits_from

if TYPE_CHECKING:
    from agents.limits import Limits
    from game import Game
    from options import GameOption
    from simulator.referee.conditions import Conditions
    from simulator.sandbox.isolation import IsolationLevel

AGENT_HELP = """\b
An agent is
  a registered name                  random_agent, uct_agent, ...
  a folder with agent.py             ann
  a Python file                      submissions/my_agent.py
  a submission, packed               submissions/ann.zip
  one of these with options          uct_agent:puct=0.2
  another program that speaks GTP    "gtp:gnugo --mode gtp"
"""


def agent(text: str) -> str:
    """The text of an agent, where the Python file replaces a folder or a zip file (which is unpacked)."""
    from simulator.submission.named_agents import file_of

    with errors_for_people():
        return file_of(text)


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"  # in error messages


class FiniteRange(click.FloatRange):
    """A number in a range, without infinity and NaN."""

    name = "number"  # in error messages

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that a text stands for."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


AGENT = agent  # the help shows the name of the function
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
FOLDER.name = "folder"  # in the help
COUNT = WholeNumber(min=1)
POSITIVE, NOT_NEGATIVE = FiniteRange(min=0, min_open=True), FiniteRange(min=0)
RECORDS = click.argument("records", metavar="FILE", type=FILE)


def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
    """A click option; the help shows its default."""
    return click.option(*names, show_default=settings.get("default") not in (None, ""), **settings)


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order in which the help lists them."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def json_option(text: str) -> Callable[[Any], Any]:
    """--json, for programs; the command gets it as `as_json`."""
    return option("--json", "as_json", is_flag=True, help=text)


@contextmanager
def stdout_for_json(as_json: bool) -> Iterator[TextIO]:
    """The stdout for a command's JSON; what rules or agents print in the `with` goes to stderr, if it is JSON."""
    stdout = sys.stdout
    with redirect_stdout(sys.stderr if as_json else stdout):
        yield stdout


# --- Settings -------------------------------------------------------------------------------------------------------


def field_options(*keys: str, with_defaults: bool = False, underscores: bool = False) -> Callable[[Any], Any]:
    """The options for these settings, in this order; with `underscores` instead of hyphens, as the course writes them.

    An option that is not given is None, because a file may have the setting; with `with_defaults`, it has its default.
    """
    return options(*(_option(BY_KEY[key], with_defaults, underscores) for key in keys))


def _option(setting: Setting, with_default: bool, underscores: bool) -> Callable[[Any], Any]:
    flag = f"--{setting.name.replace('-', '_') if underscores else setting.name}"
    if setting.type is bool:
        return click.option(flag, is_flag=True, default=None, help=setting.help)
    shown = "" if setting.default in (None, "") else f"  [default: {option_text(setting.default)}]"
    default = setting.default if with_default else None
    metavar = setting.metavar or None
    return click.option(flag, type=_click_type(setting), default=default, metavar=metavar, help=setting.help + shown)


def _click_type(setting: Setting) -> Any:
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.type is int:
        most = setting.most
        return WholeNumber(int(setting.least or 0), None if most is None or math.isinf(most) else int(most))
    if setting.type is float:
        return POSITIVE if setting.least else NOT_NEGATIVE
    return whole_name if setting.name == "game" else _reader(setting)


def whole_name(text: str) -> str:
    """The name of a game as in settings and records: for a file, its path and hash. Raises UsageError."""
    from game import game_class, game_names

    if text.lower() in game_names():
        return text.lower()
    with errors_for_people():
        return game_class(text).name


def _reader(setting: Setting) -> Callable[[str], Any]:
    """A function that reads a setting's text; its errors do not name the setting, because click does."""

    def read(text: str) -> Any:
        try:
            return setting.check(text)
        except OptionError as error:
            raise ValueError(error.reason) from error

    return read


def given(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The flags that the command line gave, by the keys of settings."""
    return {name.replace("_", "-"): value for name, value in flags.items() if value is not None}


def refuse_idle_options(where: str, *names: str) -> None:
    """Raise UsageError if the command line has one of these parameters; `where` says when they have no effect.

    A game's options have their own names; the name `game_options` stands for all of them.
    """
    context = click.get_current_context()
    for parameter in context.command.get_params(context):
        is_given = context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
        if parameter.name in names and is_given:
            raise click.UsageError(f"{parameter.opts[0]} has no effect {where}")
    for name in context.params["game_options"] if "game_options" in names else ():
        raise click.UsageError(f"--{name} has no effect {where}")


def limits_of(flags: Mapping[str, Any]) -> "Limits":
    """The limits that the flags of a command line set."""
    from agents.limits import Limits

    return Limits(**limits_from(given(flags)))


GAME, MEMORY, ISOLATION = (field_options(key, with_defaults=True) for key in ("game", "memory", "isolation"))
SEED = field_options("seed")
SIMULATIONS = option("--simulations", type=COUNT, metavar="N", help="Search for N simulations, instead of a time.")
FIXED_SEED = option("--seed", type=WholeNumber(min=0), default=0, metavar="N", help="Seed of all random numbers.")


# --- Games ----------------------------------------------------------------------------------------------------------


_NAMED = "unforced.games"  # key in a context for the games that the command line names


def _parameter(name: str, games: "Mapping[str, GameOption]", flag: str) -> click.Option:
    declared = next(iter(games.values()))
    default = [] if declared.default is None else [f"default: {option_text(declared.default)}"]
    text = (
        f"In {' and '.join(games)}{declared.help and f': {declared.help}'}  [{'; '.join([*default, declared.range])}]"
    )
    metavar = {int: "N", float: "X"}.get(declared.type, "TEXT")
    # Options have hyphens, names of game options underscores: both are taken, but a command's own flag only as it is.
    flags = dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"] if flag == name else [f"--{flag}"])
    return click.Option([*flags, name], metavar=metavar, help=text)


class GameCommand(click.Command):
    """A command that has the options of all games, and gets them as one parameter, `game_options`: texts by name.

    The help lists them after --game. Games are imported when the command is called, not with its module.
    """

    flags: ClassVar[Mapping[str, str]] = {}  # flags by option, where the flag has another name

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, with the options of the game that it names, which may be in a file.

        Without --game, the game is that of the framework of the course for which the named agents are written, unless
        the file of another option (a TOML file, --load, --resume) names the game.
        """
        wants_help = {"-h", "--help"}.intersection(args)
        has_game = any(word.endswith(".toml") or word.partition("=")[0] in ("--load", "--resume") for word in args)
        if not (wants_help or self.named_games(args) or has_game):
            from commands.game_of_agents import game_of_agents

            args = [*(f"--game={game}" for game in game_of_agents(args)), *args]
        games = ctx.meta[_NAMED] = list[str]()
        for name in self.named_games(args):
            with suppress(click.ClickException) if wants_help else nullcontext():
                games.append(whole_name(name))
        return super().parse_args(ctx, args)

    @staticmethod
    def named_games(args: list[str]) -> list[str]:
        """The games that are named after --game."""
        words = [after for word, after in pairwise(args) if word == "--game"]
        return words + [word.removeprefix("--game=") for word in args if word.startswith("--game=")]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters and those of the games, whose values stay texts, which the game reads."""
        own = super().get_params(ctx)
        place = next(i for i, parameter in enumerate(own, 1) if parameter.name == "game")
        games = [
            _parameter(name, games, self.flags.get(name, name)) for name, games in self._options_of_games(ctx).items()
        ]
        taken = {flag for parameter in own for flag in parameter.opts} | {f"--{key}" for key in BY_KEY}
        for parameter in games:
            if clash := taken.intersection(parameter.opts):  # no context: the usage would ask for these again
                raise click.UsageError(f"{min(clash)} is an option of commands: give that of the game another name")
        return [*own[:place], *games, *own[place:]]

    @staticmethod
    def _options_of_games(ctx: click.Context) -> "Mapping[str, Mapping[str, GameOption]]":
        from game import options_by_name

        return options_by_name(*ctx.meta.get(_NAMED, ()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        values = {name: ctx.params.pop(name, None) for name in self._options_of_games(ctx)}
        ctx.params["game_options"] = {name: text for name, text in values.items() if text is not None}
        return super().invoke(ctx)


class ChosenGame(NamedTuple):
    """A game, and the options that the command line gave it."""

    game: "Game"
    options: dict[str, Any]


def chosen_game(
    name: str, texts: Mapping[str, str], position: str | None = None, *, needs_kernel: bool = False
) -> ChosenGame:
    """The game with the options that the command line gave.

    Raises UsageError for an option that the game does not have, a value that the option does not take, an option that
    is part of the `position`, and if `needs_kernel` and the rules are not compiled; UnknownGame.
    """
    from game import game_class, load_game, read_options
    from game_files.alarm import guarded

    try:
        options = read_options(name, texts)
        for option in options:
            if position and game_class(name).option(option).in_position:
                raise OptionError(option, f"is in the --position: change it there, and leave --{option} out")
        with guarded(name), redirect_stdout(sys.stderr):  # rules may print, and stdout may be JSON
            chosen = ChosenGame(load_game(name, **options), options)
        if needs_kernel and chosen.game.kernel is None:
            raise click.UsageError(f"this needs compiled rules, and those of {chosen.game.title} are plain Python")
        return chosen
    except OptionError as error:
        context = click.get_current_context(silent=True)
        flags = getattr(context.command, "flags", {}) if context else {}
        raise click.UsageError(f"--{flags.get(error.option, error.option)} {error.reason}") from error


def insist_on_isolation(isolation: "IsolationLevel", limits: "Limits") -> None:
    """Say on stderr, before anything starts, which limits this system does not enforce.

    Raises IsolationError if isolation is required and a limit cannot be enforced.
    """
    from simulator.sandbox.cores import choose_cores
    from simulator.sandbox.isolation import available_mechanisms

    if isolation == "required":
        available_mechanisms().require(limits, choose_cores(limits.processors))
    elif warning := available_mechanisms(isolation).warning(limits, choose_cores(limits.processors)):
        click.echo(warning, err=True)


def conditions_for(flags: Mapping[str, Any], game_options: Mapping[str, str]) -> "Conditions":
    """The conditions of a command line's flags; checks `insist_on_isolation`, and the rules of a game in a file.

    Raises UsageError, UnknownGame, and Failure for rules with a mistake.
    """
    from simulator.tournament.settings import settings_from

    values = given(flags)
    chosen = chosen_game(values.get("game", "pentago"), game_options)
    conditions = settings_from(values, chosen.options, {}).conditions
    insist_on_isolation(conditions.isolation, conditions.limits)
    refuse_wrong_rules(chosen.game)
    return conditions
