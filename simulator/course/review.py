"""Reviewing a finished game of Pentago with our own search and solver: which moves were proved mistakes.

The solver is exact as far as it looks: within LONGEST_WIN plies, and POSITIONS positions a question. If it finds
nothing, a position may still be won or lost later; the search's values are opinions. Begin reading at `review`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from agents.uct.base import BaseSearcher
from game import Game, forced_win, solver_of

LONGEST_WIN = 7  # plies
POSITIONS = 20_000  # for each question to the solver
VISITS = 2000  # a move with so many visits needs no further search for its value

Mistake = Literal["", "loses", "misses", "lost"]


@dataclass(frozen=True)
class ReviewedMove:
    """A move that was played, and what we think of it.

    Attributes:
        ply: moves played before it.
        player: 0 or 1.
        value: the player's winning chance after it, 0 to 1.
        best: what our search would play.
        best_value: the winning chance that it gives the player.
        proven: "win", "loss" or "draw" for the player before the move, None if the search has no proof.
        mistake: "loses" if the other can force a win afterwards and could not before, "misses" if the player could
            force a win before and cannot afterwards, "lost" if the other could force a win before; else empty.
        plies: the number of plies within which that win is forced.
        better: a move that avoids the mistake; empty if there is none.
    """

    ply: int
    player: int
    move: str
    value: float
    best: str
    best_value: float
    proven: str | None
    mistake: Mistake = ""
    plies: int = 0
    better: str = ""


def review(
    game: Game, positions: Sequence[Any], searcher: BaseSearcher, *, seconds: float | None, simulations: int | None
) -> Iterator[ReviewedMove]:
    """What we think of each move of a game, in order; yields each result as soon as it is known.

    Args:
        positions: all positions of the game, the start first.
        searcher: a searcher of this game.
        seconds, simulations: the length of the search before each move; one of them is None.
    """
    solver, visits = Solver(game, searcher.kernel), min(VISITS, simulations or VISITS)
    for before, after in pairwise(positions):
        searcher.begin(before)
        searcher.search(seconds=seconds, simulations=simulations)
        best = searcher.best_move()
        mistake, plies, better = solver.mistake(before, after, best)
        yield ReviewedMove(
            ply=before.ply,
            player=before.to_move,
            move=game.format_move(after.last_move),
            value=round(float(searcher.value_of_move(after.last_move, visits)), 4),
            best=game.format_move(best),
            best_value=round(float(searcher.value), 4),
            proven=searcher.proven,
            mistake=mistake,
            plies=plies,
            better="" if better is None else game.format_move(better),
        )


class Solver:
    """Asks for forced wins, within LONGEST_WIN plies and POSITIONS positions."""

    def __init__(self, game: Game, kernel: Any) -> None:
        self._game, self._kernel, self._solver = game, kernel, solver_of(game)

    def mistake(self, before: Any, after: Any, best: Any) -> tuple[Mistake, int, Any]:
        """What is provably wrong with a move: the kind, the plies of the forced win, and a better move if there is one.

        `best` is tried first as the better one.
        """
        lost_in = self._win_of_next(before, after)
        if lost_in is not None:
            if lost_in and self._forces(before, lost_in + 1):
                return "lost", lost_in + 1, None
            better, longest = self._holding(before, best)
            return ("lost", longest + 1, None) if better is None else ("loses", lost_in, better)
        plies = self._shortest(before)
        if plies and not any(self._keeps(before, after, within) for within in range(plies, LONGEST_WIN + 1, 2)):
            return "misses", plies, self._winning(before, best, plies)
        return "", 0, None

    def _forces(self, position: Any, plies: int) -> bool:
        """Whether the player to move wins within so many plies; for an even number, whether the other player does."""
        return bool(forced_win(self._solver, self._kernel, self._game.state(position), plies, POSITIONS))

    def _shortest(self, position: Any) -> int:
        """Plies within which the player to move can force a win, 0 if none is found."""
        return next((plies for plies in range(1, LONGEST_WIN + 1, 2) if self._forces(position, plies)), 0)

    def _win_of_next(self, before: Any, after: Any) -> int | None:
        """Plies within which the other player wins after a move, 0 if the move itself made its line, or None."""
        if after.result is not None:
            return 0 if after.result.winner == 1 - before.to_move else None
        return self._shortest(after) or None

    def _keeps(self, before: Any, after: Any, plies: int) -> bool:
        """Whether a move keeps a win within so many plies, an odd number."""
        if after.result is not None:
            return bool(after.result.winner == before.to_move)
        return plies > 1 and self._forces(after, plies - 1)

    def _winning(self, position: Any, best: Any, plies: int) -> Any:
        """A move that keeps a win within so many plies."""
        moves = (best, *position.legal_moves())
        return next((move for move in moves if self._keeps(position, position.play(move), plies)), best)

    def _holding(self, position: Any, best: Any) -> tuple[Any, int]:
        """A move after which the other forces no win, or None; and the plies of the longest win that it forces."""
        children = {position.play(move): move for move in reversed(position.legal_moves())}
        first, longest = position.play(best), 0
        for child in (first, *(child for child in children if child != first)):
            lost_in = self._win_of_next(position, child)
            if lost_in is None:
                return best if child == first else children[child], longest
            longest = max(longest, lost_in)
        return None, longest
