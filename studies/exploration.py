"""How much UCT should explore: the weight c of UCB1, by game and length of the search."""

from operator import itemgetter

from studies.games import GAMES
from studies.matches import play_unit, tabulate_contests
from studies.plots import cases, finish_shares, logarithmic, panels, plot_shares, rows_by
from studies.study import About, Extent, Figure, Rows, Unit

USUAL = 0.5
OTHERS = (0.05, 0.2, 1.0, 1.41, 3.0)
PHASES = ("1.0/0.5/0.2", "0.2/0.5/1.0")  # c in each third of a game
THE_SAME = {"place": USUAL, "share": 0.5, "low": 0.5, "high": 0.5}  # the usual c against itself, by definition
PLACES = dict(zip(PHASES, (8.0, 16.0), strict=True))  # on the axis of c in the picture
SIMULATIONS = {"Kalah (6,4)": (300, 3000), "Pentago": (300, 3000, 10000), "Go 7x7": (300, 2000)}
PAIRS = {"Kalah (6,4)": 50, "Pentago": 50, "Go 7x7": 25}


def plan(extent: Extent) -> list[Unit]:
    """Every other c against the usual c, at every number of simulations."""
    units = []
    for name, simulations in SIMULATIONS.items():
        studied = GAMES[name]
        for count in extent.choose(simulations, (50,)):
            usual = f"{studied.plain},simulations={count},c={USUAL}"
            for c in extent.choose((*OTHERS, *PHASES), (0.05, 3.0, PHASES[0])):
                option = f"c_by_phase={c}" if c in PHASES else f"c={c}"
                agent = f"{studied.plain},simulations={count},{option}"
                labels = {"game": name, "simulations": count, "c": c}
                units += studied.contest(labels, agent, usual, extent.count(PAIRS[name], 2), extent.seed)
    return units


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each game, a line for each number of simulations; on the right the matches with c by phase."""
    rows = [row | {"place": PLACES.get(row["c"], row["c"])} for row in rows]
    for axes, name, mine in panels(figure, rows, "game", width=4, height=4.5):
        for shown in ((*OTHERS,), *((phase,) for phase in PHASES)):  # only numbers are connected
            lines = rows_by([row for row in mine if row["c"] in shown], "simulations")
            mark = "" if shown[0] in OTHERS else "_"  # a label that begins with _ is not in the legend
            if not mark:
                lines = {count: sorted([*line, THE_SAME], key=itemgetter("place")) for count, line in lines.items()}
            plot_shares(axes, {f"{mark}{count:,} simulations": line for count, line in lines.items()}, "place")
        axes.plot(USUAL, 0.5, "D", color="grey", markerfacecolor="white", label="the opponent: 0.5 by definition")
        logarithmic(axes, sorted((USUAL, *OTHERS, *PLACES.values())))
        axes.set_xticklabels([*sorted((USUAL, *OTHERS)), *PLACES], rotation=60)
        finish_shares(axes, "c; a/b/c: by thirds of the game", f"{name}, against c = {USUAL}, {cases(mine)} each")
        axes.legend(fontsize=8)


work, tabulate = play_unit, tabulate_contests

ABOUT = About(
    title="How much should UCT explore: c by game, and by the length of the search",
    claim=(
        "Auer, Cesa-Bianchi and Fischer (2002) prove their bound for c = sqrt(2); Persson's Valkyria plays Go with "
        "about 0.45; the slides ask for another c at other times, and leave open which."
    ),
    setting="Plain UCT: playouts, UCB1.",
)
