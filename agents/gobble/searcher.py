"""A search of one position: games with a falling temperature, and which move has done best."""

import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.gobble.games import GAMES, Averages, Chance, forget, list_moves, play
from agents.outcomes import Candidate, best_of, name_by_moves, name_for_chooser
from game import IMPLIED, Game, max_children, move_number, offers, tally

UNSCORED = -1e18  # below every average
MOST_PLIES = 4  # of a game that is played by lists, for each number of a move: cycles have to end


class Chunk(NamedTuple):
    """Games to play before the clock is read again, and how many there will be in all, as far as is known."""

    games: int
    planned: int


class Move(NamedTuple):
    """A move of the position.

    Attributes:
        payload: both words.
        number: of the move.
        outcome: what is known of it for the player who makes it: "win", "loss", "draw" or None.
        implied: whether that is known by looking ahead only.
    """

    payload: tuple[int, int]
    number: int
    outcome: str | None
    implied: bool


def _allocate(moves: int, successors: int, has_points: bool) -> Averages:
    visits, scores, results, means = (np.zeros((2, moves)) for _ in range(4))
    order, places = (np.zeros((2, moves), np.int64) for _ in range(2))
    shuffled, keys, trace = np.zeros(moves, np.int64), np.zeros(moves), np.zeros(moves, np.uint8)
    owners = np.zeros(moves if has_points else 0, np.int64)
    word0, word1, flags = (np.zeros(successors, np.uint64) for _ in range(3))
    counters = np.zeros(3, np.int64)
    return Averages(
        visits, scores, results, means, order, shuffled, places, keys, owners, trace, word0, word1, flags, counters
    )


class Searcher:
    """Gobble for one position at a time.

    Attributes:
        averages: of all moves of both players.
        moves: those of the position.
        seconds: that the last search took.
    """

    def __init__(self, game: Game, by_interval: bool, temperature: float, width: float, random: int, seed: int) -> None:
        self.game = game
        # The one rule of Go that the method has: eyes are not filled.
        self.kernel = game.kernel_with(keep_eyes=True) if "keep_eyes" in game.kernel._fields else game.kernel
        longest = int(min(game.longest_game, MOST_PLIES * game.amaf_moves))
        self.shuffling = Chance(by_interval, temperature, width, random, longest)
        self.averages = _allocate(game.amaf_moves, int(max_children(self.kernel)), offers(self.kernel, tally))
        self.moves: list[Move] = []
        self.position: Any = None
        self.seconds = 0.0
        self._rng = new_rng(seed)

    def search(self, position: Any, chunks: Iterable[Chunk]) -> None:
        """Play games from an open position, none if one of its moves is known to win or it has one move only."""
        start, self.position = time.monotonic(), position
        root = self.game.state(position)
        state = root.copy()
        forget(self.averages)
        self.moves = self._list_moves(root)
        if len(self.moves) > 1 and self.proven is None:
            mover = int(position.to_move)
            for chunk in chunks:
                lists = self.averages, self.shuffling, self._rng
                play(self.kernel, root, state, *lists, mover, *chunk)
        self.seconds = time.monotonic() - start

    def _list_moves(self, root: np.ndarray) -> list[Move]:
        count = int(list_moves(self.kernel, root, self.averages))
        moves = []
        for i in range(count):
            word0, word1 = self.averages.payload0[i], self.averages.payload1[i]
            word = int(self.averages.flags[i])
            number = int(move_number(self.kernel, word0, word1))
            moves.append(Move((int(word0), int(word1)), number, name_for_chooser(word), bool(word & int(IMPLIED))))
        return moves

    @property
    def work(self) -> int:
        """Games played in the last search."""
        return int(self.averages.counters[GAMES])

    @property
    def figures(self) -> dict[str, int]:
        """The number of games."""
        return {"simulations": self.work, "playouts": self.work}

    def score(self, move: Move) -> float:
        """The average score of the games in which the player to move made this move first; UNSCORED without any."""
        return float(self.averages.means[0, move.number]) if self.averages.visits[0, move.number] else UNSCORED

    def candidate(self, move: Move) -> Candidate:
        """What is known of a move: the average result and score of its games, and its outcome."""
        visits = self.averages.visits[0, move.number]
        value = float(self.averages.results[0, move.number] / visits) if visits else 0.5
        return Candidate(move.outcome, value, self.score(move), move.implied)

    def best(self) -> Move:
        """The move to play."""
        return self.moves[best_of([self.candidate(move) for move in self.moves])]

    @property
    def chance(self) -> float:
        """The value of the move to play, 0 to 1."""
        return self.candidate(self.best()).chance

    @property
    def proven(self) -> str | None:
        """What the moves that are known prove of the position: "win", "loss", "draw" or None."""
        return name_by_moves({move.outcome for move in self.moves})

    def best_move(self) -> Any:
        """The move to play."""
        return self.game.move_of(self.position, *self.best().payload)

    def line(self) -> list[Any]:
        """The move to play: nothing is known of what comes then."""
        return [self.best_move()]
