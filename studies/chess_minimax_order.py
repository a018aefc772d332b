"""Whether UCT orders the moves of a chess position as a deep search of Stockfish does."""

from studies.chess_trap_values import PLIES, SIMULATIONS, C, in_random_order
from studies.order_alike import count_alike, draw, tabulate
from studies.study import Extent, Result, Study, Unit
from studies.trap_positions import STRONG

DEPTHS = (1, 3, 6, 9, 12)  # of Stockfish, which extends its search in sharp positions; the last is the judge's


def plan(extent: Extent) -> list[Unit]:
    """A unit is a game of strong play, in which one position after certain plies is searched."""
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
    """The pairs of moves that the deepest search tells apart, and how many of them each opinion orders alike."""
    from studies.chess_positions import chances_by_stockfish, game_positions, stockfish
    from studies.chess_uct import values_of_moves

    with stockfish() as engine:
        boards = game_positions(engine, STRONG, unit["seed"], max(unit["plies"]))
        candidates = in_random_order([board for board in boards if board.ply() in unit["plies"]], unit["seed"])
        if not candidates:
            return {"pairs": 0}
        board = candidates[0]
        *shallow, deepest = unit["depths"]
        opinions = {f"Stockfish, depth {depth}": chances_by_stockfish(engine, board, depth) for depth in shallow}
        judged = chances_by_stockfish(engine, board, deepest)
    values = values_of_moves(board, C, unit["simulations"], unit["seed"])
    opinions |= {f"UCT, {count:,}": found for count, found in zip(unit["simulations"], values, strict=True)}
    return count_alike(judged, opinions)


STUDY = Study(
    title="Do UCT's values order moves in chess as a deep search of Stockfish does? Leaves valued by material",
    claim=(
        "UCT sees shallow traps but not deeper ones, as a comparison of its values of moves with those of a deep "
        "minimax search shows (Ramanujan, Sabharwal & Selman 2010)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
    setting=(
        "One position from each game of strong play; pairs of moves whose winning chances differ by at least 0.02 "
        "according to the judge, Stockfish at depth 12. UCT: c = 0.4."
    ),
    half="as good as drawing lots",
    programs=("stockfish",),
    modules=("chess",),
)
