"""Positions, and which of their moves fall into traps.

A move falls into a trap of level k if the opponent then has a forced win in k plies, and none sooner (Ramanujan,
Sabharwal & Selman, "On Adversarial Search Spaces and Sampling-Based Planning", 2010). A move after which no such win
is found within the plies that were searched counts as sound, whatever comes later.
"""

import random
from collections.abc import Sequence
from typing import Any

from agents.alphabeta.searcher import Searcher
from agents.uct.searchers import make_searcher
from agents.uct.settings import Settings
from game import Game, load_game, solver_of
from pentago.forced_wins import shortest_win
from studies.forced_losses import plies_to_loss

STRONG_SIMULATIONS = 200  # a move, in games of strong play
STRONG_CAPACITY = 50_000
TABLE_BITS = 18  # alpha-beta's table has 2^TABLE_BITS entries
OPENING_PLIES = 3  # random moves before strong play, so that games differ
RANDOM, STRONG = "random", "strong"
LEVELS = (1, 3, 5, 7)


def game_positions(played: Game, play: str, seed: int) -> list[Any]:
    """The open positions of a game: of random moves, or with `play` STRONG of UCT's moves after a random opening."""
    rng, position, found = random.Random(f"{play} {seed}"), played.initial(), []
    searcher = make_searcher(played, STRONG_CAPACITY, seed, Settings.for_game(played)) if play == STRONG else None
    while position.result is None and position.ply < played.longest_game:
        found.append(position)
        if searcher is None or position.ply < OPENING_PLIES:
            position = position.play(rng.choice(position.legal_moves()))
        else:
            searcher.begin(position)
            searcher.search(simulations=STRONG_SIMULATIONS)
            position = position.play(searcher.best_move())
    return found


def positions_between(played: Game, play: str, seed: int, first: int, last: int) -> list[Any]:
    """The positions of `game_positions` after `first` to `last` plies, in random order."""
    positions = game_positions(played, play, seed)
    return in_random_order([position for position in positions if first <= position.ply <= last], seed)


def in_random_order(positions: Sequence[Any], seed: int) -> list[Any]:
    """The positions of a game in random order; only one is used, since two of a game are not independent."""
    return random.Random(seed).sample(positions, len(positions))


class PentagoJudge:
    """Says exactly how soon the player to move in a position of Pentago wins by force."""

    full_level = 5  # up to here every move is judged; beyond it a move takes a second and more

    def __init__(self) -> None:
        self.game = load_game("pentago")
        self._solver = solver_of(self.game)

    def level(self, position: Any, after: Any, most: int) -> int:
        """The level of the trap that the move to `after` falls into, up to `most`; 0 if there is no such trap."""
        return shortest_win(self.game, self._solver, after, most)


class KalahJudge:
    """The same for Kalah, by alpha-beta. Extra turns allow wins in k plies with k even: their level is k + 1."""

    full_level = 7

    def __init__(self) -> None:
        self.game = load_game("kalah")
        self._searcher = Searcher(self.game, 1 << TABLE_BITS)

    def level(self, position: Any, after: Any, most: int) -> int:
        """See `PentagoJudge.level`."""
        plies = plies_to_loss(self._searcher, after, after.to_move == position.to_move, most)
        return 0 if plies is None else plies | 1


JUDGES = {"pentago": PentagoJudge, "kalah": KalahJudge}


def judged_moves(judge: Any, position: Any, most: int) -> dict[Any, int]:
    """For each position after a move that does not end the game, the level of the move's trap up to `most`, or 0."""
    successors = dict.fromkeys(position.play(move) for move in position.legal_moves())
    return {after: judge.level(position, after, most) for after in successors if after.result is None}
