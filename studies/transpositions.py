"""Graph against tree: a position that several lines reach is searched once; equal simulations, memory and time."""

from dataclasses import replace

from game import load_game
from studies.matches import LIMITS, contest, play_pair, tabulate_contests
from studies.plots import cases, finish_shares, logarithmic, plot_shares, rows_by, values_of
from studies.study import About, Extent, Figure, Result, Rows, Unit

GRAPH = "uct_agent:search=graph,book=no,reuse=no"  # without the table no node can be kept from move to move
SIMULATIONS = (100, 400, 1600, 6400)
SECONDS = (0.1, 0.3, 1.0)
NODES, FEW_NODES = 100_000, 1000  # room for all simulations above; so little that longer searches fill it
PAIRS = {"simulations": 50, "seconds": 25}


def plan(extent: Extent) -> list[Unit]:
    """The search with a table of positions against the same search without one, by simulations and by time a move."""
    budgets: list[tuple[str, float, int]] = [("simulations", count, NODES) for count in SIMULATIONS]
    budgets += [("simulations", count, FEW_NODES) for count in SIMULATIONS if count > FEW_NODES]
    budgets += [("seconds", seconds, NODES) for seconds in SECONDS]
    units = []
    for equal, amount, capacity in extent.choose(budgets, [("simulations", 50, NODES), ("seconds", 0.01, NODES)]):
        common = f"{GRAPH},capacity={capacity},simulations={amount if equal == 'simulations' else 0}"
        labels = {"equal": equal, "amount": amount, "capacity": capacity}
        agents = (f"{common},transpositions=yes", f"{common},transpositions=no")
        units += contest(labels, "pentago", {}, agents, extent.count(PAIRS[equal], 1), extent.seed)
    return units


def work(unit: Unit) -> Result:
    """Play a pair."""
    labels = unit["labels"]
    limits = replace(LIMITS, move_seconds=labels["amount"]) if labels["equal"] == "seconds" else LIMITS
    first, second = unit["agents"]
    return {"points": play_pair((first, second), load_game("pentago"), unit["seed"], limits)}


def draw(rows: Rows, figure: Figure) -> None:
    """Equal simulations on the left, with a line for each number of nodes; equal time on the right."""
    for axes, equal in zip(figure.subplots(1, 2), ("simulations", "seconds"), strict=True):
        shown = [row for row in rows if row["equal"] == equal]
        lines = {f"{room:,} nodes": line for room, line in rows_by(shown, "capacity").items()}
        plot_shares(axes, lines, "amount")
        logarithmic(axes, sorted(values_of(shown, "amount")))
        finish_shares(axes, f"{equal} a move", f"graph against tree, equal {equal}, {cases(shown)}")
        axes.legend()


tabulate = tabulate_contests

ABOUT = About(
    title="A graph of positions against a tree of moves, at equal simulations, memory and time",
    claim=(
        "A table of positions in place of a tree searches a position once, even if it is reached in several ways "
        "(Sensei's Library); it is sound only with visits kept on edges (KataGo, GraphSearch). In Pentago 47 to 84 % "
        "of visited nodes are repetitions."
    ),
    setting="Pentago. 1,000 nodes have room for all positions of 100 and 400 simulations: these were not played.",
)
