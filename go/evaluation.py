"""What a position on 9x9 is worth: a small network, learned from games that the search played against itself.

    channel = bias + a row for what is on each of the 5x5 points around a point, or 0 if that is negative (ReLU)
    hidden  = bias[bucket] + sum over all points and channels of channel * its row, clipped to 0..1
    logit   = output[bucket] . hidden + offset[bucket]
    value   = 1 / (1 + e^-logit), the chance of the player to move

All is seen from the player to move (`kinds.py`). The first layer is a convolution: it has the same rows at each of the
81 points. The number of stones and who is to move select the bucket. Komi was 7 in the games that the network learned
from (docs/learning.md; training has the same formula in `learning/steps.py`).

It is a second opinion beside a playout: the two make different errors, so a search mixes them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import weights
from game.network import Network, logit_of, sigmoid
from game.weights import WeightsError
from go.kinds import write_kinds
from go.layout import BLACK, EMPTY_COUNT, TO_MOVE
from go.scoring import komi_of
from go.surroundings import ROWS_A_POINT, WINDOW, rows_around
from go.vectors import LANES, add_products, write_rectified_sum

FILE = Path(__file__).with_name("evaluation.npz")
SIZE, KOMI, KOMI_RANGE = 9, 7.0, 0.5  # of the games that it learned from, and how far komi may be from theirs
SAVED = ("around", "fragments", "bias", "output", "offset")  # the arrays in FILE

POINTS = SIZE * SIZE
CHANNELS = LANES  # of each point
ROWS_AROUND = WINDOW * ROWS_A_POINT  # the row after these is the bias
STONES_A_BUCKET, STAGES = 10, 8
BUCKETS = 2 * STAGES
BIASES = POINTS * CHANNELS  # where these rows begin, and the next
OUTPUTS = BIASES + BUCKETS
OFFSETS = OUTPUTS + BUCKETS  # one row


class Evaluation(NamedTuple):
    """The network with its hidden units, in few arrays: every compiled function of Go passes them on.

    The channels of one point at a time are in `kinds.Seen.units`.

    Attributes:
        around: float32[ROWS_AROUND + 1, CHANNELS], the first layer.
        rows: float32[OFFSETS + 1, width], a row for each channel of each point, then biases and outputs by
            bucket, and offsets.
        hidden: float32[width], working space.
    """

    around: np.ndarray
    rows: np.ndarray
    hidden: np.ndarray


def read_weights(path: Path) -> Evaluation:
    """The network in a file, ready to run. Raises WeightsError."""
    return weights.read_weights(path, SAVED, evaluation_of)


def evaluation_of(arrays: Mapping[str, np.ndarray]) -> Evaluation:
    """Make a network ready to run from its weights: float32 arrays with the names in SAVED. Raises WeightsError."""
    width = arrays["fragments"].shape[-1] if arrays["fragments"].ndim else 0
    if not width or width % LANES:
        raise WeightsError(f"go needs a multiple of {LANES} hidden units, not {width}")
    shapes = ((ROWS_AROUND + 1, CHANNELS), (BIASES, width), (BUCKETS, width), (BUCKETS, width), (BUCKETS,))
    weights.check_arrays(arrays, dict(zip(SAVED, shapes, strict=True)))
    rows = np.zeros((OFFSETS + 1, width), np.float32)
    rows[:OFFSETS] = np.concatenate([arrays[name] for name in ("fragments", "bias", "output")])
    rows[OFFSETS, :BUCKETS] = arrays["offset"]
    return Evaluation(arrays["around"], rows, np.zeros(width, np.float32))


@cache
def learned() -> Evaluation:
    """The network in FILE, ready to run. Raises WeightsError."""
    return read_weights(FILE)


# --- Values ---------------------------------------------------------------------------------------------------------


@jit
def knows(kernel, state):
    """Whether the network has learned on boards of this size and with such a komi."""
    return (kernel.size == SIZE) & (abs(komi_of(state) - KOMI) <= KOMI_RANGE)


@jit(inline="always")
def bucket_of(state):
    """The bucket of a position, 0 to BUCKETS - 1: twice its stage by stones, plus 1 if White is to move."""
    stage = min((POINTS - np.int64(state[EMPTY_COUNT])) // STONES_A_BUCKET, np.int64(STAGES - 1))
    return 2 * stage + np.int64(state[TO_MOVE] - BLACK)


@jit
def value_by_network(kernel, state):
    """The chance of the player to move, 0 to 1, as float32."""
    (around, rows, hidden), channels = kernel.learned, kernel.seen.units[0]
    network = Network(rows[:BIASES], rows[BIASES:OUTPUTS], rows[OUTPUTS:OFFSETS], rows[OFFSETS])
    write_kinds(kernel, state)
    bucket = bucket_of(state)
    for k in range(len(hidden)):
        hidden[k] = network.bias[bucket, k]
    for i in range(POINTS):
        a, b, c, d, e = rows_around(kernel.seen.kinds, kernel.points[i], 0)
        write_rectified_sum(channels, around, (*a, *b, *c, *d, *e, ROWS_AROUND))
        for start in range(0, len(hidden), LANES):
            add_products(hidden, start, rows, CHANNELS * i, channels)
    return sigmoid(logit_of(network, bucket, hidden))
