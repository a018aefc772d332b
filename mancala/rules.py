"""The rules of Kalah in compiled code: sowing, capturing, successors, playouts.

A state is uint64[2], on wide boards uint64[4]: the side to move, the other side, then their second words. In the other
side the player to move stands in place of the store: the stones that are nowhere else are in that store. On narrow
boards a payload is the state; on wide ones it is the pit that was sown.

Functions take and return sides as two words each, `own` being that of the player to move, with both stores in them; on
narrow boards the second is always 0, and what is done with it is left out when the functions are compiled. Begin
reading at `sow`, then `successors`; the verbs of `game/` get their bodies in `verbs.py`.
"""

from jit import U64, dispatched, give_body, jit, lowest_bit, pcg_output, pcg_step, popcount, select_bit  # first

import numpy as np  # isort: skip

import game
from mancala.tables import (
    LAST,
    OPPOSITE,
    OTHER,
    OTHER_HIGH,
    OWN,
    OWN_HIGH,
    ROW_BITS,
    WIDE_FIELD_BITS,
    WIDE_ROW_BITS,
    KalahKernel,
    WideKalahKernel,
)

NONE, ONE = U64(0), U64(1)
WORD = U64(64)
_ABOVE_STONES = U64(WIDE_FIELD_BITS)
_ROW_BITS, _WIDE_ROW_BITS = U64(ROW_BITS), U64(WIDE_ROW_BITS)


@dispatched
def is_wide(kernel):
    """A compile-time bool: whether a side is two words."""


give_body(is_wide, KalahKernel, lambda kernel: False)
give_body(is_wide, WideKalahKernel, lambda kernel: True)


# --- Sides ----------------------------------------------------------------------------------------------------------


@jit(inline="always")
def stones_at(kernel, low, high, shift):
    """The stones in the field of a side at a shift."""
    if is_wide(kernel) and shift >= WORD:
        return high >> (shift - WORD) & kernel.field
    return low >> shift & kernel.field


@jit(inline="always")
def add_stones(kernel, low, high, shift, stones):
    """A side with so many stones more in the field at a shift."""
    if is_wide(kernel) and shift >= WORD:
        return low, high + (stones << (shift - WORD))
    return low + (stones << shift), high


@jit(inline="always")
def take_stones(kernel, low, high, shift, stones):
    """A side with so many stones less in the field at a shift."""
    if is_wide(kernel) and shift >= WORD:
        return low, high - (stones << (shift - WORD))
    return low - (stones << shift), high


@jit(inline="always")
def all_of(kernel, low, high):
    """All stones of a side, those in its store too."""
    total = low * kernel.ones >> kernel.last & kernel.field
    if is_wide(kernel):
        total += high * kernel.ones >> kernel.last & kernel.field
    return total


@jit(inline="always")
def has_no_stones(kernel, low, high):
    """Whether the pits of a side are empty."""
    if is_wide(kernel):
        return (low & kernel.in_pits) | (high & kernel.in_high_pits) == NONE
    return low & kernel.in_pits == NONE


@jit(inline="always")
def without_store(kernel, low, high):
    """The pits of a side."""
    if is_wide(kernel):
        return low & kernel.in_pits, high & kernel.in_high_pits
    return low & kernel.in_pits, NONE


@jit(inline="always")
def read(kernel, state):
    """Both sides of a state, the stores in them: own, its second word, other, its second word."""
    own, other, own_high, other_high = state[0], state[1], NONE, NONE
    if is_wide(kernel):
        own_high, other_high = state[2], state[3]
    other, other_high = without_store(kernel, other, other_high)
    elsewhere = all_of(kernel, own, own_high) + all_of(kernel, other, other_high)
    other, other_high = add_stones(kernel, other, other_high, kernel.store, kernel.all_stones - elsewhere)
    return own, own_high, other, other_high


@jit(inline="always")
def player_of(kernel, state):
    """The player to move in a state."""
    if is_wide(kernel):
        return stones_at(kernel, state[1], state[3], kernel.store)
    return stones_at(kernel, state[1], NONE, kernel.store)


@jit(inline="always")
def with_player(kernel, low, high, player):
    """The other side as it stands in a state, with the player to move in place of the store."""
    low, high = without_store(kernel, low, high)
    return add_stones(kernel, low, high, kernel.store, player)


# --- Moves ----------------------------------------------------------------------------------------------------------


@jit(inline="always")
def row_of(kernel, shift, stones):
    """Where in `kernel.sowing` the row of the pit at a shift begins, with so many stones in it."""
    return ((shift << kernel.spread) + stones) << (_WIDE_ROW_BITS if is_wide(kernel) else _ROW_BITS)


@jit(inline="always")
def sow(kernel, own, own_high, other, other_high, shift, stones):
    """Sow the stones of the own pit at a shift and capture; returns both sides, and whether the mover moves again."""
    row = row_of(kernel, shift, stones)
    last = kernel.sowing[row + LAST]
    opposite = kernel.sowing[row + OPPOSITE]
    own += kernel.sowing[row + OWN]
    other += kernel.sowing[row + OTHER]
    if is_wide(kernel):
        own_high += kernel.sowing[row + OWN_HIGH]
        other_high += kernel.sowing[row + OTHER_HIGH]
    captured = stones_at(kernel, other, other_high, opposite)
    # 0 if the last stone fell into an own empty pit, else more than a pit can hold. One comparison is one branch, which
    # is seldom mispredicted; with a branch for each condition there are a fifth fewer playouts a second, with none at
    # all a tenth.
    not_empty = (stones_at(kernel, own, own_high, last) ^ ONE | U64(last >= kernel.store)) << _ABOVE_STONES
    if not_empty < captured | U64(kernel.empty_capture):
        own, own_high = take_stones(kernel, own, own_high, last, ONE)
        own, own_high = add_stones(kernel, own, own_high, kernel.store, captured + ONE)
        other, other_high = take_stones(kernel, other, other_high, opposite, captured)
    return own, own_high, other, other_high, last == kernel.store


@jit(inline="always")
def outcome_for_owner(kernel, own, own_high, other, other_high):
    """WON, LOST or DRAWN for the player whose side is the first if the game is over, else OPEN."""
    if not (has_no_stones(kernel, own, own_high) or has_no_stones(kernel, other, other_high)):
        return game.OPEN
    total = all_of(kernel, own, own_high)
    if total == kernel.half:
        return game.DRAWN
    return game.WON if total > kernel.half else game.LOST


@jit
def outcome(kernel, state):
    """`game.outcome` for Kalah."""
    own, own_high, other, other_high = read(kernel, state)
    return outcome_for_owner(kernel, own, own_high, other, other_high)


@jit(inline="always")
def flags_for_owner(kernel, own, own_high, other, other_high):
    """As `outcome_for_owner`; with IMPLIED also WON or LOST where one store has more than half of all stones."""
    outcome = outcome_for_owner(kernel, own, own_high, other, other_high)
    if outcome == game.OPEN:
        if stones_at(kernel, own, own_high, kernel.store) > kernel.half:
            return game.WON | game.IMPLIED
        if stones_at(kernel, other, other_high, kernel.store) > kernel.half:
            return game.LOST | game.IMPLIED
    return outcome


@jit(inline="always")
def opposite_outcome(flags):
    """The same flags, said for the other player."""
    return flags ^ (game.WON | game.LOST) if flags & (game.WON | game.LOST) != NONE else flags


@jit
def successors(kernel, state, payload0, payload1, stats, first):
    """`game.children` for Kalah. No two moves lead to the same position: the pit that is sown loses stones."""
    own, own_high, other, other_high = read(kernel, state)
    player = player_of(kernel, state)
    n = first
    for pit in range(U64(kernel.pits)):
        shift = pit * kernel.width
        stones = stones_at(kernel, own, own_high, shift)
        if stones == NONE:
            continue
        mine, mine_high, theirs, theirs_high, again = sow(kernel, own, own_high, other, other_high, shift, stones)
        flags = flags_for_owner(kernel, mine, mine_high, theirs, theirs_high)
        stats[n] = flags | game.SAME_MOVER if again else opposite_outcome(flags)
        if is_wide(kernel):
            payload0[n], payload1[n] = pit, NONE
        else:
            to_move, waiting = (mine, theirs) if again else (theirs, mine)
            payload0[n], payload1[n] = to_move, with_player(kernel, waiting, NONE, player ^ U64(not again))[0]
        n += 1
    return n - first


@jit
def sown_pit(kernel, state, i):
    """The pit that leads to the i-th successor on a narrow board: the i-th own one with stones."""
    pit = U64(0)
    while True:
        if stones_at(kernel, state[0], NONE, pit * kernel.width) != NONE:
            if i == 0:
                return pit
            i -= 1
        pit += ONE


@jit
def sow_state(kernel, state, move):
    """`game.apply`: sow an own pit that has stones, which is the number of the move."""
    own, own_high, other, other_high = read(kernel, state)
    player = player_of(kernel, state)
    shift = U64(move) * kernel.width
    stones = stones_at(kernel, own, own_high, shift)
    own, own_high, other, other_high, again = sow(kernel, own, own_high, other, other_high, shift, stones)
    if not again:
        own, own_high, other, other_high = other, other_high, own, own_high
        player ^= ONE
    state[0] = own
    other, other_high = with_player(kernel, other, other_high, player)
    state[1] = other
    if is_wide(kernel):
        state[2], state[3] = own_high, other_high


# --- Values ---------------------------------------------------------------------------------------------------------


@jit(inline="always")
def chance_of_lead(kernel, own_store, other_store):
    """The winning chance of a player with so many stones in the store, by the difference only."""
    return kernel.chances[kernel.all_stones + own_store - other_store]


@jit
def evaluation(kernel, state):
    """`game.evaluate` for Kalah."""
    own, own_high, other, other_high = read(kernel, state)
    own_store = stones_at(kernel, own, own_high, kernel.store)
    return chance_of_lead(kernel, own_store, stones_at(kernel, other, other_high, kernel.store))


@jit
def values_of_children(kernel, payload0, payload1, stats, first, count, values):
    """`game.values` for boards whose payloads are positions."""
    for i in range(count):
        to_move, other = payload0[first + i], payload1[first + i] & kernel.in_pits
        store = to_move >> kernel.store
        elsewhere = all_of(kernel, to_move, NONE) + all_of(kernel, other, NONE)
        value = chance_of_lead(kernel, store, kernel.all_stones - elsewhere)
        values[i] = game.value_for_chooser(stats[first + i], value)


# --- Playouts -------------------------------------------------------------------------------------------------------


@jit(inline="always")
def _occupied(kernel, pits, fields):
    """The highest bit of each field in the mask `fields` that has stones."""
    high = fields & (kernel.ones << (kernel.width - ONE))
    low = fields & ~high
    return ((pits & low) + low | pits) & high


@jit(inline="always")
def _random_pit(kernel, own, own_high, bits):
    """The shift of a random one of the pits that have stones, chosen by 32 random bits."""
    to_lowest_bit = kernel.width - ONE
    here = _occupied(kernel, own, kernel.in_pits)
    count = popcount(here)
    if is_wide(kernel):
        above = _occupied(kernel, own_high, kernel.in_high_pits)
        chosen = bits * (count + popcount(above)) >> U64(32)
        if chosen >= count:
            return lowest_bit(select_bit(above >> to_lowest_bit, chosen - count)) + WORD
        return lowest_bit(select_bit(here >> to_lowest_bit, chosen))
    return lowest_bit(select_bit(here >> to_lowest_bit, bits * count >> U64(32)))


@jit(inline="always")
def _is_decided(kernel, own, own_high, other, other_high):
    """Whether the player who has just moved has more than half of all stones in the store, or the game is over."""
    return (
        stones_at(kernel, own, own_high, kernel.store) > kernel.half
        or has_no_stones(kernel, own, own_high)
        or has_no_stones(kernel, other, other_high)
    )


@jit
def random_playout(kernel, state, rng):
    """`game.playout` for Kalah: a pit from 32 random bits a ply, until the game is over or a store decides it."""
    own, own_high, other, other_high = read(kernel, state)
    random, increment = rng[0], rng[1]
    is_first = True
    while True:
        shift = _random_pit(kernel, own, own_high, pcg_output(random))
        random = pcg_step(random, increment)
        stones = stones_at(kernel, own, own_high, shift)
        own, own_high, other, other_high, again = sow(kernel, own, own_high, other, other_high, shift, stones)
        if _is_decided(kernel, own, own_high, other, other_high):
            break
        to_move, to_move_high = (own, own_high) if again else (other, other_high)
        other, other_high = (other, other_high) if again else (own, own_high)
        own, own_high = to_move, to_move_high
        is_first = is_first == again
    rng[0] = random
    total = all_of(kernel, own, own_high)
    if total == kernel.half:
        return np.float32(0.5)
    return np.float32(1) if (total > kernel.half) == is_first else np.float32(0)
