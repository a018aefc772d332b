"""`runner.py gtp`: an agent as a GTP engine."""

import sys

import click

from commands.errors import FAILURE, errors_for_people
from commands.parameters import (
    AGENT_HELP,
    FIRST_MOVE_TIME,
    GAME,
    MEMORY,
    MOVE_TIME,
    SEED,
    GameCommand,
    chosen_game,
    limits_of,
    option,
)


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@GAME
@option("--agent", metavar="AGENT", default="uct_agent", help="Who answers genmove.")
@SEED
@option("--simulations", type=click.IntRange(min=1), metavar="N", help="A fixed number a move, instead of the clock.")
@MOVE_TIME
@FIRST_MOVE_TIME
@MEMORY
def gtp(
    *,
    game: str,
    game_options: dict[str, str],
    agent: str,
    seed: int,
    simulations: int | None,
    move_time: float,
    first_move_time: float,
    memory: int,
) -> None:
    """Serve an agent as a GTP 2 engine on stdin and stdout.

    For graphical front ends, match programs and scripts. All that GTP requires is there, and commands that begin with
    unforced-, which list_commands names. Whatever the agent prints goes to stderr.

    \b
    Examples:
      python runner.py gtp --agent uct_agent --move-time 1
      printf 'play w c3/0r\\ngenmove b\\nshowboard\\n' | python runner.py gtp
    """
    from simulator.player.contract import LOAD_FAILED
    from simulator.player.lookup import find_agent
    from simulator.player.worker import serve
    from simulator.records.sgf_reader import read_sgf

    with errors_for_people():
        chosen = chosen_game(game, game_options)
        find_agent(agent, chosen.game)
        limits = limits_of(move_time, first_move_time, 0.0, memory)
        status = serve(
            chosen.game.name,
            agent,
            seed=seed,
            simulations=simulations,
            limits=limits,
            game_options=chosen.options,
            read_sgf=read_sgf,
        )
        sys.exit(FAILURE if status == LOAD_FAILED else status)
