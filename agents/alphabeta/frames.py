"""The search stack: a frame for each ply of the line that is being searched, and room for its children."""

from typing import Any, NamedTuple

import numpy as np

from game import max_children

ROOT = 0
LONGEST = 64  # plies from the root to the deepest leaf at most; a game of Pentago has 36
NODES, PLY, GENERATION, EXPANDED, MOST_EXPANDED = range(5)  # places in `Frames.counters`
NO_CHILD = -1
TRIED = -(1 << 40)  # below every value


# This is one array of records: with an array for each field, every compiled function would have twenty arguments, and
# numba would compile twice as long. `frames.plies[ply]` is a reference to a record, not a copy.
FRAME = np.dtype(
    [
        ("key", np.uint64),  # the hash of the position
        ("child_count", np.int64),
        ("depth", np.int64),  # plies still to be searched
        ("alpha", np.int64),  # the window, for the player to move; alpha rises
        ("beta", np.int64),
        ("alpha_at_start", np.int64),  # a value that is not above this is an upper bound
        ("value", np.int64),  # the best so far for the player to move, in the end the value of the position
        ("best", np.int64),  # the child with that value
        ("tt_move", np.int64),  # the child to search first, from the table or the last iteration, or NO_CHILD
        ("next", np.int64),  # at depth 1: the first child that has not been looked at
        ("searched", np.int64),  # how many children were searched to their end
        ("child", np.int64),  # the child that is being searched
        ("scored", np.bool_),  # whether the children have their scores
        ("settled", np.bool_),  # whether the value rests on no evaluation, so that more depth cannot change it
        ("scouting", np.bool_),  # whether the child is searched with an empty window
        ("re_search", np.bool_),  # whether the child has to be searched once more, with the whole window
    ],
    align=True,
)


class Frames(NamedTuple):
    """The arrays of a search. P = LONGEST + 1 plies; the children of ply p stand from index p * width on.

    Attributes:
        plies: FRAME[P].
        states: [P, words], the position at each ply, as `Game.state` makes it.
        key_places: int64[n], the indices of the words of a state that tell its position, see `table.hash_of`.
        payload0, payload1, flags: uint64[P * width], what `game.children` wrote.
        scores: int64[P * width], for the player who chooses; children are ordered by them. TRIED for tried children.
        values: float32[width], working space for the evaluation of the children of one position.
        counters: int64[5]: NODES entered so far; PLY at which to go on; GENERATION of this search; positions EXPANDED
            so far (a position is expanded when its children are generated), and the most of them, MOST_EXPANDED.
    """

    plies: np.ndarray
    states: np.ndarray
    key_places: np.ndarray
    payload0: np.ndarray
    payload1: np.ndarray
    flags: np.ndarray
    scores: np.ndarray
    values: np.ndarray
    counters: np.ndarray


def allocate(kernel: Any, root: np.ndarray, key_places: np.ndarray) -> Frames:
    """The frames for searches of a game; `root` is the state of any of its positions."""
    plies = LONGEST + 1
    width = int(max_children(kernel))
    room = plies * width
    payload0, payload1, flags = (np.zeros(room, np.uint64) for _ in range(3))
    scores, counters = np.zeros(room, np.int64), np.zeros(5, np.int64)
    states = np.stack([root] * plies)
    values = np.zeros(width, np.float32)
    return Frames(np.zeros(plies, FRAME), states, key_places, payload0, payload1, flags, scores, values, counters)
