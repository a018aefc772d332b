"""The games of the studies, by their names in tables, and the plain UCT of each."""

from typing import Any, NamedTuple

from studies.matches import LITERATURE, contest
from studies.study import Row, Unit


class StudiedGame(NamedTuple):
    """A game that studies use.

    Attributes:
        game, options: as `load_game` takes them.
        plain: an agent that is plain UCT with random playouts; options can be appended to its text.
    """

    game: str
    options: dict[str, Any]
    plain: str

    def contest(self, labels: Row, first: str, second: str, pairs: int, seed: int) -> list[Unit]:
        """See `matches.contest`."""
        return contest(labels, self.game, self.options, (first, second), pairs, seed)


GAMES = {
    "Kalah (6,4)": StudiedGame("kalah", {"pits": 6, "stones": 4}, f"{LITERATURE}:preset=playouts"),
    "Pentago": StudiedGame("pentago", {}, f"{LITERATURE}:preset=playouts"),
    "Go 7x7": StudiedGame("go", {"size": 7, "komi": 9.0}, f"{LITERATURE}:preset=playouts,heavy=no,priors=no"),
}
