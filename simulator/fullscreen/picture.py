"""Makes the picture of the screen that the README shows: `python -m simulator.fullscreen.picture docs/play.svg`.

It shows a game of Pentago Twist after some moves, with the turn of a quadrant being chosen. The agent does not think:
its values are constants here, so that the picture is the same on every machine.
"""

import asyncio
import sys
from pathlib import Path

from game import SECOND, load_game, play_moves
from simulator.fullscreen.app import PlayApp
from simulator.fullscreen.board_app import Look
from simulator.gtp.analysis import Analysis
from simulator.play.agents import Agents
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.player.lookup import PERSON

MOVES = ["c3/0r", "d4/1f", "b2/2r", "d3/0f", "e5/3r", "b4/1r", "c2/2f", "e2/0r"]
VALUES = {2: 0.42, 4: 0.47, 6: 0.51, 8: 0.56}  # of the agent's moves, by ply
SECONDS = [74.0, 8.2]
SIZE = (100, 30)
KEYS = ("right", "right", "enter", "right", "right")


def main() -> None:
    """Write the picture to the file that is named on the command line."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: python -m simulator.fullscreen.picture FILE.svg")
    Path(sys.argv[1]).write_text(asyncio.run(picture()), encoding="utf-8")


async def picture() -> str:
    """The SVG."""
    game = load_game("pentago")
    played = GameInProgress(game, play_moves(game, MOVES), (PERSON, PERSON))
    with Agents(played, PlaySettings(show_analysis=True)) as agents:
        app = PlayApp(played, agents, look=Look(theme="dark", animated=False))
        app.now = lambda: 0.0
        played.seconds[:] = SECONDS
        app.controller.thoughts = {
            ply: Analysis(value=value, simulations=412_309.0, pv=("e2/0r", "f6/3f", "c5/1r"))
            for ply, value in VALUES.items()
        }
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            await pilot.press(*KEYS)
            played.players[SECOND] = "uct_agent"  # only its name is shown
            app.update_all()
            await pilot.pause()
            return app.export_screenshot(title="python runner.py play --analysis")


if __name__ == "__main__":
    main()
