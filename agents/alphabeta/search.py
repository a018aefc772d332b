"""Principal variation search, fail-soft, on a stack of frames.

Marsland & Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982: the first child of a position is searched
with the whole window, the others with an empty one just above the best so far, and once more with the whole window if
they turn out better. In 24 positions of Pentago, to depth 5, that enters 130 million positions in 39 s; the whole
window for all enters 175 million in 61 s.

Children are tried in this order: the table's move, then by the static evaluation after them (without it, depth 4 enters
2.9 times as many positions); before a leaf, as `game.children` wrote them. There are no killer moves and no history: in
some games a payload is a position, which does not tell the move.

Begin reading at `run`.
"""

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.alphabeta import table as entries
from agents.alphabeta.frames import GENERATION, NO_CHILD, NODES, PLY, ROOT, TRIED, width_of
from agents.alphabeta.table import EXACT, LOWER, SETTLED, UPPER, bound_of, child_of, depth_of, value_of
from agents.alphabeta.values import (
    INFINITY,
    WIN,
    for_chooser,
    from_here,
    from_root,
    value_of_evaluation,
    value_of_result,
)
from game import RESOLVED, SAME_MOVER

# --- Children -------------------------------------------------------------------------------------------------------


@jit
def write_children(kernel, frames, ply):
    """Write the children of the state of a ply."""
    first = ply * width_of(kernel)
    frames.plies[ply].children = game.children(
        kernel, frames.states[ply], frames.payload0, frames.payload1, frames.flags, first
    )


@jit
def enter_child(kernel, frames, ply, index):
    """Make the state of the next ply the child that stands at an index."""
    state = frames.states[ply + 1]
    game.begin(kernel, state, frames.states[ply])
    game.step(kernel, state, frames.payload0[index], frames.payload1[index])


@jit
def rate_children(kernel, frames, ply):
    """Order the children of a ply that are still to be tried by the static evaluation after them."""
    first = ply * width_of(kernel)
    for i in range(first, first + frames.plies[ply].children):
        if frames.order[i] != TRIED:
            frames.counters[NODES] += 1
            enter_child(kernel, frames, ply, i)
            value = value_of_evaluation(game.evaluate(kernel, frames.states[ply + 1]))
            frames.order[i] = for_chooser(frames.flags[i], value)


@jit
def _first_untried(frames, ply, first):
    for i in range(frames.plies[ply].next, frames.plies[ply].children):
        if frames.order[first + i] != TRIED:
            frames.plies[ply].next = i + 1
            return i
    return NO_CHILD


@jit
def _most_promising(frames, ply, first):
    best, chosen = TRIED, NO_CHILD
    for i in range(frames.plies[ply].children):
        if frames.order[first + i] > best:
            best, chosen = frames.order[first + i], i
    return chosen


@jit
def _in_order(kernel, frames, ply, first):
    """The untried child whose turn it is, or NO_CHILD; the children are rated once the hint was not enough."""
    if frames.plies[ply].depth == 1:
        return _first_untried(frames, ply, first)
    if frames.plies[ply].next == 0:
        rate_children(kernel, frames, ply)
        frames.plies[ply].next = 1
    return _most_promising(frames, ply, first)


@jit
def next_child(kernel, frames, ply):
    """The child to search next, which is marked as tried, or NO_CHILD."""
    first = ply * width_of(kernel)
    chosen = frames.plies[ply].hint
    frames.plies[ply].hint = NO_CHILD
    if chosen == NO_CHILD or chosen >= frames.plies[ply].children or frames.order[first + chosen] == TRIED:
        chosen = _in_order(kernel, frames, ply, first)
    if chosen != NO_CHILD:
        frames.order[first + chosen] = TRIED
    return chosen


# --- A frame --------------------------------------------------------------------------------------------------------


@jit
def look_up(frames, table, ply):
    """Take the hint for a position from the table; returns whether the table knows its value, which is then set."""
    entry = entries.find(table, frames.plies[ply].key)
    bound = bound_of(entry)
    frames.plies[ply].hint = child_of(entry) if bound != 0 else NO_CHILD
    if bound == 0 or depth_of(entry) < frames.plies[ply].depth:
        return False
    value = from_root(value_of(entry), ply)
    if (bound == LOWER and value < frames.plies[ply].beta) or (bound == UPPER and value > frames.plies[ply].alpha):
        return False
    frames.plies[ply].value = value
    frames.plies[ply].settled = depth_of(entry) == SETTLED
    return True


@jit
def keep(frames, table, ply):
    """Write what a search has found of a position into the table."""
    value = frames.plies[ply].value
    bound = LOWER if value >= frames.plies[ply].beta else UPPER if value <= frames.plies[ply].floor else EXACT
    depth = SETTLED if frames.plies[ply].settled else frames.plies[ply].depth
    entry = entries.pack(frames.plies[ply].best, from_here(value, ply), depth, bound, frames.counters[GENERATION])
    entries.store(table, frames.plies[ply].key, entry)


@jit
def take(frames, ply, child, value, settled):
    """Count the value of a child for the player to move at a ply.

    A value that is good enough to stop is as settled as its child; any other as all children are.
    """
    if value > frames.plies[ply].value:
        frames.plies[ply].value, frames.plies[ply].best = value, child
    frames.plies[ply].alpha = max(frames.plies[ply].alpha, value)
    if value >= frames.plies[ply].beta:
        frames.plies[ply].settled = settled
    else:
        frames.plies[ply].settled &= settled


@jit
def take_resolved(kernel, frames, ply):
    """Count the children whose result the game tells, and mark the others as untried."""
    first = ply * width_of(kernel)
    for i in range(frames.plies[ply].children):
        word = frames.flags[first + i]
        if word & RESOLVED != U64(0):
            frames.order[first + i] = TRIED
            take(frames, ply, i, value_of_result(word, ply + 1), True)
        else:
            frames.order[first + i] = 0


@jit
def open_frame(kernel, frames, table, ply):
    """Begin with the state of a ply, whose depth and window are set; returns whether its value is known at once."""
    if frames.plies[ply].depth == 0:
        frames.plies[ply].value = value_of_evaluation(game.evaluate(kernel, frames.states[ply]))
        frames.plies[ply].settled = False
        return True
    if ply != ROOT:
        frames.plies[ply].key = entries.hash_of(frames.places, frames.states[ply])
        if look_up(frames, table, ply):
            return True
        write_children(kernel, frames, ply)
    frames.plies[ply].floor = frames.plies[ply].alpha
    frames.plies[ply].value, frames.plies[ply].best = -INFINITY, 0
    frames.plies[ply].settled = True
    frames.plies[ply].next = frames.plies[ply].searched = 0
    frames.plies[ply].again = False
    take_resolved(kernel, frames, ply)
    return False


@jit
def is_over(frames, ply):
    """Whether no other child can change what is made of a ply: it is good enough, or wins at once."""
    return frames.plies[ply].alpha >= frames.plies[ply].beta or frames.plies[ply].value >= WIN - (ply + 1)


@jit
def descend(kernel, frames, ply):
    """Set up the next child of a ply one ply further down; returns False if there is none to be searched."""
    if frames.plies[ply].again:
        frames.plies[ply].again = frames.plies[ply].scouting = False
    else:
        child = NO_CHILD if is_over(frames, ply) else next_child(kernel, frames, ply)
        if child == NO_CHILD:
            return False
        frames.plies[ply].child = child
        frames.plies[ply].scouting = frames.plies[ply].searched > 0 and frames.plies[ply].depth > 1
    index = ply * width_of(kernel) + frames.plies[ply].child
    frames.counters[NODES] += 1
    enter_child(kernel, frames, ply, index)
    low = frames.plies[ply].alpha
    high = low + 1 if frames.plies[ply].scouting else frames.plies[ply].beta
    passes = frames.flags[index] & SAME_MOVER == U64(0)
    frames.plies[ply + 1].alpha = -high if passes else low
    frames.plies[ply + 1].beta = -low if passes else high
    frames.plies[ply + 1].depth = frames.plies[ply].depth - 1
    return True


@jit
def ascend(kernel, frames, ply):
    """Count the value of the next ply for the child of this one that was searched, or ask for another search of it."""
    child = frames.plies[ply].child
    value = for_chooser(frames.flags[ply * width_of(kernel) + child], frames.plies[ply + 1].value)
    if frames.plies[ply].scouting and frames.plies[ply].alpha < value < frames.plies[ply].beta:
        frames.plies[ply].again = True
        return
    frames.plies[ply].searched += 1
    take(frames, ply, child, value, frames.plies[ply + 1].settled)


# --- The search -----------------------------------------------------------------------------------------------------


@jit
def _exchange(words, i, j):
    words[i], words[j] = words[j], words[i]


@jit
def place_root(kernel, frames, root):
    """Make a position, which is open, the root; `write_children` for it comes next."""
    game.begin(kernel, frames.states[ROOT], root)


@jit
def shuffle_root(frames, rng):
    """Shuffle the children of the root, so that `rng` decides between equals."""
    for i in range(frames.plies[ROOT].children - 1, 0, -1):
        j = np.int64(random_below(rng, U64(i + 1)))
        _exchange(frames.payload0, i, j)
        _exchange(frames.payload1, i, j)
        _exchange(frames.flags, i, j)


@jit
def begin_iteration(frames, depth, first_child):
    """Get ready to search the root to a depth from 1 to LONGEST, one child (or NO_CHILD) before the others."""
    frames.plies[ROOT].depth = depth
    frames.plies[ROOT].alpha, frames.plies[ROOT].beta = -INFINITY, INFINITY
    frames.plies[ROOT].hint = first_child
    frames.counters[PLY] = ROOT


@jit
def run(kernel, frames, table, nodes):
    """Search on for that many nodes or a few more; returns whether the iteration is over.

    Then value, best and settled of the root say what it found. Before that they say so of the children that have been
    searched, if there are any (`Frames.searched`). What is begun with `begin_iteration` goes on with the next call.
    """
    limit = frames.counters[NODES] + nodes
    ply = frames.counters[PLY]
    while frames.counters[NODES] < limit:
        known = open_frame(kernel, frames, table, ply)
        while known or not descend(kernel, frames, ply):
            if ply == ROOT:
                return True
            if not known:
                keep(frames, table, ply)
            ply -= 1
            ascend(kernel, frames, ply)
            known = False
        ply += 1
    frames.counters[PLY] = ply
    return False


@jit
def follow(kernel, frames, table, ply, child):
    """Go from a ply to a child and write the children of that; returns the best of them, or NO_CHILD.

    Of a position that is not in the table, or was searched to a bound only, the best is not known.
    """
    enter_child(kernel, frames, ply, ply * width_of(kernel) + child)
    entry = entries.find(table, entries.hash_of(frames.places, frames.states[ply + 1]))
    if bound_of(entry) != EXACT:
        return NO_CHILD
    write_children(kernel, frames, ply + 1)
    return child_of(entry) if child_of(entry) < frames.plies[ply + 1].children else NO_CHILD
