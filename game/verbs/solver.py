"""The verbs of games with a solver that looks for forced wins: see `SolvedGame`. Other games have NO_SOLVER."""

from typing import NamedTuple

from jit import dispatched, give_body  # first: it decides where compiled code is kept


@dispatched
def forced_win(solver, kernel, state, plies, positions):
    """Whether the player to move in `state`, which is open, can force a win within `plies` plies, an odd number.

    If `plies` is even: whether the other player can. A yes is exact; the answer is no, too, if the solver would have to
    look at more than `positions` positions. The class of the solver selects the body, as the class of the kernel does
    for other verbs.
    """


@dispatched
def begin_forced_win(solver, kernel, state, plies, positions):
    """Begin the search of `forced_win` without looking at positions yet; a search that was begun before is given up."""


@dispatched
def go_on_with_forced_win(solver, kernel, left):
    """Look at up to `left[0]` more positions, or a few beyond, and subtract their number from `left`, an int64[1].

    Returns 1 or 0, the answer of `forced_win`, or -1 if that is not known yet. However often the search is interrupted,
    the answer is the same.
    """


class NoSolver(NamedTuple):
    """A solver that finds nothing. Attributes: nothing: 0, because compiled code needs a field."""

    nothing: int


NO_SOLVER = NoSolver(0)
give_body(forced_win, NoSolver, lambda solver, kernel, state, plies, positions: False)
give_body(begin_forced_win, NoSolver, lambda solver, kernel, state, plies, positions: None)
give_body(go_on_with_forced_win, NoSolver, lambda solver, kernel, left: 0)
