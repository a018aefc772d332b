"""How a search selects, values its leaves and backs up, where that is more than a formula; see `search.py`."""

from typing import Any, NamedTuple

import numpy as np


class Method(NamedTuple):
    """The parts of a search that is compiled by their types, on a `WideTree`.

    Attributes:
        bound: the formula of selection, which says a bound for each child (`bounds.py`): a UCB1, Dailey, Tuned or Rave.
        leaf: what a leaf is worth, a `leaves.Leaf`.
        backup: what a node is worth by those below it (`backups.py`): a Mean, Minimax, MeanToMinimax or Implicit.
        trust: a child's own score counts only after so many visits; one with fewer is tried before all others.
        prune, prune_visits: a child that has so many visits, and a value below `prune`, is not selected any more,
            unless all are like that; 0 visits for never. A resolved child is never selected in any case.
        proofs: whether nodes are resolved; if not, the end of a game is a leaf as others are, with an exact value.
    """

    bound: Any
    leaf: Any
    backup: Any
    trust: int
    prune: np.float32
    prune_visits: int
    proofs: bool
