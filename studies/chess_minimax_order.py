"""Whether UCT orders the moves of a chess position as a deep search of Stockfish does."""

from functools import partial

from studies import order_alike
from studies.chess_trap_values import PLIES, SIMULATIONS, C
from studies.study import About, Extent, Result, Unit
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
    from studies.chess_positions import chances_by_stockfish, positions_after, stockfish
    from studies.chess_uct import values_of_moves

    with stockfish() as engine:
        boards = positions_after(engine, STRONG, unit["seed"], unit["plies"])
        if not boards:
            return {"pairs": 0}
        values = values_of_moves(boards[0], C, unit["simulations"], unit["seed"])
        chances = partial(chances_by_stockfish, engine, boards[0])
        return order_alike.compare_orders(unit, "Stockfish, depth {}", chances, values)


tabulate, draw = order_alike.tabulate, order_alike.draw

ABOUT = About(
    title="Do UCT's values order moves in chess as a deep search of Stockfish does? Leaves valued by material",
    claim=(
        "UCT sees shallow traps but not deeper ones, as a comparison of its values of moves with those of a deep "
        "minimax search shows (Ramanujan, Sabharwal & Selman 2010)."
    ),
    setting=(
        "One position from each game of strong play; pairs of moves whose winning chances differ by at least 0.02 "
        "according to the judge, Stockfish at depth 12. UCT: c = 0.4."
    ),
    half="as good as drawing lots",
    programs=("stockfish",),
    modules=("chess",),
)
