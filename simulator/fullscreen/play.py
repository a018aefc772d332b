"""Starting the full screen, and what is said when it has been left."""

import sys
import termios
from pathlib import Path

from simulator.fullscreen.app import PlayApp
from simulator.fullscreen.board_app import Look
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.player.compile_ahead import compile_ahead
from simulator.player.lookup import find_agents
from simulator.records.saved_game import SavedGame
from simulator.terminal.elapsed import Elapsed
from simulator.terminal.texts import how_to_continue


def play(saved: SavedGame, settings: PlaySettings, look: Look | None = None, resumed: Path | None = None) -> None:
    """Play a game on the full screen until the person leaves; `resumed` is the file in which `--resume` found it.

    Raises AgentError and NotationError if the game cannot be set up as asked, SystemExit if the screen crashed or a
    signal ended it.
    """
    played = GameInProgress.continued(saved)
    specs = find_agents([text for side, text in enumerate(played.players) if not played.is_person(side)], played.game)
    options = played.game.settled_options
    with Elapsed(can_erase=True) as progress:
        compile_ahead(played.game.name, specs, progress.say, options, settings.players_limits)
    _ignore_what_was_typed()
    with Agents(played, settings) as agents, Autosave(settings, resumed=resumed) as autosave:
        autosave.write(played.saved(), played.is_over)
        app = PlayApp(played, agents, autosave, look)
        app.run()
        autosave.write(played.saved(), played.is_over)  # with the time that passed since the last move
    if app.controller.is_worth_asking:
        print(how_to_continue(played.saved(), settings.flags()))
    if app.return_code:  # it crashed, and has said how, or a signal ended it
        raise SystemExit(app.return_code)


def _ignore_what_was_typed() -> None:
    """What was typed while agents were prepared was not meant for the board."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
