"""Positions with their values, on which a network is trained: in memory and in files.

A position is recorded as its state if that fits into a node of a graph, else as its features (`records_features`).
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from game import LearnedGame, features, payload_is_position
from learning.files import FileError, load_arrays, save_arrays

HELD_OUT = 20  # one game in so many measures a network, which is not trained on it


class Positions(NamedTuple):
    """Positions in the order in which they were recorded; n is their number.

    Attributes:
        states: [n, words], each as `Game.state` makes it and in its type; or uint16[n, active features + 1], the
            features and the bucket.
        targets: float32[n], what the position is worth for the player to move, 0 to 1.
        weights: float32[n], how much the position counts.
        games: int32[n], the number of the game that it comes from.
    """

    states: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    games: np.ndarray

    @property
    def size(self) -> int:
        """The number of positions."""
        return len(self.targets)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The positions of several parts, at least one."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def chosen(self, which: np.ndarray) -> Self:
        """Some of the positions, by a mask or by indices."""
        return type(self)(*(array[which] for array in self))


def records_features(game: LearnedGame) -> bool:
    """Whether positions of a game are recorded as their features, and games are searched on a tree.

    Such a game has `symmetries`, uint16[symmetries, features]: the feature that each feature becomes by each symmetry,
    of which the first is the identity. The players move in turn.
    """
    return not payload_is_position(game.kernel)


def words_of(game: LearnedGame, state: np.ndarray) -> np.ndarray | None:
    """A state as it is recorded: the words of `Positions.states`; None if the evaluation is not asked about it."""
    if not records_features(game):
        return state
    active = np.zeros(game.active_features, np.int32)
    bucket = int(features(game.kernel, state, active))
    return None if bucket < 0 else np.append(active, bucket).astype(np.uint16)


def random_images(positions: Positions, game: Any, rng: np.random.Generator) -> Positions:
    """Positions recorded as features, each replaced by its image under a random symmetry; others as they are.

    The features are in order again, as a convolution needs them (`learning.network`).
    """
    if not records_features(game):
        return positions
    states, which = positions.states.copy(), rng.integers(len(game.symmetries), size=(positions.size, 1))
    states[:, :-1] = np.sort(game.symmetries[which, states[:, :-1]], axis=1)
    return positions._replace(states=states)


def no_positions(game: LearnedGame) -> Positions:
    """No positions, in arrays of the types that the game's positions have."""
    words = np.zeros(game.active_features + 1, np.uint16) if records_features(game) else game.state(game.initial())
    numbers = np.zeros(0, np.float32)
    return Positions(np.zeros((0, len(words)), words.dtype), numbers, numbers, np.zeros(0, np.int32))


def save_positions(path: Path, positions: Positions) -> None:
    """Write positions to an npz archive."""
    save_arrays(path, positions._asdict())


def load_positions(path: Path, game: LearnedGame) -> Positions:
    """The positions in a file. Raises FileError, OSError."""
    found = Positions(**load_arrays(path, Positions._fields))
    for name, array, expected in zip(Positions._fields, found, no_positions(game), strict=True):
        wanted = f"{expected.dtype} {(found.targets.size, *expected.shape[1:])}"
        if f"{array.dtype} {array.shape}" != wanted:
            raise FileError(
                f"{path} holds no positions of {game.title}: {name} is {array.dtype} {array.shape}, not {wanted}"
            )
    targets, weights = found.targets, found.weights
    if not (are_right := (targets >= 0) & (targets <= 1) & (weights >= 0) & np.isfinite(weights)).all():
        wrong = np.argmin(are_right)
        raise FileError(f"{path}: position {wrong} has the target {targets[wrong]} and the weight {weights[wrong]}")
    return found


def is_held_out(positions: Positions) -> np.ndarray:
    """bool[n]: which positions are held out, to measure a network on them."""
    found: np.ndarray = positions.games % HELD_OUT == 0
    return found


def newest_positions(paths: Iterable[Path], game: LearnedGame, most: int) -> tuple[Positions, list[Path]]:
    """The positions of the last files: as many whole files as hold at most `most` positions together, at least one.

    Games of different files get different numbers, and are held out as before. Also returns the files that were not
    needed.
    """
    parts: list[Positions] = []
    waiting, games = list(paths), 0
    while waiting:
        part = load_positions(waiting[-1], game)
        if parts and sum(p.size for p in parts) + part.size > most:
            break
        parts.insert(0, part._replace(games=part.games + games))
        games += HELD_OUT * (int(part.games.max(initial=0)) // HELD_OUT + 1)
        waiting.pop()
    return Positions.joined(parts or [no_positions(game)]), waiting
