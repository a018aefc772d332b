"""`runner.py play`: a game of a person against an agent."""

from pathlib import Path
from typing import Any

import click

from commands.errors import errors_for_people, opponents_fault
from commands.full_screen import LOOK, is_full_screen_possible
from commands.parameters import (
    AGENT_HELP,
    ISOLATION,
    SEED,
    GameCommand,
    chosen_game,
    field_options,
    insist_on_isolation,
    limits_of,
    option,
)


@click.command("play", cls=GameCommand, epilog=AGENT_HELP)
@option("--agent", metavar="AGENT", help="Who plays against you.  [default: uct_agent]")
@option("--game", metavar="NAME", help="Which game.  [default: pentago]")
@option("--side", metavar="SIDE", help="Which one you play, w or b.  [default: the one that moves first]")
@field_options("move-time", "first-move-time", "cushion", "memory")
@ISOLATION
@SEED
@option("--analysis", is_flag=True, help="Show what the agent thinks after each of its moves.")
@option("--hints", metavar="AGENT", default="uct_agent", help="Who gives you hints.")
@option("--position", metavar="TEXT", help="Start from this position.")
@option("--moves", metavar="TEXT", help="Start after these moves, separated by spaces.")
@option("--plain", is_flag=True, help="In lines, without the full screen.")
@LOOK
@option("--load", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE", help="Continue FILE.")
def play_command(
    *,
    agent: str | None,
    game: str | None,
    game_options: dict[str, str],
    side: str | None,
    seed: int,
    analysis: bool,
    hints: str,
    position: str | None,
    moves: str | None,
    load: Path | None,
    plain: bool,
    theme: Any,
    is_ascii: bool,
    no_animation: bool,
    isolation: Any,
    **settings: Any,
) -> None:
    """Play against an agent, in the terminal or over a pipe.

    Type moves, or one of these commands: undo [N], hint, moves, analyze, board, save FILE, resign, quit, help.

    The agent has the same limits as in a match, but an answer that is a little late is played. It does not think on
    your time. If it cannot be loaded, the exit code is 1.

    \b
    Examples:
      python runner.py play
      python runner.py play --side b --move-time 0.5 --analysis
      python runner.py play --game go --size 9 --komi 7
      python runner.py play --agent my_agent.py --load game.json
      printf 'c3/0r\\nquit\\n' | python runner.py play --agent random_agent
    """
    from dataclasses import replace

    from simulator.play.settings import PlaySettings
    from simulator.records.saved_game import SavedGame, load_game_file
    from simulator.terminal.play import play

    if load and (position or moves):
        raise click.UsageError("--load has its own position and moves: leave --position and --moves out")
    if load and game_options:
        flags = " and ".join(f"--{name}" for name in game_options)
        raise click.UsageError(f"--load has its own board: leave {flags} out")
    texts = {"agent": agent, "game": game, "side": side, "position": position}
    given: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if moves is not None:
        given["moves"] = tuple(moves.split())
    with errors_for_people():
        options = chosen_game(game or SavedGame.game, game_options, position).options if game_options else {}
        saved = replace(load_game_file(load) if load else SavedGame(options=options), **given)
        limits = limits_of(settings)
        insist_on_isolation(isolation, limits)
        play_settings = PlaySettings(limits, hints, seed, analysis, isolation)
        if not plain and is_full_screen_possible("playing in lines"):
            from simulator.fullscreen.flow import Look
            from simulator.fullscreen.play import play as play_on_full_screen
            from simulator.play.game_in_progress import GameInProgress

            look = Look(theme, is_ascii, not no_animation)
            play_on_full_screen(GameInProgress.continued(saved), play_settings, look)
            return
        with opponents_fault():
            play(saved, play_settings)
