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
    """Extend a hash by one uint64: `key` is the hash of the words before it, HASH_SEED if there are none.

    The upper bits of the hash are the best; if the last word is 0, the lower bits are as good.
    """
    return ((key ^ key >> _HALF) ^ word) * _MULTIPLIER
