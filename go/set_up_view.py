"""Setting up a position of Go by clicks on points; komi stays as it was, and there is no ko."""

from dataclasses import dataclass
from typing import Any, ClassVar

from board_view import Direction, Draft, SetUpView, Target
from go.board_view import GoView
from go.position import PASS, format_komi


@dataclass(frozen=True)
class GoDraft(Draft):
    """A board with any stones: 0 empty, 1 black, 2 white."""

    komi: float
    ko: ClassVar[None] = None


class GoSetUpView(SetUpView, GoView):
    """See `board_view.SetUpView`; a target is the `GoMove` of a point."""

    symbols = ".bw"

    def draft(self, position: Any) -> GoDraft:
        """The stones of the position."""
        return GoDraft(super().draft(position).rows, position.to_move, position.komi)

    def text(self, draft: Any) -> str:
        """Rows of `. b w`, the side to move, no ko point, komi."""
        return f"{super().text(draft)} - {format_komi(draft.komi)}"

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """Points as they lie; there is nothing to pass."""
        there = super().beside(position, chosen, target, direction)
        return target if there == PASS else there
