"""Selection formulas, and other rules of the sources, against plain UCB1, in three games."""

from studies.games import GAMES
from studies.matches import play_unit, tabulate_contests
from studies.plots import cases, finish_shares, panels, plot_named
from studies.study import About, Extent, Figure, Rows, Unit

FORMULAS = {
    "UCB1, c = sqrt 2": "formula=ucb1,c=1.4142",
    "UCB1, c = 0.2": "formula=ucb1,c=0.2",
    "Valkyria": "formula=valkyria",
    "Valkyria, best mean": "formula=valkyria,final=value",  # the preset `valkyria`
    "Dailey": "formula=dailey",
    "UCB1-TUNED": "formula=ucb1_tuned,c=1",
    "epsilon-greedy, 1/2": "formula=epsilon_greedy",
    "MC-RAVE": "formula=rave,c=0",
}
# Other rules that the sources propose, each used with UCB1 and the usual c. The numbers are ours. No source that we
# found says how Persson pruned, nor what his tree with one move a side was. Our readings are progressive pruning (Bouzy
# 2006), "prune the inferior", and a tree of two plies.
RULES = {
    "trust after 5 visits": "trust=5",
    "prune below 0.2": "prune=0.2,prune_visits=50",
    "prune the inferior": "prune_visits=20,prune_margin=0.5",
    "a tree of 2 plies": "plies=2",
    "expand at 3 visits": "expand_at=3",
    "expand at 10 visits": "expand_at=10",
    "mean to minimax": "backup=mean_to_minimax",
    "play the best mean": "final=value",
    "play the best bound": "final=lcb",
    "best bound if ahead": "lcb_above=0.75",
}
USUAL = "UCB1, c = 0.5"
SIMULATIONS = {"Kalah (6,4)": 2000, "Pentago": 2000, "Go 7x7": 1000}
PAIRS = {"Kalah (6,4)": 200, "Pentago": 200, "Go 7x7": 100}
NO_RAVE = ("Kalah (6,4)",)  # a pit means another move at every turn, so the game numbers no moves for AMAF


def plan(extent: Extent) -> list[Unit]:
    """Every formula and rule against UCB1 with c = 0.5, at equal simulations."""
    units, usual = [], "formula=ucb1,c=0.5"
    rules = {rule: f"{usual},{options}" for rule, options in RULES.items()}
    for name, full in SIMULATIONS.items():
        studied = GAMES[name]
        common = f"{studied.plain},simulations={extent.choose(full, 50)}"
        for formula, options in (FORMULAS | rules).items():
            if formula != "MC-RAVE" or name not in NO_RAVE:
                labels = {"game": name, "formula": formula, "simulations": extent.choose(full, 50)}
                agents = (f"{common},{options}", f"{common},{usual}")
                units += studied.contest(labels, *agents, extent.count(PAIRS[name], 1), extent.seed)
    return units


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each game, a point for each formula or rule."""
    for axes, name, mine in panels(figure, rows, "game", width=4, height=4.8):
        plot_named(axes, [row["formula"] for row in mine], mine)
        finish_shares(axes, f"share of the points against {USUAL}", f"{name}, {cases(mine)} each", across=True)


work, tabulate = play_unit, tabulate_contests

ABOUT = About(
    title="Selection formulas and other rules against UCB1 with c = 0.5, at equal simulations",
    claim=(
        "UCB1-TUNED is better than UCB1 in practice (Auer, Cesa-Bianchi & Fischer 2002; Gelly et al. 2006); Dailey saw "
        "59 % with his formula against UCT in Go; RAVE is worth much in Go (Gelly & Silver 2011)."
    ),
    setting="2,000 simulations a move, in Go 1,000. Kalah has no MC-RAVE: a pit is another move at every turn. "
    "How we read the rules of the sources: docs/literature.md.",
)
