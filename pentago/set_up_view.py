"""Setting up a position of Pentago by clicks on cells."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from board_view import Draft, SetUpView, Target
from pentago.board_view import Cell, PentagoView
from pentago.tables import cell_at


@dataclass(frozen=True)
class PentagoDraft(Draft):
    """A board with any stones: 0 empty, 1 white, 2 black."""

    @property
    def board(self) -> np.ndarray:
        """int8[6, 6], as of a position."""
        return np.array(self.rows, np.int8)

    @property
    def white(self) -> int:
        """A bit for each cell, as of a position."""
        return self._stones(1)

    @property
    def black(self) -> int:
        """A bit for each cell, as of a position."""
        return self._stones(2)

    def _stones(self, number: int) -> int:
        places = ((row, column) for row in range(6) for column in range(6))
        return sum(1 << cell_at(row, column) for row, column in places if self.rows[row][column] == number)


class PentagoSetUpView(SetUpView, PentagoView):
    """See `board_view.SetUpView`; a target is a `Cell`."""

    def draft(self, position: Any) -> PentagoDraft:
        """The stones of the position."""
        return PentagoDraft(tuple(map(tuple, position.board.tolist())), position.to_move)

    def text(self, draft: Draft) -> str:
        """Six rows of `. w b`, and the side to move."""
        return "/".join("".join(".wb"[number] for number in row) for row in draft.rows) + " " + "wb"[draft.to_move]

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> tuple[Target, ...]:
        """All cells."""
        return tuple(Cell(row, column) for row in range(6) for column in range(6))
