"""What a game that was played out is worth to a player: points, where the game tells who owns them, else the result."""

from typing import NamedTuple

from jit import dispatched, give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import FIRST, Game


class Points(NamedTuple):
    """Points of the board: the player's less the opponent's; komi is the same for all moves, and left out.

    Attributes:
        owners: int64[Game.amaf_moves], working space, see `game.tally`.
    """

    owners: np.ndarray


class Results(NamedTuple):
    """1 for a win, 0 for a draw, -1 for a loss. Attributes: nothing: 0, since compiled code wants a field."""

    nothing: int


def scorer_for(the_game: Game) -> Points | Results:
    """Points where the game has them."""
    if game.offers(the_game.kernel, game.tally):
        return Points(np.zeros(the_game.amaf_moves, np.int64))
    return Results(0)


@dispatched
def score_of(scorer, kernel, state, player, value):
    """The score of a game that has ended in `state`, for a player (FIRST or SECOND) for whom its result is `value`."""


@jit
def _points(scorer, kernel, state, player, value):
    scorer.owners[:] = 0
    game.tally(kernel, state, scorer.owners)
    points = 0.0
    for i in range(len(scorer.owners)):
        points += scorer.owners[i]
    return points if player == FIRST else -points


@jit
def _result(scorer, kernel, state, player, value):
    return 2.0 * value - 1.0


give_body(score_of, Points, _points)
give_body(score_of, Results, _result)
