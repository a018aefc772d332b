"""The stack of a search: a frame for each ply of the line that is being looked at, and room for its children."""

from typing import Any, NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game

ROOT = 0
LONGEST = 64  # plies from the root to the deepest leaf; Pentago has 36, and nothing here sees that far
NODES, PLY, GENERATION = 0, 1, 2  # places in `Frames.counters`
NO_CHILD = -1
TRIED = -(1 << 40)  # below every value


# A frame. One array of records: an array for each field would be twenty arguments of every compiled function, which
# takes numba twice as long to compile.
FRAME = np.dtype(
    [
        ("key", np.uint64),  # the hash of the position
        ("children", np.int64),  # how many there are
        ("depth", np.int64),  # plies still to be looked at
        ("alpha", np.int64),  # the window; alpha rises
        ("beta", np.int64),
        ("floor", np.int64),  # alpha as it was at first
        ("value", np.int64),  # the best so far for the player to move, and at the end the value of the position
        ("best", np.int64),  # the child that has it
        ("hint", np.int64),  # the child to look at first, or NO_CHILD
        ("next", np.int64),  # before a leaf: where the next child is looked for; else 1 once the children are rated
        ("searched", np.int64),  # how many children were searched to their end
        ("child", np.int64),  # the child that is being searched
        ("settled", np.bool_),  # whether no evaluation is behind the value
        ("scouting", np.bool_),  # whether the child is searched with an empty window
        ("again", np.bool_),  # whether it has to be searched once more, with the whole window
    ],
    align=True,
)


class Frames(NamedTuple):
    """The arrays of a search. P = LONGEST + 1 plies; the children of ply p stand at p * width and after it.

    Attributes:
        plies: FRAME[P].
        states: [P, words], the position at each ply, as `Game.state` makes it.
        places: int64[n], the words of a state that say which position it is, see `table.hash_of`.
        payload0, payload1, flags: uint64[P * width], what `game.children` wrote.
        order: int64[P * width], what a child promises for the player who chooses, or TRIED.
        counters: int64[3]: NODES positions entered so far; PLY at which to go on; GENERATION of this search.
    """

    plies: np.ndarray
    states: np.ndarray
    places: np.ndarray
    payload0: np.ndarray
    payload1: np.ndarray
    flags: np.ndarray
    order: np.ndarray
    counters: np.ndarray


@jit
def width_of(kernel):
    """The room that the children of one ply need."""
    return game.max_children(kernel)


def allocate(kernel: Any, root: np.ndarray, places: np.ndarray) -> Frames:
    """The frames for searches of a game, `root` being the state of any position of it."""
    plies = LONGEST + 1
    room = plies * int(width_of(kernel))
    words = [np.zeros(room, np.uint64) for _ in range(3)]
    order, counters = np.zeros(room, np.int64), np.zeros(3, np.int64)
    return Frames(
        np.zeros(plies, FRAME), np.stack([root] * plies), places, words[0], words[1], words[2], order, counters
    )
