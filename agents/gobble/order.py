"""The order in which a player wants to make moves: sorted by their averages, then disordered by chance.

There are two ways. By exchange (`swap`), from the top of the list to the bottom: each move changes places with the next
one with probability p = exp(-1 / T), so it falls n places with probability p^n (1 - p). By random numbers (`interval`),
as in Tsan-sheng Hsu's slides: each move gets a number from [e^(v/T) - width, e^(v/T) + width], where v is its average
divided by the largest average in size, and the list is sorted by these. Either way, T = 0 leaves the list as it is.
"""

import math

from jit import jit, pcg32  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

COLDEST = 0.01  # the least t in e^(v/t): e^100 does not overflow
_TWO_TO_32 = 4294967296.0


@jit
def uniform(rng):
    """A random number from 0 (inclusive) to 1 (exclusive)."""
    return np.float64(np.int64(pcg32(rng))) / _TWO_TO_32


@jit
def sort_by(order, count, keys):
    """Sort the first `count` moves of an order by their keys, the largest first; equals keep their order.

    This is insertion sort, since an order hardly changes from one game to the next.
    """
    for i in range(1, count):
        move = order[i]
        key, j = keys[move], i
        while j > 0 and keys[order[j - 1]] < key:
            order[j] = order[j - 1]
            j -= 1
        order[j] = move


@jit
def swap(order, count, temperature, rng):
    """Let each move change places with the next one at random, from the top to the bottom."""
    if temperature <= 0.0:
        return
    chance = math.exp(-1.0 / temperature)
    for i in range(count - 1):
        if uniform(rng) < chance:
            order[i], order[i + 1] = order[i + 1], order[i]


@jit
def draw_keys(keys, order, count, means, temperature, width, rng):
    """Give each move of an order a random key around e^(v/t); means are divided by the largest in size."""
    largest = 1e-9
    for i in range(count):
        largest = max(largest, abs(means[order[i]]))
    t = max(COLDEST, temperature)
    spread = width if temperature > 0.0 else 0.0
    for i in range(count):
        move = order[i]
        keys[move] = math.exp(means[move] / largest / t) + spread * (2.0 * uniform(rng) - 1.0)


@jit
def rank(places, order, count):
    """Write the place, from 0 on, of each move in an order; other moves keep theirs, which must be larger."""
    for i in range(count):
        places[order[i]] = i
