"""The verbs of games whose searches may count moves "all moves as first", see `agents/uct/rave.py`.

Such a game is an `AmafGame`: it says how many numbers of moves there are, and traces its playouts. If a payload is the
position (`payload_is_position`), `move_number` says which move led to it. In other payloads the lowest AMAF_MOVE_BITS
of word 0 are the number of the move. Above it is the move's prior: a number of simulations in PRIOR_BITS, and above
that their score (in sixteenths, for the player who makes the move). Word 1 belongs to the search, and begins as zero.
"""

from jit import dispatched  # first: it decides where compiled code is kept

AMAF_MOVE_BITS = 16
PRIOR_BITS = 16


@dispatched
def traced_playout(kernel, state, rng, trace):
    """As `playout`, and write into `trace`, by the number of a move, who made that move first; for games with AMAF.

    `trace` is uint8[AmafGame.amaf_moves]: 0 for nobody, 1 for the player to move at the call, 2 for the other. Entries
    that are not 0 at the call stay as they are. A game leaves out moves whose late worth says nothing about their worth
    earlier (a pass at the end of a game of Go).
    """


@dispatched
def move_number(kernel, word0, word1):
    """The number, below `AmafGame.amaf_moves`, of the move to the child with this payload; for games with AMAF."""


@dispatched
def tally(kernel, state, owners):
    """Add the owner of each point at the end of a playout to `owners`, int64[AmafGame.amaf_moves].

    1 for FIRST, -1 for SECOND. For games with AMAF whose players own points; `state` is as the playout has left it.
    """
