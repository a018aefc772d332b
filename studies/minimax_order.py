"""Whether UCT's values put the moves of a position into the order in which a deep minimax search has them."""

import random
from typing import Any

from agents.alphabeta.searcher import Searcher as AlphaBeta
from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from game import load_game
from studies.order_alike import count_alike, draw, tabulate
from studies.study import Extent, Result, Study, Unit
from studies.trap_positions import STRONG, TABLE_BITS, game_positions
from studies.trap_values import NODES_A_SIMULATION, PLIES, SWITCHES, C

SIMULATIONS = (1000, 10_000, 50_000)
DEPTHS = {"kalah": (2, 4, 6, 8, 10, 12), "pentago": (2, 3, 4)}


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
    """For each number of simulations and each depth the pairs of moves, and those in the same order."""
    game = load_game(unit["game"])
    first, last = PLIES[unit["game"]]
    positions = [p for p in game_positions(game, STRONG, unit["seed"]) if first <= p.ply <= last]
    if not positions:
        return {"ply": None, "counts": []}
    position = random.Random(unit["seed"]).choice(positions)
    judged = [_by_minimax(game, position, depth) for depth in unit["depths"]]
    settings = Settings(c=C, memory="stop", proofs=False, switches=SWITCHES[unit["game"]])
    searcher = Searcher(game, NODES_A_SIMULATION[unit["game"]] * max(unit["simulations"]), unit["seed"], settings)
    searcher.begin(position)
    counts, done = [], 0
    for count in unit["simulations"]:
        searcher.search(simulations=count - done)
        done = count
        tried = [child for child in searcher.children() if child.visits]
        valued = {position.play(searcher.move_to(position, child.node)): child.value for child in tried}
        counts.append([count_alike(judgement, valued) for judgement in judged])
    return {"ply": position.ply, "counts": counts}


def _by_minimax(game: Any, position: Any, depth: int) -> dict[Any, float]:
    """What each successor of a position is worth for the player who chooses it, by minimax of so many plies."""
    searcher, values = AlphaBeta(game, 1 << TABLE_BITS), {}
    for after in dict.fromkeys(position.play(move) for move in position.legal_moves()):
        if after.result is None:
            searcher.search(after, depth - 1)
            values[after] = searcher.chance if after.to_move == position.to_move else 1 - searcher.chance
        else:
            winner = after.result.winner
            values[after] = 0.5 if winner is None else float(winner == position.to_move)
    return values


STUDY = Study(
    title="Do UCT's values order moves as a deep minimax search does? Kalah and Pentago, playouts, no proofs",
    claim=(
        "UCT sees traps of few plies and no deeper ones: so its values of moves fall behind those of a minimax search "
        "the deeper that looks (Ramanujan, Sabharwal & Selman 2010, in chess)."
    ),
    plan=plan,
    work=work,
    tabulate=tabulate,
    draw=draw,
)
