"""What a position of Pentago is worth: a count of open lines, or a small network learned from self-play.

**The network.** A quadrant, seen by the player to move, has one of 3^9 = 19,683 states: the sum over its cells i of
3^i for a stone of one's own and 2 * 3^i for one of the opponent's. Each state of each quadrant has a row of H numbers,
and the value is

    h      = bias[b] + rows[0, s0] + rows[1, s1] + rows[2, s2] + rows[3, s3]       H numbers, clipped to 0..1
    logit  = output[b] . h + offset[b]                                             b = min(stones // 4, 8)
    chance = 1 / (1 + exp(-logit))                                                 of the player to move

The rows are not learned one by one: a row is the sum of the rows of the quadrant's twelve fragments, see `features.py`.
So rare states are known by their parts, and the file of weights is small. The tables are made from the file when they
are first needed.

All is computed in whole numbers: rows and bias are int16 in units of 1/1020, output is int16 in units of 1/512. So a
sum of products is an int32 in units of 1/522,240 of a logit; the chance is looked up in steps of 1/255 of a logit. A
row is rounded once, after its fragments were added.

All children of a position have most of their rows in common: a turn changes one quadrant, a stone another. So the sum
of the others is made once for all stones of a quadrant that go with a turn, and a child costs one row more
(`_children_by_network`).

Begin reading at `Network`. The field `evaluation` of the kernel, a switch of a search, says which of the two is used.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from jit import (
    U64,
    aligned_zeros,
    dispatched,
    give_body,
    jit,
    popcount,
)  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game.network import SAVED
from game.weights import WeightsError, read_weights
from pentago.boards import MOVE_SHIFT, QUADRANT
from pentago.features import BUCKETS, FEATURES, STATE_FEATURES, STATES, TERNARY
from pentago.lines import LineCount, line_evaluation, line_values
from pentago.vectors import LANES, add_four, clipped_dot

WEIGHTS = Path(__file__).with_name("weights.npz")

ONE = 1020  # what h = 1 is in a row
OUTPUT_ONE = 512  # what 1 is in `output`
LOGIT = ONE * OUTPUT_ONE  # what a logit of 1 is in a sum
STEP_BITS = 11  # a step of the table of chances is 2^11 / LOGIT = 1/255 of a logit
CHANCES = 1 << 12  # from logit -8 to 8
_HIGHEST_SUM = CHANCES // 2 << STEP_BITS
_LARGEST = np.iinfo(np.int16).max


class Network(NamedTuple):
    """A learned evaluation, ready to run.

    Attributes:
        rows: int16[(4 * 19683 + 9) * H], the rows of all states of each quadrant, then the bias of each bucket.
        output: int16[9 * H].
        offset: int32[9], in the unit of a sum.
        ternary: uint16[512], of a pattern: the sum of 3^i over its cells i.
        chances: float32[4096], by the upper bits of a sum, counted from the lowest sum that differs from certain loss.
        shared: int16[H], working space: the sum of what children have in common.
        vectors: as many zeros as there are vectors of `vectors.py` in a row.
    """

    rows: np.ndarray
    output: np.ndarray
    offset: np.ndarray
    ternary: np.ndarray
    chances: np.ndarray
    shared: np.ndarray
    vectors: tuple[int, ...]


# --- From a file to tables ------------------------------------------------------------------------------------------


def _whole(values: np.ndarray, one: int, name: str) -> np.ndarray:
    scaled = np.rint(values * np.float32(one))
    if not np.all(np.abs(scaled) <= _LARGEST):
        raise WeightsError(f"{name}: there is a weight of {np.max(np.abs(values)):g}, at most {_LARGEST / one:g} fits")
    return np.ascontiguousarray(scaled.astype(np.int16))


@jit
def _fill_rows(rows, fragments, features, sums, largest):
    """Make each row the rounded sum of its state's fragments; write the largest absolute sum a column to `largest`.

    `sums` and `largest` are float32[H], of numbers before rounding. A sum that does not fit is wrong in `rows`.
    Each inner loop becomes vector instructions: that takes a quarter of the time.
    """
    for quadrant in range(len(fragments)):
        for state in range(len(features)):
            sums[:] = 0
            for j in range(features.shape[1]):
                fragment = fragments[quadrant, features[state, j]]
                for k in range(len(sums)):
                    sums[k] += fragment[k]
            row = rows[quadrant * len(features) + state]
            for k in range(len(sums)):
                largest[k] = max(largest[k], abs(sums[k]))
            for k in range(len(sums)):
                row[k] = np.int16(np.rint(sums[k]))


def make_network(weights: Mapping[str, np.ndarray]) -> Network:
    """Make the tables of a network from learned weights.

    `weights` has float32 arrays: fragments[1008, H], bias[9, H], output[9, H], offset[9]; H is a multiple of 32. Raises
    WeightsError for other shapes, and for weights that the whole numbers cannot hold.
    """
    fragments, bias, output, offset = (weights[name] for name in SAVED)
    width = fragments.shape[-1] if fragments.ndim else 0
    shapes = [array.shape for array in (fragments, bias, output, offset)]
    if shapes != [(FEATURES, width), (BUCKETS, width), (BUCKETS, width), (BUCKETS,)] or width % LANES != 0:
        raise WeightsError(f"the weights have the shapes {shapes}, not those of a network of Pentago")
    chances = 1 / (1 + np.exp(-((np.arange(CHANCES) + 0.5) * (1 << STEP_BITS) - _HIGHEST_SUM) / LOGIT))
    if not np.all(np.abs(offset) < 2**31 / LOGIT):
        raise WeightsError(f"offset: {offset.tolist()} is too large for sums of 32 bits, or not a number")
    if width * ONE * np.max(np.abs(output)) * OUTPUT_ONE >= 2**31:
        raise WeightsError(f"output: a weight of {np.max(np.abs(output)):g} is too large for sums of 32 bits")
    if not all(np.isfinite(array).all() for array in (fragments, bias, output, offset)):
        raise WeightsError("fragments, bias, output or offset: a weight is not a number")
    rows = aligned_zeros((4 * STATES + BUCKETS) * width, np.int16).reshape(-1, width)
    rows[4 * STATES :] = _whole(bias, ONE, "bias")
    scaled = fragments.astype(np.float32).reshape(4, -1, width) * np.float32(ONE)
    sizes = np.zeros(width, np.float32)
    _fill_rows(rows, scaled, STATE_FEATURES, np.empty(width, np.float32), sizes)
    largest = np.max(sizes)
    if 4 * largest + ONE * np.max(np.abs(bias)) > _LARGEST:
        raise WeightsError(f"fragments and bias: a sum of {(4 * largest) / ONE + np.max(np.abs(bias)):g} is too large")
    whole_output = aligned_zeros(output.size, np.int16)
    whole_output[:] = _whole(output, OUTPUT_ONE, "output").ravel()
    return Network(
        rows=rows.ravel(),
        output=whole_output,
        offset=np.rint(offset * LOGIT).astype(np.int32),
        ternary=TERNARY,
        chances=chances.astype(np.float32),
        shared=aligned_zeros(width, np.int16),
        vectors=(0,) * (width // LANES),
    )


@lru_cache(maxsize=4)
def load_network(path: Path = WEIGHTS) -> Network:
    """The network of a file of weights. Raises WeightsError."""
    return read_weights(path, SAVED, make_network)


# --- Compiled -------------------------------------------------------------------------------------------------------


@dispatched
def value_of(evaluation, mine, theirs):
    """The chance of the player to move, 0 to 1, as float32, from the stones of both."""


@dispatched
def values_of_children(evaluation, mine, theirs, payload0, payload1, stats, first, count, values):
    """`game.values` for Pentago; `mine` are the stones of the player who chooses."""


@jit(inline="always")
def _bucket(stones):
    return min(np.int64(stones) >> 2, BUCKETS - 1)


@jit(inline="always")
def _width(network):
    """H, which is known when the code is compiled."""
    return len(network.vectors) * LANES


@jit(inline="always")
def _start(network, mine, theirs, quadrant):
    """Where the row of a quadrant begins in `rows`, for the player who owns `mine`."""
    shift = U64(9) * U64(quadrant)
    ternary = network.ternary
    state = np.int64(ternary[mine >> shift & QUADRANT]) + 2 * np.int64(ternary[theirs >> shift & QUADRANT])
    return (np.int64(quadrant) * STATES + state) * _width(network)


@jit(inline="always")
def _chance(network, start, bucket):
    """The chance of the player to move, from `shared` and the row that begins at `start`."""
    output = bucket * _width(network)
    total = np.int64(
        clipped_dot(network.vectors, network.shared, network.rows, start, np.int16(ONE), network.output, output)
    )
    place = (total + network.offset[U64(bucket)] + _HIGHEST_SUM) >> STEP_BITS
    return network.chances[U64(min(max(place, 0), CHANCES - 1))]


@jit(inline="always")
def _share(network, mine, theirs, left_out, bucket):
    """Make `shared` the sum of the bias and the rows of all quadrants but one."""
    add_four(
        network.vectors,
        network.shared,
        network.rows,
        (4 * STATES + bucket) * _width(network),
        _start(network, mine, theirs, left_out ^ 1),
        _start(network, mine, theirs, left_out ^ 2),
        _start(network, mine, theirs, left_out ^ 3),
    )


@jit
def _value_by_network(evaluation, mine, theirs):
    bucket = _bucket(popcount(mine | theirs))
    _share(evaluation, mine, theirs, 3, bucket)
    return _chance(evaluation, _start(evaluation, mine, theirs, 3), bucket)


@jit
def _children_by_network(evaluation, mine, theirs, payload0, payload1, stats, first, count, values):
    network = evaluation
    bucket = _bucket(popcount(mine | theirs) + U64(1))
    group = np.int64(-1)
    for i in range(first, first + count):
        word0, word1, flags = payload0[i], payload1[i], stats[i]
        if flags & game.RESOLVED != U64(0):
            values[i - first] = game.value_for_chooser(flags, np.float32(0))
            continue
        move = np.int64(word0 >> MOVE_SHIFT)
        placed = (move >> 3) * 57 >> 9  # the cell divided by 9
        if group != (placed << 3 | move & 7):
            group = placed << 3 | move & 7
            _share(network, word0, word1, placed, bucket)
        values[i - first] = np.float32(1) - _chance(network, _start(network, word0, word1, placed), bucket)


give_body(value_of, LineCount, line_evaluation)
give_body(values_of_children, LineCount, line_values)
give_body(value_of, Network, _value_by_network)
give_body(values_of_children, Network, _children_by_network)
