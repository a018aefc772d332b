"""Whether UCT's values tell moves that fall into traps from sound ones in chess, by the level of the trap."""

from studies.study import Extent, Result, Study, Unit
from studies.told_apart import Valued, count_apart, draw, tabulate
from studies.trap_positions import LEVELS, RANDOM, STRONG

PLIES = (20, 30, 40, 50, 60, 70, 80)
SIMULATIONS = (300, 3000)
C = 0.4  # of the paper


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game, in which the positions after certain plies are looked at."""
    return [
        {
            "game": "chess",
            "play": play,
            "seed": extent.seed * 10_000 + number,
            "plies": extent.choose(PLIES, PLIES[2:4]),
            "simulations": extent.choose(SIMULATIONS, (100,)),
        }
        for number in range(extent.count(60, 3))
        for play in (RANDOM, STRONG)
    ]


def work(unit: Unit) -> Result:
    """For each number of simulations a list of what `count_apart` finds, by positions that have a trap."""
    from studies.chess_positions import game_positions, judged_moves, stockfish
    from studies.chess_uct import ChessUCT

    counts: list[list[dict[str, list[float]]]] = [[] for _ in unit["simulations"]]
    with stockfish() as engine:
        for board in game_positions(engine, unit["play"], unit["seed"], max(unit["plies"])):
            levels = judged_moves(engine, board) if board.ply() in unit["plies"] else {}
            if not any(levels.values()) or all(levels.values()):
                continue
            search, done = ChessUCT(board, C, unit["seed"]), 0
            for found, count in zip(counts, unit["simulations"], strict=True):
                search.search(count - done)
                done = count
                valued = [Valued(levels[move], value) for move, value in search.values().items()]
                found.append(count_apart(valued, LEVELS))
    return {"counts": counts}


STUDY = Study(
    title="Do UCT's values tell traps from sound moves in chess? Leaves worth their material",
    claim=(
        "UCT with c = 0.4 tells moves that fall into traps of level 1 and 3 from sound ones, and not those of level 5 "
        "and 7 (Ramanujan, Sabharwal & Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    programs=("stockfish",),
    modules=("chess",),
)
