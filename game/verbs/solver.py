"""The verbs of games with a solver that looks for forced wins: `SolvedGame`. The others have NO_SOLVER."""

from typing import NamedTuple

from jit import dispatched, give_body  # first: it decides where compiled code is kept


@dispatched
def forced_win(solver, kernel, state, plies, positions):
    """Whether the player to move in `state`, which is open, wins within an odd number of plies against any defence.

    For an even number: whether the other player does. The answer is exact if it is yes; it is no as well where the
    solver would have to look at more than so many positions. The class of the solver selects the body, as that of the
    kernel does for other verbs.
    """


@dispatched
def begin_forced_win(solver, kernel, state, plies, positions):
    """Begin to ask as by `forced_win`, without looking yet; what was begun before is given up."""


@dispatched
def go_on_with_forced_win(solver, kernel, left):
    """Look at positions, `left[0]` more at most but for a few; they are subtracted from it (an int64[1]).

    Returns 1 or 0, the answer of `forced_win`, or -1 if that is not known yet. However often the search is interrupted,
    the answer is the same.
    """


class NoSolver(NamedTuple):
    """Finds nothing. Attributes: nothing: 0, since compiled code wants a field."""

    nothing: int


NO_SOLVER = NoSolver(0)
give_body(forced_win, NoSolver, lambda solver, kernel, state, plies, positions: False)
give_body(begin_forced_win, NoSolver, lambda solver, kernel, state, plies, positions: None)
give_body(go_on_with_forced_win, NoSolver, lambda solver, kernel, left: 0)
