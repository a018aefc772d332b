"""The shape of trees while a search goes on: nodes, depth of the leaves, principal variation, branching."""

import itertools
from typing import Any

from agents.uct.analysis import principal_variation
from agents.uct.searchers import make_searcher
from agents.uct.settings import Settings
from agents.uct_agent import PRESETS
from game import load_game
from studies.matches import PAIRS_A_SEED, opening
from studies.plots import cases, finish, legend_beside, panels, plot_means
from studies.shares import means_with_intervals
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, units_by
from studies.uct_values import search_in_steps

_PLAYOUTS = {name: value for name, value in PRESETS["playouts"].options.items() if name != "book"}
SEARCHES: dict[str, tuple[str, dict[str, Any], dict[str, Any], int]] = {  # game, options, settings, simulations
    "Pentago, playouts": ("pentago", {}, _PLAYOUTS, 1_000_000),
    "Pentago, evaluation": ("pentago", {}, {}, 100_000),
    "Go 9x9, playouts": ("go", {}, _PLAYOUTS | {"heavy": False, "priors": False}, 100_000),
    "Go 9x9, MC-RAVE": ("go", {}, {}, 30_000),
}
CAPACITY = 3_000_000
POSITIONS, PLIES = 20, 6  # positions, and random moves before each
FIRST, STEPS_A_DECADE = 100, 2


def checkpoints(most: int) -> list[int]:
    """Numbers of simulations from 100 to at most `most`, two for each power of ten."""
    steps = (round(FIRST * 10 ** (number / STEPS_A_DECADE)) for number in itertools.count())
    return list(itertools.takewhile(lambda step: step <= most, steps))


def plan(extent: Extent) -> list[Unit]:
    """A unit is one search of one position."""
    return [
        {"search": name, "seed": extent.seed * PAIRS_A_SEED + number, "most": extent.choose(entry[3], 300)}
        for name, entry in SEARCHES.items()
        for number in range(extent.count(POSITIONS, 1))
    ]


def work(unit: Unit) -> Result:
    """Search a position, and measure the tree at every checkpoint until the search is settled."""
    name, options, chosen, _ = SEARCHES[unit["search"]]
    game = load_game(name, **options)
    settings = Settings.for_game(game, **chosen)
    searcher = make_searcher(game, CAPACITY if unit["most"] > FIRST * 10 else CAPACITY // 30, unit["seed"], settings)
    start, found = opening(game, PLIES, unit["seed"]), []
    for _ in search_in_steps(searcher, start, checkpoints(unit["most"]), to_the_end=True):
        shape = searcher.shape()
        found.append(
            [shape.nodes, shape.depth_mean, shape.depth_max, len(principal_variation(searcher)), shape.branching_mean]
        )
        if searcher.is_settled:
            break
    return {"shapes": found}


COLUMNS = ("nodes", "mean depth", "largest depth", "principal variation", "branching")


def tabulate(done: Done) -> list[Row]:
    """A row for each search and number of simulations: means over the positions not settled before."""
    rows = []
    for name, mine in units_by(done, "search").items():
        for number, count in enumerate(checkpoints(mine[0].unit["most"])):
            shapes = [result["shapes"][number] for _, result in mine if len(result["shapes"]) > number]
            if shapes:
                labels = {"search": name, "simulations": count, "positions": len(shapes)}
                rows.append(labels | means_with_intervals(COLUMNS, shapes))
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """A panel for each search: depths over simulations."""
    for axes, name, mine in panels(figure, rows, "search", width=4.5, height=2.75, down=2, sharex=True, sharey=True):
        for column in COLUMNS[1:4]:
            plot_means(axes, mine, "simulations", column, column)
        axes.set_xscale("log")
        finish(axes, "simulations", f"{name}, {cases(mine)}")
    axes.set_ylim(bottom=0)
    legend_beside(figure)
    figure.supylabel("plies, means over positions", fontsize=9)


ABOUT = About(
    title="The shape of the tree while the search goes on",
    claim=(
        "Mean and largest depth about the same means that a search has no direction; too few nodes that the program is "
        "slow, too many that nothing is pruned (slides, Monte-Carlo Game Tree Search: Basic Techniques)."
    ),
    setting="Whiskers: 95 % intervals. Mean depth: of the tree's leaves; with the evaluation, of the simulations.",
    half="",
)
