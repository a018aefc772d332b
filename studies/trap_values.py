"""Whether UCT's values tell moves that fall into traps from sound ones, by the level of the trap: Pentago, Kalah."""

from typing import Any

from studies import told_apart
from studies.study import About, Extent, Result, Unit
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
    """See `count_in_first`, of the game's positions in random order; moves that end the game have no level."""
    name = unit["game"]
    judge: Any = JUDGES[name]()
    return told_apart.count_in_first(
        positions_between(judge.game, unit["play"], unit["seed"], *PLIES[name]),
        lambda position: judged_moves(judge, position, max(LEVELS[name])),
        lambda position: values_of_moves(judge.game, position, unit["simulations"], unit["seed"]),
        LEVELS[name],
    )


tabulate, draw = told_apart.tabulate, told_apart.draw

ABOUT = About(
    title="Do UCT's values tell traps from sound moves? Pentago and Kalah, playouts, no proofs",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound moves, but not those of level "
        "5 and 7 (Ramanujan, Sabharwal & Selman 2010, in chess)."
    ),
    setting="UCT: c = 0.4, no foresight. Strong play: UCT, 200 simulations a move. One position a game.",
    half="not told apart",
)
