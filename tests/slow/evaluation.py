"""The learned evaluation of Pentago, cell by cell, from the weights as they were learned."""

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


def logit(weights: dict[str, np.ndarray], mine: int, theirs: int) -> float:
    """The logit of the chance of the player to move, from rows and bias rounded to 1/1020 and output to 1/512."""
    active, bucket = features(mine, theirs)
    rows = weights["fragments"][active].astype(float).reshape(4, 12, -1).sum(axis=1)
    hidden = np.rint(1020 * rows).sum(axis=0) + np.rint(1020.0 * weights["bias"][bucket])
    output = np.rint(512.0 * weights["output"][bucket])
    return float(np.clip(hidden, 0, 1020) @ output) / (1020 * 512) + float(weights["offset"][bucket])
