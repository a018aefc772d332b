"""Averaging against minimax backup: with playouts, with an evaluation, and with an evaluation that errs.

Games are matches at equal simulations. In critical win-loss trees the evaluation is the truth plus noise, and the share
of right moves is measured.
"""

import studies.synthetic.game  # noqa: F401 (which registers the trees)
from game import load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from studies.matches import LITERATURE, contest, play_unit, tabulate_contests
from studies.plots import cases, finish_shares, plot_named, plot_shares, rows_by
from studies.shares import share_of_count
from studies.study import About, Done, Extent, Figure, Result, Row, Rows, Unit, grouped
from studies.synthetic.minimax import exact_values

MATCHES = {  # game, options, leaf: the agents' options
    ("Kalah (6,4)", "playout"): ("kalah", "leaf=playout"),
    ("Kalah (6,4)", "evaluation"): ("kalah", "leaf=evaluation"),
    ("Pentago", "playout"): ("pentago", "leaf=playout"),
    ("Pentago", "evaluation"): ("pentago", "leaf=evaluation,evaluation=lines"),
}
SIMULATIONS = 2000
PAIRS = 50
TREE = {"branching": 4, "depth": 40, "rate": 0.9}
TREES = 200
TREES_A_UNIT = 50
NOISES = (0.0, 1.0, 2.0, 4.0, 8.0)  # standard deviation, where the truth is +1 or -1
BACKUPS = ("mean", "minimax")
PLACES = (*NOISES, None)  # of the deviations in the picture; None stands for playouts


def plan(extent: Extent) -> list[Unit]:
    """Pairs of games, and searches of trees."""
    units: list[Unit] = []
    count = extent.choose(SIMULATIONS, 100)
    for (name, leaf), (game, options) in extent.choose(MATCHES, dict([next(iter(MATCHES.items()))])).items():
        common = f"{LITERATURE}:preset=playouts,{options},simulations={count}"
        agents = (f"{common},backup=minimax", f"{common},backup=mean")
        labels = {"game": name, "leaf": leaf, "noise": None, "backup": "minimax", "simulations": count}
        units += contest(labels, game, {}, agents, extent.count(PAIRS, 1), extent.seed)
    for noise in (None, *extent.choose(NOISES, (1.0,))):
        for backup in BACKUPS:
            labels = {"game": "critical tree", "leaf": "playout" if noise is None else "evaluation", "noise": noise}
            units += [
                {
                    "labels": labels | {"backup": backup, "simulations": count},
                    "first": (extent.seed * 1000 + part) * 100,
                    "trees": extent.choose(TREES_A_UNIT, 5),
                }
                for part in range(extent.count(TREES // TREES_A_UNIT, 1))
            ]
    return units


def work(unit: Unit) -> Result:
    """Play a pair, or search some trees."""
    if "agents" in unit:
        return play_unit(unit)
    labels, right = unit["labels"], 0
    for seed in range(unit["first"], unit["first"] + unit["trees"]):
        tree = load_game("critical_tree", **TREE, tree=seed, noise=labels["noise"] or 0.0)
        settings = LiteratureSettings(leaf=labels["leaf"], backup=labels["backup"], memory="stop")
        searcher = LiteratureSearcher(tree, 10 + TREE["branching"] * (labels["simulations"] + 2), seed, settings)
        searcher.begin(tree.initial())
        searcher.search(simulations=labels["simulations"])
        right += exact_values(tree)[searcher.best_move()] == 1
    return {"right": right}


def tabulate(done: Done) -> list[Row]:
    """Matches: the share of minimax backup against the mean. Trees: how often the move is right, for each backup."""
    rows = tabulate_contests([entry for entry in done if "agents" in entry.unit])
    searched = [entry for entry in done if "agents" not in entry.unit]
    for found in grouped(searched, lambda entry: tuple(entry.unit["labels"].values())).values():
        trees = sum(unit["trees"] for unit, _ in found)
        right = sum(result["right"] for _, result in found)
        rows.append(found[0].unit["labels"] | {"trees": trees} | share_of_count(right, trees))
    return rows


def draw(rows: Rows, figure: Figure) -> None:
    """On the left the matches, on the right the trees over the noise."""
    left, right = figure.subplots(1, 2)
    played = [row for row in rows if row["game"] != "critical tree"]
    plot_named(left, [f"{row['game']}, {row['leaf']}" for row in played], played)
    finish_shares(left, "share of minimax against the mean", f"matches, {cases(played)} each", across=True)
    trees = [row for row in rows if row["game"] == "critical tree"]
    trees = [row | {"place": PLACES.index(row["noise"])} for row in trees]
    for leaf, mark in (("evaluation", ""), ("playout", "_")):  # a label that begins with _ is not in the legend
        mine = rows_by([row for row in trees if row["leaf"] == leaf], "backup")
        plot_shares(right, {f"{mark}{backup}": mine.get(backup, []) for backup in BACKUPS}, "place")
    right.axhline(1 / TREE["branching"], color="grey", linestyle="--", label="drawing lots")
    right.set_xticks(range(len(PLACES)), [*(f"{noise:g}" for noise in NOISES), "playouts"])
    finish_shares(right, "deviation of the evaluation's error", f"critical trees, 4 moves, {cases(trees)}", half=False)
    right.set_ylabel("share of trees with the right move")
    right.legend(fontsize=8)


ABOUT = About(
    title="Which backup is better, averaging or minimax?",
    claim=(
        "With playouts, averaging is better, since minimax takes the luckiest of noisy leaves; with a heuristic, "
        "minimax is better (Ramanujan, Sabharwal & Selman; Ramanujan & Selman 2011)."
    ),
    setting="2,000 simulations a move. Critical trees: 40 plies, critical rate 0.9, the truth is +1 or -1.",
)
