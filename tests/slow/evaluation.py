"""The learned evaluation of Pentago in floating point, cell by cell, from the weights as they were learned."""

import math

import numpy as np

TRIPLES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PAIRS = ((1, 3), (1, 5), (3, 7), (5, 7))


def logit(weights: dict[str, np.ndarray], mine: int, theirs: int) -> float:
    """The logit of the chance of the player to move, from the stones of both as 36-bit boards."""
    cells = [1 if mine >> bit & 1 else 2 if theirs >> bit & 1 else 0 for bit in range(36)]
    bucket = min((36 - cells.count(0)) // 4, 8)
    hidden = weights["bias"][bucket].astype(float)
    for quadrant in range(4):
        start = 252 * quadrant
        for fragment in TRIPLES + PAIRS:
            digits = [cells[9 * quadrant + cell] for cell in fragment]
            hidden = hidden + weights["fragments"][start + sum(digit * 3**i for i, digit in enumerate(digits))]
            start += 3 ** len(fragment)
    return float(np.clip(hidden, 0, 1) @ weights["output"][bucket]) + float(weights["offset"][bucket])


def chance(weights: dict[str, np.ndarray], mine: int, theirs: int) -> float:
    """The chance of the player to move, 0 to 1."""
    return 1 / (1 + math.exp(-logit(weights, mine, theirs)))
