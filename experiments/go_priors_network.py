"""The network of Go's priors while it is learned: its formula, its cross-entropy and the gradient of that.

`go/surroundings.py` has the same formula for play, `experiments/go_priors.py` the games and the steps of training.
"""

import math
from typing import Any, NamedTuple

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go import priors
from go.kinds import REACH, SEEN_STRIDE, place_of
from go.position import orientations
from go.surroundings import (
    AROUND,
    BIAS,
    FIRST_UNITS,
    OTHERS,
    OUTPUT,
    ROWS_A_POINT,
    SECOND_BIAS,
    SECOND_UNITS,
    SIDE,
    WINDOW,
)
from go.tables import LARGEST

MOST_MOVES = LARGEST**2  # of a position


class Examples(NamedTuple):
    """Positions with the visits of their moves; n positions, m moves altogether.

    Attributes:
        kinds: uint8[n, ...], what is on each point, see `go.kinds.Seen`.
        points: int32[m], the point of each move.
        features: int32[m, KINDS]; a shape is replaced by the smallest of its turned and mirrored ones.
        shares: float32[m], of the visits.
        starts: int64[n + 1], the index of the first move of each position.
        games: int64[n], the number of the game.
    """

    kinds: np.ndarray
    points: np.ndarray
    features: np.ndarray
    shares: np.ndarray
    starts: np.ndarray
    games: np.ndarray


# int64[8, WINDOW]: where each point around a move is when the board is turned or mirrored.
_TURNED = np.array([turned.ravel() for turned in orientations(np.arange(WINDOW).reshape(SIDE, SIDE))])
SHAPE_COUNT = int(priors.NEARNESS)


@jit
def _write_rows(kinds: np.ndarray, point: int, features: np.ndarray, places: np.ndarray, rows: np.ndarray) -> None:
    """Write which rows of `go.surroundings` a move adds up: its bias, what is around it, its features."""
    rows[0] = BIAS
    first = place_of(U64(point)) - REACH * SEEN_STRIDE - REACH
    for i in range(WINDOW):
        kind = np.int64(kinds[first + i // SIDE * SEEN_STRIDE + i % SIDE])
        rows[1 + i] = AROUND + places[i] * ROWS_A_POINT + kind
    for i in range(1, len(features)):
        rows[WINDOW + i] = OTHERS + features[i] - SHAPE_COUNT


class Weights(NamedTuple):
    """What is learned, or another number for each weight, such as its gradient.

    Attributes:
        all: float32[number of weights]; the others are views of it, in this order.
        features: float32[FEATURES].
        first, second: float32[rows, FIRST_UNITS] and [rows, SECOND_UNITS], see `go.surroundings`.
    """

    all: np.ndarray
    features: np.ndarray
    first: np.ndarray
    second: np.ndarray


def zeros() -> Weights:
    """Weights that are all 0."""
    shapes = priors.SAVED.values()
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    weights = np.zeros(ends[-1], np.float32)
    return Weights(weights, *map(np.ndarray.reshape, np.split(weights, ends[:-1]), shapes))


class Layers(NamedTuple):
    """What the network makes of the moves of one position, at most MOST_MOVES.

    Attributes:
        rows: int64[MOST_MOVES, WINDOW + KINDS], the rows of the first layer that are added up.
        first, second: float32[MOST_MOVES, FIRST_UNITS] and [MOST_MOVES, SECOND_UNITS], the units.
        chances: float64[MOST_MOVES].
    """

    rows: np.ndarray
    first: np.ndarray
    second: np.ndarray
    chances: np.ndarray


def new_layers() -> Layers:
    """Working space for one position."""
    first, second = (np.zeros((MOST_MOVES, width), np.float32) for width in (FIRST_UNITS, SECOND_UNITS))
    return Layers(np.zeros((MOST_MOVES, WINDOW + priors.KINDS), np.int64), first, second, np.zeros(MOST_MOVES))


@jit(fastmath=True)  # type: ignore[untyped-decorator]
def forward(weights: Weights, examples: Examples, index: int, turn: int, layers: Layers) -> Any:
    """Write what the network makes of a position, turned so; returns how many moves there are."""
    start, count = examples.starts[index], examples.starts[index + 1] - examples.starts[index]
    for i in range(count):
        features, first, second = examples.features[start + i], layers.first[i], layers.second[i]
        _write_rows(examples.kinds[index], examples.points[start + i], features, _TURNED[turn], layers.rows[i])
        weight = np.float32(0)
        first[:] = 0
        for k in range(SECOND_UNITS):
            second[k] = weights.second[SECOND_BIAS, k]
        for row in layers.rows[i]:
            for k in range(FIRST_UNITS):
                first[k] += weights.first[row, k]
        for unit in range(FIRST_UNITS):
            first[unit] = max(first[unit], np.float32(0))
            for k in range(SECOND_UNITS):
                second[k] += first[unit] * weights.second[unit, k]
        for feature in features:
            weight += weights.features[feature]
        for k in range(SECOND_UNITS):
            second[k] = max(second[k], np.float32(0))
            weight += second[k] * weights.second[OUTPUT, k]
        layers.chances[i] = weight
    _write_softmax(layers.chances[:count])
    return count


@jit(allocates=True)  # type: ignore[untyped-decorator]
def _write_softmax(weights: np.ndarray) -> None:
    """Write the chances of moves in place of their weights."""
    weights[:] = np.exp(weights - weights.max())
    weights /= weights.sum()


@jit(fastmath=True)  # type: ignore[untyped-decorator]
def _add_gradient(weights: Weights, gradient: Weights, examples: Examples, index: int, layers: Layers) -> None:
    """Add the gradient of a position's cross-entropy; `forward` wrote `layers`, which is overwritten."""
    start = examples.starts[index]
    for i in range(examples.starts[index + 1] - start):
        first, second = layers.first[i], layers.second[i]
        excess = np.float32(layers.chances[i] - examples.shares[start + i])
        for feature in examples.features[start + i]:
            gradient.features[feature] += excess
        for k in range(SECOND_UNITS):
            gradient.second[OUTPUT, k] += excess * second[k]
            second[k] = excess * weights.second[OUTPUT, k] if second[k] > 0 else np.float32(0)
            gradient.second[SECOND_BIAS, k] += second[k]
        for unit in range(FIRST_UNITS):
            total = np.float32(0)
            if first[unit] > 0:
                for k in range(SECOND_UNITS):
                    gradient.second[unit, k] += first[unit] * second[k]
                for k in range(SECOND_UNITS):
                    total += weights.second[unit, k] * second[k]
            first[unit] = total
        for row in layers.rows[i]:
            for k in range(FIRST_UNITS):
                gradient.first[row, k] += first[k]


@jit
def add_gradients(
    weights: Weights, gradient: Weights, examples: Examples, indices: np.ndarray, turns: np.ndarray, layers: Layers
) -> None:
    """Write the mean gradient of the cross-entropy of these positions, turned so; `gradient` is all 0 before."""
    for index, turn in zip(indices, turns):  # noqa: B905  (numba knows no `strict`)
        forward(weights, examples, index, turn, layers)
        _add_gradient(weights, gradient, examples, index, layers)
    for i in range(len(gradient.all)):
        gradient.all[i] /= np.float32(len(indices))


@jit
def _add_losses(weights: Weights, examples: Examples, indices: np.ndarray, layers: Layers, sums: np.ndarray) -> None:
    for index in indices:
        for i in range(forward(weights, examples, index, 0, layers)):
            share = np.float64(examples.shares[examples.starts[index] + i])
            if share > 0:
                sums[0] -= share * math.log(layers.chances[i])
                sums[1] -= share * math.log(share)


def mean_losses(weights: Weights, examples: Examples, indices: np.ndarray) -> np.ndarray:
    """float64[2], the means of cross-entropy and entropy of these positions."""
    sums = np.zeros(2)
    _add_losses(weights, examples, indices, new_layers(), sums)
    return sums / len(indices)
