"""Setting up a position of Go by clicks on points; komi stays as it was, and there is no ko."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from board_view import Direction, Draft, SetUpView, Target
from go.board_view import GoView
from go.drawing import format_komi
from go.position import PASS, GoMove


@dataclass(frozen=True)
class GoDraft(Draft):
    """A board with any stones: 0 empty, 1 black, 2 white."""

    komi: float
    ko: ClassVar[None] = None

    @property
    def board(self) -> np.ndarray:
        """int8[size, size], as of a position."""
        return np.array(self.rows, np.int8)


class GoSetUpView(SetUpView, GoView):
    """See `board_view.SetUpView`; a target is the `GoMove` of a point."""

    def draft(self, position: Any) -> GoDraft:
        """The stones of the position."""
        return GoDraft(tuple(map(tuple, position.board.tolist())), position.to_move, position.komi)

    def text(self, draft: Draft) -> str:
        """Rows of `. b w`, the side to move, no ko point, komi."""
        assert isinstance(draft, GoDraft)
        rows = "/".join("".join(".bw"[number] for number in row) for row in draft.rows)
        return f"{rows} {'bw'[draft.to_move]} - {format_komi(draft.komi)}"

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> tuple[Target, ...]:
        """All points."""
        return tuple(GoMove(row, column) for row in range(self.size) for column in range(self.size))

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """Points as they lie; there is nothing to pass."""
        there = super().beside(position, chosen, target, direction)
        return target if there == PASS else there
