"""Whether UCT's values tell moves that fall into traps from sound moves in chess, by the level of the trap."""

import random
from collections.abc import Sequence
from typing import Any

from studies.study import Extent, Result, Study, Unit
from studies.told_apart import count_apart, draw, has_trap, tabulate
from studies.trap_positions import LEVELS, RANDOM, STRONG

PLIES = (20, 30, 40, 50, 60, 70, 80)
SIMULATIONS = (300, 3000)
GAMES = {RANDOM: 800, STRONG: 1000}  # so that about 100 positions have traps of each level; strong play has few
C = 0.4  # of the paper


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which one position after certain plies is searched."""
    return [
        {
            "game": "chess",
            "play": play,
            "seed": extent.seed * 10_000 + number,
            "plies": extent.choose(PLIES, PLIES[2:4]),
            "simulations": extent.choose(SIMULATIONS, (100,)),
        }
        for play, games in GAMES.items()
        for number in range(extent.count(games, 3))
    ]


def work(unit: Unit) -> Result:
    """For each number of simulations what `count_apart` finds in a position; nothing if no position has a trap."""
    from studies.chess_positions import game_positions, judged_moves, stockfish
    from studies.chess_uct import values_of_moves

    with stockfish() as engine:
        boards = game_positions(engine, unit["play"], unit["seed"], max(unit["plies"]))
        judged = in_random_order([board for board in boards if board.ply() in unit["plies"]], unit["seed"])
        for board in judged:
            level_of = judged_moves(engine, board)
            if has_trap(level_of):
                found = values_of_moves(board, C, unit["simulations"], unit["seed"])
                return {"ply": board.ply(), "counts": [[count_apart(level_of, values, LEVELS)] for values in found]}
    return {"ply": None, "counts": []}


def in_random_order(boards: Sequence[Any], seed: int) -> list[Any]:
    """The positions of a game in random order; only one is used, since two of a game are not independent."""
    return random.Random(seed).sample(boards, len(boards))


STUDY = Study(
    title="Do UCT's values tell traps from sound moves in chess? Leaves valued by material",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound moves, but not those of level "
        "5 and 7 (Ramanujan, Sabharwal & Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    setting="UCT: c = 0.4. Strong play: Stockfish, 2,000 nodes a move. One position a game.",
    half="not told apart",
    programs=("stockfish",),
    modules=("chess",),
)
