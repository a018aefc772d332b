"""What several commands are told alike: agents, the game, limits, the seed."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from agents.agent import Limits
    from game import Game
    from simulator.sandbox.isolation import Isolation

AGENT_HELP = """\b
An agent is
  a registered name                  random_agent, uct_agent, ...
  a path to a Python file            submissions/my_agent.py
  either with options                uct_agent:c=0.5
  another program that speaks GTP    "gtp:gnugo --mode gtp"
"""


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
SIZE = option("--size", type=int, metavar="N", help="Of the board: Go from 2 to 19.  [default: 9]")
KOMI = option(
    "--komi", type=Finite(), metavar="X", help="White's points for moving second, in Go.  [default: 7; 19x19: 7.5]"
)
GAME = options(option("--game", default="pentago", metavar="NAME", help="Which game."), SIZE, KOMI)
SEED = option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="All chance follows from it.")
MOVE_TIME = option("--move-time", type=POSITIVE, default=2.0, metavar="S", help="Seconds for each later move.")
MEMORY = option(
    "--memory", type=click.IntRange(min=1), default=500, metavar="MB", help="For all of an agent's processes."
)
FIRST_MOVE_TIME = option(
    "--first-move-time", type=POSITIVE, default=30.0, metavar="S", help="Seconds for the first move, set-up included."
)
CUSHION = option(
    "--cushion", type=FiniteRange(min=0), default=1.0, metavar="S", help="How late an answer may come at all."
)
LIMITS = options(MOVE_TIME, FIRST_MOVE_TIME, CUSHION, MEMORY)
ISOLATION = option(
    "--isolation",
    type=click.Choice(["best", "required", "none"]),
    default="best",
    help="What holds agents to the limits: the best that this system has; the same, or else refuse to play; nothing.",
)


class ChosenGame(NamedTuple):
    """A game with the options that the command line gave."""

    game: "Game"
    options: dict[str, Any]


def chosen_game(name: str, size: int | None, komi: float | None) -> ChosenGame:
    """The game that the options of `GAME` say. Raises NotationError for one that is not to be had."""
    from simulator.referee.game_options import load_with

    given = given_options(size, komi)
    return ChosenGame(load_with(name, given), given)


def given_options(size: int | None, komi: float | None) -> dict[str, Any]:
    """A game's options, those that were given."""
    return {name: value for name, value in (("size", size), ("komi", komi)) if value is not None}


def refuse_second_komi(position: str | None, komi: float | None) -> None:
    """Raises UsageError where both a position and an option say komi."""
    if position and komi is not None:
        raise click.UsageError("--position says its komi: leave --komi out, or change it in the position")


def limits_of(move_time: float, first_move_time: float, cushion: float, memory: int) -> "Limits":
    """The limits that the options of `LIMITS` say."""
    from agents.agent import Limits

    return Limits(first_move_time, move_time, cushion, memory)


def insist_on_isolation(isolation: "Isolation", limits: "Limits") -> None:
    """Before anything starts, say on stderr what nothing holds here.

    Raises IsolationError where isolation is required and something is not to be had.
    """
    from simulator.sandbox.cores import choose_cores
    from simulator.sandbox.isolation import survey

    if isolation == "required":
        survey().require(limits, choose_cores(limits))
    elif said := survey(isolation).not_held(limits, choose_cores(limits)):
        click.echo(said, err=True)


def two_agents(game: "Game", *texts: str) -> tuple[Any, Any]:
    """The agents of a match and what to call them."""
    from simulator.player.lookup import find_agents, unique_names

    specs = find_agents(texts, game)
    return specs, unique_names(specs)
