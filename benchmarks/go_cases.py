"""Chains of Go whose fate depends on the next moves, and the moves that decide it, proved by `go_reading.py`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.go_reading import ATTACKERS, DEFENDERS, Reader, Shape, points_of, unconditionally_alive
from go.position import PASS, GoMove

CLOSED = ("kill", "live")
LADDER, NET, REGION = 31, 9, 25  # plies to read: ladders without quiet moves, nets with one quiet move, closed regions
MOST_EMPTY = 7  # empty points of a closed region
LEAST_STONES = 4  # of a target
MOST_RIGHT = 3
MOST_NODES = 1_500  # of each reader


class Case(NamedTuple):
    """A chain that may be captured; sets of points are those of `go_reading`."""

    kind: str
    attackers: int
    defenders: int
    target: int
    area: int
    to_move: int  # ATTACKERS or DEFENDERS
    stones: int  # of the target


def move_of(shape: Shape, point: int) -> GoMove:
    """The move on a point, or a pass for 0."""
    return GoMove(*shape.row_and_column(point)) if point else PASS


def sets_of(shape: Shape, position: Any) -> tuple[int, int]:
    """Black's and white's stones."""
    found = [0, 0]
    for (row, column), colour in np.ndenumerate(position.board):
        if colour:
            found[colour - 1] |= shape.point(row, column)
    return found[0], found[1]


# --- Chains in question ---------------------------------------------------------------------------------------------


def open_cases(shape: Shape, sides: tuple[int, int], to_move: int) -> Iterator[Case]:
    """Chains with one or two liberties that the player to move may capture or rescue."""
    own, other = sides[to_move], sides[1 - to_move]
    for kind, attackers, defenders, turn in (("capture", own, other, ATTACKERS), ("rescue", other, own, DEFENDERS)):
        for chain in shape.parts(defenders):
            liberties = (shape.beside(chain) & ~(own | other)).bit_count()
            is_open = liberties == 2 or (liberties == 1 and kind == "rescue")
            if is_open and chain.bit_count() >= LEAST_STONES:
                yield Case(kind, attackers, defenders, chain & -chain, shape.full, turn, chain.bit_count())


def closed_cases(shape: Shape, sides: tuple[int, int], to_move: int) -> Iterator[Case]:
    """Chains in small regions between stones that live unconditionally."""
    own, other = sides[to_move], sides[1 - to_move]
    living = unconditionally_alive(shape, own, other) | unconditionally_alive(shape, other, own)
    for region in shape.parts(shape.full & ~living):
        if not 2 <= (region & ~(own | other)).bit_count() <= MOST_EMPTY:
            continue
        for kind, attackers, defenders, turn in (("kill", own, other, ATTACKERS), ("live", other, own, DEFENDERS)):
            for chain in shape.parts(defenders & region):
                if chain.bit_count() >= LEAST_STONES:
                    yield Case(kind, attackers, defenders, chain & -chain, region, turn, chain.bit_count())


# --- Proofs ---------------------------------------------------------------------------------------------------------


class Readings:
    """The readers of a case: with kos for the attackers and for the defenders; open cases with ladders and one net."""

    def __init__(self, shape: Shape, case: Case) -> None:
        self.shape, self.case = shape, case
        is_open = case.kind in ("capture", "rescue")
        chain = shape.connected(case.target, case.defenders)
        self._near = case.area
        if is_open:
            self._near = shape.beside(shape.beside(shape.beside(chain)))
        self._kinds = ((LADDER, 0), (NET, 1)) if is_open else ((REGION, REGION),)
        self._readers = {
            (kos, quiet): Reader(shape, case.target, (self._near, case.area), kos, quiet, MOST_NODES)
            for kos in (ATTACKERS, DEFENDERS)
            for _, quiet in self._kinds
        }

    def is_captured(self, attackers: int, defenders: int, to_move: int, nets: bool) -> bool | None:
        """Whether the target is captured when `to_move` moves next; None if that depends on kos."""
        for plies, quiet in self._kinds if nets else self._kinds[:1]:
            if self._readers[DEFENDERS, quiet].is_captured(attackers, defenders, plies, to_move):
                return True
            if self._readers[ATTACKERS, quiet].is_captured(attackers, defenders, plies, to_move):
                return None
        return False

    def right_moves(self) -> int | None:
        """The moves that answer, as a set; None if a move is neither proved right nor wrong, or if a pass is right.

        Also None if a ladder does not capture the target at once, or if probably many moves are right.
        """
        case = self.case
        own, other = case.attackers, case.defenders
        if not self.is_captured(own, other, ATTACKERS, nets=False):
            return None
        if case.to_move == DEFENDERS:
            own, other = other, own
        elif self._succeeds(own, other, nets=True) is not False:
            return None
        answers = {}
        for point in points_of(case.area & ~(own | other)):
            after = self.shape.play(own, other, point)
            if after[0] >= 0:
                answers[point] = self._succeeds(*after[:2], nets=False)
                if answers[point] is None or sum(map(bool, answers.values())) > 2 * MOST_RIGHT:
                    return None
        for point, answer in answers.items():  # a net also captures
            if answer != (case.to_move == ATTACKERS) and (answer or point & self._near):
                answers[point] = self._succeeds(*self.shape.play(own, other, point)[:2], nets=True)
        right = sum(point for point, answer in answers.items() if answer)
        is_proved = None not in answers.values() and 1 <= right.bit_count() <= MOST_RIGHT
        return right if is_proved else None

    def line_to_capture(self, attackers: int, defenders: int, to_move: int) -> list[int]:
        """Moves of both sides until the target is captured; it must be proved that it is. 0 is a pass."""
        moves = []
        while defenders & self.case.target:
            if to_move == ATTACKERS:
                moves.append(self._capturing_move(attackers, defenders))
                attackers, defenders, _ = self.shape.play(attackers, defenders, moves[-1])
            else:
                chain = self.shape.connected(self.case.target, defenders)
                moves.append(self.shape.beside(chain) & ~(attackers | defenders))
                after = self.shape.play(defenders, attackers, moves[-1])
                if moves[-1].bit_count() > 1 or after[0] < 0:
                    moves[-1] = 0
                else:
                    defenders, attackers, _ = after
            to_move = 1 - to_move
        return moves

    def _capturing_move(self, attackers: int, defenders: int) -> int:
        for most, quiet in self._kinds:
            reader = self._readers[DEFENDERS, quiet]
            for plies in range(1, most + 1, 2):
                if reader.is_captured(attackers, defenders, plies, ATTACKERS):
                    return reader.capturing_move(attackers, defenders, plies)
        raise ValueError("the target is not captured")

    def saving_move(self, attackers: int, defenders: int) -> int:
        """A move after which the target is not captured; there must be such a move. 0 is a pass."""
        plies, quiet = self._kinds[-1]
        return self._readers[ATTACKERS, quiet].saving_move(attackers, defenders, plies)

    def outcomes(self, right: int) -> tuple[list[int], list[int]]:
        """Moves by which the player to move succeeds, and moves by which the opponent succeeds after a pass."""
        attackers, defenders = self.case.attackers, self.case.defenders
        if self.case.to_move == ATTACKERS:
            return self.line_to_capture(attackers, defenders, ATTACKERS), [0, self.saving_move(attackers, defenders)]
        return [right & -right], [0, *self.line_to_capture(attackers, defenders, ATTACKERS)]

    def refutation(self, black: int, white: int) -> list[int]:
        """The moves by which the opponent succeeds after a wrong move that led to these stones; see `outcomes`."""
        attackers, defenders = (white, black) if black & self.case.target else (black, white)
        if self.case.to_move == ATTACKERS:
            return [self.saving_move(attackers, defenders)]
        return self.line_to_capture(attackers, defenders, ATTACKERS)

    def _succeeds(self, own: int, other: int, nets: bool) -> bool | None:
        """Whether the player of the case has succeeded, with the opponent to move; None if that depends on kos."""
        if self.case.to_move == ATTACKERS:
            return True if not other & self.case.target else self.is_captured(own, other, DEFENDERS, nets)
        captured = self.is_captured(other, own, ATTACKERS, nets)
        return None if captured is None else not captured


def is_race(shape: Shape, case: Case, right: int) -> bool:
    """Whether a closed case is a capturing race between the target and a chain of the attackers beside it.

    It is if that chain is captured after the attackers pass, or after the defenders play a right move.
    """
    attackers, defenders = case.attackers, case.defenders
    if case.to_move == DEFENDERS:
        defenders, attackers, _ = shape.play(defenders, attackers, right & -right)
    target = shape.connected(case.target, defenders)
    for chain in shape.parts(attackers & case.area):
        if chain.bit_count() >= LEAST_STONES and shape.beside(chain) & target:
            reader = Reader(shape, chain & -chain, (case.area, case.area), DEFENDERS, REGION, MOST_NODES)
            turn = ATTACKERS if case.to_move == ATTACKERS else DEFENDERS  # the sides are exchanged
            if reader.is_captured(defenders, attackers, REGION, turn):
                return True
    return False
