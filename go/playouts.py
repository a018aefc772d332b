"""Games played to their end by chance: the light playout, uniform over sensible moves."""

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.rules import (
    BOTH,
    EMPTIES,
    EMPTY_COUNT,
    KO,
    LINK,
    ONE,
    PASS,
    PASSES,
    TO_MOVE,
    TWO,
    ZERO,
    eye_score,
    is_own_eye,
    is_suicide,
    play,
)

LONGEST = 3  # moves of a playout, in points of the board: a bound for the rare long ko fights


@jit(inline="always")
def set_aside(state, i, count):
    """Move the i-th of the first `count` empty points behind the others."""
    last = count - ONE
    p, other = state[EMPTIES + i], state[EMPTIES + last]
    state[EMPTIES + last], state[EMPTIES + i] = p, other
    state[LINK + p], state[LINK + other] = last, i


@jit
def random_move(state, rng):
    """A uniformly random legal move of the player to move that fills no own one-point eye; PASS if there is none."""
    colour, ko, count = state[TO_MOVE], state[KO], state[EMPTY_COUNT]
    while count > ZERO:
        i = random_below(rng, count)
        p = state[EMPTIES + i]
        if p != ko and not is_own_eye(state, p, colour) and not is_suicide(state, p, colour):
            return p
        set_aside(state, i, count)
        count -= ONE
    return PASS


@jit(inline="always")
def note(trace, p, player):
    """Write into the trace that a player (1 or 2) has played p, unless somebody has before."""
    if trace[p] == 0:
        trace[p] = player


@jit
def light_playout(kernel, state, rng, trace):
    """Play random moves to the end; `trace` as in `game.traced_playout`. Returns the number of moves."""
    first = state[TO_MOVE]
    longest = U64(LONGEST * kernel.size * kernel.size)
    moves = ZERO
    while state[PASSES] < TWO and moves < longest:
        p = random_move(state, rng)
        note(trace, p, np.uint8(1) if state[TO_MOVE] == first else np.uint8(2))
        play(state, p)
        moves += ONE
    return moves


@jit
def value_for(kernel, state, colour):
    """The result of a game that was played out, for a colour: 1, 0.5 or 0 as float32."""
    score = eye_score(kernel, state) - kernel.komi
    if score == 0:
        return np.float32(0.5)
    return np.float32((score > 0) == (BOTH - colour == TWO))
