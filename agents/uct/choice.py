"""The choice of the move, from what the proofs and the statistics say of a node's children."""

import math
from dataclasses import dataclass

import numpy as np

from agents import outcomes
from agents.outcomes import OUTCOME_VALUES, Candidate, name_for_chooser
from agents.uct.rave import prior_of
from agents.uct.tree import MAX_VISITS, Tree, children_of, value_of
from game import IMPLIED


@dataclass(frozen=True)
class Child:
    """A child of a node, for the player who moves at the node.

    Attributes:
        node: its index in the tree.
        visits: simulations through it.
        value: what they make it worth, 0 to 1: their mean, or as the search backs up; 0.5 without any.
        outcome: what is proved: "win", "loss", "draw" or None.
        is_implied: whether that is proved by looking ahead, not by the game being over.
        prior: the first opinion of a search with MC-RAVE, 0 to 1; else 0.5.
        resistance: plies that it lasts at least, where it loses and that was asked for; else 0.
    """

    node: int
    visits: int
    value: float
    outcome: str | None
    is_implied: bool
    prior: float
    resistance: int = 0

    @property
    def chance(self) -> float:
        """The winning chance, 0 to 1: exact if proved, else the value."""
        return OUTCOME_VALUES.get(self.outcome or "", self.value)


def list_children(tree: Tree, node: int, even: float | None, values: np.ndarray | None = None) -> list[Child]:
    """A node's children, with their mean values or others.

    `even` is that of the search's MC-RAVE, see `rave.prior_of`, or None where there are no priors.
    """
    found = []
    for i, child in enumerate(children_of(tree, node)):
        word = tree.stats[child]
        visits = int(word) & MAX_VISITS
        value = value_of(word) if values is None or not visits else float(values[i])
        outcome = name_for_chooser(word)
        prior = 0.5 if even is None else prior_of(int(tree.payload0[child]), even)
        found.append(Child(child, visits, value, outcome, bool(word & IMPLIED), prior))
    return found


def lower_bound(child: Child, parent_visits: int, weight: float) -> float:
    """The lower confidence bound of a child's value: value - weight sqrt(ln N / n), by Hoeffding's inequality."""
    if not child.visits:
        return -math.inf
    return child.value - weight * math.sqrt(math.log(max(1, parent_visits)) / child.visits)


def best_of(children: list[Child], final: str = "visits", lcb: float = 1.0, draw_value: float = 0.5) -> Child:
    """The child to play, of one at least; `final`, `lcb` and `draw_value` as in `Settings`.

    One that wins, if there is one. Otherwise, of those that are not resolved, the most visited (or the one with the
    best value, or with the largest lower bound), unless a draw is proved and that one is worth no more. One that
    loses only if all do: of those that do not end the game themselves one that lasts longest, then the most visited, so
    that the opponent has to find the win.
    """
    visits = sum(child.visits for child in children if child.outcome is None)
    rank = {
        "visits": lambda child: 0.0,
        "value": lambda child: child.value if child.visits else 0.0,
        "lcb": lambda child: lower_bound(child, visits, lcb),
    }[final]
    candidates = []
    for child in children:
        # The prior decides when there was no time to search.
        merit = (rank(child), child.visits, 0.0 if child.visits else child.prior)
        hiding = (child.is_implied, child.resistance, child.visits) if child.outcome == "loss" else ()
        candidates.append(Candidate(child.outcome, child.value, merit, hiding))
    return children[outcomes.best_of(candidates, draw_value)]
