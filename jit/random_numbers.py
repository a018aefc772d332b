"""Random numbers for compiled code: PCG32, XSH-RR 64/32.

O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation",
2014. The state is an array `rng` of two uint64: [state, increment].
"""

import numba as nb
import numpy as np

from jit.bits import U64, rotate_right
from jit.compiled import jit

PCG_MULTIPLIER = U64(6364136223846793005)


@jit(inline="always")
def pcg_output(state):
    """The 32 random bits that PCG32 gives out for a state, as a uint64 below 2^32."""
    xorshifted = nb.uint32(((state >> U64(18)) ^ state) >> U64(27))
    return U64(rotate_right(xorshifted, nb.uint32(state >> U64(59))))


@jit(inline="always")
def pcg_step(state, increment):
    """The state after this one."""
    return state * PCG_MULTIPLIER + increment


@jit
def pcg32(rng):
    """Advance `rng` and return 32 random bits as a uint64."""
    state = rng[0]
    rng[0] = pcg_step(state, rng[1])
    return pcg_output(state)


@jit
def random_below(rng, n):
    """A random uint64 below n <= 2^32, by multiply and shift (bias below n / 2^32)."""
    return (pcg32(rng) * U64(n)) >> U64(32)


def new_rng(seed: int, sequence: int = 54) -> np.ndarray:
    """The state of a PCG32 for a seed, as the reference implementation's `pcg32_srandom` makes it: uint64[2]."""
    mask = (1 << 64) - 1
    increment = (sequence << 1 | 1) & mask
    state = ((increment + seed) * int(PCG_MULTIPLIER) + increment) & mask
    return np.array([state, increment], dtype=np.uint64)
