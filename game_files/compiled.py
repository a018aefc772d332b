"""A game whose rules are compiled functions of a file: `legal`, `apply` and `result`, on one array of whole numbers.

The verbs of `game/` are made of these; a search replays moves from its root. People, and agents that ask positions,
use such a game as one in plain Python.
"""

# mypy: allow-untyped-defs
# (compiled functions are typed by numba)

from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from jit import jit, keep_code_of  # first: it decides where compiled code is kept

import numba  # isort: skip
import numpy as np  # isort: skip

import game
from game import GameFileError, Result, RulesError
from game.verbs.bodies import random_playout
from game_files.plain import PlainGame

NEEDED = ("initial", "legal", "apply", "result")
_OPEN, _DRAWN = -1, 2  # what a file's `result` returns if nobody has won
_MOST_MOVES = 4095  # for more a search has no room
_NUMBERS = 1 << game.AMAF_MOVE_BITS  # how many numbers of moves there can be, from 0 on
_UNTOUCHED = -1 << 40  # marks the entries of an array into which nothing was written
_WHOLE = int | np.integer  # numpy's are returned by functions that are not compiled, for a debugger


class CompiledGame(PlainGame):
    """A game of three compiled functions (see `game.Game` for what each member means).

    A move is a number. If the file says how many rows and columns of `cells` there are, numbers along the rows are
    cells (row, column), and the next number is a pass.
    """

    contract: ClassVar[dict[str, str]] = PlainGame.contract | {
        "initial": "an array of whole numbers, of one dimension, the last of them the player to move, 0 or 1",
        "legal": "how many numbers of moves it has written into the array `found`, at least one, at most most_moves; a"
        f" number is 0 to {_NUMBERS - 1}, or with `cells` at most their number",
        "apply": "nothing: it changes the state",
        "result": "-1 while the game is open, then the winner, 0 or 1, or 2 for a draw",
        "evaluate": "how good the state is for the player to move, a np.float32 from 0 to 1",
        "grid": "the board, an array of rows and columns: 0 empty, 1 and 2 the players",
        "from_grid": "the state with that board and that player to move",
    }
    kernel: Any
    cells: ClassVar[tuple[int, int] | None] = None

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        start = self._start
        is_state = isinstance(start, np.ndarray) and start.ndim == 1 and start.dtype.kind in "iu" and start.size > 0
        if not (is_state and start[-1] in (0, 1)):
            raise self._wrong("initial", f"is {start!r}")

    # --- For people ---

    def player_of(self, state: np.ndarray) -> int:
        """The player to move."""
        if (player := int(state[-1])) not in (0, 1):
            raise RulesError(
                f"{self.title}: the last number of the state must be the player to move, 0 or 1, not {player}"
            )
        return player

    def result_of(self, state: np.ndarray) -> Result | None:
        """The result; None while the game is open."""
        found = self.ask("result", state)
        if not isinstance(found, _WHOLE) or isinstance(found, bool) or found not in (_OPEN, 0, 1, _DRAWN):
            raise self._wrong("result", f"is {found}")
        return None if found == _OPEN else Result(None if found == _DRAWN else int(found))

    def moves_of(self, state: np.ndarray) -> tuple[Any, ...]:
        """The legal moves of an open state."""
        return tuple(self._numbers(state))

    def _numbers(self, state: np.ndarray) -> dict[Any, int]:
        """The legal moves with their numbers; raises RulesError if `legal` returns or writes anything wrong."""
        most = self.kernel.most_moves
        found = np.full(_MOST_MOVES + 1, _UNTOUCHED)  # long enough to show that `legal` writes too much
        count = self.ask("legal", state, found)
        if not isinstance(count, _WHOLE) or not 1 <= count <= most:
            raise self._wrong("legal", f"is {count} while the game is open; most_moves is {most}")
        if (found[most:] != _UNTOUCHED).any():
            raise self._wrong("legal", f"writes more than {most} numbers; most_moves is {most}")
        numbers = found[:count].tolist()
        largest = _NUMBERS - 1 if self.cells is None else self.cells[0] * self.cells[1]
        if not 0 <= min(numbers) <= max(numbers) <= largest:
            raise self._wrong("legal", f"writes {next(n for n in numbers if not 0 <= n <= largest)}")
        if len(set(numbers)) < count:  # playouts would play it more often than others
            raise self._wrong("legal", f"writes {max(numbers, key=numbers.count)} twice")
        return {self._move(number): number for number in numbers}

    def check_evaluation(self, state: np.ndarray) -> None:
        """Raise RulesError if the file has an `evaluate` that returns no number from 0 to 1 for an open state."""
        value = self.ask("evaluate", state) if self._has("evaluate") else 0.5
        if not isinstance(value, float | np.floating) or not 0 <= value <= 1:
            raise self._wrong("evaluate", f"is {value!r}")

    def _move(self, number: int) -> Any:
        if self.cells is None:
            return number
        rows, columns = self.cells
        return None if number == rows * columns else divmod(number, columns)

    def after(self, state: np.ndarray, move: Any) -> np.ndarray:
        """The state after a legal move."""
        number, changed = self._numbers(state)[move], state.copy()
        self.ask("apply", changed, number)
        changed.flags.writeable = False
        return changed

    def shown(self, state: np.ndarray) -> Any:
        """The board and the player to move, if the file has `grid`; else the state."""
        return (np.asarray(self.ask("grid", state)), self.player_of(state)) if self._has("grid") else state

    def meant(self, shown: Any) -> Any:
        """The state for which `shown` returns this."""
        return np.asarray(self.ask("from_grid", *shown), self._start.dtype) if self._has("grid") else shown

    # --- For search ---

    def move_of(self, position: Any, word0: int, word1: int) -> Any:
        """The move to the child with this payload."""
        return self._move(super().move_of(position, word0, word1))


@jit
def flags_of(result, to_move):
    """The result that a file's `result` returned, as flags for the player to move, as in `game.outcome`."""
    if result == _OPEN:
        return game.OPEN
    if result == _DRAWN:
        return game.DRAWN
    return game.WON if result == to_move else game.LOST


def kernel_of(module: ModuleType, title: str) -> Any:
    """The kernel of the game in a module, whose verbs get their bodies; the module's name has a hash of its files.

    Raises GameFileError for anything that compiled code cannot use.
    """
    most = getattr(module, "most_moves", None)
    if not isinstance(most, int) or not 1 <= most <= _MOST_MOVES:
        raise GameFileError(
            f"{title}: most_moves must be the most moves of any position, 1 to {_MOST_MOVES}, not {most!r}"
        )
    functions = {name: getattr(module, name) for name in (*NEEDED[1:], "evaluate") if hasattr(module, name)}
    plain = [name for name, function in functions.items() if not hasattr(function, "py_func")]
    if plain and not numba.config.DISABLE_JIT:  # with it, a debugger steps through them
        raise GameFileError(f"{title}: {' and '.join(plain)} must be compiled: write @jit above (from jit import jit)")

    class Kernel(NamedTuple):
        most_moves: int

    Kernel.__module__, Kernel.__qualname__ = module.__name__, "Kernel"  # whoever reads compiled code finds it there
    vars(module)["Kernel"] = Kernel
    keep_code_of(module.__name__)
    names = {"legal": module.legal, "apply": module.apply, "result": module.result, "flags_of": flags_of}
    bodies = {
        "max_children": f"lambda kernel: {most}",
        "moves": "lambda kernel, state, found: legal(state, found)",
        "apply": "lambda kernel, state, move: apply(state, move)",
        "outcome": "lambda kernel, state: flags_of(result(state), state[len(state) - 1])",
    }
    longest = getattr(module, "longest_game", None)
    if type(longest) is int:  # without it a playout might not end; whoever makes the class refuses anything else
        names["random_playout"] = random_playout
        bodies["playout"] = f"lambda kernel, state, rng: random_playout(kernel, state, rng, None, {longest})"
    if hasattr(module, "evaluate"):
        names["evaluate"], bodies["evaluate"] = module.evaluate, "lambda kernel, state: evaluate(state)"
    # Plain functions are written into their callers; a closure around compiled ones would be compiled in every process.
    game.implement(Kernel, **{verb: eval(body, names) for verb, body in bodies.items()})
    return Kernel(most)
