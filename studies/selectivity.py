"""Selective search against full width: UCT with c from 0 (greedy) to 1,000 (even visits), and its trees' depth."""

from agents.limits import Clock
from game import load_game
from studies.games import GAMES
from studies.matches import LIMITS, PAIRS_A_SEED, make_agent, opening, play_unit, tabulate_contests
from studies.plots import finish, finish_shares, logarithmic, plot_means, plot_shares, rows_by
from studies.shares import means_with_intervals
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, grouped

USUAL = 0.5
THE_SAME = {"share": 0.5, "low": 0.5, "high": 0.5}  # against itself, by definition
OTHERS = (0.0, 0.1, 1.0, 3.0, 10.0, 1000.0)
# Pentago has some 200 moves a position, and unvisited moves are tried first: 20,000 reach a third ply if c is small.
SIMULATIONS = {"Kalah (6,4)": 5000, "Pentago": 20_000, "Go 7x7": 1000}
PAIRS = {"Kalah (6,4)": 50, "Pentago": 50, "Go 7x7": 30}
POSITIONS, PLIES = 20, 6  # positions whose trees are measured; random moves before each
LEAST_C = 0.01  # where c = 0 is drawn on a logarithmic scale


def plan(extent: Extent) -> list[Unit]:
    """For every c trees to measure, and for every c but USUAL a match against USUAL."""
    units: list[Unit] = []
    for name, full in SIMULATIONS.items():
        studied, count = GAMES[name], extent.choose(full, 200)
        common = f"{studied.plain},simulations={count},final=value"  # since with a large c all visits are nearly equal
        usual = f"{common},c={USUAL}"
        for c in extent.choose((USUAL, *OTHERS), (USUAL, 1000.0)):
            agent = f"{common},c={c}"
            labels = {"game": name, "simulations": count, "c": c}
            unit = {"labels": labels, "game": studied.game, "options": studied.options, "agents": [agent, usual]}
            seeds = range(extent.count(POSITIONS, 1))
            units += [unit | {"shape": True, "seed": extent.seed * PAIRS_A_SEED + number} for number in seeds]
            if c != USUAL:
                units += studied.contest(labels, agent, usual, extent.count(PAIRS[name], 1), extent.seed)
    return units


def work(unit: Unit) -> Result:
    """Play a pair, or measure a tree."""
    if "shape" not in unit:
        return play_unit(unit)
    game = load_game(unit["game"], **unit["options"])
    agent = make_agent(unit["agents"][0], game, LIMITS, unit["seed"])
    agent.step(opening(game, PLIES, unit["seed"]), Clock(1))
    return {name: agent.analysis()[name] for name in ("nodes", "depth_mean", "depth_max", "branching_mean")}


def tabulate(done: Done) -> list[Row]:
    """A row for each game and c: the result of the match, and the means over the trees."""
    played = tabulate_contests([entry for entry in done if "shape" not in entry.unit])
    measured = [entry for entry in done if "shape" in entry.unit]
    rows = []
    trees = grouped(measured, lambda entry: (entry.unit["labels"]["game"], entry.unit["labels"]["c"]))
    for key, found in trees.items():
        match = next((row for row in played if (row["game"], row["c"]) == key), {})
        means = means_with_intervals(found[0].result, (result.values() for _, result in found))
        shares = {name: match.get(name) for name in ("games", "share", "low", "high")}
        rows.append(found[0].unit["labels"] | shares | {"trees": len(found)} | means)
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """Two panels for each game, over c: the shares above, the depths below."""
    games = rows_by(rows, "game")
    figure.set_size_inches(10, 5.5)
    panels = figure.subplots(2, len(games), squeeze=False, sharex="col")
    for (name, mine), above, below in zip(games.items(), *panels, strict=True):
        line = sorted((row | {"x": max(row["c"], LEAST_C)} for row in mine), key=lambda row: row["c"])
        played = [row | THE_SAME if row["c"] == USUAL else row for row in line if row["c"] == USUAL or row["games"]]
        plot_shares(above, {name: played}, "x")
        above.plot(USUAL, 0.5, "D", color="grey", markerfacecolor="white", zorder=3)
        finish_shares(above, "", f"{name}, against c = {USUAL}, {max(row['games'] or 0 for row in line)} games")
        for column, label in (("depth_mean", "mean depth of leaves"), ("depth_max", "largest depth")):
            plot_means(below, line, "x", column, label)
        logarithmic(below, [row["x"] for row in line])
        below.set_xticklabels([f"{row['c']:,g}" for row in line])
        below.set_ylim(bottom=0)
        finish(below, f"c ({USUAL} is the opponent's)", f"{name}, mean of {mine[0]['trees']} trees")
        below.legend(fontsize=8)
    panels[1][0].set_ylabel("plies")


ABOUT = About(
    title="Selective search against full width: the same number of simulations, c from 0 to 1,000",
    claim=(
        "Selective search beats full width: UCT's uneven growth is a kind of forward pruning that works (Ramanujan, "
        "Sabharwal & Selman). A good tree has a direction: its deepest leaf lies far below the mean (slides)."
    ),
    setting="Simulations a move: 5,000 in Kalah, 20,000 in Pentago, 1,000 in Go. Diamond: 0.5 by definition.",
)
