"""The transposition table: what is known of positions by their hash.

An entry is two words: the whole hash, and from the lowest bit

    child (12 bits)  the best child, counted in the order of `game.children`
    value (22)       from the position itself (`values.value_to_table`), plus VALUE_OFFSET
    depth (8)        plies searched below the position; SETTLED if the value rests on no evaluation, so is final
    bound (2)        EXACT, LOWER or UPPER; an empty entry is 0
    generation (8)   of the search that wrote the entry

Two neighbours are a bucket. A new entry overwrites an entry of the same position. Otherwise it goes to the first place,
if it was searched at least as deep as the entry there or if that entry is from another search; else to the second. So
the first place keeps deep entries and the second new ones (Breuker, Uiterwijk & van den Herik, "Replacement Schemes for
Transposition Tables", 1994: TwoBig).
"""

from typing import NamedTuple

from jit import HASH_SEED, U64, jit, mix  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

ENTRY_BYTES = 16
EXACT, LOWER, UPPER = 1, 2, 3
SETTLED = 255
GENERATIONS = 256
VALUE_OFFSET = 1 << 21

_CHILD_MASK, _VALUE_MASK, _BYTE_MASK = U64((1 << 12) - 1), U64((1 << 22) - 1), U64(255)
_VALUE_SHIFT, _DEPTH_SHIFT, _BOUND_SHIFT, _GENERATION_SHIFT = U64(12), U64(34), U64(42), U64(44)
_NONE = U64(0)


class Table(NamedTuple):
    """The arrays of a table; their common length is a power of two.

    Attributes:
        keys: uint64[n], hashes.
        entries: uint64[n], see the module; 0 where nothing is stored.
    """

    keys: np.ndarray
    entries: np.ndarray


def allocate(entries: int) -> Table:
    """An empty table with the largest power of two up to that number of entries, at least 2; every page is touched."""
    size = 1 << max(1, entries.bit_length() - 1)
    table = Table(np.empty(size, np.uint64), np.empty(size, np.uint64))
    clear(table)
    return table


def clear(table: Table) -> None:
    """Empty a table."""
    table.keys.fill(0)
    table.entries.fill(0)


@jit
def hash_of(key_places, state):
    """A hash of the words of a state that tell its position; `key_places` are their indices, int64[n]."""
    key = HASH_SEED
    for i in range(len(key_places)):
        key = mix(key, U64(state[key_places[i]]))
    return mix(key, U64(0))


@jit(inline="always")
def pack(child, value, depth, bound, generation):
    """An entry; child from 0 to 4095, value within +-VALUE_OFFSET, depth and generation below 256 (not checked)."""
    return (
        U64(child)
        | U64(value + VALUE_OFFSET) << _VALUE_SHIFT
        | U64(depth) << _DEPTH_SHIFT
        | U64(bound) << _BOUND_SHIFT
        | U64(generation) << _GENERATION_SHIFT
    )


@jit(inline="always")
def child_of(entry):
    """The best child, int64."""
    return np.int64(entry & _CHILD_MASK)


@jit(inline="always")
def value_of(entry):
    """The value, int64, with the plies of a proof counted from the position."""
    return np.int64(entry >> _VALUE_SHIFT & _VALUE_MASK) - VALUE_OFFSET


@jit(inline="always")
def depth_of(entry):
    """Plies searched, or SETTLED."""
    return np.int64(entry >> _DEPTH_SHIFT & _BYTE_MASK)


@jit(inline="always")
def bound_of(entry):
    """EXACT, LOWER or UPPER; 0 for an empty entry."""
    return np.int64(entry >> _BOUND_SHIFT & U64(3))


@jit(inline="always")
def generation_of(entry):
    """The generation of the search that wrote the entry, int64."""
    return np.int64(entry >> _GENERATION_SHIFT)


@jit
def probe(table, key):
    """The entry of a hash, or 0."""
    first = np.int64(key & U64(len(table.keys) - 2))
    for i in range(first, first + 2):
        if table.keys[i] == key:
            return table.entries[i]
    return _NONE


@jit
def store(table, key, entry):
    """Write an entry in place of another, by the rule that the module describes."""
    first = np.int64(key & U64(len(table.keys) - 2))
    old = table.entries[first]
    is_deeper = generation_of(old) == generation_of(entry) and depth_of(old) > depth_of(entry)
    place = first + 1 if table.keys[first] != key and (is_deeper or table.keys[first + 1] == key) else first
    table.keys[place] = key
    table.entries[place] = entry
