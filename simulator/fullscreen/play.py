"""Starting the full screen, and what is said when it has been left."""

import sys
import termios

from simulator.fullscreen.app import PlayApp
from simulator.fullscreen.flow import Look
from simulator.fullscreen.table import Table
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.player.compile_ahead import compile_ahead
from simulator.player.lookup import find_agents


def play(played: GameInProgress, settings: PlaySettings, look: Look | None = None) -> None:
    """Play a game on the full screen until the person leaves. Raises AgentError, InputError for unknown agents."""
    texts = [text for side, text in enumerate(played.players) if not played.is_person(side)]
    specs = find_agents(texts, played.game)
    options = played.game.settled_options
    compile_ahead(played.game.name, specs, lambda text: print(text, flush=True), options, settings.players_limits)
    table = Table(settings)
    try:
        with Autosave(settings) as autosave:
            _ignore_what_was_typed()
            PlayApp(played, table, autosave, look).run()
    finally:
        table.close()


def _ignore_what_was_typed() -> None:
    """What was typed while agents were prepared was not meant for the board."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
