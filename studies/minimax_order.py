"""Whether UCT's values order the moves of a position as a deep minimax search does."""

from functools import partial
from typing import Any

from agents.alphabeta.searcher import Searcher as AlphaBeta
from game import Game, load_game
from studies import order_alike
from studies.study import About, Extent, Result, Unit
from studies.trap_positions import STRONG, TABLE_BITS, positions_between
from studies.trap_values import PLIES
from studies.uct_values import SWITCHES, values_of_moves

SIMULATIONS = (1000, 10_000, 50_000)
DEPTHS = {"kalah": (2, 4, 8, 12), "pentago": (2, 3, 4)}  # the last is the judge's


def plan(extent: Extent) -> list[Unit]:
    """A unit is a position of a game of strong play."""
    return [
        {
            "game": game,
            "seed": extent.seed * 10_000 + number,
            "simulations": extent.choose(SIMULATIONS, (1000,)),
            "depths": extent.choose(depths, depths[:2]),
        }
        for number in range(extent.count(100, 2))
        for game, depths in DEPTHS.items()
    ]


def work(unit: Unit) -> Result:
    """The pairs of moves that the deepest search tells apart, and how many of them each opinion orders alike."""
    game = load_game(unit["game"])
    positions = positions_between(game, STRONG, unit["seed"], *PLIES[unit["game"]])
    if not positions:
        return {"pairs": 0}
    values = values_of_moves(game, positions[0], unit["simulations"], unit["seed"])
    chances = partial(chances_by_minimax, game, positions[0])
    return order_alike.compare_orders(unit, "minimax, {} plies", chances, values)


def chances_by_minimax(game: Game, position: Any, depth: int) -> dict[Any, float]:
    """The value of each move that does not end the game, for the player who makes it.

    By alpha-beta with the game's evaluation, `depth` plies deep, of which the move is the first. Entries of its table
    may come from a deeper search.
    """
    searcher = AlphaBeta(game, 1 << TABLE_BITS, kernel=game.kernel_with(**SWITCHES[game.name]))
    chances = {}
    for after in dict.fromkeys(position.play(move) for move in position.legal_moves()):
        if after.result is None:
            searcher.search(after, depth - 1)
            chances[after] = searcher.chance if after.to_move == position.to_move else 1 - searcher.chance
    return chances


tabulate, draw = order_alike.tabulate, order_alike.draw

ABOUT = About(
    title="Do UCT's values order moves as a deep minimax search does? Kalah and Pentago, playouts, no proofs",
    claim=(
        "UCT sees shallow traps but not deeper ones, as a comparison of its values of moves with those of a deep "
        "minimax search shows (Ramanujan, Sabharwal & Selman 2010, in chess)."
    ),
    setting=(
        "Judges: minimax of 12 plies in Kalah, of 4 in Pentago. They and shallower searches have the same evaluation, "
        "UCT (c = 0.4) has none. Pairs: of moves whose chances differ by at least 0.02 according to the judge."
    ),
    half="as good as drawing lots",
)
