"""The games of a page, each in its own file, which the page loads when somebody wants to see that game.

A file is a script that hands its game over: browsers let a page that was opened from a disk load scripts from beside
it, but no JSON. A game's logs and transcripts may have 2 MB, so that a page with all games in it would never open.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from simulator.records.file_errors import replacing, writing
from simulator.report.page import embedded

GAMES = "games"  # the folder, in the page's; `script/replayer.js` knows it too


class GameFiles:
    """Writes the files, over older ones; those of games that there are no more are removed at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._written = folder / GAMES, set[Path]()

    def __enter__(self) -> Self:
        return self

    def write(self, number: int, replay: dict[str, Any]) -> None:
        """Write a game, see `page_data.replay_json`. Raises OSError."""
        path = self._folder / f"{number}.js"
        with replacing(path) as stream:
            stream.write(f"gameLoaded({number}, {embedded(replay)});\n")
        self._written.add(path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            for path in self._folder.glob("*.js"):
                if path.stem.isdecimal() and path not in self._written:  # others are somebody else's
                    with writing(path):
                        path.unlink()
