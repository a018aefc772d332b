"""The games of a page, each in its own file, which the page loads when somebody wants to see that game.

Each file is a script that hands its game to the page: browsers let a page that was opened from a disk load scripts
beside it, but no JSON. A game's logs and transcripts may have 2 MB, so that a page with all games would never open.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simulator.records.file_errors import replacing, writing
from simulator.report.page import embedded

GAMES = "games"  # the folder's name, in the folder of the page; `script/replayer.js` knows it too


@contextmanager
def game_files(folder: Path) -> Iterator[Callable[[int, dict[str, Any]], None]]:
    """Yields a function that writes a game's replay (`page_data.replay_json`) under its number, replacing an older one.

    At the end, the files of games that do not exist any more are removed. Raises OSError.
    """
    written = set[Path]()

    def write(number: int, replay: dict[str, Any]) -> None:
        path = folder / GAMES / f"{number}.js"
        with replacing(path) as stream:
            stream.write(f"gameLoaded({number}, {embedded(replay)});\n")
        written.add(path)

    yield write
    for path in (folder / GAMES).glob("*.js"):
        if path.stem.isdecimal() and path not in written:  # other files are not ours
            with writing(path):
                path.unlink()
