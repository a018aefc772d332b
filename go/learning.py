"""Go on 9x9 with features, from which `learning/` learns its network (`evaluation.py`). No agent imports this."""

from typing import Any, ClassVar

from jit import give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game.network import SAVED
from go import evaluation
from go.evaluation import ACTIVE, BUCKETS, FEATURES, KOMI, KOMI_RANGE, SHAPES, SIZE
from go.game import Go
from go.kinds import KINDS
from go.position import orientations
from go.tables import GoKernel
from options import InputError


def symmetries() -> np.ndarray:
    """uint16[8, FEATURES]: what becomes of each feature when the board is turned or mirrored; a shape stays."""
    points = [turned.ravel() for turned in orientations(np.arange(SIZE * SIZE).reshape(SIZE, SIZE))]
    table = np.tile(np.arange(FEATURES, dtype=np.uint16), (len(points), 1))
    table[:, :SHAPES] = [np.add.outer(KINDS * turned, np.arange(KINDS)).ravel() for turned in points]
    return table


class LearnedGo(Go, game.LearnedGame):
    """Go with features, and what else is asked of a game on a tree (see `learning.positions.records_features`)."""

    feature_count, active_features, feature_buckets = FEATURES, ACTIVE, BUCKETS
    symmetries: ClassVar[np.ndarray] = symmetries()

    def __init__(self, size: int = SIZE, komi: float | None = None) -> None:
        super().__init__(size, komi)
        if size != SIZE or abs(self.komi - KOMI) > KOMI_RANGE:
            raise InputError(f"go is learned on {SIZE}x{SIZE} with komi {KOMI:g}, or {KOMI_RANGE:g} more or less")

    def kernel_with(self, **switches: Any) -> Any:
        """The kernel with these switches; `evaluation` is a file of weights. Raises InputError for too narrow ones."""
        if path := switches.pop("evaluation", ""):
            with np.load(path) as arrays:
                weights = {name: arrays[name] for name in SAVED}
            if weights["fragments"].shape[1] < BUCKETS:
                raise InputError(f"go needs at least {BUCKETS}")
            switches["learned"] = evaluation.evaluation_of(weights)
        return super().kernel_with(**switches)


@jit
def _features(kernel, state, active):  # type: ignore[no-untyped-def]
    bucket = evaluation.write_features(kernel, state, kernel.learned)
    for i in range(ACTIVE):
        active[i] = kernel.learned.work[i]
    return bucket if evaluation.knows(kernel, state) else -1


give_body(game.features, GoKernel, _features)
