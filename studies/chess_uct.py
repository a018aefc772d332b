"""UCT in chess, in plain Python: the search of the papers on traps, for some thousand simulations.

The value of a leaf is the material on the board; there are no proofs and no lookahead. Values are for the player to
move, 0 to 1.
"""

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import chess

PIECES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
SCALE = 6.0  # a lead of so many pawns has a winning chance of 88 %


def material_value(board: chess.Board) -> float:
    """The winning chance of the player to move, by the pieces on the board."""
    ahead = sum(
        weight * (len(board.pieces(piece, board.turn)) - len(board.pieces(piece, not board.turn)))
        for piece, weight in PIECES.items()
    )
    return 0.5 + 0.5 * math.tanh(ahead / SCALE)


def values_of_moves(board: chess.Board, c: float, counts: Sequence[int], seed: int) -> list[dict[chess.Move, float]]:
    """The mean values of the tried moves of one search, after each of these numbers of simulations."""
    search, found = ChessUCT(board, c, seed), []
    for before, count in pairwise((0, *counts)):
        search.search(count - before)
        found.append(search.values())
    return found


class Node:
    """A node: `visits`, the `total` of values for the player who moved here, and `children` by move once expanded."""

    __slots__ = ("children", "total", "visits")

    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0
        self.children: dict[chess.Move, Node] = {}

    @property
    def mean(self) -> float:
        """The mean value for the player who moved here."""
        return self.total / self.visits


class ChessUCT:
    """A search tree from one position; the same seed makes the same tree."""

    def __init__(self, board: chess.Board, c: float, seed: int) -> None:
        self.root = Node()
        self._board, self._c, self._rng = board.copy(stack=False), c, random.Random(seed)

    def search(self, simulations: int) -> None:
        """Add so many simulations."""
        for _ in range(simulations):
            self._simulate(self.root)

    def values(self) -> dict[chess.Move, float]:
        """The mean value of each tried move, for the player to move."""
        return {move: child.mean for move, child in self.root.children.items() if child.visits}

    def _simulate(self, node: Node) -> float:
        """Run a simulation from a node, and count it; returns the value for the player to move at the node."""
        is_new = node.visits == 0 and node is not self.root
        if is_new or not self._expand(node):
            value = self._leaf_value()
        else:
            move, child = self._select(node)
            self._board.push(move)
            value = 1.0 - self._simulate(child)
            self._board.pop()
        node.visits += 1
        node.total += 1.0 - value
        return value

    def _leaf_value(self) -> float:
        if any(self._board.generate_legal_moves()):
            return 0.5 if self._board.is_insufficient_material() else material_value(self._board)
        return 0.0 if self._board.is_check() else 0.5

    def _expand(self, node: Node) -> bool:
        """Make the children unless they exist; returns whether there are any. Repetitions do not end a game here."""
        if not node.children:
            moves = list(self._board.legal_moves)
            self._rng.shuffle(moves)
            node.children = {move: Node() for move in moves}
        return bool(node.children)

    def _select(self, node: Node) -> tuple[chess.Move, Node]:
        """The first untried child, else the first one with the largest UCB1."""
        log = math.log(max(1, node.visits))

        def bound(move: chess.Move) -> float:
            child = node.children[move]
            return child.mean + self._c * math.sqrt(log / child.visits) if child.visits else math.inf

        best = max(node.children, key=bound)
        return best, node.children[best]
