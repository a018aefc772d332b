"""Ladders: whether a chain is caught by being put into atari again and again.

The attackers put the chain into atari with every move, the defenders extend it or capture a chain beside it. The reader
plays this out on copies of the position, and gives up where it is long (`LEVELS`, `_MOST_MOVES`): then the chain counts
as safe.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.chains import is_atari, liberties_at, only_liberty
from go.layout import BOTH, EMPTY, LINK, ONE, PASS, STATE_SIZE, STRIDE, TO_MOVE, ZERO
from go.rules import copy, is_legal, play

LEVELS = 12  # positions that are kept, one for each choice between moves
_MOST_MOVES = U64(60)  # of the attackers, in all that is read about one chain
_LEFT = LEVELS, 0  # where the working space counts those that are left


def working_space() -> np.ndarray:
    """uint64[LEVELS + 1, STATE_SIZE], a state for each level, and a counter."""
    return np.zeros((LEVELS + 1, STATE_SIZE), np.uint64)


@jit(inline="always")
def _noted(q, a, b, c):
    """Three different points, PASS in place of those that are missing, and q in place of the first missing one."""
    if q == a or q == b:
        return a, b, c
    if a == PASS:
        return q, b, c
    if b == PASS:
        return a, q, c
    return a, b, q


@jit
def first_liberties(state, stone):
    """Three liberties of a stone's chain, or as many as there are, and then PASS."""
    a, b, c = PASS, PASS, PASS
    s = stone
    while True:
        for q in (s - STRIDE, s - ONE, s + ONE, s + STRIDE):
            if state[q] == EMPTY:
                a, b, c = _noted(q, a, b, c)
        s = state[LINK + s]
        if s == stone or c != PASS:
            return a, b, c


@jit
def _has_three_liberties_with(state, p, colour, taken):
    """Whether a stone of that colour on p would have three liberties or more, captures and the point `taken` aside."""
    a, b, c = PASS, PASS, PASS
    for stone in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
        if state[stone] == EMPTY and stone != taken:
            a, b, c = _noted(stone, a, b, c)
        elif state[stone] == colour:
            s = stone
            while c == PASS:
                for q in (s - STRIDE, s - ONE, s + ONE, s + STRIDE):
                    if state[q] == EMPTY and q != p and q != taken:
                        a, b, c = _noted(q, a, b, c)
                s = state[LINK + s]
                if s == stone:
                    break
    return c != PASS


@jit
def _capture(state, stone, k):
    """The k-th point, from 1, at which the chain of `stone` captures a chain beside it, or PASS; points may recur."""
    enemy = BOTH - state[stone]
    s = stone
    while True:
        for q in (s - STRIDE, s - ONE, s + ONE, s + STRIDE):
            if state[q] == enemy and is_atari(liberties_at(state, q)):
                k -= ONE
                if k == ZERO:
                    return only_liberty(liberties_at(state, q))
        s = state[LINK + s]
        if s == stone:
            return PASS


@jit(inline="always")
def _may_attack(state, stone, at, extension, only):
    """Whether the attackers may try `at`, one of two liberties: if it is `only` or that is PASS, and can succeed."""
    return (
        (only == PASS or only == at)
        and not _has_three_liberties_with(state, extension, state[stone], at)
        and is_legal(state, at)
    )


@jit
def _is_caught(kernel, level, stone, only):
    """Whether a chain with two liberties is caught by the attackers, who move next: at `only`, unless that is PASS.

    The position is that of `level` in the working space; it and those after it are changed.
    """
    state, other = kernel.reading[level], kernel.reading[level + 1]
    while kernel.reading[_LEFT] != ZERO and level + 1 < LEVELS:
        kernel.reading[_LEFT] -= ONE
        at, extension, _ = first_liberties(state, stone)
        try_first, try_second = (
            _may_attack(state, stone, at, extension, only),
            _may_attack(state, stone, extension, at, only),
        )
        if try_first and try_second:
            copy(kernel, other, state)
            if _is_caught(kernel, level + 1, stone, at):
                return True
        if try_second:
            at, extension = extension, at
        elif not try_first:
            return False
        only = PASS
        play(state, at)
        k, p = ONE, _capture(state, stone, ONE)
        while p != PASS:
            if p != extension and is_legal(state, p):
                copy(kernel, other, state)
                play(other, p)
                _, second, third = first_liberties(other, stone)
                if second != PASS and (third != PASS or not _is_caught(kernel, level + 1, stone, PASS)):
                    return False
            k += ONE
            p = _capture(state, stone, k)
        if not is_legal(state, extension):
            return True
        play(state, extension)
        _, second, third = first_liberties(state, stone)
        if second == PASS:
            return True
        if third != PASS:
            return False
    return False


@jit
def is_caught_after(kernel, state, p):
    """Whether the legal move p makes a chain that is in atari, or is then caught in a ladder."""
    if _has_three_liberties_with(state, p, state[TO_MOVE], PASS):
        return False
    copy(kernel, kernel.reading[0], state)
    play(kernel.reading[0], p)
    _, second, third = first_liberties(kernel.reading[0], p)
    kernel.reading[_LEFT] = _MOST_MOVES
    return second == PASS or (third == PASS and _is_caught(kernel, 0, p, PASS))


@jit
def catches(kernel, state, p, stone):
    """Whether the legal move p puts the chain of `stone`, an opponent's beside p, into atari and catches it."""
    a, b, c = first_liberties(state, stone)
    if b == PASS or c != PASS or not _may_attack(state, stone, p, b if a == p else a, PASS):
        return False
    copy(kernel, kernel.reading[0], state)
    kernel.reading[_LEFT] = _MOST_MOVES
    return _is_caught(kernel, 0, stone, p)
