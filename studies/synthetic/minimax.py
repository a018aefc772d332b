"""Full-width minimax of a fixed depth on synthetic trees, and the true values of the moves at their roots."""

from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import Game
from studies.synthetic.rules import (
    CRITICAL,
    DEPTH_MASK,
    STEP_MOST,
    evaluate,
    grow,
    mover_has_won,
    outcome,
    playout,
    sum_of,
)

PLAYOUT, EVALUATION = 0, 1  # what a leaf is worth


@jit
def minimax(kernel, word0, word1, depth, leaf, rng, states):
    """The value of a node for the player to move, 0 to 1, by minimax of `depth` plies.

    With `leaf` EVALUATION a leaf is worth its evaluation, with PLAYOUT a playout. `states` is uint64[depth + 2, 2],
    working space.
    """
    state = states[depth]
    state[0], state[1] = word0, word1
    result = outcome(kernel, state)
    if result != game.OPEN:
        return game.value_of_outcome(result)
    if depth == 0:
        return evaluate(kernel, state) if leaf == EVALUATION else playout(kernel, state, rng)
    best = np.float32(0)
    for move in range(kernel.branching):
        state[0], state[1] = word0, word1
        grow(kernel, state, move)
        value = minimax(kernel, state[0], state[1], depth - 1, leaf, rng, states)
        best = max(best, np.float32(1) - value)
    return best


@jit
def _value_of_p_game(kernel, word0, word1, low, high, states, bounds, leaves):
    """The exact value of a node of a P-game for the player to move, 0, 1 or 2 for lost, drawn and won; alpha-beta.

    With `bounds` the search does not go below a node where the steps that are left cannot change who wins. leaves[0]
    counts the nodes below which it did not go.
    """
    depth = np.int64(word1 & DEPTH_MASK)
    state = states[depth]
    state[0], state[1] = word0, word1
    left = kernel.depth - depth
    total = sum_of(state) if depth & 1 == 0 else -sum_of(state)
    decided = total > (left // 2) * STEP_MOST or total < -((left + 1) // 2) * STEP_MOST
    if left == 0 or (bounds and decided):
        leaves[0] += 1
        return 2 if total > 0 else 0 if total < 0 else 1
    best = 0
    for move in range(kernel.branching):
        state[0], state[1] = word0, word1
        grow(kernel, state, move)
        value = _value_of_p_game(kernel, state[0], state[1], 2 - high, 2 - max(low, best), states, bounds, leaves)
        best = max(best, 2 - value)
        if best >= high:
            break
    return best


def exact_values(tree: Game) -> list[float]:
    """The true value of every move at the root for the first player: 1, 0.5 or 0."""
    found = []
    for move in range(tree.kernel.branching):
        state = tree.state(tree.initial().play(move))
        if tree.kernel.kind == CRITICAL:
            found.append(0.0 if mover_has_won(state) else 1.0)
        else:
            states, leaves = np.zeros((tree.kernel.depth + 1, 2), np.uint64), np.zeros(1, np.int64)
            found.append(1 - _value_of_p_game(tree.kernel, state[0], state[1], 0, 2, states, True, leaves) / 2)
    return found


def leaves_of_alphabeta(tree: Game) -> int:
    """How many leaves of a P-game alpha-beta looks at to find its exact value, without move ordering."""
    root = tree.state(tree.initial())
    states, leaves = np.zeros((tree.kernel.depth + 1, 2), np.uint64), np.zeros(1, np.int64)
    _value_of_p_game(tree.kernel, root[0], root[1], 0, 2, states, False, leaves)
    return int(leaves[0])


def minimax_move(tree: Game, depth: int, leaf: int, seed: int) -> int:
    """The move of minimax of `depth` plies at the root; of equal moves, one at random."""
    values, states, rng = [], np.zeros((depth + 2, 2), np.uint64), new_rng(seed)
    for move in range(tree.kernel.branching):
        state = tree.state(tree.initial().play(move))
        values.append(1 - minimax(tree.kernel, state[0], state[1], depth - 1, leaf, rng, states))
    best = [move for move, value in enumerate(values) if value == max(values)]
    return int(np.random.default_rng(seed).choice(best))
