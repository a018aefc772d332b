"""One playout a leaf or many: the same number of playouts, in more or fewer nodes."""

from studies.games import GAMES
from studies.matches import play_unit, tabulate_contests
from studies.plots import cases, finish_shares, logarithmic, plot_shares, rows_by, values_of
from studies.study import About, Extent, Figure, Rows, Unit

# For a move; with 32 playouts a leaf, each move is still tried several times: Pentago has some 200, Go 49.
PLAYOUTS = {"Kalah (6,4)": 3200, "Pentago": 32_000, "Go 7x7": 6400}
PAIRS = {"Kalah (6,4)": 50, "Pentago": 50, "Go 7x7": 20}
COUNTS = (2, 4, 8, 16, 32)


def plan(extent: Extent) -> list[Unit]:
    """Many playouts a leaf against one, at equal playouts a move."""
    units = []
    for name, full in PLAYOUTS.items():
        studied, playouts = GAMES[name], extent.choose(full, 320)
        one = f"{studied.plain},simulations={playouts}"
        for count in extent.choose(COUNTS, (32,)):
            many = f"{studied.plain},simulations={playouts // count},playouts={count}"
            labels = {"game": name, "playouts": playouts, "a leaf": count}
            units += studied.contest(labels, many, one, extent.count(PAIRS[name], 1), extent.seed)
    return units


def draw(rows: Rows, figure: Figure) -> None:
    """A line for each game."""
    axes = figure.subplots()
    plot_shares(axes, {f"{name}, {cases(line)}": line for name, line in rows_by(rows, "game").items()}, "a leaf")
    logarithmic(axes, values_of(rows, "a leaf"), base=2)
    finish_shares(axes, "playouts a leaf", "against one playout a leaf, at equal playouts a move")
    axes.legend()


work, tabulate = play_unit, tabulate_contests

ABOUT = About(
    title="Playouts a leaf: is one best?",
    claim=(
        "One playout a leaf is best: more nodes, each valued less exactly, beat fewer nodes valued better, at equal "
        "playouts (Ramanujan, Sabharwal & Selman)."
    ),
    setting="Playouts a move of both sides: 3,200 in Kalah, 32,000 in Pentago, 6,400 in Go.",
)
