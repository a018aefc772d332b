"""MC-RAVE in Pentago, where it is reported to fail: with playouts alone, and with an evaluation as well."""

from studies.matches import LITERATURE, contest, play_unit, tabulate_contests
from studies.plots import cases, finish_shares, logarithmic, panels, plot_shares, rows_by, values_of
from studies.study import About, Extent, Figure, Rows, Unit

LEAVES = {
    "playouts": "leaf=playout",
    "playouts and evaluation": "leaf=mixture,mixture=0.5,evaluation=lines",
}
SIMULATIONS = (1000, 5000)
EQUIVALENCES = (0.01, 10, 100, 1000, 3500)  # with 0.01 AMAF has no weight: only the even priors matter
ALONE = EQUIVALENCES[0]
PAIRS = 100


def plan(extent: Extent) -> list[Unit]:
    """MC-RAVE of several weights against UCB1 with the same c, and against even priors alone.

    UCB1 has no even priors and tries every move.
    """
    units = []
    for leaf, options in LEAVES.items():
        for count in extent.choose(SIMULATIONS, (50,)):
            common = f"{LITERATURE}:preset=playouts,{options},simulations={count}"
            ucb1, rave = (f"{common},formula={formula},c=0.5" for formula in ("ucb1", "rave"))
            for against, other in (("UCB1", ucb1), ("even priors", f"{rave},equivalence={ALONE}")):
                for equivalence in extent.choose(EQUIVALENCES, (1000,)):
                    if against == "UCB1" or equivalence != ALONE:
                        labels = {"leaf": leaf, "simulations": count, "equivalence": equivalence, "opponent": against}
                        agents = (f"{rave},equivalence={equivalence}", other)
                        units += contest(labels, "pentago", {}, agents, extent.count(PAIRS, 1), extent.seed)
    return units


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each kind of leaf and opponent, a line for each number of simulations, over the equivalence."""
    for axes, (leaf, opponent), mine in panels(figure, rows, "leaf", "opponent", width=3.4, height=4.6):
        lines = {f"{count:,} simulations": line for count, line in rows_by(mine, "simulations").items()}
        plot_shares(axes, lines, "equivalence")
        logarithmic(axes, values_of(mine, "equivalence"))
        finish_shares(
            axes, f"equivalence ({ALONE}: AMAF counts nothing)", f"{leaf},\nagainst {opponent}, {cases(mine)}"
        )
        axes.tick_params("x", rotation=30)
        axes.legend(fontsize=8)


work, tabulate = play_unit, tabulate_contests

ABOUT = About(
    title="Does MC-RAVE help in Pentago?",
    claim=(
        "RAVE never reliably beat plain UCT in Pentago: there are too many moves for deep subtrees, and the same move "
        "means different things later on (report of the course's project, 2021)."
    ),
    setting="Equivalence: so many simulations outweigh all AMAF counts. Even priors: 0.01; UCB1 tries every move.",
)
