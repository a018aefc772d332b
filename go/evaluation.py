"""What a position on 9x9 is worth: a small network, learned from games that the search played against itself.

Each of the 81 points has two features. One says what is there (`kinds.py`), and where; the other is the shape around
the point, the same anywhere on the board and however it is turned. All is seen from the player to move. The network
(`game/network.py`) adds up a row for each feature; the number of stones and who is to move select its bias and its
output weights. Komi was 7 in the games that it learned from (docs/learning.md).

It is a second opinion beside a playout: the two make different errors, so a search mixes them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game.network import SAVED, Network, add_up, logit_of, sigmoid
from go import patterns
from go.kinds import KINDS, OTHER_STONE, OWN_STONE, around_seen, place_of, write_kinds
from go.layout import BLACK, EMPTY_COUNT, PASSES, TO_MOVE, ZERO
from go.scoring import komi_of

FILE = Path(__file__).with_name("evaluation.npz")
SIZE, KOMI, KOMI_RANGE = 9, 7.0, 0.5  # of the games that it learned from, and how far komi may be from theirs

POINTS = SIZE * SIZE
SHAPES = POINTS * KINDS  # where these features begin
ACTIVE = 2 * POINTS  # features of a position
STONES_A_BUCKET, STAGES = 10, 8
BUCKETS = 2 * STAGES


@cache
def shape_numbers() -> np.ndarray:
    """uint16[65536]: the number of the shape of eight neighbours, by their word; the same however they are turned.

    It is 0 for words that no board has.
    """
    codes = np.arange(1 << 16)
    off = sum((codes >> 2 * i & 3 == 3).astype(int) << i for i in range(8))
    sides = [0b00000111, 0b00101001, 0b10010100, 0b11100000]  # bits of the places beyond each side, see PLACES
    corners = [sides[i] | sides[j] for i, j in ((0, 1), (0, 2), (3, 1), (3, 2))]
    possible = np.isin(off, [0, *sides, *corners])
    smallest = patterns.smallest_alike()
    numbers = np.zeros(1 << 16, np.uint16)
    numbers[possible] = np.searchsorted(np.unique(smallest[possible]), smallest[possible])
    return numbers


SHAPE_COUNT = int(shape_numbers().max()) + 1  # around an empty point; as many around a stone of either player
FEATURES = SHAPES + 3 * SHAPE_COUNT
OFFSET_ROW = FEATURES + 2 * BUCKETS


class Evaluation(NamedTuple):
    """The network with its tables and working space, in few arrays: every compiled function of Go passes them on.

    Attributes:
        rows: float32[FEATURES + 2 * BUCKETS + 1, width], the fragments, bias and output of the network, and a row with
            its offsets.
        shapes: uint16[65536], see `shape_numbers`.
        hidden: float32[width], working space.
        work: int32[ACTIVE], working space: the features of a position.
    """

    rows: np.ndarray
    shapes: np.ndarray
    hidden: np.ndarray
    work: np.ndarray


def evaluation_of(weights: Mapping[str, np.ndarray]) -> Evaluation:
    """Make a network ready to run from its weights, which have the names in SAVED."""
    width = weights["fragments"].shape[1]
    rows = np.zeros((FEATURES + 2 * BUCKETS + 1, width), np.float32)
    rows[:OFFSET_ROW] = np.concatenate([weights[name] for name in ("fragments", "bias", "output")])
    rows[OFFSET_ROW, :BUCKETS] = weights["offset"]
    return Evaluation(rows, shape_numbers(), np.zeros(width, np.float32), np.zeros(ACTIVE, np.int32))


@cache
def learned() -> Evaluation:
    """The network in FILE, ready to run."""
    with np.load(FILE) as arrays:
        return evaluation_of({name: arrays[name] for name in SAVED})


# --- Features -------------------------------------------------------------------------------------------------------


@jit
def write_features(kernel, state, evaluation):
    """Write the features of a position on 9x9 into `evaluation.work`, and return its bucket."""
    active = evaluation.work
    write_kinds(kernel, state)
    for i in range(POINTS):
        p = kernel.points[i]
        kind = np.int64(kernel.seen.kinds[place_of(p)])
        whose = 0 if kind < OWN_STONE else 1 if kind < OTHER_STONE else 2
        active[i] = i * KINDS + kind
        active[POINTS + i] = SHAPES + whose * SHAPE_COUNT + np.int64(evaluation.shapes[around_seen(state, p)])
    stage = min((POINTS - np.int64(state[EMPTY_COUNT])) // STONES_A_BUCKET, np.int64(STAGES - 1))
    return 2 * stage + np.int64(state[TO_MOVE] - BLACK)


# --- Values ---------------------------------------------------------------------------------------------------------


@jit
def knows(kernel, state):
    """Whether the network has learned from positions like this: their size and komi, and no pass just before."""
    far = abs(komi_of(state) - KOMI)
    return (kernel.size == SIZE) & (far <= KOMI_RANGE) & (state[PASSES] == ZERO)


@jit
def value_by_network(kernel, state):
    """The chance of the player to move, 0 to 1, as float32."""
    rows, active, hidden = kernel.learned.rows, kernel.learned.work, kernel.learned.hidden
    bias, output = rows[FEATURES : FEATURES + BUCKETS], rows[FEATURES + BUCKETS : OFFSET_ROW]
    network = Network(rows, rows[:FEATURES], bias, output, rows[OFFSET_ROW])
    bucket = write_features(kernel, state, kernel.learned)
    add_up(network, active, bucket, hidden)
    return sigmoid(logit_of(network, bucket, hidden))
