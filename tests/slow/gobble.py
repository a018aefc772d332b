"""The slow, obvious twin of `agents/gobble`: lists and dictionaries, and one game after the other."""

import math
from typing import Any

import numpy as np

import game
from game import DRAWN, FIRST, OPEN, SAME_MOVER, WON, Game
from jit import new_rng, pcg32
from tests import contract


class Gobble:
    """Plays games from a position; `results` and `scores` have a list for each move of each player, 0 or 1."""

    def __init__(self, game: Game, kernel: Any, position: Any, options: dict[str, Any], games: int, seed: int) -> None:
        self.game, self.kernel, self.position, self.rng = game, kernel, position, new_rng(seed)
        self.scores: tuple[dict[int, list[float]], ...] = ({}, {})
        self.results: tuple[dict[int, list[float]], ...] = ({}, {})
        self.lists: tuple[list[int], ...] = ([], [])
        for played in range(games):
            self.state = contract.copied(game, game.state(position))
            self.trace: dict[int, int] = {}
            if played < options["random"]:
                result = self.at_random(0)
            else:
                heat = options["temperature"] * (1 - played / games)
                result = self.by_lists([self.disordered(row, heat, options) for row in (0, 1)])
            self.count(result)

    def mean(self, row: int, move: int) -> float:
        """The average score of a move."""
        total = 0.0
        for score in self.scores[row][move]:
            total += score
        return total / len(self.scores[row][move])

    def chance(self) -> float:
        """A random number below 1."""
        return int(pcg32(self.rng)) / 2**32

    def disordered(self, row: int, heat: float, options: dict[str, Any]) -> list[int]:
        """The list of a player for the next game."""
        moves = self.lists[row]
        moves.sort(key=lambda move: -self.mean(row, move))
        if options["order"] == "interval":
            largest = max([1e-9, *(abs(self.mean(row, move)) for move in moves)])
            width = options["width"] if heat > 0 else 0
            keys = {
                move: math.exp(self.mean(row, move) / largest / max(0.01, heat)) + width * (2 * self.chance() - 1)
                for move in moves
            }
            return sorted(moves, key=lambda move: -keys[move])
        shuffled = list(moves)
        for i in range(len(shuffled) - 1 if heat > 0 else 0):
            if self.chance() < math.exp(-1 / heat):
                shuffled[i], shuffled[i + 1] = shuffled[i + 1], shuffled[i]
        return shuffled

    def by_lists(self, lists: list[list[int]]) -> float:
        """Play a game by two lists; the result for the player to move at the root."""
        row = 0
        for _ in range(int(min(self.game.longest_game, 4 * self.game.amaf_moves))):
            found = reversed(contract.children_at(self.kernel, self.state))
            children = {int(game.move_number(self.kernel, one.word0, one.word1)): one for one in found}
            number = next((move for move in lists[row] if move in children), None)
            if number is None:
                break
            self.trace.setdefault(number, row)
            chosen = children[number]
            contract.step(self.kernel, self.state, chosen.word0, chosen.word1)
            row = row if chosen.flags & SAME_MOVER else 1 - row
            if (outcome := contract.outcome(self.kernel, self.state)) != OPEN:
                value = 0.5 if outcome == DRAWN else float(outcome == WON)
                return value if row == 0 else 1 - value
        return self.at_random(row)

    def at_random(self, row: int) -> float:
        """Play on at random, `row` being to move."""
        trace = np.zeros(self.game.amaf_moves, np.uint8)
        for move, owner in self.trace.items():
            trace[move] = 1 if owner == row else 2
        value = float(contract.traced_playout(self.kernel, self.state, self.rng, trace))
        for move in map(int, np.flatnonzero(trace)):
            self.trace.setdefault(move, row if trace[move] == 1 else 1 - row)
        return value if row == 0 else 1 - value

    def count(self, result: float) -> None:
        """Count a game for its moves."""
        score = 2 * result - 1
        if game.offers(self.kernel, game.tally):
            owners = np.zeros(self.game.amaf_moves, np.int64)
            contract.tally(self.kernel, self.state, owners)
            score = float(owners.sum()) * (1 if self.position.to_move == FIRST else -1)
        for move, row in sorted(self.trace.items()):
            if move not in self.scores[row]:
                self.lists[row].append(move)
            self.scores[row].setdefault(move, []).append(score if row == 0 else -score)
            self.results[row].setdefault(move, []).append(result if row == 0 else 1 - result)
