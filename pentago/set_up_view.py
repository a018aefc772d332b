"""Setting up a position of Pentago by clicks on cells."""

from dataclasses import dataclass
from typing import Any

from board_view import Draft, SetUpView
from pentago.board_view import PentagoView
from pentago.tables import cell_at


@dataclass(frozen=True)
class PentagoDraft(Draft):
    """A board with any stones: 0 empty, 1 white, 2 black."""

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

    symbols = ".wb"

    def draft(self, position: Any) -> PentagoDraft:
        """The stones of the position."""
        return PentagoDraft(super().draft(position).rows, position.to_move)
