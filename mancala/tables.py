"""The kernel of Kalah: how a position stands in 64-bit words, and the tables of compiled code.

A player's *side* is a row of fields: the pits in sowing order, then the store. A field has as many bits as the number
of all stones needs. A side of up to 64 bits is one word; the position is a payload: (6, 4) has sides of 42 bits. A
larger side is two words of 8 fields of 8 bits each; then a payload is the move.
"""

import math
from functools import cache
from typing import NamedTuple

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

WORD_BITS = 64
WIDE_FIELD_BITS = 8  # enough for the 240 stones of the largest board

# If a lead grows by this, in square roots of the number of all stones, the odds of winning grow by a factor of e.
# `benchmarks/kalah_chances.py` fits 2.28 stones for (4, 3), 4.11 for (6, 4), 6.23 for (8, 6), which makes 0.47, 0.59
# and 0.64.
LEAD_A_FACTOR = 0.6


class KalahKernel(NamedTuple):
    """The tables of a board whose sides are one word.

    A *shift* is the place of a field in its side, in bits: on a wide board, those from 64 on are in the second word.

    Attributes:
        sowing: uint64, for each pit that is sown and its stones a row of 4 words, on wide boards of 8: what is added to
            the own and to the other's first word; the shift of the last stone's field, or one beyond the store if it is
            not on the own side; the shift of the pit opposite; what is added to the second words.
        chances: float32[2 all stones + 1], the winning chance by own store less other's store plus all stones.
        pits: of a player.
        spread: the rows of a pit in `sowing` begin with the row of this number: its shift << `spread`.
        all_stones: the number of all stones.
        half: half of all stones; who has more in the store has won.
        width: the bits of a field.
        field: the mask of a field that is shifted down.
        store: the shift of the store.
        in_pits, in_high_pits: the fields of the pits in the first and the second word.
        ones: a one in every field of a word; a word times that has the sum of all its fields in the last one.
        last: the shift of the last field of a word.
        empty_capture: whether a last stone in an own empty pit is captured with nothing opposite.
    """

    sowing: np.ndarray
    chances: np.ndarray
    pits: int
    spread: np.uint64
    all_stones: np.uint64
    half: np.uint64
    width: np.uint64
    field: np.uint64
    store: np.uint64
    in_pits: np.uint64
    in_high_pits: np.uint64
    ones: np.uint64
    last: np.uint64
    empty_capture: bool


class WideKalahKernel(KalahKernel):
    """The tables of a board whose sides are two words."""


# The columns of `sowing`; its rows have 2^ROW_BITS words, half a cache line, on wide boards 2^WIDE_ROW_BITS.
OWN, OTHER, LAST, OPPOSITE, OWN_HIGH, OTHER_HIGH = (U64(column) for column in range(6))
ROW_BITS, WIDE_ROW_BITS = 2, 3


def _words(side: list[int], width: int) -> tuple[int, int]:
    """The two words of a side; fields may be negative, which borrows from those above."""
    low_fields = WORD_BITS // width
    low = sum(stones << width * i for i, stones in enumerate(side[:low_fields]))
    high = sum(stones << width * i for i, stones in enumerate(side[low_fields:]))
    return low % (1 << WORD_BITS), high % (1 << WORD_BITS)


def sown(pits: int, pit: int, stones: int) -> tuple[list[int], list[int], int]:
    """What sowing changes in the fields of the own side and of the other's, and the place of the last stone.

    Places are counted from the own first pit: after the own store come the other's pits.
    """
    change = [0] * (2 * pits + 1)
    change[pit] -= stones
    for stone in range(1, stones + 1):
        change[(pit + stone) % len(change)] += 1
    return change[: pits + 1], change[pits + 1 :], (pit + stones) % len(change)


def _sowing(pits: int, all_stones: int, width: int, spread: int, is_wide: bool) -> np.ndarray:
    columns = 1 << (WIDE_ROW_BITS if is_wide else ROW_BITS)
    nowhere = (2 if is_wide else 1) * WORD_BITS - 1
    table = np.zeros((pits * width << spread, columns), U64)
    for pit in range(pits):
        for stones in range(1, all_stones + 1):
            own, other, place = sown(pits, pit, stones)
            (own_low, own_high), (other_low, other_high) = _words(own, width), _words(other, width)
            last = width * place if place <= pits else nowhere
            opposite = width * (pits - 1 - place) if place < pits else 0
            words = (own_low, other_low, last, opposite, own_high, other_high)[:columns]
            table[(pit * width << spread) + stones, : len(words)] = words
    return table.ravel()


def _chances(all_stones: int) -> np.ndarray:
    factor = LEAD_A_FACTOR * math.sqrt(all_stones)
    return np.array([1 / (1 + math.exp(-lead / factor)) for lead in range(-all_stones, all_stones + 1)], np.float32)


@cache
def make_kernel(pits: int, stones: int, empty_capture: bool = False) -> KalahKernel:
    """The kernel of a board; the same compiled code serves all boards of a class."""
    all_stones = 2 * pits * stones
    is_wide = all_stones.bit_length() * (pits + 1) > WORD_BITS
    width = WIDE_FIELD_BITS if is_wide else all_stones.bit_length()
    fields = WORD_BITS // width if is_wide else pits + 1  # of the first word
    kind = WideKalahKernel if is_wide else KalahKernel
    spread = (all_stones // width).bit_length()  # so that a pit has rows for 0 to all stones
    in_pits, in_high_pits = _words([(1 << width) - 1] * pits, width)
    return kind(
        sowing=_sowing(pits, all_stones, width, spread, is_wide),
        chances=_chances(all_stones),
        pits=pits,
        spread=U64(spread),
        all_stones=U64(all_stones),
        half=U64(all_stones // 2),
        width=U64(width),
        field=U64((1 << width) - 1),
        store=U64(width * pits),
        in_pits=U64(in_pits),
        in_high_pits=U64(in_high_pits),
        ones=U64(sum(1 << width * i for i in range(fields))),
        last=U64(width * (fields - 1)),
        empty_capture=empty_capture,
    )
