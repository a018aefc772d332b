"""What a learned evaluation sees of a Pentago position: rows, columns, diagonals and pairs of edge cells of quadrants.

A *fragment* is two or three cells of a quadrant; its state is a number in base 3 with a digit for each cell: 0 empty,
1 a stone of the player to move, 2 of the other. Each state of each fragment of each quadrant is a *feature*, and 48 of
the 1008 are active in any position. The feature of quadrant q, fragment f in state s has the number 252 q + STARTS[f] +
s. A whole quadrant has a state in base 3 as well, of its nine cells.
"""

from jit import U64, jit, popcount  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from pentago.tables import PATTERNS, QUADRANT_CELLS, QUADRANTS

FRAGMENTS = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
    *((1, 3), (1, 5), (3, 7), (5, 7)),
)
STARTS = tuple(sum(3 ** len(before) for before in FRAGMENTS[:f]) for f in range(len(FRAGMENTS)))
QUADRANT_FEATURES = sum(3 ** len(cells) for cells in FRAGMENTS)
FEATURES = QUADRANTS * QUADRANT_FEATURES
ACTIVE = QUADRANTS * len(FRAGMENTS)

STONES_A_BUCKET = 4
BUCKETS = 9  # by the number of stones: 0-3, 4-7, ..., 28-31, 32-36
STATES = 3**QUADRANT_CELLS


def _in_base_3(patterns: np.ndarray, cells: tuple[int, ...]) -> np.ndarray:
    """uint16: each pattern of one player's stones as a number in base 3, a digit 1 for each of `cells` with a stone."""
    bits = patterns[:, None] >> np.array(cells) & 1
    values: np.ndarray = bits @ 3 ** np.arange(len(cells))
    return values.astype(np.uint16)


def _state_features() -> np.ndarray:
    digits = np.arange(STATES)[:, None] // 3 ** np.arange(QUADRANT_CELLS) % 3
    of_fragments = [digits[:, cells] @ 3 ** np.arange(len(cells)) for cells in FRAGMENTS]
    found: np.ndarray = np.stack(of_fragments, axis=1) + np.array(STARTS)
    return found.astype(np.uint16)


# uint16[512]: the state of a quadrant in which the player to move has this pattern of stones and the other none; for
# the other's stones it is doubled.
TERNARY = _in_base_3(np.arange(PATTERNS), tuple(range(QUADRANT_CELLS)))
# uint16[19683, 12]: the active features of a quadrant in this state, numbered as for quadrant 0.
STATE_FEATURES = _state_features()

# uint16[512, 12]: what a pattern of the player to move, or of the other, adds to the feature of each fragment. These
# two fit into a processor's fastest cache, and into compiled code, better than `STATE_FEATURES`.
_OF_TO_MOVE = np.stack([_in_base_3(np.arange(PATTERNS), cells) for cells in FRAGMENTS], axis=1)
_OF_OTHER = 2 * _OF_TO_MOVE
_OF_TO_MOVE = (_OF_TO_MOVE + np.array(STARTS)).astype(np.uint16)
# uint16[512]: a pattern in reverse, the first cell last.
_REVERSED = np.array([int(f"{pattern:09b}"[::-1], 2) for pattern in range(PATTERNS)], np.uint16)


@jit
def active_features(kernel, state, active):
    """`game.features` for Pentago."""
    for quadrant in range(QUADRANTS):
        shift = U64(QUADRANT_CELLS * quadrant)
        mine, theirs = state[0] >> shift & U64(PATTERNS - 1), state[1] >> shift & U64(PATTERNS - 1)
        first, feature = quadrant * len(FRAGMENTS), quadrant * QUADRANT_FEATURES
        for fragment in range(len(FRAGMENTS)):
            active[first + fragment] = feature + _OF_TO_MOVE[mine, fragment] + _OF_OTHER[theirs, fragment]
    return min(np.int64(popcount(state[0] | state[1])) // STONES_A_BUCKET, BUCKETS - 1)


@jit(inline="always")
def _half_turned(stones):
    turned = U64(0)
    for quadrant in range(QUADRANTS):
        pattern = stones >> U64(QUADRANT_CELLS * quadrant) & U64(PATTERNS - 1)
        turned |= U64(_REVERSED[pattern]) << U64(QUADRANT_CELLS * (QUADRANTS - 1 - quadrant))
    return turned


@jit
def half_turn(kernel, state):
    """`game.mirror` for Pentago: the board turned by 180 degrees, its only symmetry that leaves the turns legal."""
    state[0], state[1] = _half_turned(state[0]), _half_turned(state[1])
