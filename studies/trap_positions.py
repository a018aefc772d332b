"""Positions, and which of their moves fall into traps.

A move falls into a trap of level k if the opponent then has a forced win in k plies, and none sooner (Ramanujan,
Sabharwal & Selman, "On Adversarial Search Spaces and Sampling-Based Planning", 2010). A move after which no such win
is found within the plies that were searched counts as sound, whatever comes later.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from agents.uct.searchers import make_searcher
from agents.uct.settings import Settings
from game import Game
from pentago.forced_wins import Space, attacker_wins
from pentago.foresight import can_win_at_once

STRONG_SIMULATIONS = 200  # a move, in games of strong play
STRONG_CAPACITY = 50_000
OPENING_PLIES = 3  # random moves before strong play, so that games differ
RANDOM, STRONG = "random", "strong"


class Move(NamedTuple):
    """A distinct move: the position after it, and the level of the trap that it falls into, 0 if it is sound."""

    after: Any
    level: int


def game_positions(game: Game, play: str, seed: int) -> list[Any]:
    """The open positions of a game between random players, or strong ones."""
    rng, position, found = random.Random(f"{play} {seed}"), game.initial(), []
    searcher = make_searcher(game, STRONG_CAPACITY, seed, Settings.for_game(game)) if play == STRONG else None
    while position.result is None and position.ply < game.longest_game:
        found.append(position)
        if searcher is None or position.ply < OPENING_PLIES:
            position = position.play(rng.choice(position.legal_moves()))
        else:
            searcher.begin(position)
            searcher.search(simulations=STRONG_SIMULATIONS)
            position = position.play(searcher.best_move())
    return found


def distinct_successors(position: Any) -> Iterator[Any]:
    """The positions after a position's moves, each once."""
    yield from dict.fromkeys(position.play(move) for move in position.legal_moves())


def pentago_level(pentago: Game, space: Space, after: Any, most: int) -> int:
    """The plies of the quickest forced win of the player to move, at most so many (odd); 0 if there is none."""
    mine, theirs = pentago.state(after)
    if can_win_at_once(pentago.kernel, mine, theirs):
        return 1
    levels = range(3, most + 1, 2)
    return next((plies for plies in levels if attacker_wins(pentago.kernel, space, mine, theirs, plies)), 0)


def pentago_moves(pentago: Game, space: Space, position: Any, most: int) -> list[Move]:
    """All distinct moves that do not end the game, with their levels up to `most`."""
    return [
        Move(after, pentago_level(pentago, space, after, most))
        for after in distinct_successors(position)
        if after.result is None
    ]
