"""Whether UCT's values tell moves that fall into traps from sound ones, by the level of the trap: Pentago, Kalah."""

import random
from typing import Any

from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from studies.study import Extent, Result, Study, Unit
from studies.told_apart import Valued, count_apart, draw, tabulate
from studies.trap_positions import JUDGES, RANDOM, STRONG, game_positions, judged_moves

LEVELS = {"pentago": (1, 3, 5), "kalah": (1, 3, 5, 7)}
PLIES = {"pentago": (10, 18), "kalah": (15, 35)}  # the first and the last after which positions are taken
SIMULATIONS = (1000, 10_000, 50_000)
NODES_A_SIMULATION = {"pentago": 100, "kalah": 6}  # room of the tree
# Without proofs nothing is made of what the game sees of the next move; it would only take time.
SWITCHES: dict[str, dict[str, Any]] = {"pentago": {"foresight": False}, "kalah": {}}
C = 0.4  # of the paper's search in chess


def plan(extent: Extent) -> list[Unit]:
    """A unit is a position of a game."""
    return [
        {
            "game": game,
            "play": play,
            "seed": extent.seed * 10_000 + number,
            "simulations": extent.choose(SIMULATIONS, (1000,)),
        }
        for number in range(extent.count(60, 2))
        for game in LEVELS
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each number of simulations what `count_apart` finds."""
    name, counts = unit["game"], unit["simulations"]
    judge: Any = JUDGES[name]()
    first, last = PLIES[name]
    positions = [p for p in game_positions(judge.game, unit["play"], unit["seed"]) if first <= p.ply <= last]
    if not positions:
        return {"ply": None, "counts": []}
    position = random.Random(unit["seed"]).choice(positions)
    level_of = {move.after: move.level for move in judged_moves(judge, position, max(LEVELS[name]))}
    settings = Settings(c=C, memory="stop", proofs=False, switches=SWITCHES[name])
    searcher = Searcher(judge.game, NODES_A_SIMULATION[name] * max(counts), unit["seed"], settings)
    searcher.begin(position)
    found, done = [], 0
    for count in counts:
        searcher.search(simulations=count - done)
        done = count
        found.append([count_apart(_valued(searcher, position, level_of), LEVELS[name])])
    return {"ply": position.ply, "counts": found}


def _valued(searcher: Searcher, position: Any, level_of: dict[Any, int]) -> list[Valued]:
    """The moves that the search has tried; those that end the game have no level."""
    found = []
    for child in searcher.children():
        level = level_of.get(position.play(searcher.move_to(position, child.node)))
        if level is not None and child.visits:
            found.append(Valued(level, child.value))
    return found


STUDY = Study(
    title="Do UCT's values tell traps from sound moves? Pentago and Kalah, playouts, no proofs",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound ones, and not those of level 5 "
        "and 7 (Ramanujan, Sabharwal & Selman 2010, in chess)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
)
