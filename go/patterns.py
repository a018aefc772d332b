"""The 3x3 patterns of MoGo: shapes around an empty point that make a move there likely to be good.

Gelly, Wang, Munos & Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", INRIA RR-6062, 2006, figures 3
to 6. Written for either colour: X is one, O the other; x is anything but X, o anything but O (the edge included), `.`
empty, `#` off the board, `?` anything. The middle is the point to play. All turns and mirrors and the exchange of
colours are added below.
"""

from functools import cache

import numpy as np

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

_EMPTY, _BLACK, _WHITE, _OFF = 1, 2, 4, 8  # sets of colours, 1 << colour as in `rules`
_ALLOWED = {
    ".": _EMPTY,
    "X": _BLACK,
    "O": _WHITE,
    "#": _OFF,
    "x": _EMPTY | _WHITE | _OFF,
    "o": _EMPTY | _BLACK | _OFF,
    "?": _EMPTY | _BLACK | _WHITE | _OFF,
}
# Places of a 3x3 square in the order of a code's bits, two for each: what `tactics.surroundings` reads.
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
