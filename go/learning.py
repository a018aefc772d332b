"""Go on 9x9 with features, from which `learning/` learns its network (`evaluation.py`). No agent imports this."""

from pathlib import Path
from typing import Any, ClassVar

from jit import give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from go import evaluation
from go.evaluation import BUCKETS, CHANNELS, KOMI, KOMI_RANGE, POINTS, SIZE
from go.game import Go
from go.kinds import KINDS, REACH, place_of, write_kinds
from go.layout import PASSES, ZERO
from go.position import orientations
from go.surroundings import SIDE, WINDOW
from go.tables import GoKernel
from options import InputError

FEATURES = POINTS * KINDS


def symmetries() -> np.ndarray:
    """uint16[8, FEATURES]: what becomes of each feature when the board is turned or mirrored."""
    points = [turned.ravel() for turned in orientations(np.arange(POINTS).reshape(SIZE, SIZE))]
    return np.array([np.add.outer(KINDS * turned, np.arange(KINDS)).ravel() for turned in points], np.uint16)


def windows() -> np.ndarray:
    """int32[81, 25]: the 5x5 points around each point, row by row; -1 for one off the board."""
    board = np.pad(np.arange(POINTS, dtype=np.int32).reshape(SIZE, SIZE), REACH, constant_values=-1)
    return np.lib.stride_tricks.sliding_window_view(board, (SIDE, SIDE)).reshape(POINTS, WINDOW).copy()


class LearnedGo(Go, game.LearnedGame):
    """Go with features, and what else is asked of a game on a tree (see `learning.positions.records_features`)."""

    feature_count, active_features, feature_buckets, channels = FEATURES, POINTS, BUCKETS, CHANNELS
    symmetries: ClassVar[np.ndarray] = symmetries()
    windows: ClassVar[np.ndarray] = windows()

    def __init__(self, size: int = SIZE, komi: float | None = None) -> None:
        super().__init__(size, komi)
        if size != SIZE or abs(self.komi - KOMI) > KOMI_RANGE:
            raise InputError(f"go is learned on {SIZE}x{SIZE} with komi {KOMI:g}, or {KOMI_RANGE:g} more or less")

    def kernel_with(self, **switches: Any) -> Any:
        """The kernel with these switches; `evaluation` is a file of weights. Raises InputError for other arrays."""
        if path := switches.pop("evaluation", ""):
            switches["learned"] = evaluation.read_weights(Path(path))
        return super().kernel_with(**switches)


@jit
def _features(kernel, state, active):  # type: ignore[no-untyped-def]
    write_kinds(kernel, state)
    for i in range(POINTS):
        active[i] = i * KINDS + kernel.seen.kinds[place_of(kernel.points[i])]
    is_wanted = evaluation.knows(kernel, state) and state[PASSES] == ZERO  # after a pass, games end by the count
    return evaluation.bucket_of(state) if is_wanted else -1


give_body(game.features, GoKernel, _features)
