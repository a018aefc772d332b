"""`runner.py debug`: an agent in this very process, where print, breakpoint() and a debugger work."""

import bdb
import pdb
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from cProfile import Profile
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
@option("--opponent", type=AGENT, default="random_agent", help="Whom it plays against.")
@option("--side", type=WholeNumber(0, 1), default=0, metavar="0|1", help="Whether it moves first (0) or second.")
@option("--moves", type=COUNT, metavar="N", help="Stop after so many of its moves.")
@FIXED_SEED
@field_options("move-time", "memory")
@option("--pdb", "has_pdb", is_flag=True, help="A traceback ends in the debugger.")
@option("--profile", "is_profiled", is_flag=True, help="Print where its time went.")
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

    There is no sandbox, and nobody takes the time: what the agent prints is seen at once, breakpoint() stops there,
    and files and the network are as usual. The agent is told --move-time as its limit, and may take longer. It plays
    a game against another agent, or answers in one --position.

    \b
    Examples:
      python runner.py debug ann
      python runner.py debug ann --pdb --moves 3
      python runner.py debug my_agent.py \\
          --position "wwww../bbb.../....../....../....../b..... w"
      python runner.py debug ann --profile --move-time 5
    """
    with errors_for_people():
        plain = chosen_game(game, game_options, position).game
        begin = plain.parse_position(position) if position else plain.initial()
        if begin.result is not None:
            raise click.UsageError("the game is over in this --position: there is no move to be made")
        loaded, profile = plain.for_position(begin), Profile() if is_profiled else None
        with _debugger(has_pdb):
            agents = made(agent, loaded, seed, flags), made(opponent, loaded, seed + 1, flags)
            for player in agents:
                player.setup()
            _play(loaded, begin, agents, begin.to_move if position else side, 1 if position else moves, profile)
            for player in agents:
                player.close()
    if profile:
        Stats(profile).sort_stats("cumulative").print_stats(PROFILE_ROWS)


def made(text: str, game: "Game", seed: int, flags: dict[str, Any]) -> "Agent":
    """An agent of a file or a registered name. Raises AgentError, InputError."""
    from agents.agent import GtpCommand, load_agent, parse_agent

    spec = parse_agent(text)
    agent_class = load_agent(text)
    if isinstance(agent_class, GtpCommand):
        raise InputError(f"{text} is a program of its own: it cannot run in this process")
    return agent_class(game, limits_of(flags), seed, spec.options)


def _play(
    game: "Game", position: Any, agents: "tuple[Agent, Agent]", me: int, most: int | None, profile: Profile | None
) -> None:
    """Play until the game is over, or the first agent has made so many moves; shows each of these.

    An answer may be a move, its text, or RESIGN, as in a game. Raises Failure for another one.
    """
    from agents import Clock
    from agents.agent import RESIGN
    from game import IllegalMove, NotationError
    from simulator.gtp.agent_host import answer_text

    agent, other = agents
    made_moves = 0
    while position.result is None and made_moves != most:
        is_mine = position.to_move == me
        mover = agent if is_mine else other
        clock = Clock(mover.limits.move_seconds)
        move = profile.runcall(mover.step, position, clock) if profile and is_mine else mover.step(position, clock)
        text = answer_text(game, move)
        if text.lower() == RESIGN:
            click.echo(f"{mover.name} resigns after {clock.elapsed:.2f} s")
            return
        try:
            position = position.play(move := game.parse_move(text, position))
        except (NotationError, IllegalMove) as error:
            raise Failure(f"{mover.name} returned {text}, and not one of position.legal_moves(): {error}") from error
        if is_mine:
            made_moves += 1
            click.echo(f"{mover.name}: {game.format_move(move)} after {clock.elapsed:.2f} s")
            click.echo(game.draw(position))
    click.echo(f"position: {position}")
    if position.result is not None:
        winner = position.result.winner
        click.echo("drawn" if winner is None else f"{(agent if winner == me else other).name} wins")


@contextmanager
def _debugger(has_pdb: bool) -> Iterator[None]:
    """What an agent raises is shown as Python shows it, exit status 1; with `has_pdb`, the debugger looks at it."""
    from agents.agent import AgentError

    try:
        yield
    except (InputError, Failure):
        raise
    except bdb.BdbQuit:
        sys.exit(FAILURE)
    except AgentError as error:
        if has_pdb and error.__cause__ is not None:
            click.echo(str(error), err=True)
            pdb.post_mortem(error.__cause__.__traceback__)
            sys.exit(FAILURE)
        raise
    except Exception as error:
        traceback.print_exc()
        if has_pdb:
            pdb.post_mortem(error.__traceback__)
        sys.exit(FAILURE)
