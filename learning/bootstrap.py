"""The first games, before anything is learned: both players look one ply ahead with the game's own evaluation.

If the game has no evaluation, the moves are random, except that a move that is seen to win is played. The target of
each position is the result of its game.
"""

from typing import NamedTuple

from jit import U64, jit, new_rng, pcg32, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game as verbs
from game import RESOLVED, SAME_MOVER, Game, value_for_chooser
from learning.positions import Positions

LONGEST_GAME = 400  # plies; a game that is not over by then counts as a draw
MOST_RANDOM_PLIES = 7  # at the start, so that games differ
RANDOM_MOVES = 0.05  # the share of random moves later on
NOISE = 0.1  # the most that is added to a child's value, so that games from one position differ


class Board(NamedTuple):
    """Working space for games.

    Attributes:
        state, after: one state of the game each; `after` is working space for `game.values`.
        payload0, payload1, stats: uint64[most children], of the children.
        values: float32[most children].
        movers: int64[LONGEST_GAME], who moved in the positions that were recorded, 0 or 1.
    """

    state: np.ndarray
    after: np.ndarray
    payload0: np.ndarray
    payload1: np.ndarray
    stats: np.ndarray
    values: np.ndarray
    movers: np.ndarray


def greedy_games(game: Game, games: int, seed: int, first: int = 0) -> Positions:
    """The positions of games with one ply of lookahead; the games are numbered from `first` on."""
    kernel = game.kernel_with(evaluation=game.evaluations[0]) if game.evaluations else game.kernel
    root, most = game.state(game.initial()), int(verbs.max_children(kernel))
    board = Board(
        state=root.copy(),
        after=root.copy(),
        payload0=np.zeros(most, np.uint64),
        payload1=np.zeros(most, np.uint64),
        stats=np.zeros(most, np.uint64),
        values=np.zeros(most, np.float32),
        movers=np.zeros(LONGEST_GAME, np.int64),
    )
    states, targets = np.zeros((LONGEST_GAME, len(root)), root.dtype), np.zeros(LONGEST_GAME, np.float32)
    rng, parts = new_rng(seed), []
    for number in range(first, first + games):
        size = _play(kernel, root, board, states, targets, rng)
        weights, numbers = np.ones(size, np.float32), np.full(size, number, np.int32)
        parts.append(Positions(states[:size].copy(), targets[:size].copy(), weights, numbers))
    return Positions.joined(parts)


# --- Compiled -------------------------------------------------------------------------------------------------------


@jit
def _play(kernel, root, board, states, targets, rng):
    """Play a game and write its positions, except those before random first moves; returns how many."""
    random_plies = np.int64(random_below(rng, MOST_RANDOM_PLIES + 1))
    verbs.begin(kernel, board.state, root)
    size, mover, result = 0, 0, np.float32(0.5)
    for ply in range(LONGEST_GAME):
        if ply >= random_plies:
            verbs.begin(kernel, states[size], board.state)
            board.movers[size] = mover
            size += 1
        chosen = _choose(kernel, board, ply < random_plies, rng)
        flags = board.stats[chosen]
        if flags & RESOLVED != U64(0):
            value = value_for_chooser(flags, np.float32(0))
            result = value if mover == 0 else np.float32(1) - value
            break
        verbs.step(kernel, board.state, board.payload0[chosen], board.payload1[chosen])
        mover = mover if flags & SAME_MOVER != U64(0) else 1 - mover
    for i in range(size):
        targets[i] = result if board.movers[i] == 0 else np.float32(1) - result
    return size


@jit
def _choose(kernel, board, at_random, rng):
    """The index of the child to play: at times a random one, else a win, else the highest value with noise."""
    count = verbs.children(kernel, board.state, board.payload0, board.payload1, board.stats, 0)
    if at_random or pcg32(rng) < U64(RANDOM_MOVES * 2**32):
        return np.int64(random_below(rng, count))
    verbs.values(kernel, board.state, board.after, board.payload0, board.payload1, board.stats, 0, count, board.values)
    best, chosen = np.float32(-1), 0
    for i in range(count):
        value = board.values[i] + np.float32(NOISE / 2**32) * np.float32(pcg32(rng))
        if board.stats[i] & RESOLVED != U64(0) and board.values[i] == 1:
            return i
        if value > best:
            best, chosen = value, i
    return chosen
