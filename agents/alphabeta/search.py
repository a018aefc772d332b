"""Principal variation search, fail-soft, on a stack of frames.

Marsland & Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982: the first child of a position is searched
with the whole window, the others with an empty one just above the best so far, and once more with the whole window if
they turn out better. In 24 positions of Pentago, to depth 5, this enters 130 million positions in 39 s; with the whole
window for all children, it enters 175 million in 61 s.

Move ordering: first the table's move, then the others by the static evaluation after the move (without it, depth 4
enters 2.9 times as many positions); one ply above the leaves, the order of `game.children`. There are no killer moves
and no history heuristic: in some games a payload is a position, which does not tell the move.

A move is known as a child, by its place in the order of `game.children`. Begin reading at `run`.
"""

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.alphabeta import table as tt
from agents.alphabeta.frames import (
    EXPANDED,
    GENERATION,
    MOST_EXPANDED,
    NO_CHILD,
    NODES,
    PLY,
    ROOT,
    TRIED,
)
from agents.alphabeta.table import EXACT, LOWER, SETTLED, UPPER, bound_of, child_of, depth_of, value_of
from agents.alphabeta.values import (
    INFINITY,
    WIN,
    for_chooser,
    value_from_table,
    value_of_evaluation,
    value_of_result,
    value_to_table,
)
from game import RESOLVED, SAME_MOVER, max_children

# --- Moves ----------------------------------------------------------------------------------------------------------


@jit
def generate_children(kernel, frames, ply):
    """Write the children of a ply's state."""
    first = ply * max_children(kernel)
    frames.plies[ply].child_count = game.children(
        kernel, frames.states[ply], frames.payload0, frames.payload1, frames.flags, first
    )


@jit
def make_move(kernel, frames, ply, index):
    """Make the next ply's state the child at an index of the arrays."""
    state = frames.states[ply + 1]
    game.begin(kernel, state, frames.states[ply])
    game.step(kernel, state, frames.payload0[index], frames.payload1[index])


@jit
def score_children(kernel, frames, ply):
    """Score the untried children of a ply by their static evaluation."""
    first, count = ply * max_children(kernel), frames.plies[ply].child_count
    state, scratch = frames.states[ply], frames.states[ply + 1]
    payload0, payload1, flags = frames.payload0, frames.payload1, frames.flags
    game.values(kernel, state, scratch, payload0, payload1, flags, first, count, frames.values)
    for i in range(count):
        if frames.scores[first + i] != TRIED:
            frames.counters[NODES] += 1
            frames.scores[first + i] = value_of_evaluation(frames.values[i])


@jit
def _first_untried(frames, frame, first):
    for i in range(frame.next, frame.child_count):
        if frames.scores[first + i] != TRIED:
            frame.next = i + 1
            return i
    return NO_CHILD


@jit
def _best_untried(frames, frame, first):
    highest, chosen = TRIED, NO_CHILD
    for i in range(frame.child_count):
        if frames.scores[first + i] > highest:
            highest, chosen = frames.scores[first + i], i
    return chosen


@jit
def _pick_child(kernel, frames, ply, first):
    """The untried child to search next, or NO_CHILD. Scores are computed only if the table's move was not enough."""
    frame = frames.plies[ply]
    if frame.depth == 1:
        return _first_untried(frames, frame, first)
    if not frame.scored:
        score_children(kernel, frames, ply)
        frame.scored = True
    return _best_untried(frames, frame, first)


@jit
def next_child(kernel, frames, ply):
    """The child to search next, or NO_CHILD; the child is marked as tried."""
    frame, first = frames.plies[ply], ply * max_children(kernel)
    chosen = frame.tt_move
    frame.tt_move = NO_CHILD
    if chosen == NO_CHILD or chosen >= frame.child_count or frames.scores[first + chosen] == TRIED:
        chosen = _pick_child(kernel, frames, ply, first)
    if chosen != NO_CHILD:
        frames.scores[first + chosen] = TRIED
    return chosen


# --- The transposition table ----------------------------------------------------------------------------------------


@jit
def probe(frames, table, ply):
    """Take the table's move for a ply's position; returns whether the table also gives the value, which is then set."""
    frame = frames.plies[ply]
    entry = tt.probe(table, frame.key)
    bound = bound_of(entry)
    frame.tt_move = child_of(entry) if bound != 0 else NO_CHILD
    if bound == 0 or depth_of(entry) < frame.depth:
        return False
    value = value_from_table(value_of(entry), ply)
    if (bound == LOWER and value < frame.beta) or (bound == UPPER and value > frame.alpha):
        return False
    frame.value = value
    frame.settled = depth_of(entry) == SETTLED
    return True


@jit
def store(frames, table, ply):
    """Write what the search of a ply has found into the table."""
    frame = frames.plies[ply]
    bound = LOWER if frame.value >= frame.beta else UPPER if frame.value <= frame.alpha_at_start else EXACT
    depth = SETTLED if frame.settled else frame.depth
    entry = tt.pack(frame.best, value_to_table(frame.value, ply), depth, bound, frames.counters[GENERATION])
    tt.store(table, frame.key, entry)


# --- A node ---------------------------------------------------------------------------------------------------------


@jit
def update(frame, child, value, settled):
    """Raise value and alpha of a frame to the value of a child, for the player to move.

    A value that fails high is settled if this child is; any other value is settled if all children are.
    """
    if value > frame.value:
        frame.value, frame.best = value, child
    frame.alpha = max(frame.alpha, value)
    if value >= frame.beta:
        frame.settled = settled
    else:
        frame.settled &= settled


@jit
def update_from_results(kernel, frames, ply):
    """Count the children whose result is known from the game as tried, with its value; mark the others as untried."""
    frame, first = frames.plies[ply], ply * max_children(kernel)
    for i in range(frame.child_count):
        word = frames.flags[first + i]
        if word & RESOLVED != U64(0):
            frames.scores[first + i] = TRIED
            update(frame, i, value_of_result(kernel, word, ply + 1), True)
        else:
            frames.scores[first + i] = 0


@jit
def enter_node(kernel, frames, table, ply):
    """Begin a ply whose state, depth and window are set; returns whether its value is known at once."""
    frame = frames.plies[ply]
    if frame.depth == 0:
        frame.value = value_of_evaluation(game.evaluate(kernel, frames.states[ply]))
        frame.settled = False
        return True
    if ply != ROOT:
        frame.key = tt.hash_of(frames.key_places, frames.states[ply])
        if probe(frames, table, ply):
            return True
        generate_children(kernel, frames, ply)
        frames.counters[EXPANDED] += 1
    frame.alpha_at_start = frame.alpha
    frame.value, frame.best = -INFINITY, 0
    frame.next = frame.searched = 0
    frame.settled = True
    frame.scored = frame.re_search = False
    update_from_results(kernel, frames, ply)
    return False


@jit
def is_cut_off(frame, ply):
    """Whether no other child can change the result: the value fails high, or wins at once."""
    return frame.alpha >= frame.beta or frame.value >= WIN - (ply + 1)


@jit
def descend(kernel, frames, ply):
    """Make the next move of a ply, and set window and depth of the next ply; returns False if no move is left."""
    frame, below = frames.plies[ply], frames.plies[ply + 1]
    if frame.re_search:
        frame.re_search = frame.scouting = False
    else:
        child = NO_CHILD if is_cut_off(frame, ply) else next_child(kernel, frames, ply)
        if child == NO_CHILD:
            return False
        frame.child = child
        frame.scouting = frame.searched > 0 and frame.depth > 1
    index = ply * max_children(kernel) + frame.child
    frames.counters[NODES] += 1
    make_move(kernel, frames, ply, index)
    low = frame.alpha
    high = low + 1 if frame.scouting else frame.beta
    passes = frames.flags[index] & SAME_MOVER == U64(0)
    below.alpha = -high if passes else low
    below.beta = -low if passes else high
    below.depth = frame.depth - 1
    return True


@jit
def ascend(kernel, frames, ply):
    """Take the value of the next ply for the child that was searched, or ask for a re-search of the child."""
    frame, below = frames.plies[ply], frames.plies[ply + 1]
    value = for_chooser(frames.flags[ply * max_children(kernel) + frame.child], below.value)
    if frame.scouting and frame.alpha < value < frame.beta:
        frame.re_search = True
        return
    frame.searched += 1
    update(frame, frame.child, value, below.settled)


# --- The search -----------------------------------------------------------------------------------------------------


@jit
def _exchange(words, i, j):
    words[i], words[j] = words[j], words[i]


@jit
def place_root(kernel, frames, root):
    """Make an open position the root; `generate_children` has to come next."""
    game.begin(kernel, frames.states[ROOT], root)


@jit
def shuffle_root(frames, rng):
    """Shuffle the children of the root, so that `rng` decides between equal moves."""
    for i in range(frames.plies[ROOT].child_count - 1, 0, -1):
        j = np.int64(random_below(rng, U64(i + 1)))
        _exchange(frames.payload0, i, j)
        _exchange(frames.payload1, i, j)
        _exchange(frames.flags, i, j)


@jit
def begin_iteration(frames, depth, first_child, alpha, beta):
    """Get ready to search the root to a depth from 1 to LONGEST; `first_child` (or NO_CHILD) is searched first."""
    root = frames.plies[ROOT]
    root.depth, root.searched = depth, 0
    root.alpha, root.beta = alpha, beta
    root.tt_move = first_child
    frames.counters[PLY] = ROOT


@jit(inline="always")
def may_enter(frames, ply):
    """Whether a ply may be entered: it may be expanded, or it is a leaf."""
    counters = frames.counters
    return ply == ROOT or counters[EXPANDED] < counters[MOST_EXPANDED] or frames.plies[ply].depth == 0


@jit
def run(kernel, frames, table, nodes):
    """Search on for that many nodes or a few more, or until no more may be expanded.

    Returns whether the iteration is over. Then value, best and settled of the root's frame are its result; before that
    they are the result of the children searched so far, if there are any (`searched`). The next call goes on with the
    iteration that `begin_iteration` began.
    """
    limit = frames.counters[NODES] + nodes
    ply = frames.counters[PLY]
    while frames.counters[NODES] < limit and may_enter(frames, ply):
        is_known = enter_node(kernel, frames, table, ply)
        while is_known or not descend(kernel, frames, ply):
            if ply == ROOT:
                return True
            if not is_known:
                store(frames, table, ply)
            ply -= 1
            ascend(kernel, frames, ply)
            is_known = False
        ply += 1
    frames.counters[PLY] = ply
    return False


@jit
def follow(kernel, frames, table, ply, child):
    """Go from a ply to a child, and generate the child's children; returns the best of them.

    Returns NO_CHILD if the table does not have the child's position, or has only a bound of its value.
    """
    make_move(kernel, frames, ply, ply * max_children(kernel) + child)
    entry = tt.probe(table, tt.hash_of(frames.key_places, frames.states[ply + 1]))
    if bound_of(entry) != EXACT:
        return NO_CHILD
    generate_children(kernel, frames, ply + 1)
    return child_of(entry) if child_of(entry) < frames.plies[ply + 1].child_count else NO_CHILD
