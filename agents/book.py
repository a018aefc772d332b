"""An opening book: positions that were searched for a long time beforehand, and the moves to play there.

A position and its mirror images (see `images`) share one entry, which is known by its *key*. A move is known by
the key of the position that it leads to, so no move has to be mirrored when a mirror image is on the board. The file is
an npz archive:

    keys      uint64[n, 2]  in ascending order
    value     float32[n]    for the player to move, 0 to 1
    proved    int8[n]       an index of OUTCOMES
    seconds   float32[n]    spent on searching the position and those that follow it in the book
    first     int32[n + 1]  where the moves of each position begin in `moves`
    moves     uint64[m, 2]  the keys after the moves to play, the best move of each position first
    meta      text          JSON: ARCHIVE_VERSION, the game, and how the book was made
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from game import BookGame, Game, mirror
from options import InputError

ARCHIVE_VERSION = 2  # of the file's keys
OUTCOMES = (None, "win", "loss", "draw")  # for the player to move
LONGEST_LINE = 10  # moves of a book line that are shown

Key = tuple[int, int]


class BookError(InputError):
    """A file cannot be used as an opening book of a game; the message says why."""


class BookEntry(NamedTuple):
    """What a book says of a position.

    Attributes:
        value: for the player to move, 0 to 1.
        proven: "win", "loss", "draw" or None, for the player to move.
        seconds: spent on searching the position and those that follow it in the book.
        moves: the keys of the positions after the moves to play, the best move first; at least one.
    """

    value: float
    proven: str | None
    seconds: float
    moves: tuple[Key, ...]


def images(game: Game, position: Any) -> list[bytes]:
    """The keys (`Game.state_key`) of a position and of its images under the game's symmetries (see `game.mirror`).

    A `BookGame` may have a method of this name instead, as Go has.
    """
    if isinstance(game, BookGame) and (own := getattr(game, "images", None)):
        return list(own(position))
    state, found = game.state(position), list[bytes]()
    while (key := game.state_key(state)) not in found:
        found.append(key)
        mirror(game.kernel, state)
    return found


def key_of(game: Game, position: Any) -> Key:
    """The key of a position and of its mirror images: a hash of the least of them, in two words of 64 bits."""
    digest = hashlib.blake2b(min(images(game, position)), digest_size=16).digest()
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:])


def move_to(game: Game, position: Any, key: Key) -> Any:
    """The first legal move to the position with this key or to a mirror image of it; None if there is no such move."""
    return next((move for move in position.legal_moves() if key_of(game, position.play(move)) == key), None)


class Book:
    """An opening book of a game, with the arrays of a file; without arrays it is empty."""

    def __init__(self, game: Game, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self._game = game
        self._arrays = arrays

    @classmethod
    def read(cls, game: Game, path: Path) -> Self:
        """The book in a file; an empty book if there is no file. Raises BookError if it is not a book of the game."""
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in ("keys", "value", "proved", "seconds", "first", "moves")}
                meta = json.loads(str(archive["meta"]))
        except FileNotFoundError:
            return cls(game)
        except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, zlib.error) as error:
            raise BookError(f"{path} cannot be used as an opening book: {error}") from error
        if not isinstance(meta, dict) or meta.get("game") != game.name:
            raise BookError(f"{path} is not an opening book of {game.title}")
        if meta.get("version") != ARCHIVE_VERSION:
            version = "an opening book of another version of this program"
            raise BookError(f"{path} is {version}: write it anew with `runner.py book --export {path}`")
        if wrong := _what_is_wrong(arrays):
            raise BookError(f"{path} cannot be used as an opening book: {wrong}")
        return cls(game, arrays)

    def find(self, position: Any) -> BookEntry | None:
        """What the book says of an open position; None if the book does not have it."""
        return self._entry(key_of(self._game, position))

    def _entry(self, key: Key) -> BookEntry | None:
        if self._arrays is None:
            return None
        keys, first = self._arrays["keys"], self._arrays["first"]
        low, high = (int(np.searchsorted(keys[:, 0], np.uint64(key[0]), side)) for side in ("left", "right"))
        place = low + int(np.searchsorted(keys[low:high, 1], np.uint64(key[1])))
        if place == high or int(keys[place, 1]) != key[1]:
            return None
        moves = self._arrays["moves"][first[place] : first[place + 1]]
        return BookEntry(
            value=float(self._arrays["value"][place]),
            proven=OUTCOMES[int(self._arrays["proved"][place])],
            seconds=float(self._arrays["seconds"][place]),
            moves=tuple((int(word0), int(word1)) for word0, word1 in moves),
        )

    def line(self, position: Any, move: Any) -> list[Any]:
        """A move, and the best moves that the book has for both sides after it, LONGEST_LINE moves at most."""
        line: list[Any] = []
        while move is not None and len(line) < LONGEST_LINE:
            line.append(move)
            position = position.play(move)
            entry = self.find(position) if position.result is None else None
            move = None if entry is None else move_to(self._game, position, entry.moves[0])
        return line


_TYPES = {"keys": np.uint64, "moves": np.uint64, "value": np.float32, "proved": np.int8, "seconds": np.float32}


def _what_is_wrong(arrays: Mapping[str, np.ndarray]) -> str:
    """Why arrays cannot be a book; empty if they can."""
    keys, value, proved, first, moves = (arrays[name] for name in ("keys", "value", "proved", "first", "moves"))
    count = len(value) if value.ndim == 1 else -1
    shapes = {"keys": (count, 2), "moves": (len(moves) if moves.ndim else -1, 2), "proved": (count,)}
    for name, shape in (shapes | {"seconds": (count,), "first": (count + 1,)}).items():
        if arrays[name].shape != shape:
            return f"{name} has the shape {arrays[name].shape}, not {shape}"
    for name, kind in (_TYPES | {"first": np.int32}).items():
        if arrays[name].dtype != kind:
            return f"{name} is {arrays[name].dtype}, not {np.dtype(kind)}"
    if first[0] != 0 or first[-1] != len(moves) or not np.all(np.diff(first) > 0):
        return "its moves are not divided among its positions"
    if not (np.all((value >= 0) & (value <= 1)) and np.all((proved >= 0) & (proved < len(OUTCOMES)))):
        return "a value is not from 0 to 1, or a proof not one of those that there are"
    smaller = (keys[:-1, 0] < keys[1:, 0]) | ((keys[:-1, 0] == keys[1:, 0]) & (keys[:-1, 1] < keys[1:, 1]))
    return "" if np.all(smaller) else "its positions are not in ascending order"
