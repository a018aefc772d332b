"""The search of the literature as an object: the plain search on a tree, with another method and a wider tree."""

from typing import Any, NamedTuple

import numpy as np

from agents.uct.choice import Child, best_of
from agents.uct.searcher import Searcher
from agents.uct.tree import SCORE_OF_WIN, Tree, allocate, score_of, visits_of
from studies.literature.backups import write_values
from studies.literature.bounds import EpsilonGreedy
from studies.literature.method import Method
from studies.literature.settings import LiteratureSettings
from studies.literature.wide_tree import WideTree, allocate_wide

# Without proofs, or with a limit of depth, a tree that is searched to the end does not become settled. So a search by
# nodes ends when so many simulations, times the visits that a leaf has before its expansion, have expanded no leaf.
MOST_IDLE = 4096


class Results(NamedTuple):
    """The numbers of wins, draws and losses of the player who chose a node."""

    won: int
    drawn: int
    lost: int


class LiteratureSearcher(Searcher):
    """A search on a tree by a method of the literature."""

    settings_class = LiteratureSettings

    def _allocate(self, capacity: int) -> None:
        super()._allocate(capacity)
        if isinstance(self._bound, EpsilonGreedy):
            self.formula = self.formula._replace(bound=self._bound._replace(rng=self.rng))
        self.playouts_a_simulation = self.settings.playouts
        if self.settings.plies:
            self._path = self._path[: self.settings.plies + 2]  # a leaf is expanded if the path has room for two more
        self._idle, self._may_be_idle = 0, True

    def _make_tree(self, capacity: int) -> Tree | WideTree:
        extras = self.settings.extras(self.game)
        return allocate(capacity) if extras is None else allocate_wide(capacity, extras)

    def search(self, *arguments: Any, nodes: int | None = None, **limits: Any) -> None:
        """As in every search; without proofs, or with `plies`, a search by nodes ends when it can expand no more."""
        self._idle, self._may_be_idle = 0, nodes is None or (self.settings.proofs and not self.settings.plies)
        super().search(*arguments, nodes=nodes, **limits)
        self._may_be_idle = True

    def _begin_search(self) -> None:
        super()._begin_search()
        self.formula = self.settings.at(self.formula, self.game, self.position)

    def _run(self, chunk: int) -> bool:
        before = self.expanded
        has_run = super()._run(chunk)
        self._idle = 0 if self.expanded > before else self._idle + chunk
        return has_run

    @property
    def is_settled(self) -> bool:
        """As in every search; in a search by nodes without proofs, or with `plies`, also if it can expand no more."""
        is_idle = self._idle >= MOST_IDLE * self.settings.expand_at
        return (is_idle and not self._may_be_idle) or super().is_settled

    def best_of(self, children: list[Child]) -> Child:
        """As in every search, but if that is worth more than `lcb_above`, the one with the largest lower bound."""
        best = super().best_of(children)
        if best.chance <= self.settings.lcb_above:
            return best
        return best_of(children, "lcb", self.settings.lcb, self.settings.draw_value)

    def _values(self, place: int) -> np.ndarray | None:
        if not isinstance(self.formula, Method):
            return None
        below = self.children_of(place)
        values = np.zeros(len(below), np.float32)
        write_values(self.formula.backup, self.tree, below.start, values)
        return values

    def results_of(self, place: int) -> Results | None:
        """How many of a child's results were wins, draws and losses; None if the search does not tell them apart.

        If results x are 1, 1/2 or 0, there are 4 (sum of x - sum of x^2) draws. So the search must sum squares
        (`formula=ucb1_tuned`), and each result must be that of one playout, or proved.
        """
        has_plain_results = self.settings.playouts == 1 and self.settings.playout_share == 1
        if not (has_plain_results and isinstance(self.tree, WideTree) and len(self.tree.squares)):
            return None
        visits, total = int(visits_of(self.tree.stats[place])), int(score_of(self.tree.stats[place])) / SCORE_OF_WIN
        drawn = round(4 * (total - float(self.tree.squares[place])))
        won = round(total - drawn / 2)
        return Results(won, drawn, visits - won - drawn)

    @property
    def _bound(self) -> Any:
        return self.formula.bound if isinstance(self.formula, Method) else self.formula

    @property
    def _has_priors(self) -> bool:
        return self.settings.formula == "rave" and not (isinstance(self.tree, WideTree) and len(self.tree.amaf))
