"""The score of Go: who owns which point, and how many points black leads by. See `layout.py`."""

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.layout import BLACK, EMPTY, KOMI, OFF, ONE, STRIDE, WHITE


@jit
def paint_area(kernel, state, owner):
    """Write who owns each point into `owner`, uint8[AREA], as bits: BLACK, WHITE, or BOTH or EMPTY for nobody.

    A stone owns its point; an empty point belongs to the colours of the stones that it reaches through empty points.
    """
    points = kernel.points
    for i in range(len(points)):
        owner[points[i]] = state[points[i]]
    changed = True
    while changed:  # forwards and backwards over the board until nothing spreads any more: twice or so
        changed = False
        for turn in range(2):
            for i in range(len(points)):
                p = points[i] if turn == 0 else points[len(points) - 1 - i]
                if state[p] == EMPTY:
                    reached = owner[p]
                    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
                        if state[q] != OFF:
                            reached |= owner[q]
                    if reached != owner[p]:
                        owner[p] = reached
                        changed = True


@jit(inline="always")
def points_for_black(owner):
    """What a point counts for black by its owner: 1, -1, or 0 for nobody's, as int64."""
    return np.int64(owner == BLACK) - np.int64(owner == WHITE)


@jit
def area_score(kernel, state):
    """Black's area less white's, komi not counted, all stones on the board alive, as int64."""
    paint_area(kernel, state, kernel.spare)
    score = np.int64(0)
    for i in range(len(kernel.points)):
        score += points_for_black(kernel.spare[kernel.points[i]])
    return score


@jit(inline="always")
def owner_of(state, p):
    """The owner of a point on a board where each empty point is beside stones: their colour, BOTH if they differ."""
    owner = state[p]
    if owner == EMPTY:
        for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
            if state[q] != OFF:
                owner |= state[q]
    return owner


@jit
def eye_score(kernel, state):
    """As `area_score`, for boards where each empty point is beside stones, as at the end of a playout."""
    score = np.int64(0)
    for i in range(len(kernel.points)):
        score += points_for_black(owner_of(state, kernel.points[i]))
    return score


@jit(inline="always")
def komi_of(state):
    """Komi as float64."""
    return np.uint64(state[KOMI]).view(np.float64)
