"""A search of one position: it plays games with a falling temperature, and says which move has done best."""

from typing import Any, NamedTuple

import numpy as np

from agents.best_first import searcher as best_first
from agents.best_first.tree import ROOT
from agents.gobble.games import GAMES, Averages, Chance, forget, play
from agents.outcomes import Candidate
from game import AmafGame, max_children, move_number, offers, tally

UNSCORED = -1e18  # below every average
MOST_PLIES = 4  # of a game that is played by lists, for each of the game's move numbers: cycles have to end


class Chunk(NamedTuple):
    """Games to play before the clock is read again, and an estimate of how many there will be in all."""

    games: int
    planned: int


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


class Searcher(best_first.Searcher):
    """Gobble for one position at a time; the tree is only the root and its children.

    Attributes:
        averages: of all moves of both players.
    """

    def __init__(
        self, game: AmafGame, by_interval: bool, temperature: float, width: float, random: int, seed: int
    ) -> None:
        # The only rule of Go that the method uses: eyes are not filled.
        kernel = game.kernel_with(keep_eyes=True) if "keep_eyes" in game.kernel._fields else game.kernel
        super().__init__(game, 0, 1, seed, kernel)
        longest = int(min(game.longest_game, MOST_PLIES * game.amaf_moves))
        self.shuffling = Chance(by_interval, temperature, width, random, longest)
        self.averages = _allocate(game.amaf_moves, int(max_children(kernel)), offers(kernel, tally))

    def begin(self, position: Any, expansions: int = 1) -> None:
        """Make an open position the root, list its moves, and forget all averages."""
        super().begin(position, expansions)
        forget(self.averages)

    def run(self, chunk: Chunk) -> bool:
        """Play games, unless there is only one move or the outcome is proved; returns whether any were played."""
        if len(self.children_of(ROOT)) == 1 or self.proven is not None:
            return False
        lists = self.averages, self.shuffling, self._rng
        play(self.kernel, self._root, self._state, *lists, int(self.position.to_move), *chunk)
        return True

    @property
    def work(self) -> int:
        """Games played in the last search."""
        return int(self.averages.counters[GAMES])

    @property
    def figures(self) -> dict[str, int]:
        """The number of games."""
        return {"simulations": self.work, "playouts": self.work}

    def number_of(self, child: int) -> int:
        """The number of the move to a child."""
        return int(move_number(self.kernel, self.tree.payload0[child], self.tree.payload1[child]))

    def candidate(self, child: int) -> Candidate:
        """What is known of a move: the average result and score of its games, and its proved outcome."""
        found, number = super().candidate(child), self.number_of(child)
        if not (visits := self.averages.visits[0, number]):
            return found._replace(merit=UNSCORED)
        value = float(self.averages.results[0, number] / visits)
        return found._replace(value=value, merit=float(self.averages.means[0, number]))
