"""What it is worth to prove which positions are won, lost or drawn: UCT with proofs against UCT without."""

from studies.games import GAMES
from studies.matches import play_unit, tabulate_contests
from studies.plots import cases, finish_shares, logarithmic, plot_shares, rows_by, values_of
from studies.study import About, Extent, Figure, Rows, Unit

SIMULATIONS = {"Kalah (6,4)": (500, 5000), "Pentago": (1000, 10_000), "Go 7x7": (500, 2000)}
PAIRS = {"Kalah (6,4)": 50, "Pentago": 50, "Go 7x7": 100}
# The options of both sides, by what the first side proves. Kalah's rules always recognize a store with more than half
# of all stones; Pentago's can also recognize moves that let the opponent win at once, if `foresight` is on.
OPTIONS = {
    "Kalah (6,4)": {"ends and majorities": ("proofs=yes", "proofs=no")},
    "Pentago": {
        "ends": ("proofs=yes,foresight=no", "proofs=no,foresight=no"),
        "ends and the opponent's next move": ("proofs=yes,foresight=yes", "proofs=no,foresight=no"),
    },
    "Go 7x7": {"ends": ("proofs=yes", "proofs=no")},
}


def plan(extent: Extent) -> list[Unit]:
    """Each kind of proofs against none, at equal simulations."""
    units = []
    for name, counts in SIMULATIONS.items():
        studied = GAMES[name]
        for count in extent.choose(counts, (100,)):
            for kind, options in OPTIONS[name].items():
                first, second = (f"{studied.plain},simulations={count},{each}" for each in options)
                labels = {"game": name, "simulations": count, "proves by": kind}
                units += studied.contest(labels, first, second, extent.count(PAIRS[name], 1), extent.seed)
    return units


def draw(rows: Rows, figure: Figure) -> None:
    """A line for each game and kind of proofs."""
    axes = figure.subplots()
    kinds = rows_by(rows, "game", "proves by")
    lines = {f"{name}, proofs by {kind}, {cases(line)}": line for (name, kind), line in kinds.items()}
    plot_shares(axes, lines, "simulations")
    logarithmic(axes, sorted(values_of(rows, "simulations")))
    finish_shares(axes, "simulations a move", "UCT with proofs against UCT without")
    axes.legend(fontsize=8)


work, tabulate = play_unit, tabulate_contests

ABOUT = About(
    title="What are proofs worth? UCT that recognizes won, lost and drawn positions against one that does not",
    claim=(
        "A tree that proves wins and losses plays better than one that only counts results (Winands, Bjornsson & Saito "
        "2008: 65 % in Lines of Action)."
    ),
    setting="UCB1 with c = 0.5, playouts.",
)
