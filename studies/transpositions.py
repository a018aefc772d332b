"""Tree against graph: positions that are reached twice searched once, at equal simulations and at equal memory."""

from collections.abc import Sequence
from typing import Any

from studies.matches import contest, play_unit, tabulate_contests
from studies.plots import finish_shares, plot_shares, values_of
from studies.study import Extent, Row, Study, Unit

GRAPH = "uct_agent:search=graph"
SIMULATIONS = (100, 400, 1600, 6400)
FEW_NODES = 1000  # so that all but the shortest search fill them
PAIRS = 50


def plan(extent: Extent) -> list[Unit]:
    """The same search with and without a table of positions; with room for everything, and with little room."""
    units = []
    for memory, capacity in (("enough", 100_000), ("little", FEW_NODES)):
        for count in extent.choose(SIMULATIONS, (50,)):
            common = f"{GRAPH},simulations={count},capacity={capacity},transpositions"
            labels = {"memory": memory, "capacity": capacity, "simulations": count}
            agents = (f"{common}=yes", f"{common}=no")
            units += contest(labels, "pentago", {}, agents, extent.count(PAIRS, 1), extent.seed)
    return units


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A line for each memory."""
    axes = figure.subplots()
    for memory in values_of(rows, "memory"):
        line = [row for row in rows if row["memory"] == memory]
        plot_shares(axes, line, "simulations", f"{line[0]['capacity']:,} nodes")
    axes.set_xscale("log")
    finish_shares(axes, "simulations a move", "Pentago: share of the graph against the tree")
    axes.legend()


STUDY = Study(
    title="A graph of positions against a tree of moves, at equal simulations and memory",
    claim=(
        "A table of positions in place of a tree searches what is reached twice once (Sensei's Library); it is sound "
        "only with visits kept on edges (KataGo, GraphSearch). In Pentago 47 to 84 % of visited nodes are repetitions."
    ),
    plan=plan,
    work=play_unit,
    tabulate=tabulate_contests,
    draw=draw,
)
