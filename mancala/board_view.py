"""Kalah on a screen: South's pits below, North's above, the stores at the sides.

A target is a pit of the player to move, from 1 in sowing order. While one is pointed at, the numbers of stones that
sowing it would change are shown as they would be.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from board_view import GHOSTS, ROLES, BoardView, Canvas, Direction, Mark, Picture, Scene, Target
from game import FIRST, SECOND, IllegalMove
from mancala.position import NAMES

_WIDTH = 6  # of a pit, with its left border
_STORE = 9  # characters of a store at either side


class KalahView(BoardView):
    """See `board_view.BoardView`; of a board with so many pits a player."""

    rules = (
        "Take all stones of one of your pits and sow them one by one into the next pits, counterclockwise, your own "
        "store included, the other store not. If the last stone falls into your store, you move again. If it falls "
        "into an empty pit of yours, you capture it and the stones opposite. The game is over when a player has no "
        "stones in the pits; the other keeps those in theirs. Who has more stones wins."
    )

    def __init__(self, pits: int) -> None:
        self.pits = pits

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """The pits with stones."""
        return tuple(position.legal_moves())

    def refusal(self, position: Any, chosen: tuple[Target, ...], target: Target) -> str:
        """What `play` says."""
        try:
            position.play(target)
        except IllegalMove as error:
            return str(error)
        return ""

    def move(self, position: Any, chosen: tuple[Target, ...]) -> Any:
        """A pit is a move."""
        return chosen[0] if chosen else None

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Says which pits are meant."""
        keys = f"1 to {min(self.pits, 9)}" if self.pits > 1 else "1"
        return f"Choose one of {NAMES[position.to_move]}'s pits to sow: arrow keys and Enter, {keys}, or click it."

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target:
        """The first pit with stones."""
        return next(iter(position.legal_moves()), 1)

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """North's pits count from the right."""
        assert isinstance(target, int)
        step = {"left": -1, "right": 1}.get(direction, 0) * (1 if position.to_move == FIRST else -1)
        return min(max(target + step, 1), self.pits)

    def keys(
        self, position: Any, chosen: tuple[Target, ...], pointed: Target | None
    ) -> Mapping[str, tuple[Target, bool]]:
        """The number of a pit points at it, and sows it when it is typed again."""
        return {str(pit): (pit, pointed == pit) for pit in range(1, min(self.pits, 9) + 1)}

    def picture(self, scene: Scene) -> Picture:
        """Both rows of pits with their numbers, and the stores."""
        canvas = Canvas(11, 2 * _STORE + self.pits * _WIDTH + 1)
        self._frame(canvas, scene.ascii)
        position, after = scene.position, self._after(scene)
        for player in (SECOND, FIRST):
            for pit in range(1, self.pits + 1):
                self._pit(canvas, scene, after, player, pit)
            now, then = position.stores[player], after.stores[player]
            role = ROLES[player] if now == then else GHOSTS[player]
            marks: list[Mark] = [] if now == then else ["changed"]
            left = 1 if player == SECOND else _STORE + self.pits * _WIDTH + 2
            canvas.put(4, left, NAMES[player], "label")
            canvas.put(5, left, f"{then:^5}", role, marks)
        for number, move in enumerate(scene.expected[:1]):
            line, column = self._place(position.to_move, move)
            canvas.put(line + 1, column + 1, f"({number + 1})", GHOSTS[position.to_move])
        return canvas.picture()

    def _after(self, scene: Scene) -> Any:
        """The position with the pit sown that is pointed at, the same if none is."""
        position, pit = scene.position, scene.pointed
        return position.play(pit) if pit in position.legal_moves() else position

    def _place(self, player: int, pit: int) -> tuple[int, int]:
        """The line and the first character of a pit's number of stones."""
        place = pit - 1 if player == FIRST else self.pits - pit
        return (7 if player == FIRST else 3), _STORE + 1 + place * _WIDTH

    def _frame(self, canvas: Canvas, is_ascii: bool) -> None:
        across, down, crossings = ("-", "|", "+++") if is_ascii else ("─", "│", "┌┬┐└┴┘")
        for line in (1, 4, 6, 9):
            corners = crossings[-3:] if line in (4, 9) else crossings[:3]
            text = corners[0] + corners[1].join([across * (_WIDTH - 1)] * self.pits) + corners[2]
            canvas.put(line, _STORE, text, "grid")
        for line in (2, 3, 7, 8):
            for place in range(self.pits + 1):
                canvas.put(line, _STORE + place * _WIDTH, down, "grid")

    def _pit(self, canvas: Canvas, scene: Scene, after: Any, player: int, pit: int) -> None:
        position = scene.position
        line, column = self._place(player, pit)
        now, then = position.pits[player][pit - 1], after.pits[player][pit - 1]
        marks: list[Mark] = ["changed"] if now != then else []
        is_mine = player == position.to_move and position.result is None
        if position.last_move == pit and position.last_player == player:
            marks.append("last")
        if is_mine and scene.pointed == pit:
            marks.append("cursor")
        text = f"[{then}]" if "cursor" in marks else f"({then})" if "last" in marks else str(then)
        role = GHOSTS[player] if now != then else ROLES[player] if now else "empty"
        canvas.put(line, column, f"{text:^5}", role, marks)
        label = 0 if player == SECOND else 10
        canvas.put(label, column, f"{pit:^5}", "label")
        if is_mine:
            canvas.listen(line - 1, column, 2, _WIDTH - 1, pit)
