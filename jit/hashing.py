"""Hashes of words, for tables in compiled code."""

from jit.bits import U64
from jit.compiled import jit

HASH_SEED = U64(0x9E3779B97F4A7C15 ^ 0x9E3779B9)
# A multiplication mixes upwards, the shift brings the upper half down again. The constant: Steele & Vigna,
# "Computationally Easy, Spectrally Good Multipliers for Congruential Pseudorandom Number Generators", 2021.
_MULTIPLIER = U64(0xD1342543DE82EF95)
_HALF = U64(32)


@jit(inline="always")
def mix(key, word):
    """A hash of what `key` is one of, HASH_SEED being that of nothing, and of one uint64 more.

    Its upper bits are the best ones; with a 0 as the last word the lower ones are as good.
    """
    return ((key ^ key >> _HALF) ^ word) * _MULTIPLIER
