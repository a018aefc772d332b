"""The slow, obvious twin of `mancala`: a ring of numbers, and the rules written out.

A player's places are the pits 1 to m and then the store, named by player and number: ("South", 3), ("South", "store").
Nothing here shares code or representation with the fast rules.
"""

OTHER = {"South": "North", "North": "South"}


class Board:
    """A position of the slow twin.

    Attributes:
        holds: the stones of each place.
        mover: whose move it is.
    """

    def __init__(self, pits: int, stones: int, empty_capture: bool = False) -> None:
        self.pits, self.empty_capture = pits, empty_capture
        self.holds: dict[tuple[str, int | str], int] = {}
        for player in OTHER:
            self.holds |= {(player, pit): stones for pit in range(1, pits + 1)} | {(player, "store"): 0}
        self.mover = "South"

    def row(self, player: str) -> list[int]:
        """The stones in a player's pits, in sowing order."""
        return [self.holds[player, pit] for pit in range(1, self.pits + 1)]

    @property
    def text(self) -> str:
        """As `Kalah.format_position` writes it."""
        numbers = [n for player in OTHER for n in (*self.row(player), self.holds[player, "store"])]
        return " ".join(map(str, [*numbers, {"South": "b", "North": "w"}[self.mover]]))

    @property
    def is_over(self) -> bool:
        """Whether one of the players has no stones in the pits."""
        return sum(self.row("South")) == 0 or sum(self.row("North")) == 0

    @property
    def lead(self) -> int:
        """South's stones less North's, in stores and pits."""
        south, north = (sum(self.row(player)) + self.holds[player, "store"] for player in OTHER)
        return south - north

    def moves(self) -> list[int]:
        """The pits that may be sown."""
        return [] if self.is_over else [i for i, stones in enumerate(self.row(self.mover), 1) if stones > 0]

    def play(self, pit: int) -> None:
        """Sow a pit of the player to move."""
        mover, other = self.mover, OTHER[self.mover]
        ring: list[tuple[str, int | str]] = [(mover, i) for i in range(1, self.pits + 1)]
        ring += [(mover, "store")]
        ring += [(other, i) for i in range(1, self.pits + 1)]
        hand, at = self.holds[mover, pit], ring.index((mover, pit))
        self.holds[mover, pit] = 0
        while hand > 0:
            at = (at + 1) % len(ring)
            self.holds[ring[at]] += 1
            hand -= 1
        place = ring[at]
        if place == (mover, "store"):
            return
        self.mover = other
        player, number = place
        if player == mover and self.holds[place] == 1 and isinstance(number, int):
            opposite = (other, self.pits + 1 - number)
            if self.holds[opposite] > 0 or self.empty_capture:
                self.holds[mover, "store"] += 1 + self.holds[opposite]
                self.holds[place] = self.holds[opposite] = 0
