"""Whether UCT's values put the moves of a position of chess into the order in which Stockfish has them."""

from studies.chess_trap_values import PLIES, SIMULATIONS, C, in_random_order
from studies.order_alike import count_alike, draw, tabulate
from studies.study import Extent, Result, Study, Unit
from studies.trap_positions import STRONG

DEPTHS = (1, 3, 6, 9, 12)


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game of strong play, in which the position after one of certain plies is searched."""
    return [
        {
            "game": "chess",
            "seed": extent.seed * 10_000 + number,
            "plies": extent.choose(PLIES, PLIES[:2]),
            "simulations": extent.choose(SIMULATIONS, (100,)),
            "depths": extent.choose(DEPTHS, DEPTHS[:2]),
        }
        for number in range(extent.count(60, 2))
    ]


def work(unit: Unit) -> Result:
    """For each number of simulations and each depth the pairs of moves, and those in the same order."""
    from studies.chess_positions import game_positions, move_chances, stockfish
    from studies.chess_uct import ChessUCT

    with stockfish() as engine:
        boards = game_positions(engine, STRONG, unit["seed"], max(unit["plies"]))
        candidates = in_random_order([board for board in boards if board.ply() in unit["plies"]], unit["seed"])
        if not candidates:
            return {"ply": None, "counts": []}
        board = candidates[0]
        judged = [move_chances(engine, board, depth) for depth in unit["depths"]]
    search, counts, done = ChessUCT(board, C, unit["seed"]), [], 0
    for count in unit["simulations"]:
        search.search(count - done)
        done = count
        counts.append([count_alike(judgement, search.values()) for judgement in judged])
    return {"ply": board.ply(), "counts": counts}


STUDY = Study(
    title="Do UCT's values order moves in chess as Stockfish does? Leaves worth their material",
    claim=(
        "UCT sees traps of few plies and no deeper ones: so its values of moves fall behind those of a minimax search "
        "the deeper that looks (Ramanujan, Sabharwal & Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    programs=("stockfish",),
    modules=("chess",),
)
