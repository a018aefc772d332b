"""The choice of the move, by the proofs and the statistics of a node's children."""

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
    """A child of a node, seen by the player who moves at the node.

    Attributes:
        node: its place: on a tree its index; on a graph the parent's index and the move's number, in one.
        visits: simulations through it.
        value: 0 to 1, their mean or what else the search backs up; without visits 0.5, on a graph the evaluation.
        outcome: what is proved: "win", "loss", "draw" or None.
        is_implied: whether the outcome is proved by looking ahead, not by the game being over.
        prior: with MC-RAVE, the value before any simulation, 0 to 1; on a graph, the move's prior; else 0.5.
        resistance: if the move loses, the least number of plies that the game still lasts; 0 if that is not known.
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
    """The children of a node of a tree; `values`, if given, take the place of the means of their visits.

    `even` is the setting of MC-RAVE, see `rave.prior_of`; None if the nodes have no priors.
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
    """The child to play, out of at least one; `final`, `lcb` and `draw_value` are as in `Settings`.

    A child that wins comes first. Without one, it is the best of the open children: by `final`, the most visited, the
    one with the best value or with the largest lower bound. But if a draw is proved and the best open child is worth no
    more than `draw_value`, the draw is played. If all children lose, those that do not end the game come first, then
    those that last longest, then the most visited, so that the opponent has to find the win.
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
