"""The choice of the move, from what the proofs and the statistics say of a node's children."""

from dataclasses import dataclass

from agents.uct.rave import prior_of
from agents.uct.resolution import outcome_for_chooser
from agents.uct.tree import Tree, children_of, value_of, visits_of
from game import DRAWN, IMPLIED, LOST, WON

OUTCOME_NAMES = {int(WON): "win", int(LOST): "loss", int(DRAWN): "draw"}
OUTCOME_VALUES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class Child:
    """A child of a node, for the player who moves at the node.

    Attributes:
        node: its index in the tree.
        visits: simulations through it.
        value: their mean value, 0 to 1; 0.5 without any.
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
        """The winning chance, 0 to 1: exact if proved, else the mean value."""
        return OUTCOME_VALUES.get(self.outcome or "", self.value)


def list_children(tree: Tree, node: int, even: float | None) -> list[Child]:
    """A node's children; `even` is that of the search's MC-RAVE, see `rave.prior_of`, or None with another formula."""
    found = []
    for child in children_of(tree, node):
        word = tree.stats[child]
        outcome = OUTCOME_NAMES.get(int(outcome_for_chooser(word)))
        prior = 0.5 if even is None else prior_of(int(tree.payload0[child]), even)
        found.append(Child(child, int(visits_of(word)), value_of(word), outcome, bool(word & IMPLIED), prior))
    return found


def best_of(children: list[Child], by_value: bool) -> Child:
    """The child to play, of one at least.

    One that wins, if there is one. Otherwise, of those that are not resolved, the most visited (or, with `by_value`,
    the one with the best mean value), unless a draw is proved and that one's value is no better. One that loses only
    if all do: of those that do not end the game themselves one that lasts longest, then the most visited, so that the
    opponent has to find the win.
    """
    wins, draws, unresolved = ([child for child in children if child.outcome == o] for o in ("win", "draw", None))
    if wins:
        return wins[0]
    if unresolved:
        # The prior decides when there was no time to search.
        best = max(
            unresolved,
            key=lambda child: (
                child.value if by_value and child.visits else 0.0,
                child.visits,
                0.0 if child.visits else child.prior,
            ),
        )
        return draws[0] if draws and best.value <= 0.5 else best
    return draws[0] if draws else max(children, key=lambda child: (child.is_implied, child.resistance, child.visits))
