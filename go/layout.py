"""How compiled code holds a position of Go: one array of words.

A state is uint64[STATE_SIZE]. Six sections of AREA words are indexed by point, chain or position in a list:

    COLOUR + p       EMPTY, BLACK, WHITE, or OFF beyond the edge (COLOUR is 0: `state[p]` is the colour of p)
    CHAIN + p        the head of the chain that the stone on p belongs to: the point of one of its stones
    LINK + p         with a stone: the next stone of its chain, in a circle; empty: the index of p in the list of empty
                     points
    LIBERTIES + h    by the head of a chain, see below
    SIZE + h         by the head of a chain, its stones
    EMPTIES + i      the empty points, in no order
    AROUND + p       the colours of the eight neighbours of p in two bits each, from the top left along the rows

and some single words follow, from TO_MOVE on.

Liberties are pseudo-liberties: an empty point counts once for each stone of the chain beside it. One word holds their
number, the sum of their points and the sum of the points' squares; so adding a liberty is one addition, and merging two
chains is one addition. A chain is in atari if all its liberties are the same point: exactly then the number times the
sum of squares is the square of the sum (Cauchy and Schwarz).

The words of AROUND change with each stone that comes or goes, and are read far more often: whether a point is an eye,
has an empty point beside it, or matches a pattern is then a few operations on one word.

A playout makes choices that no processor can predict, and a wrong prediction costs as much as twenty operations. So
what is cheap is computed for all neighbours, whatever is on them (`chains.word_if`); there are branches for rare cases
only. CHAIN of a point without a stone is 0 or the head of an earlier chain, so that the words found through it may be
read, and 0 may be added to them.

All words are uint64, and so is every index and constant here: numba makes a float of a uint64 and an int together.
"""

from jit import U64  # first: it decides where compiled code is kept

# isort: split
from go.tables import AREA as _AREA
from go.tables import STRIDE as _STRIDE

EMPTY, BLACK, WHITE, OFF = U64(0), U64(1), U64(2), U64(3)  # OFF has the bits of both: it ends eyes as either colour
BOTH = U64(3)  # colour BOTH - c is the opponent of c
PASS = U64(0)
NOWHERE = U64(0)  # no ko, no last move

STRIDE, AREA = U64(_STRIDE), U64(_AREA)
CHAIN, LINK, LIBERTIES, SIZE, EMPTIES, AROUND = (U64(_AREA * section) for section in range(1, 7))
(
    TO_MOVE,  # BLACK or WHITE
    KO,  # the point that the player to move must not take back, or NOWHERE
    PASSES,  # passes in a row that led here
    EMPTY_COUNT,
    LAST,  # the point of the last move, NOWHERE for a pass or at the start
    TAKEN,  # stones captured by black
    TAKEN_BY_WHITE,
    KOMI,  # white's points for moving second, the bits of a float64
    BANNED_COUNT,  # moves that are forbidden at this very move for reasons beyond the board (superko)
) = (U64(_AREA * 7 + word) for word in range(9))
WORDS = 9  # from TO_MOVE on
REGION = BANNED_COUNT + U64(1)  # working space of `tactics.py`, seven words
BANNED = REGION + U64(7)  # the first of the banned moves; there are fewer than AREA
STATE_SIZE = int(BANNED) + _AREA

ZERO, ONE, TWO = U64(0), U64(1), U64(2)

EVERYWHERE = U64(0x5555)  # of a word of AROUND: the lower bits of all eight neighbours
BESIDE = U64(1 << 2 | 1 << 6 | 1 << 8 | 1 << 12)  # of the four that are beside the point
