"""Who is likely to own which point, as a small board for a terminal."""

import numpy as np

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # GTP's: without I
NEARLY_ALWAYS, OFTEN = 2 / 3, 1 / 3  # mean owner: five of six playouts, two of three

LEGEND = "X O: owned by black, white in 5 of 6 playouts or more; x o: in 2 of 3; .: fewer"


def ownership_text(owners: np.ndarray) -> str:
    """The board of `Game.ownership` (float32[size, size], from 1 for black to -1 for white), and its sum in words.

    >>> print(ownership_text(np.array([[1, 0.5], [0, -1]])).partition("\\nX O")[0])
       A B
     2 X x 2
     1 . O 1
       A B
    """
    size = len(owners)
    header = "   " + " ".join(COLUMNS[:size])
    rows = [f"{size - i:2} {' '.join(map(_symbol, row))} {size - i}" for i, row in enumerate(owners)]
    total = f"on the board black is ahead by {owners.sum():.1f} points on average, before komi"
    return "\n".join([header, *rows, header, LEGEND, total.replace("ahead by -", "behind by ")])


def _symbol(owner: float) -> str:
    pair = "Xx" if owner > 0 else "Oo"
    return pair[0] if abs(owner) >= NEARLY_ALWAYS else pair[1] if abs(owner) >= OFTEN else "."
