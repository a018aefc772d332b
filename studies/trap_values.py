"""Whether UCT's values tell moves that fall into traps from sound ones, by the level of the trap: Pentago, Kalah."""

from typing import Any

from studies.study import Extent, Result, Study, Unit
from studies.told_apart import count_apart, draw, has_trap, tabulate
from studies.trap_positions import JUDGES, RANDOM, STRONG, judged_moves, positions_between
from studies.uct_values import values_of_moves

LEVELS = {"pentago": (1, 3, 5), "kalah": (1, 3, 5, 7)}
PLIES = {"pentago": (10, 18), "kalah": (15, 35)}  # the first and the last ply after which a position may be taken
GAMES = {"pentago": 300, "kalah": 3000}  # a trap of a given level is rare in Kalah
SIMULATIONS = (1000, 10_000, 50_000)


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game; one of its positions is searched."""
    return [
        {
            "game": game,
            "play": play,
            "seed": extent.seed * 10_000 + number,
            "simulations": extent.choose(SIMULATIONS, (1000,)),
        }
        for game in LEVELS
        for play in (RANDOM, STRONG)
        for number in range(extent.count(GAMES[game], 2))
    ]


def work(unit: Unit) -> Result:
    """Search a position with a trap and a sound move: its ply, and for each number of simulations the `count_apart`.

    It is the first one of the game's positions in random order; without one, ply is None and "counts" is empty. Moves
    that end the game have no level.
    """
    name = unit["game"]
    judge: Any = JUDGES[name]()
    for position in positions_between(judge.game, unit["play"], unit["seed"], *PLIES[name]):
        level_of = {move.after: move.level for move in judged_moves(judge, position, max(LEVELS[name]))}
        if has_trap(level_of):
            found = values_of_moves(judge.game, position, unit["simulations"], unit["seed"])
            counts = [[count_apart(level_of, values, LEVELS[name])] for values in found]
            return {"ply": position.ply, "counts": counts}
    return {"ply": None, "counts": []}


STUDY = Study(
    title="Do UCT's values tell traps from sound moves? Pentago and Kalah, playouts, no proofs",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound moves, but not those of level "
        "5 and 7 (Ramanujan, Sabharwal & Selman 2010, in chess)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    setting="UCT: c = 0.4, no foresight. Strong play: UCT, 200 simulations a move. One position a game.",
    half="not told apart",
)
