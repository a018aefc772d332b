"""Setting up a position of Kalah: a click puts a stone into a pit or a store, a right click takes one out."""

from dataclasses import dataclass
from typing import Any, ClassVar

from board_view import DIRECTIONS, Direction, Draft, Scene, SetUpView, Target
from game import FIRST, SECOND
from mancala.board_view import Drawing, KalahView


@dataclass(frozen=True)
class KalahDraft(Draft):
    """Two rows: South's pits in sowing order and its store, then North's.

    Attributes:
        all_stones: how many there must be.
    """

    all_stones: int
    last_player: ClassVar[None] = None

    @property
    def pits(self) -> tuple[tuple[int, ...], ...]:
        """Of South and of North, as of a position."""
        return tuple(row[:-1] for row in self.rows)

    @property
    def stores(self) -> tuple[int, ...]:
        """Of South and of North, as of a position."""
        return tuple(row[-1] for row in self.rows)

    def legal_moves(self) -> tuple[int, ...]:
        """None: nothing is sown."""
        return ()


class KalahSetUpView(SetUpView, KalahView):
    """See `board_view.SetUpView`; a target is a player and a place: pits from 0, behind them the store."""

    def draft(self, position: Any) -> KalahDraft:
        """The stones of the position."""
        return KalahDraft(super().draft(position).rows, position.to_move, int(position.game.kernel.all_stones))

    def text(self, draft: Draft) -> str:
        """South's pits and store, North's, and the side to move."""
        return " ".join(str(number) for row in draft.rows for number in row) + " " + "bw"[draft.to_move]

    def changed(self, draft: Draft, target: Any, step: int) -> Draft:
        """One stone more or less; no pit has less than none."""
        player, place = target
        return draft.with_number(player, place, max(0, draft.rows[player][place] + step))

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """How stones are counted, and how many there are."""
        there = sum(map(sum, position.rows))
        return f"Click, + : a stone more. Right click, - : one less. {there} of {position.all_stones}."

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target:
        """South's first pit."""
        return FIRST, 0

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """As they lie: North's store, the pits of both, South's store; up and down change the row."""
        assert isinstance(target, tuple)
        player, place = target
        down, right = DIRECTIONS[direction]
        if down:
            other = SECOND if down < 0 else FIRST
            return (other, place if other == player else max(0, self.pits - 1 - place))
        there = place + (right if player == FIRST else -right)
        if there < 0:  # before the own first pit is the other player's store
            return 1 - player, self.pits
        return player, min(there, self.pits)

    def drawing(self, scene: Scene) -> Drawing:
        """Both rows and both stores can be clicked."""
        return _SetUpDrawing(self.pits, scene)


class _SetUpDrawing(Drawing):
    def target(self, player: int, place: int) -> Target:
        return player, place - 1
