"""Kalah's board: South's pits below, North's above, the stores at the sides; on a screen large pits show their stones.

A target is a pit of the player to move, from 1 in sowing order. While one is pointed at, what sowing it would add or
take stands beside the numbers of stones, as `+1` and `-4`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

from board_view import (
    DIRECTIONS,
    GHOSTS,
    ROLES,
    BoardView,
    Canvas,
    Direction,
    Draft,
    Keys,
    Mark,
    Picture,
    Place,
    Scene,
    SetUpView,
    Target,
)
from game import FIRST, SECOND
from mancala.position import NAMES
from mancala.tables import sown

_WIDTHS = (4, 16)  # of a pit, with its left border: the narrowest and the widest
_STORE = 6  # characters of a store at either side
_LEAST_HEIGHT = 11  # of the whole picture, with two lines in each pit
_MOST_FRAMES = 6  # of a sowing; of more stones, several fall in a frame
_TEXT_STORE, _TEXT_PIT = 8, 6  # characters in a text: a number of up to three digits, brackets around it, space


class KalahView(BoardView):
    """See `board_view.BoardView`; of a board with so many pits a player."""

    rules = (
        "Take all stones of one of your pits and sow them one by one into the next pits, counterclockwise, your own "
        "store included, the other store not. If the last stone falls into your store, you move again. If it falls "
        "into an empty pit of yours, you capture it and the stones opposite, if there are any (with empty_capture=yes "
        "also if there are none). The game is over when a player has no stones in the pits; the other keeps those in "
        "theirs. Who has more stones wins."
    )

    def __init__(self, pits: int) -> None:
        self.pits = pits

    def frames(self, before: Any, after: Any) -> int:
        """One for each stone that is sown, up to `_MOST_FRAMES`; what is captured is moved behind the last one."""
        stones: int = before.pits[before.to_move][after.last_move - 1]
        return min(_MOST_FRAMES, stones)

    def score(self, position: Any) -> str:
        """The stones in the store of each, those left in the pits, and both together."""
        sides = zip(NAMES, position.stores, position.pits, position.totals, strict=True)
        return "\n".join(f"{name}: store {store} + pits {sum(pits)} = {total}" for name, store, pits, total in sides)

    def set_up_view(self) -> SetUpView:
        """A click puts a stone into a pit or a store, a right click takes one out."""
        return KalahSetUpView(self.pits)

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Says what chooses a pit, and what sows it; a second press of the same number does so, too."""
        keys = f"1-{min(self.pits, 9)}" if self.pits > 1 else "1"
        return f"Choose a pit of {NAMES[position.to_move]}: arrows, {keys}, mouse; Enter or a click sows it."

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target:
        """The first pit with stones."""
        return next(iter(position.legal_moves()), 1)

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """North's pits count from the right."""
        assert isinstance(target, int)
        step = {"left": -1, "right": 1}.get(direction, 0) * (1 if position.to_move == FIRST else -1)
        return min(max(target + step, 1), self.pits)

    def keys(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> Keys:
        """The number of a pit points at it, and sows it when it is typed again."""
        return {str(pit): (pit, pointed == pit) for pit in range(1, min(self.pits, 9) + 1)}

    def outline(self) -> dict[str, Any]:
        """How many pits a player has, and what the players are called."""
        return {"kind": "kalah", "pits": self.pits, "names": NAMES}

    def traces(self, position: Any) -> list[int]:
        """The pit that was sown, by its number along the rows of `board`."""
        return [position.last_player * (self.pits + 1) + position.last_move - 1]

    def picture(self, scene: Scene) -> Picture:
        """Both rows of pits with their numbers, and the stores; while a move is shown, with what is sown so far."""
        return _Drawing(self.pits, scene).picture()


class _Drawing:
    """One picture.

    Attributes:
        width: of a pit, with its left border.
        more: lines of a pit that show its stones, beside those of the number and of what would change.
        position: the position whose numbers are shown; while a move is shown, with what is sown so far.
        before: the same, or while a move is shown the position before it: numbers that differ from its stand out.
        after: the same, or while a pit is pointed at the position with that pit sown.
    """

    def __init__(self, pits: int, scene: Scene) -> None:
        self.pits, self.scene = pits, scene
        self.width = min(max((scene.width - 2 * _STORE - 1) // pits, _WIDTHS[0]), _WIDTHS[1])
        self.more = max(0, min((scene.height - _LEAST_HEIGHT) // 2, (self.width - 5) // 2))
        self.before = self.position = self.after = scene.position
        if scene.before is not None:
            self.before = scene.before
            self.position = self.after = self._sown_so_far()
        elif not isinstance(scene.position, Draft) and scene.pointed in self.position.legal_moves():
            self.after = self.position.play(scene.pointed)
        self.canvas = Canvas(_LEAST_HEIGHT + 2 * self.more, 2 * _STORE + pits * self.width + 1)

    def _sown_so_far(self) -> Any:
        """The position before the last move with the stones that have fallen up to this frame."""
        before, move = self.scene.before, self.scene.position.last_move
        mover, other = before.to_move, 1 - before.to_move
        stones = before.pits[mover][move - 1]
        fallen = -(-stones * (self.scene.frame + 1) // min(_MOST_FRAMES, stones))  # the last one in the last frame
        mine, theirs, _ = sown(self.pits, move - 1, fallen)
        mine[move - 1] -= stones - fallen  # those are still in the hand
        sides = {mover: _sum(before.pits[mover], mine[:-1]), other: _sum(before.pits[other], theirs)}
        stores = [before.stores[player] + (mine[-1] if player == mover else 0) for player in (FIRST, SECOND)]
        pits = (sides[FIRST], sides[SECOND])
        return SimpleNamespace(result=None, to_move=mover, last_move=move, last_player=mover, pits=pits, stores=stores)

    def picture(self) -> Picture:
        """Draw all of it."""
        for top in (1, 6 + self.more):
            self.canvas.boxes(top, _STORE, (2 + self.more,), (self.width - 1,) * self.pits, self.scene.ascii)
        for player in (SECOND, FIRST):
            for pit in range(1, self.pits + 1):
                self._pit(player, pit)
            self._store(player)
        for move in self.scene.expected[:1]:
            line, column = self._free_place(self.position.to_move, move)
            self.canvas.put(line, column, "(1)".center(self.width - 1), GHOSTS[self.position.to_move])
        return self.canvas.picture()

    def _place(self, player: int, pit: int) -> tuple[int, int]:
        """The line and the first character of a pit's number of stones."""
        place = pit - 1 if player == FIRST else self.pits - pit
        return (7 + 2 * self.more if player == FIRST else 3), _STORE + 1 + place * self.width

    def _free_place(self, player: int, pit: int) -> tuple[int, int]:
        """The line and the first character of what stands beside a pit's number of stones."""
        line, column = self._place(player, pit)
        return (line + 1 if player == FIRST else line - 1), column

    def _target(self, player: int, place: int) -> Target | None:
        """What a click on a pit (from 1) or on a store (behind the last pit) chooses; None for nothing."""
        if isinstance(self.position, Draft):
            return player, place - 1
        is_mine = player == self.position.to_move and self.position.result is None
        return place if is_mine and place <= self.pits else None

    def described(self, player: int, place: int) -> tuple[Place, str]:
        """What stands at a pit (from 1) or at a store (behind the last pit), and the number of its stones."""
        stones, before = (_numbers(position, player)[place - 1] for position in (self.position, self.before))
        target = self._target(player, place)
        reasons: dict[Mark, bool] = {
            "changed": stones != before,
            "last": (player, place) == (self.position.last_player, self.position.last_move),
            "cursor": target is not None and target == self.scene.pointed,
        }
        is_empty = place <= self.pits and stones == before == 0
        marks = [mark for mark in reasons if reasons[mark]]
        return Place(None if is_empty else player, stones != before, marks), str(stones)

    def _store(self, player: int) -> None:
        left = 0 if player == SECOND else _STORE + self.pits * self.width + 1
        middle = _LEAST_HEIGHT // 2 + self.more
        self.canvas.put(middle - 1, left, NAMES[player], "label")
        place, stones = self.described(player, self.pits + 1)
        self.canvas.put(middle, left, f"{_in_brackets(place, stones):^5}", place.role, place.marks)
        self._change((middle + 1, left), 5, player, self.pits + 1)
        if (target := self._target(player, self.pits + 1)) is not None:
            self.canvas.listen(middle - 1, left, 2, 5, target)

    def _pit(self, player: int, pit: int) -> None:
        (line, column), width = self._place(player, pit), self.width - 1
        place, stones = self.described(player, pit)
        self.canvas.put(line, column, _in_brackets(place, stones).center(width), place.role, place.marks)
        self._change(self._free_place(player, pit), width, player, pit)
        dots = self._dots(int(stones))
        for at, text in enumerate(dots, line + 1 if player == SECOND else line - len(dots)):
            self.canvas.put(at, column, text.center(width), ROLES[player])
        self.canvas.put(0 if player == SECOND else line + 3, column, str(pit).center(width), "label")
        if (target := self._target(player, pit)) is not None:
            top = line - 1 if player == SECOND else line - self.more
            self.canvas.listen(top, column, 2 + self.more, width, target)

    def _dots(self, stones: int) -> list[str]:
        """The stones of a pit in its lines for them, as many as there is room for."""
        in_line, dot = (self.width - 1) // 2, "o" if self.scene.ascii else "•"
        shown = [dot] * min(stones, self.more * in_line)
        return [" ".join(shown[start : start + in_line]) for start in range(0, len(shown), in_line)]

    def _change(self, at: tuple[int, int], width: int, player: int, place: int) -> None:
        """How many stones the pit under the cursor would add or take, at a line and a character."""
        if stones := _numbers(self.after, player)[place - 1] - _numbers(self.position, player)[place - 1]:
            self.canvas.put(*at, f"{stones:+}".center(width), GHOSTS[player], ["changed"])


def _numbers(position: Any, player: int) -> tuple[int, ...]:
    """The stones in each pit and in the store."""
    return (*position.pits[player], position.stores[player])


def _in_brackets(place: Place, stones: str) -> str:
    return f"[{stones}]" if "cursor" in place.marks else f"({stones})" if "last" in place.marks else stones


def _sum(numbers: Sequence[int], changes: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(sum, zip(numbers, changes, strict=True)))


@dataclass(frozen=True)
class KalahDraft(Draft):
    """Two rows: South's pits in sowing order and its store, then North's.

    Attributes:
        all_stones: how many stones there must be.
    """

    all_stones: int
    last_player: ClassVar[None] = None

    @property
    def pits(self) -> tuple[tuple[int, ...], ...]:
        """The pits of South and of North, as a position has them."""
        return tuple(row[:-1] for row in self.rows)

    @property
    def stores(self) -> tuple[int, ...]:
        """The stores of South and of North, as a position has them."""
        return tuple(row[-1] for row in self.rows)


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


def draw(position: Any, colour: bool) -> str:
    """See `Kalah.draw`."""
    pits = len(position.pits[FIRST])
    right = _TEXT_STORE + 1 + _TEXT_PIT * pits
    over = "the game is over: South has {}, North {} stones, those left in the pits too".format(*position.totals)
    canvas, drawing = Canvas(9, max(right + 12, len(over))), _Drawing(pits, Scene(position))

    canvas.boxes(1, _TEXT_STORE, (3,), (_TEXT_PIT * pits,), is_ascii=True)
    for column in (_TEXT_STORE, right):
        canvas.put(3, column, " ")  # between the stores the box is open

    def put_number(line: int, column: int, player: int, pit: int) -> None:
        place, stones = drawing.described(player, pit)
        text = stones if colour else _in_brackets(place, stones)
        canvas.put(line, column + (_TEXT_PIT - len(text)) // 2, text, place.role, place.marks)

    for player, line, names, store in ((SECOND, 2, 0, 2), (FIRST, 4, 6, right + 2)):
        for pit in range(1, pits + 1):
            column = _TEXT_STORE + 1 + _TEXT_PIT * (pit - 1 if player == FIRST else pits - pit)
            canvas.put(names, column, f"{pit:^{_TEXT_PIT}}", "label")
            put_number(line, column, player, pit)
        put_number(3, store, player, pits + 1)
        canvas.put(names, right, f"   {NAMES[player]} ({'bw'[player]})", "label")
    canvas.put(8, 0, over if position.result is not None else "")
    return canvas.picture().text("bw" if colour else "").rstrip("\n")
