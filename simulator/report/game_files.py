"""The games of a page, each in its own file, which the page loads when somebody wants to see that game.

A file is a script that hands its game over: browsers let a page that was opened from a disk load scripts from beside
it, but no JSON. A game's logs and transcripts may have 2 MB, so that a page with all games in it would never open.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simulator.records.file_errors import replacing, writing
from simulator.report.page import embedded

GAMES = "games"  # the folder, in the page's; `script/replayer.js` knows it too


@contextmanager
def game_files(folder: Path) -> Iterator[Callable[[int, dict[str, Any]], None]]:
    """Gives what writes the replay of a game (`page_data.replay_json`) by its number, over an older one.

    Files of games that there are no more are removed at the end. Raises OSError.
    """
    written = set[Path]()

    def write(number: int, replay: dict[str, Any]) -> None:
        path = folder / GAMES / f"{number}.js"
        with replacing(path) as stream:
            stream.write(f"gameLoaded({number}, {embedded(replay)});\n")
        written.add(path)

    yield write
    for path in (folder / GAMES).glob("*.js"):
        if path.stem.isdecimal() and path not in written:  # others are somebody else's
            with writing(path):
                path.unlink()
