"""A method: how a search selects, values leaves and backs up, where a formula alone is not enough; see `search.py`."""

from typing import Any, NamedTuple

import numpy as np


class Method(NamedTuple):
    """The parts of a search on a `WideTree`; the search is compiled anew for their types.

    Attributes:
        bound: the formula of selection, a bound for each child (`bounds.py`): a UCB1, Dailey, EpsilonGreedy, Tuned
            or Rave.
        leaf: what a leaf is worth, a `leaves.Leaf`.
        backup: what a node is worth by those below it (`backups.py`): a Mean, Minimax, MeanToMinimax or Implicit.
        trust: with fewer visits, a child is tried before all others; only with so many does its own score count.
        prune, prune_visits: a child with at least so many visits and a value below `prune` is not selected any more,
            unless all are like that; with 0 visits none is pruned. A resolved child is never selected in any case.
        prune_margin: above 0, a child is pruned in another way: if its value + margin / sqrt(n) is below another's
            value - margin / sqrt(n), n being the visits of each.
        proofs: whether nodes are resolved; if not, the end of a game is a leaf like any other, with an exact value.
    """

    bound: Any
    leaf: Any
    backup: Any
    trust: int
    prune: np.float32
    prune_visits: int
    prune_margin: np.float32
    proofs: bool
