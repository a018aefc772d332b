"""`runner.py gtp`: an agent as a GTP engine."""

import sys
import time
from typing import Any

import click

from commands.errors import FAILURE, ctrl_c_at_once, errors_for_people
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    COUNT,
    FIXED_SEED,
    GAME,
    GameCommand,
    chosen_game,
    field_options,
    limits_of,
    option,
)
from commands.wrong_rules import refuse_wrong_rules


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@GAME
@option("--agent", type=AGENT, default="uct_agent", help="The agent that answers genmove.")
@FIXED_SEED
@option("--simulations", type=COUNT, metavar="N", help="Think for N simulations a move, instead of a time.")
@field_options("move-time", "first-move-time", "memory")
def gtp(
    *, game: str, game_options: dict[str, str], agent: str, seed: int, simulations: int | None, **flags: Any
) -> None:
    """Serve an agent as a GTP 2 engine on stdin and stdout.

    For graphical front ends, match programs and scripts. It knows all commands that GTP requires, and more that begin
    with unforced-, which list_commands names. Whatever the agent prints goes to stderr.

    \b
    Examples:
      python runner.py gtp --agent uct_agent --move-time 1
      printf 'play w c3/0r\\ngenmove b\\nshowboard\\n' | python runner.py gtp
    """
    import psutil

    from simulator.player.agent_process import serve
    from simulator.player.contract import LOAD_FAILED, Order
    from simulator.player.lookup import check_agent, find_agent
    from simulator.records.sgf_reader import read_sgf

    with errors_for_people():
        chosen = chosen_game(game, game_options)
        refuse_wrong_rules(chosen.game)
        spec = find_agent(agent, chosen.game)
        name = spec.name
        if simulations is not None:
            spec = spec._replace(options={**spec.options, "simulations": str(simulations)})
            check_agent(spec, chosen.game)
        began = time.monotonic() - (time.time() - psutil.Process().create_time())
        told = (spec.source, spec.options, chosen.options, limits_of(flags))
        order = Order(chosen.game.name, *told, name=name, started=began)
        with ctrl_c_at_once():  # while the agent thinks, an exception would be taken for the agent's own
            status = serve(order, seed=seed, read_sgf=read_sgf)
        sys.exit(FAILURE if status == LOAD_FAILED else status)
