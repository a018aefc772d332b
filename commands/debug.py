"""`runner.py debug`: an agent in this very process, where print, breakpoint() and a debugger work."""

import bdb
import pdb
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from cProfile import Profile
from functools import partial
from pstats import Stats
from typing import TYPE_CHECKING, Any

import click

from commands.errors import FAILURE, errors_for_people
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    COUNT,
    FIXED_SEED,
    GameCommand,
    WholeNumber,
    chosen_game,
    field_options,
    limits_of,
    option,
    refuse_idle_options,
)
from options import Failure, InputError

if TYPE_CHECKING:
    from agents.agent import Agent
    from game import Game

PROFILE_ROWS = 20


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@click.argument("agent", metavar="AGENT", type=AGENT)
@field_options("game", with_defaults=True)
@option("--position", metavar="TEXT", help="Ask for a single move, in this position.")
@option("--opponent", type=AGENT, default="random_agent", help="The agent to play against.")
@option(
    "--side", type=WholeNumber(0, 1), default=0, metavar="0|1", help="Whether the agent moves first (0) or second (1)."
)
@option("--moves", type=COUNT, metavar="N", help="Stop after N moves of the agent.")
@FIXED_SEED
@field_options("move-time", "memory")
@option("--pdb", "has_pdb", is_flag=True, help="If the agent raises an exception, start the debugger.")
@option("--profile", "is_profiled", is_flag=True, help="Print which functions took the agent's time.")
def debug(
    *,
    agent: str,
    game: str,
    game_options: dict[str, str],
    position: str | None,
    opponent: str,
    side: int,
    moves: int | None,
    seed: int,
    has_pdb: bool,
    is_profiled: bool,
    **flags: Any,
) -> None:
    """Run an agent in this very process, to look into it.

    There is no sandbox, and no limit is enforced: you see at once what the agent prints, breakpoint() stops there, and
    files and the network are as usual. The agent is told --move-time as its limit, and may take longer. It plays a
    game against another agent, or answers once in a --position.

    \b
    Examples:
      python runner.py debug ann
      python runner.py debug ann --pdb --moves 3
      python runner.py debug my_agent.py \\
          --position "wwww../bbb.../....../....../....../b..... w"
      python runner.py debug ann --profile --move-time 5
    """
    from simulator.referee.in_process import agent_here

    with errors_for_people():
        plain = chosen_game(game, game_options, position).game
        begin = plain.parse_position(position) if position else plain.initial()
        if begin.result is not None:
            raise click.UsageError("the game is over in this --position: there is no move to be made")
        loaded, profile = plain.for_position(begin), Profile() if is_profiled else None
        if position:
            refuse_idle_options(
                "beside --position: the agent answers once, for the side to move", "side", "moves", "opponent"
            )
            side, moves = begin.to_move, 1
        texts, limits = (agent, opponent), limits_of(flags)
        players = (partial(agent_here, text, loaded, limits, seed + i) for i, text in enumerate(texts))
        for line in _in_debugger(_play(loaded, begin, players, side, moves, profile), has_pdb):
            click.echo(line)
    if profile and profile.getstats():  # Stats refuses a profile of nothing: the opponent may have resigned at once
        Stats(profile).sort_stats("cumulative").print_stats(PROFILE_ROWS)
    going_on = [x.name for x in threading.enumerate() if not x.daemon and x is not threading.main_thread()]
    if going_on:
        click.echo(f"waiting for threads that should have ended with `step`: {', '.join(going_on)}", err=True)


def _play(
    game: "Game",
    position: Any,
    players: "Iterable[Callable[[], Agent]]",
    me: int,
    most: int | None,
    profile: Profile | None,
) -> Iterator[str]:
    """Make two agents and play until the game is over or the first has made so many moves; yields lines to print.

    Raises Failure.
    """
    from simulator.referee.in_process import answer_of

    agent, other = agents = [make() for make in players]
    for player in agents:
        _as_its_own(player.setup)
    made_moves = 0
    while position.result is None and position.ply < game.longest_game and made_moves != most:
        is_mine = position.to_move == me
        mover = agent if is_mine else other
        call = partial(_as_its_own, profile.runcall) if profile and is_mine else _as_its_own
        after, took = answer_of(mover, position, call)
        if after is None:
            yield f"{mover.name} resigns after {took:.2f} s"
            break
        position = after
        if is_mine:
            made_moves += 1
            move = game.format_move(position.last_move)
            yield f"{mover.name}: {move} after {took:.2f} s\n{game.draw(position)}"
    else:
        yield f"position: {position}"
    if position.result is not None or position.ply >= game.longest_game:
        winner = (position.result or game.adjudicate(position)).winner
        yield "drawn" if winner is None else f"{(agent if winner == me else other).name} wins"
    for player in agents:
        _as_its_own(player.close)


class _Raised(Exception):
    """Has as its cause an error that an agent's own code raised, and which is no message to the user."""


def _as_its_own(call: Callable[..., Any], *arguments: Any) -> Any:
    """Call an agent's own code; its errors that look like messages to the user are raised as _Raised."""
    try:
        return call(*arguments)
    except (InputError, Failure) as error:
        raise _Raised from error


def _in_debugger(lines: Iterator[str], has_pdb: bool) -> Iterator[str]:
    """The lines of a game; if the agent raises an exception, its traceback is printed, and the exit status is 1.

    With `has_pdb`, the debugger then starts where the exception was raised.
    """
    from agents.agent import AgentError

    try:
        yield from lines
    except (InputError, Failure):
        raise
    except bdb.BdbQuit:
        sys.exit(FAILURE)
    except AgentError as error:
        if has_pdb and error.__cause__ is not None and not isinstance(error.__cause__, SyntaxError):
            click.echo(str(error), err=True)
            pdb.post_mortem(error.__cause__.__traceback__)
            sys.exit(FAILURE)
        raise
    except Exception as raised:
        cause = raised.__cause__ if isinstance(raised, _Raised) and raised.__cause__ else raised
        traceback.print_exception(cause)
        if has_pdb:
            pdb.post_mortem(cause.__traceback__)
        sys.exit(FAILURE)
