"""The 3x3 patterns of MoGo: shapes around an empty point that make a move there likely to be good.

Gelly, Wang, Munos & Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", INRIA RR-6062, 2006, figures 3
to 6. Written for either colour: X is one, O the other; x is anything but X, o anything but O (the edge included), `.`
empty, `#` off the board, `?` anything. The middle is the point to play. All turns and mirrors and the exchange of
colours are added below.
"""

from functools import cache

import numpy as np

PATTERN, SMALL_EYE = 1, 2  # bits of `shapes_by_code`
LARGEST_EYE = 6  # the most points of an empty region that has a vital point; it has at least three

SHAPES = """
XOX  XO.  XO?  .O.
...  ...  X..  X..
???  ?.?  x.?  ...

XO?  XO?  ?X?
O.o  O.X  O.O
?o?  ???  ooo

OX?  X.?  OX?  ?X?  ?XO  ?OX
o.O  O.?  X.O  x.O  x.x  X.O
???  ##?  ###  ###  ###  ###
"""

_EMPTY, _BLACK, _WHITE, _OFF = 1, 2, 4, 8  # sets of colours, 1 << colour as in `layout`
_ALLOWED = {
    ".": _EMPTY,
    "X": _BLACK,
    "O": _WHITE,
    "#": _OFF,
    "x": _EMPTY | _WHITE | _OFF,
    "o": _EMPTY | _BLACK | _OFF,
    "?": _EMPTY | _BLACK | _WHITE | _OFF,
}
# Places of a 3x3 square in the order of a code's bits, two for each: what `chains.surroundings` reads.
PLACES = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))


def shapes() -> list[np.ndarray]:
    """Every pattern as an array of 3x3 symbols."""
    blocks = [[line.split() for line in block.splitlines()] for block in SHAPES.strip().split("\n\n")]
    return [np.array([list(rows[i]) for rows in block]) for block in blocks for i in range(len(block[0]))]


def _variants(shape: np.ndarray) -> set[tuple[str, ...]]:
    """A pattern with all turns, mirrors and the colours exchanged, as the symbols of PLACES."""
    exchange = str.maketrans("XOxo", "OXox")
    found = set()
    for square in (shape, shape.T):
        for turns in range(4):
            turned = np.rot90(square, turns)
            symbols = "".join(turned[place] for place in PLACES)
            found |= {tuple(symbols), tuple(symbols.translate(exchange))}
    return found


@cache
def table() -> np.ndarray:
    """uint8[65536]: 1 where the code of a point's eight neighbours matches a pattern, whoever is to move."""
    codes = np.arange(1 << 16)
    colours = [1 << (codes >> 2 * i & 3) for i in range(len(PLACES))]
    matches = np.zeros(1 << 16, bool)
    for variant in set().union(*map(_variants, shapes())):
        fits = np.ones(1 << 16, bool)
        for symbol, colour in zip(variant, colours, strict=True):
            if symbol != "?":
                fits &= colour & _ALLOWED[symbol] != 0
        matches |= fits
    return matches.astype(np.uint8)


_BESIDE, _DIAGONAL = (1, 3, 4, 6), {0: (1, 3), 2: (1, 4), 5: (3, 6), 7: (4, 6)}  # PLACES; a corner's neighbours


@cache
def small_eyes() -> np.ndarray:
    """bool[65536]: whether the region of an empty point with these eight neighbours may have a vital point.

    What the square shows of the region are the point, the empty ones beside it, and the empty ones beside those. It has
    to be more than the point itself, but no more than six points, and stones beside it have to be of one colour. A
    region is at least what is seen of it, so where this says no, the whole region has no vital point either.
    """
    codes = np.arange(1 << 16)
    colours = [codes >> 2 * i & 3 for i in range(len(PLACES))]
    empty = [colour == 0 for colour in colours]
    size, border = 1 + sum(empty[i] for i in _BESIDE), np.zeros(1 << 16, int)
    for i in _BESIDE:
        border |= np.where(colours[i] != 3, colours[i], 0)
    for i, (j, k) in _DIAGONAL.items():
        touches = empty[j] | empty[k]
        size += empty[i] & touches
        border |= np.where(touches & (colours[i] != 3), colours[i], 0)
    return np.asarray((border != 3) & (size > 1) & (size <= LARGEST_EYE))


@cache
def shapes_by_code() -> np.ndarray:
    """uint8[65536]: PATTERN and SMALL_EYE where the code of a point's eight neighbours allows them."""
    return np.asarray(table() * PATTERN + small_eyes() * SMALL_EYE, np.uint8)


@cache
def smallest_alike() -> np.ndarray:
    """int64[65536]: the smallest of the codes that a code's square has when it is turned and mirrored."""
    places = np.full((3, 3), -1)
    for i, place in enumerate(PLACES):
        places[place] = i
    codes = np.arange(1 << 16)
    smallest = codes
    for square in (places, places.T):
        for turns in range(4):
            turned = np.rot90(square, turns)
            alike = sum((codes >> 2 * turned[place] & 3) << 2 * i for i, place in enumerate(PLACES))
            smallest = np.minimum(smallest, alike)
    return smallest
