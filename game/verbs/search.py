"""The verbs of a game: its rules, and what else a search asks.

`state` and `root` are what `Game.state` makes. A payload is two uint64 that belong to the game: the position itself if
128 bits can hold it, else the move and whatever more the game keeps there.
"""

from jit import dispatched  # first: it decides where compiled code is kept

# --- The rules ------------------------------------------------------------------------------------------------------


@dispatched
def max_children(kernel):
    """An upper bound, at most 4095, of the moves and of the children of any position."""


@dispatched
def moves(kernel, state, found):
    """Write the numbers of all legal moves of an open state into int64[max_children], and return how many there are."""


@dispatched
def apply(kernel, state, move):
    """Play the legal move of that number in `state`."""


@dispatched
def outcome(kernel, state):
    """WON, LOST or DRAWN for the player to move in `state` if the game is over, else OPEN."""


# --- What follows from the rules, unless a game has faster bodies ----------------------------------------------------


@dispatched
def begin(kernel, state, root):
    """Make `state` a copy of `root`."""


@dispatched
def to_move(kernel, state):
    """The player to move, FIRST or SECOND: by default the last word of the state."""


@dispatched
def payload_is_position(kernel):
    """A compile-time bool: whether `step` needs the payload only; then a search can go to any node directly."""


@dispatched
def step(kernel, state, word0, word1):
    """Change `state` to its child with this payload."""


@dispatched
def children(kernel, state, payload0, payload1, stats, first):
    """Write the distinct successors of `state` side by side from index `first` on, and return how many there are.

    Two moves that lead to the same position are one successor. For each successor: both words of its payload, and its
    statistics word, which holds flags only: SAME_MOVER if the turn does not pass, and WON, LOST or DRAWN (for the
    player to move *there*) if the game is over there. A game that can see cheaply how an open successor ends may set
    that flag together with IMPLIED. A switch of the kernel may leave out moves that are almost never right.
    `state` is open and is left as it was; there is room for `max_children`.
    """


@dispatched
def child_move(kernel, state, i, word0, word1):
    """The number for `apply` of a move to the i-th child that `children` writes; that child has this payload.

    Only a search on a graph asks for it, and needs numbers below 2048. `state` is left as it was.
    """


@dispatched
def implied_plies(kernel):
    """How many plies after a child the game ends, if `children` has marked the child as IMPLIED.

    1 if the game looks one ply ahead; 0 if the result is certain at the child although play could go on.
    """


@dispatched
def evaluate(kernel, state):
    """A cheap static estimate of the value for the player to move in `state`, a float32 from 0 (lost) to 1 (won)."""


@dispatched
def values(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    """Estimate the values of all children of `state` for the player who chooses among them, from 0 to 1.

    The children are those that `children` has just written, unchanged. `values` is a float32 array: values[i] becomes
    the value of the child at `first + i`, exact if that child is resolved. `state` is left as it was; `scratch` is
    another state, for working.
    """


@dispatched
def playout(kernel, state, rng):
    """Play random moves from `state`, which is open, to the end of the game, and spoil `state`.

    The moves are uniformly random, unless switches of the kernel turn on rules of the game for better ones. `rng` is a
    PCG32 state (see `jit.new_rng`), which is advanced. Returns a float32: 1 if the player to move at the call wins, 0.5
    for a draw, 0 for a loss.
    """
