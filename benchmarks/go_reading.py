"""Exact local reading in Go: whether a chain is captured within so many plies, whatever its owner plays.

It shares no code with `go/`, so that it can check that code. Sets of points are Python integers with a bit for each
point. A row has one bit more than the board has columns, which is always 0: a step over the left or right edge ends
there.

What is proved, and how:

- A position is two sets, `attackers` and `defenders`. The target is a stone of a chain of at least two stones of the
  defenders. The attackers need a ply for each liberty, so a chain with more liberties than they have plies is not
  captured in time. If the chain is in atari and the defenders move, it is lost unless they fill its liberty or take a
  chain beside it: no other move is tried then. Otherwise every move is tried; moves outside an area count as a pass.
- Ko: with `kos=ATTACKERS` the attackers may take every ko at once and the defenders none; with `kos=DEFENDERS` it is
  the other way round. A capture that is found with `kos=DEFENDERS` works under any ko rule and with any number of
  threats; a chain that is not captured with `kos=ATTACKERS` never is. So no search has to remember a ko.
- `quiet` bounds how many of the attackers' moves may leave the target more than one liberty: 0 reads ladders, 1 also
  nets and loose ladders. A capture that is found is proved; a chain that is not captured may be by more quiet moves.
"""

from collections.abc import Iterator

ATTACKERS, DEFENDERS = 0, 1
_NEVER = 1000  # plies


class Shape:
    """A board's points as sets: neighbours, chains, liberties."""

    def __init__(self, size: int) -> None:
        self.size, self.stride = size, size + 1
        self.full = sum(1 << row * self.stride + column for row in range(size) for column in range(size))

    def point(self, row: int, column: int) -> int:
        """The set of one point; rows from the top, columns from the left, from 0."""
        return 1 << row * self.stride + column

    def row_and_column(self, point: int) -> tuple[int, int]:
        """The row and column of the only point of a set."""
        return divmod(point.bit_length() - 1, self.stride)

    def beside(self, points: int) -> int:
        """All points beside the points of a set; these may belong to the set, too."""
        return (points << 1 | points >> 1 | points << self.stride | points >> self.stride) & self.full

    def connected(self, seed: int, points: int) -> int:
        """The points of `points` that are connected with `seed`, a part of it."""
        stride = self.stride
        while True:
            grown = (seed | seed << 1 | seed >> 1 | seed << stride | seed >> stride) & points
            if grown == seed:
                return seed
            seed = grown

    def parts(self, points: int) -> Iterator[int]:
        """The connected parts of a set."""
        while points:
            part = self.connected(points & -points, points)
            points ^= part
            yield part

    def play(self, own: int, other: int, point: int) -> tuple[int, int, int]:
        """The players' stones after a move of `own`, and the stones that it captured; own is -1 if it is suicide."""
        own |= point
        taken = 0
        near = self.beside(point) & other
        while near:
            chain = self.connected(near & -near, other)
            near &= ~chain
            if not self.beside(chain) & ~(own | other):
                taken |= chain
        other ^= taken
        empty = self.full & ~(own | other)
        if not self.beside(point) & empty and not self.beside(self.connected(point, own)) & empty:
            return -1, other, 0
        return own, other, taken

    def takes_ko(self, own: int, other: int, point: int, taken: int) -> bool:
        """Whether a move that captured `taken` took a ko: one stone by a lone stone with no other liberty."""
        beside = self.beside(point)
        return taken.bit_count() == 1 and not beside & own and beside & ~other == taken


def points_of(points: int) -> Iterator[int]:
    """The points of a set, each as a set."""
    while points:
        point = points & -points
        points ^= point
        yield point


def unconditionally_alive(shape: Shape, own: int, other: int) -> int:
    """The stones of `own` that live even if their owner always passes (Benson 1976)."""
    empty = shape.full & ~(own | other)
    chains = set(shape.parts(own))
    regions = {part for part in shape.parts(shape.full & ~own) if not part & empty & ~shape.beside(own)}
    while True:
        vital = {chain: 0 for chain in chains}
        for region in regions:
            for chain in chains:
                vital[chain] += not region & empty & ~shape.beside(chain)
        living = {chain for chain in chains if vital[chain] >= 2}
        stones = sum(living)
        left = {region for region in regions if not shape.beside(region) & own & ~stones}
        if living == chains and left == regions:
            return stones
        chains, regions = living, left


class TooManyNodes(Exception):
    """A reader has looked at as many positions as it may."""


class Reader:
    """A search for the capture of one target, which keeps what it has proved.

    Attributes:
        nodes: positions that it may still look at.
    """

    def __init__(self, shape: Shape, target: int, areas: tuple[int, int], kos: int, quiet: int, nodes: int) -> None:
        self.shape, self.target, self.kos, self.quiet, self.nodes = shape, target, kos, quiet, nodes
        self._quiet_area, self._area = areas  # for the attackers' moves off its liberties; for all others
        self._captured: dict[tuple[int, int, int, int], int] = {}  # plies that suffice, by position, side and quiet
        self._safe: dict[tuple[int, int, int, int], int] = {}  # plies that do not suffice

    def is_captured(self, attackers: int, defenders: int, plies: int, to_move: int) -> bool:
        """Whether the attackers capture the target within so many plies, when `to_move` moves next.

        Raises TooManyNodes.
        """
        least = 1 if to_move == ATTACKERS else 2
        return any(self._captures(attackers, defenders, n, to_move, self.quiet) for n in range(least, plies + 1, 2))

    def capturing_move(self, attackers: int, defenders: int, plies: int) -> int:
        """A move of the attackers that captures the target within so many plies; `is_captured` must be true."""
        for point in self._moves(attackers, defenders):
            own, other, taken = self.shape.play(attackers, defenders, point)
            if own < 0 or (self.kos == DEFENDERS and self.shape.takes_ko(own, other, point, taken)):
                continue
            if not other & self.target or self.is_captured(own, other, plies - 1, DEFENDERS):
                return point
        raise ValueError("no move captures the target")

    def saving_move(self, attackers: int, defenders: int, plies: int) -> int:
        """A move of the defenders after which the target is not captured within so many plies; 0 if there is none."""
        for point in self._moves(attackers, defenders):
            own, other, taken = self.shape.play(defenders, attackers, point)
            is_move = own >= 0 and not (self.kos == ATTACKERS and self.shape.takes_ko(own, other, point, taken))
            if is_move and not self.is_captured(other, own, plies, ATTACKERS):
                return point
        return 0

    def _moves(self, attackers: int, defenders: int) -> Iterator[int]:
        """All empty points of the area, the liberties of the target first."""
        liberties = self._liberties(attackers, defenders)
        empty = self.shape.full & ~(attackers | defenders) & self._area
        yield from points_of(liberties)
        yield from points_of(empty & ~liberties)

    def _captures(self, attackers: int, defenders: int, plies: int, to_move: int, quiet: int) -> bool:
        key = (attackers, defenders, to_move, quiet)
        if plies >= self._captured.get(key, _NEVER):
            return True
        if plies <= self._safe.get(key, -1):
            return False
        if self.nodes == 0:
            raise TooManyNodes
        self.nodes -= 1
        search = self._attack if to_move == ATTACKERS else self._defend
        found = search(attackers, defenders, plies, quiet)
        (self._captured if found else self._safe)[key] = plies
        return found

    def _liberties(self, attackers: int, defenders: int) -> int:
        chain = self.shape.connected(self.target, defenders)
        return self.shape.beside(chain) & ~(attackers | defenders)

    def _attack(self, attackers: int, defenders: int, plies: int, quiet: int) -> bool:
        liberties = self._liberties(attackers, defenders)
        count, moves = liberties.bit_count(), (plies + 1) // 2
        if count == 1:  # to capture two stones or more is no ko
            return plies >= 1 and self._attack_at(attackers, defenders, liberties, plies, quiet)
        if count > moves or (quiet == 0 and count > 2):
            return False
        empty = self.shape.full & ~(attackers | defenders) & self._quiet_area
        if any(self._attack_at(attackers, defenders, p, plies, quiet) for p in points_of(liberties)):
            return True
        if count == moves or quiet == 0:
            return False
        return any(self._attack_at(attackers, defenders, p, plies, quiet) for p in points_of(empty & ~liberties))

    def _attack_at(self, attackers: int, defenders: int, point: int, plies: int, quiet: int) -> bool:
        own, other, taken = self.shape.play(attackers, defenders, point)
        if own < 0 or (self.kos == DEFENDERS and self.shape.takes_ko(own, other, point, taken)):
            return False
        if not other & self.target:
            return True
        if self._liberties(own, other).bit_count() > 1:
            quiet -= 1
        return quiet >= 0 and plies > 2 and self._captures(own, other, plies - 1, DEFENDERS, quiet)

    def _defend(self, attackers: int, defenders: int, plies: int, quiet: int) -> bool:
        liberties = self._liberties(attackers, defenders)
        empty = self.shape.full & ~(attackers | defenders) & self._area
        if liberties.bit_count() == 1:
            chain = self.shape.connected(self.target, defenders)
            moves = liberties | self._rescues(attackers, defenders, chain)
        else:
            if liberties.bit_count() > plies // 2:
                return False
            if not self._captures(attackers, defenders, plies - 1, ATTACKERS, quiet):  # after a pass
                return False
            moves = empty
        first = [*points_of(moves & liberties), *points_of(moves & ~liberties)]
        return all(self._defend_at(attackers, defenders, p, plies, quiet) for p in first)

    def _rescues(self, attackers: int, defenders: int, chain: int) -> int:
        """The points where the defenders capture a chain of attackers beside the chain."""
        found, near = 0, self.shape.beside(chain) & attackers
        while near:
            other = self.shape.connected(near & -near, attackers)
            near &= ~other
            liberties = self.shape.beside(other) & ~(attackers | defenders)
            if liberties.bit_count() == 1:
                found |= liberties
        return found

    def _defend_at(self, attackers: int, defenders: int, point: int, plies: int, quiet: int) -> bool:
        own, other, taken = self.shape.play(defenders, attackers, point)
        if own < 0 or (self.kos == ATTACKERS and self.shape.takes_ko(own, other, point, taken)):
            return True  # an illegal move
        return self._captures(other, own, plies - 1, ATTACKERS, quiet)
