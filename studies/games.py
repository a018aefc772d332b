"""The games that studies play, by the names that tables show, and the plain UCT of each."""

from typing import Any, NamedTuple


class StudiedGame(NamedTuple):
    """A game of a study.

    Attributes:
        game, options: as `load_game` takes them.
        plain: plain UCT with random playouts, to which options can be added.
    """

    game: str
    options: dict[str, Any]
    plain: str


GAMES = {
    "Kalah (6,4)": StudiedGame("kalah", {"pits": 6, "stones": 4}, "uct_agent:preset=playouts"),
    "Pentago": StudiedGame("pentago", {}, "uct_agent:preset=playouts"),
    "Go 7x7": StudiedGame("go", {"size": 7, "komi": 9.0}, "uct_agent:preset=playouts,heavy=no,priors=no"),
}
