"""Choosing a move by looking two plies ahead in plain Python, for an agent that is still compiling its search.

It calls a position's own methods and `game.evaluate`; if these still have to be compiled, that takes 1 to 3 seconds.
"""

from operator import itemgetter
from random import Random
from typing import Any

import numpy as np

from agents.agent import MoveReport
from agents.limits import Clock
from agents.outcomes import can_win_at_once
from game import Game, evaluate

MOST_PLIES = 500  # of the game that is played to compile everything: it might never end


def look_ahead(game: Game, kernel: Any, position: Any, clock: Clock, rng: Random) -> tuple[Any, float]:
    """A move, and its value for the player who makes it.

    It is the first of `ranked_moves` after which the opponent cannot win at once, if such a move is found within half
    of the time that is left; else the first of all.
    """
    least = clock.remaining / 2
    ranked = ranked_moves(game, kernel, position, rng)
    for report in ranked:
        after = position.play(report.move)
        if clock.remaining < least:
            break
        if after.to_move == position.to_move or not can_win_at_once(after):
            return report.move, report.value
    return ranked[0].move, ranked[0].value


def ranked_moves(game: Game, kernel: Any, position: Any, rng: Random) -> list[MoveReport]:
    """Every move, the best first by the evaluation of the position after it; equals are in random order.

    A move that leaves the board as it was (a pass) comes last: the evaluation does not know that a move is worth
    something.
    """
    moves = list(position.legal_moves())
    rng.shuffle(moves)
    board, ranked = position.board, list[tuple[bool, float, MoveReport]]()
    for move in moves:
        after = position.play(move)
        value = _value(game, kernel, after, position.to_move)
        is_pass = after.result is None and np.array_equal(after.board, board)
        ranked.append((is_pass, -value, MoveReport(move, 1, value, 1 / len(moves), (move,))))
    return [report for *_, report in sorted(ranked, key=itemgetter(0, 1))]


def compile_for_look_ahead(game: Game, kernel: Any, rng: Random) -> None:
    """Compile, or load, what a look ahead calls, by playing a game.

    The game always goes on by the last of the legal moves, which mostly ends it soon.
    """
    position: Any = game.initial()
    ranked_moves(game, kernel, position, rng)
    position = position.play(position.legal_moves()[0])
    while position.result is None and position.ply < min(game.longest_game, MOST_PLIES):
        position = position.play(position.legal_moves()[-1])


def _value(game: Game, kernel: Any, position: Any, player: int) -> float:
    if position.result is not None:
        return float(position.result.value_for(player))
    value = float(evaluate(kernel, game.state(position)))
    return value if position.to_move == player else 1 - value
