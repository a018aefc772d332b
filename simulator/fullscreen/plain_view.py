"""The board of a game that has no view of its own: `Game.draw`'s picture; moves are typed."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from board_view import BoardView, Canvas, Picture, Scene, Target
from game import Game


class PlainView(BoardView):
    """See `board_view.BoardView`; there is nothing to click."""

    def __init__(self, game: Game) -> None:
        self._game, self.rules = game, " ".join((type(game).__doc__ or "").split())

    def picture(self, scene: Scene) -> Picture:
        """What `Game.draw` prints; a single line, such as the text of a position, takes as many as it needs."""
        lines = self._game.draw(scene.position).splitlines()
        if len(lines) == 1:
            lines = wrap(lines[0], max(1, scene.width))
        canvas = Canvas(len(lines), max(map(len, lines), default=0))
        for row, line in enumerate(lines):
            canvas.put(row, 0, line)
        return canvas.picture()

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """There are none."""
        return ()

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Say that moves are typed."""
        return "Type a move: press m or Enter."

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target | None:
        """There is no cursor."""
        return None
