"""Starting the full screen, and the lines that are printed when it has ended."""

from pathlib import Path

from simulator.fullscreen.app import PlayApp
from simulator.fullscreen.board_app import Look
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.player.lookup import PERSON, find_agent
from simulator.terminal.elapsed import compile_agent
from simulator.terminal.screen import Screen
from simulator.terminal.texts import how_to_continue


def play(played: GameInProgress, settings: PlaySettings, look: Look, resumed: Path | None) -> None:
    """Play a game on the full screen until the person leaves; `resumed` is the file in which `--resume` found it.

    Raises AgentError for an agent that does not exist, SystemExit if the screen crashed or a signal ended it.
    """
    screen = Screen()
    with screen.waiting(""):  # keys that are typed meanwhile are not meant for the board
        for text in () if played.is_over else played.players:
            if text != PERSON:
                compile_agent(screen.can_erase, settings.limits, played.game, find_agent(text, played.game))
    with Agents(played, settings) as agents, Autosave(settings, resumed) as autosave:
        app = PlayApp(played, agents, autosave, look)
        app.controller.keep()
        app.run()
        app.controller.keep()  # with the time that passed since the last move
    if app.controller.is_worth_asking:
        print(how_to_continue(played.saved(), settings.flags()))
    if app.return_code:  # the application crashed, and has said how, or a signal ended it
        raise SystemExit(app.return_code)
