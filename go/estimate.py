"""Who owns what before a game is over, from playouts."""

from typing import Any

from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from go import layout, scoring
from go.tables import AREA, GoKernel

# A chain is in doubt if the mean owner of its points (1 for its own colour, -1 for the other) is closer to 0 than this.
# If an opposing chain that shares a liberty is in doubt, too, both are called seki.
DOUBT = 0.4


@jit(allocates=True)
def _owners(kernel, root, rng, playouts):
    """int64[AREA]: sums of owners over playouts."""
    owners, trace, state = np.zeros(AREA, np.int64), np.zeros(AREA, np.uint8), root.copy()
    for _ in range(playouts):
        game.begin(kernel, state, root)
        trace[:] = 0
        game.traced_playout(kernel, state, rng, trace)
        game.tally(kernel, state, owners)
    return owners


def owners_by_point(position: Any, playouts: int, seed: int) -> np.ndarray:
    """float32[AREA], see `Go.ownership`. A finished game is played on: its stones may be dead."""
    root = position.state
    root[layout.PASSES] = 0
    owners = _owners(position.kernel, root, new_rng(seed), playouts)
    return np.asarray(owners / max(1, playouts), np.float32)


def ownership(position: Any, playouts: int, seed: int) -> np.ndarray:
    """See `Go.ownership`."""
    owners = owners_by_point(position, playouts, seed)[position.kernel.points]
    return np.asarray(owners.reshape(position.size, position.size))


def _chains(kernel: GoKernel, state: np.ndarray) -> dict[int, list[int]]:
    """The stones of each chain, by its head."""
    chains: dict[int, list[int]] = {}
    for point in map(int, kernel.points):
        if state[point] != layout.EMPTY:
            chains.setdefault(int(state[point + int(layout.CHAIN)]), []).append(point)
    return chains


def _liberties(state: np.ndarray, stones: list[int]) -> set[int]:
    step = int(layout.STRIDE)
    beside = {stone + way for stone in stones for way in (-step, -1, 1, step)}
    return {point for point in beside if state[point] == layout.EMPTY}


def statuses(position: Any, playouts: int = 2000, seed: int = 0) -> dict[int, str]:
    """The status of each stone, by its point: "alive", "dead" or "seki"."""
    state = position.state
    owners, chains = owners_by_point(position, playouts, seed), _chains(position.kernel, state)
    safety, colours = {}, {}
    for head, stones in chains.items():
        colours[head] = int(state[head])
        safety[head] = float(np.mean(owners[stones])) * (1 if colours[head] == layout.BLACK else -1)
    doubtful = {head: _liberties(state, chains[head]) for head in chains if abs(safety[head]) < DOUBT}
    found = {}
    for head, stones in chains.items():
        status = "alive" if safety[head] >= 0 else "dead"
        if head in doubtful and any(
            colours[other] != colours[head] and doubtful[head] & shared for other, shared in doubtful.items()
        ):
            status = "seki"
        found.update(dict.fromkeys(stones, status))
    return found


def score_without_dead(position: Any) -> float:
    """Black's area less white's once dead stones are taken off; komi is not counted."""
    dead = [point for point, status in statuses(position).items() if status == "dead"]
    colours = position.state[:AREA]
    colours[dead] = layout.EMPTY
    owner = np.zeros(AREA, np.uint8)
    scoring.paint_area(position.kernel, colours, owner)
    points = owner[position.kernel.points]
    return float(np.count_nonzero(points == layout.BLACK) - np.count_nonzero(points == layout.WHITE))
