"""Kalah on a board of one size: moves and positions as text, drawing, and what a search asks."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from board_view import BoardView
from game import FIRST, Game, NotationError
from mancala import rules
from mancala.position import NAMES, KalahPosition, state_of
from mancala.tables import make_kernel
from options import GameOption, shortened

PITS = GameOption("pits", int, 6, 1, 10, help="Pits of a player.")
STONES = GameOption("stones", int, 4, 1, 12, help="Stones in each pit at the start.")
EMPTY_CAPTURE = GameOption(
    "empty_capture", bool, False, help="Whether a last stone in an own empty pit is captured with nothing opposite."
)

WIDE_SEARCH: Mapping[str, Any] = {"reuse": True}  # on a tree: only positions that are payloads can be nodes of a graph


class Kalah(Game):
    """Kalah on one size of board (see `game.Game` for what each member means)."""

    name = "kalah"
    players = ("b", "w")
    player_names = NAMES
    options = (PITS, STONES, EMPTY_CAPTURE)
    size_option = "pits"
    search_defaults: Mapping[str, Any] = {"search": "graph", "reuse": True}
    positions_recur = False  # every move takes stones towards the stores
    opening_plies = 4  # some 900 openings of (6, 4)

    def __init__(self, pits: int = 6, stones: int = 4, empty_capture: bool = False) -> None:
        self.pits, self.stones = PITS.check(pits), STONES.check(stones)
        self.empty_capture = EMPTY_CAPTURE.check(empty_capture)
        self.kernel = make_kernel(self.pits, self.stones, self.empty_capture)
        self.moves_ahead = max(8, 2 * self.pits * self.stones // 3)  # a game of (6, 4) has 18, of (8, 6) 31
        if rules.is_wide(self.kernel):
            self.search_defaults = WIDE_SEARCH

    def initial(self) -> KalahPosition:
        """The same number of stones in every pit, South to move."""
        return self._position([[*[self.stones] * self.pits, 0]] * 2, FIRST)

    def _position(self, sides: Sequence[Sequence[int]], to_move: int) -> KalahPosition:
        return KalahPosition(self, state_of(self.kernel, sides, to_move))

    def parse_move(self, text: str, position: KalahPosition | None = None) -> int:
        """Reads the number of a pit; `play` checks whether the pit has stones.

        >>> Kalah().parse_move("7")
        Traceback (most recent call last):
        game.errors.NotationError: there is no pit '7'. Type the number of a pit, 1 to 6, in sowing order from your left
        """
        cleaned = text.strip()
        is_number = re.fullmatch("[0-9]{1,2}", cleaned) is not None
        if not is_number or not 1 <= int(cleaned) <= self.pits:
            wrong = "there is no pit" if is_number else "can't read"
            numbers = f"1 to {self.pits}" if self.pits > 1 else "1"
            raise NotationError(
                f"{wrong} {shortened(text)}. Type the number of a pit, {numbers}, in sowing order from your left"
            )
        return int(cleaned)

    def read_typed_move(self, text: str, position: KalahPosition) -> int:
        """Reads `3`, `pit 3` and `3.`."""
        return self.parse_move(text.strip().lower().removeprefix("pit").rstrip(" ."), position)

    def parse_position(self, text: str) -> KalahPosition:
        """Reads South's pits and store, North's pits and store, and `b` (South) or `w` to move.

        >>> Kalah(2, 1).parse_position("0 1 0 1 1 1 w").result is None
        True
        """
        *numbers, side = text.split() or [""]
        wanted = 2 * self.pits + 2
        if len(numbers) != wanted or not all(re.fullmatch("[0-9]{1,3}", number) for number in numbers):
            raise NotationError(
                f"{shortened(text)} is no position: {wanted} numbers, South's {self.pits} pits and store, then "
                "North's, and the side to move"
            )
        if side.lower() not in self.players:
            raise NotationError(f"{shortened(text)} does not end with the side to move, 'b' (South) or 'w' (North)")
        stones = [int(number) for number in numbers]
        if sum(stones) != self.kernel.all_stones:
            raise NotationError(
                f"{shortened(text)} has {sum(stones)} stones; with {self.stones} in each of {2 * self.pits} pits there "
                f"are {self.kernel.all_stones}"
            )
        return self._position((stones[: self.pits + 1], stones[self.pits + 1 :]), self.players.index(side.lower()))

    def format_position(self, position: KalahPosition) -> str:
        """South's pits and store, North's pits and store, and `b` (South) or `w` to move."""
        south, north = position.sides
        return " ".join(map(str, (*south, *north, self.players[position.to_move])))

    def draw(self, position: KalahPosition, colour: bool = False) -> str:
        """The board as South sees it, North's pits above from the right to the left; the last pit sown is marked."""
        from mancala.board_view import draw  # noqa: PLC0415  (nobody who plays without a screen needs it)

        return draw(position, colour)

    def board_view(self) -> BoardView:
        """See `mancala/board_view.py`."""
        from mancala.board_view import KalahView  # noqa: PLC0415  (nobody who plays without a screen needs it)

        return KalahView(self.pits)

    # --- For search ---

    def move_of(self, position: KalahPosition, word0: int, word1: int) -> int:
        """The move to the child with this payload; if that is a position, the move that leads there."""
        if rules.is_wide(self.kernel):
            return int(super().move_of(position, word0, word1))
        for move in position.legal_moves():
            if position.play(move).words.tolist() == [word0, word1]:
                return move
        raise ValueError(f"no move leads from {position} to {word0:#x}, {word1:#x}")
