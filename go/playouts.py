"""Games played to their end by chance: light playouts, uniform over sensible moves, and heavy ones, that know a little.

A heavy playout answers the last move as MoGo does (Gelly, Wang, Munos & Teytaud 2006): save a chain that it put into
atari, by capturing or by running; capture the chain that made the move; play the vital point of a small eye beside it;
play a pattern around it; otherwise any move, but rarely one that puts its own chain into atari. Each rule is applied
with the probability that the kernel gives for it, since playouts that always do the same mislead the search.
"""

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.chains import is_atari, liberties_at, neighbour, only_liberty
from go.layout import (
    BESIDE,
    BLACK,
    BOTH,
    EMPTIES,
    EMPTY_COUNT,
    EVERYWHERE,
    KO,
    LAST,
    LINK,
    NOWHERE,
    ONE,
    PASS,
    PASSES,
    STRIDE,
    TO_MOVE,
    TWO,
    ZERO,
)
from go.rules import is_own_eye, is_suicide, play
from go.scoring import eye_score, komi_of
from go.tactics import (
    capture_beside,
    is_self_atari,
    liberties_after,
    shapes_around,
    vital_point,
)

LONGEST = 3  # the most moves of a playout, in points of the board: it ends the rare long ko fights


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


# --- Heavy: answers to the last move --------------------------------------------------------------------------------


@jit(inline="always")
def _applies(rng, probability):
    """Whether to apply a rule this time; `probability` is in 1/256."""
    return random_below(rng, U64(256)) < U64(probability)


@jit(inline="always")
def _is_in_atari(state, q, colour):
    """Whether there is a stone of that colour on q whose chain is in atari."""
    return (state[q] == colour) & is_atari(liberties_at(state, q))


@jit(inline="always")
def _is_atari_beside(state, p, colour):
    """Whether one of the four neighbours of p is a stone of that colour whose chain is in atari, which is rare."""
    found = _is_in_atari(state, p - STRIDE, colour) | _is_in_atari(state, p - ONE, colour)
    return found | _is_in_atari(state, p + ONE, colour) | _is_in_atari(state, p + STRIDE, colour)


@jit
def saving_move(state, stone, rng):
    """A move that saves the chain of `stone`, which is in atari, or PASS: by capturing beside it, else by running."""
    p = capture_beside(state, stone, rng)
    if p != PASS and p != state[KO]:
        return p
    p = only_liberty(liberties_at(state, stone))
    runs = p != state[KO] and not is_atari(liberties_after(state, p, state[TO_MOVE]))
    return p if runs else PASS


@jit
def tactical_move(state, last, rng):
    """A move that saves an own chain beside the opponent's last stone, or captures that stone's chain; or PASS."""
    colour = state[TO_MOVE]
    chosen, found = PASS, ZERO
    if _is_atari_beside(state, last, colour):
        for q in (last - STRIDE, last - ONE, last + ONE, last + STRIDE):
            if _is_in_atari(state, q, colour):
                p = saving_move(state, q, rng)
                if p != PASS:
                    found += ONE
                    if random_below(rng, found) == ZERO:
                        chosen = p
    if chosen == PASS and state[last] == BOTH - colour and is_atari(liberties_at(state, last)):
        p = only_liberty(liberties_at(state, last))
        if p != state[KO]:
            chosen = p
    return chosen


@jit
def eye_move(kernel, state, last, shapes):
    """The vital point of a small empty region beside the last stone, or PASS; `shapes` is from `shapes_around`."""
    places = shapes >> ONE & BESIDE
    while places != ZERO:
        p = vital_point(kernel, state, neighbour(last, places))
        if p != PASS:  # legal: it has an empty neighbour, so it is no suicide, and a ko point has none
            return p
        places &= places - ONE
    return PASS


@jit
def pattern_move(state, last, shapes, rng):
    """A random one of the points around the last stone that match a pattern and are no self-atari, or PASS.

    `shapes` is from `shapes_around`.
    """
    colour, ko = state[TO_MOVE], state[KO]
    chosen, found = PASS, ZERO
    places = shapes & EVERYWHERE
    while places != ZERO:
        p = neighbour(last, places)
        if p != ko and not is_self_atari(state, p, colour):
            found += ONE
            if random_below(rng, found) == ZERO:
                chosen = p
        places &= places - ONE
    return chosen


@jit
def careful_move(state, rng, probability):
    """As `random_move`, but a self-atari that is drawn is refused with that probability, in 1/256."""
    colour, ko, count = state[TO_MOVE], state[KO], state[EMPTY_COUNT]
    while count > ZERO:
        i = random_below(rng, count)
        p = state[EMPTIES + i]
        sensible = p != ko and not is_own_eye(state, p, colour) and not is_suicide(state, p, colour)
        if sensible and not (is_self_atari(state, p, colour) and _applies(rng, probability)):
            return p
        set_aside(state, i, count)
        count -= ONE
    return PASS


@jit
def heavy_move(kernel, state, rng):
    """The move of a heavy playout."""
    last = state[LAST]
    if last != NOWHERE:
        if _applies(rng, kernel.escape):
            p = tactical_move(state, last, rng)
            if p != PASS:
                return p
        shapes = shapes_around(kernel, state, last)
        if _applies(rng, kernel.nakade):
            p = eye_move(kernel, state, last, shapes)
            if p != PASS:
                return p
        if _applies(rng, kernel.pattern):
            p = pattern_move(state, last, shapes, rng)
            if p != PASS:
                return p
    return careful_move(state, rng, kernel.self_atari)


# --- Whole playouts -------------------------------------------------------------------------------------------------


@jit(inline="always")
def note(trace, p, player):
    """Write into the trace that a player (1 or 2) has played p, unless somebody has before."""
    if trace[p] == 0:
        trace[p] = player


@jit
def play_out(kernel, state, rng, trace):
    """Play to the end by the rules of the kernel; `trace` as in `game.traced_playout`. Returns the number of moves."""
    first = state[TO_MOVE]
    longest = U64(LONGEST * kernel.size * kernel.size)
    moves = ZERO
    while state[PASSES] < TWO and moves < longest:
        p = heavy_move(kernel, state, rng) if kernel.heavy else random_move(state, rng)
        if p != PASS:  # that somebody has to pass at the end of a playout says nothing of a pass now
            note(trace, p, np.uint8(1) if state[TO_MOVE] == first else np.uint8(2))
        play(state, p)
        moves += ONE
    return moves


@jit
def value_for(kernel, state, colour):
    """The result of a game that was played out, for a colour: 1, 0.5 or 0 as float32."""
    score = eye_score(kernel, state) - komi_of(state)
    if score == 0:
        return np.float32(0.5)
    return np.float32((score > 0) == (colour == BLACK))
