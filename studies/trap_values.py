"""Whether UCT's values tell moves that fall into traps from sound ones, by the level of the trap."""

import random
from collections.abc import Sequence
from typing import Any

from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from simulator.statistics.elo import wilson_interval
from studies.plots import finish_shares, plot_shares, values_of
from studies.study import Extent, Finished, Result, Row, Study, Unit
from studies.trap_positions import RANDOM, STRONG, PentagoJudge, game_positions, judged_moves

LEVELS = (1, 3, 5)
FIRST_PLY, LAST_PLY = 10, 18
SIMULATIONS = (1000, 10_000, 50_000)
NODES_A_SIMULATION = 100  # room of the tree
C = 0.4  # of the paper's search in chess


def plan(extent: Extent) -> list[Unit]:
    """A unit is a position of a game."""
    return [
        {"play": play, "seed": extent.seed * 10_000 + number, "simulations": extent.choose(SIMULATIONS, (1000,))}
        for number in range(extent.count(60, 2))
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each number of simulations and level: pairs of a trap and a sound move, and how many are told apart.

    Told apart means that the sound move has the better mean, a proved loss being worth nothing; equal is half.
    """
    judge = PentagoJudge()
    positions = [p for p in game_positions(judge.game, unit["play"], unit["seed"]) if FIRST_PLY <= p.ply <= LAST_PLY]
    if not positions:
        return {"ply": None, "counts": []}
    position = random.Random(unit["seed"]).choice(positions)
    level_of = {move.after: move.level for move in judged_moves(judge, position, max(LEVELS))}
    # Without foresight: what the game itself sees of the next move is no merit of the search.
    settings = Settings(c=C, memory="stop", switches={"foresight": False})
    searcher = Searcher(judge.game, NODES_A_SIMULATION * max(unit["simulations"]), unit["seed"], settings)
    searcher.begin(position)
    counts, done = [], 0
    for count in unit["simulations"]:
        searcher.search(simulations=count - done)
        done = count
        counts.append(_told_apart(searcher, position, level_of))
    return {"ply": position.ply, "counts": counts}


def _told_apart(searcher: Searcher, position: Any, level_of: dict[Any, int]) -> dict[str, list[float]]:
    """By level: traps, those proved to lose, pairs with a sound move, and how many of those are told apart."""
    children = [child for child in searcher.children() if child.visits or child.outcome]
    by_level: dict[int, list[Any]] = {}
    for child in children:
        level = level_of.get(position.play(searcher.move_to(position, child.node)))
        if level is not None:
            by_level.setdefault(level, []).append(child)
    sound = [child.chance for child in by_level.get(0, ())]
    found = {}
    for level in LEVELS:
        traps = by_level.get(level, [])
        apart = sum((other > trap.chance) + (other == trap.chance) / 2 for trap in traps for other in sound)
        proved = sum(trap.outcome == "loss" for trap in traps)
        found[str(level)] = [float(len(traps)), float(proved), float(len(traps) * len(sound)), float(apart)]
    return found


def tabulate(done: Sequence[Finished]) -> list[Row]:
    """A row for each kind of play, number of simulations, and level; each position counts as one."""
    rows = []
    for play in dict.fromkeys(unit["play"] for unit, _ in done):
        mine = [(unit, result) for unit, result in done if unit["play"] == play and result["counts"]]
        for number, count in enumerate(mine[0][0]["simulations"] if mine else ()):
            for level in LEVELS:
                entries = [result["counts"][number][str(level)] for _, result in mine]
                with_pairs = [entry for entry in entries if entry[2]]
                if with_pairs:
                    share = sum(entry[3] / entry[2] for entry in with_pairs) / len(with_pairs)
                    low, high = wilson_interval(share * len(with_pairs), len(with_pairs))
                    proved = sum(entry[1] for entry in entries) / sum(entry[0] for entry in entries)
                    labels = {"play": play, "simulations": count, "level": level, "positions": len(with_pairs)}
                    rows.append({**labels, "share": share, "low": low, "high": high, "proved": proved})
    return rows


def draw(rows: Sequence[Row], figure: Any) -> None:
    """A panel a kind of play, a line a level, over simulations."""
    plays = values_of(rows, "play")
    for axes, play in zip(figure.subplots(1, len(plays), squeeze=False)[0], plays, strict=True):
        for level in values_of(rows, "level"):
            line = [row for row in rows if row["play"] == play and row["level"] == level]
            plot_shares(axes, line, "simulations", f"level {level}")
        axes.set_xscale("log")
        finish_shares(axes, "simulations", f"{play} play")
    figure.axes[0].set_ylabel("pairs of a sound move and a trap told apart")
    figure.axes[0].legend(fontsize=8)


STUDY = Study(
    title="Do UCT's values tell traps from sound moves? Pentago, playouts, no foresight",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound ones, and not those of level 5 "
        "and 7 (Ramanujan, Sabharwal & Selman 2010, in chess)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
)
