"""The learned evaluation of Pentago in floating point, cell by cell, from the weights as they were learned."""

import numpy as np

TRIPLES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PAIRS = ((1, 3), (1, 5), (3, 7), (5, 7))


def features(mine: int, theirs: int) -> tuple[list[int], int]:
    """The active features of a position and its bucket, from the stones of both players as 36-bit boards."""
    cells = [1 if mine >> bit & 1 else 2 if theirs >> bit & 1 else 0 for bit in range(36)]
    found = []
    for quadrant in range(4):
        start = 252 * quadrant
        for fragment in TRIPLES + PAIRS:
            digits = [cells[9 * quadrant + cell] for cell in fragment]
            found.append(start + sum(digit * 3**i for i, digit in enumerate(digits)))
            start += 3 ** len(fragment)
    return found, min((36 - cells.count(0)) // 4, 8)


def _hidden(weights: dict[str, np.ndarray], mine: int, theirs: int) -> tuple[np.ndarray, int]:
    """The hidden units before they are clipped, and the bucket."""
    active, bucket = features(mine, theirs)
    return weights["bias"][bucket] + weights["fragments"][active].astype(float).sum(axis=0), bucket


def logit(weights: dict[str, np.ndarray], mine: int, theirs: int) -> float:
    """The logit of the chance of the player to move."""
    hidden, bucket = _hidden(weights, mine, theirs)
    return float(np.clip(hidden, 0, 1) @ weights["output"][bucket]) + float(weights["offset"][bucket])


def rounding_error(weights: dict[str, np.ndarray], mine: int, theirs: int) -> float:
    """The standard deviation of a logit whose bias and four rows are rounded to 1/1020, and its output to 1/512.

    A number that is rounded to a unit has a deviation of 1/sqrt(12) of it; a hidden unit that is clipped has none.
    """
    hidden, bucket = _hidden(weights, mine, theirs)
    counts = weights["output"][bucket][(hidden > 0) & (hidden < 1)]
    of_hidden, of_output = 5**0.5 * np.linalg.norm(counts) / 1020, np.linalg.norm(np.clip(hidden, 0, 1)) / 512
    return float(np.hypot(of_hidden, of_output) / 12**0.5)
