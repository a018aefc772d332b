"""Whether UCT's values tell moves that fall into traps from sound ones, by the level of the trap: Pentago, Kalah."""

from typing import Any

from studies.study import Extent, Result, Study, Unit
from studies.told_apart import Valued, count_apart, draw, tabulate
from studies.trap_positions import JUDGES, RANDOM, STRONG, judged_moves, position_between
from studies.uct_values import values_of_moves

LEVELS = {"pentago": (1, 3, 5), "kalah": (1, 3, 5, 7)}
PLIES = {"pentago": (10, 18), "kalah": (15, 35)}  # the first and the last after which positions are taken
SIMULATIONS = (1000, 10_000, 50_000)


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
    """For each number of simulations what `count_apart` finds; moves that end the game have no level."""
    name = unit["game"]
    judge: Any = JUDGES[name]()
    position = position_between(judge.game, unit["play"], unit["seed"], *PLIES[name])
    if position is None:
        return {"ply": None, "counts": []}
    level_of = {move.after: move.level for move in judged_moves(judge, position, max(LEVELS[name]))}
    counts = [
        [
            count_apart(
                [Valued(level_of[after], value) for after, value in values.items() if after in level_of], LEVELS[name]
            )
        ]
        for values in values_of_moves(judge.game, position, unit["simulations"], unit["seed"])
    ]
    return {"ply": position.ply, "counts": counts}


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
