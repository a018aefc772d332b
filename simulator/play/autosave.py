"""The running game in the user's cache folder, so that `play --resume` goes on after a lost connection.

Every program that plays has a file of its own, which it holds locked while it runs; what is resumed is the newest game
whose program has gone. A game that is over, or was never begun, has no file.
"""

import fcntl
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple, Self

from options import InputError
from simulator.play.settings import PlaySettings
from simulator.records.saved_game import SavedGame, saved_in

MOST_GAMES = 20  # that are kept
SUFFIX = ".game"


class Interrupted(NamedTuple):
    """A game whose program has gone, with its settings, and the file that it is in."""

    saved: SavedGame
    settings: PlaySettings
    file: Path


def folder() -> Path:
    """Where running games are: below XDG_CACHE_HOME, or ~/.cache. Raises RuntimeError where there is no home."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "unforced" / "games"


class Autosave:
    """Writes the running game, each time in place of what was written before; used in a `with`.

    Nothing is raised where the folder cannot be written: a game can be played without being kept. `problem` then says
    why.

    Attributes:
        problem: why the game is not kept; empty where it is.
    """

    def __init__(self, settings: PlaySettings, place: Path | None = None) -> None:
        self.problem = ""
        self.settings = settings
        self._file: Path | None = None
        self._lock: IO[bytes] | None = None
        try:
            place = folder() if place is None else place
            place.mkdir(parents=True, exist_ok=True)
            self._file = place / f"{time.time_ns()}-{os.getpid()}{SUFFIX}"
            self._lock = _lock_of(self._file).open("wb")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_old(place)
        except (OSError, RuntimeError) as error:
            self.problem = str(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def write(self, saved: SavedGame, is_over: bool = False) -> None:
        """Keep the game; one that is over or has no moves is removed."""
        if self._file is None or self.problem:
            return
        try:
            if is_over or not saved.moves:
                self._file.unlink(missing_ok=True)
                return
            new = self._file.with_suffix(".new")
            content = {"saved": saved.to_json(), "settings": self.settings.to_json()}
            new.write_text(json.dumps(content), encoding="utf-8")
            new.replace(self._file)
        except OSError as error:
            self.problem = str(error)

    def close(self) -> None:
        """Let go of the file; a game that is not over can now be resumed."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()
        if self._file is not None and not self._file.exists():
            with suppress(OSError):
                _lock_of(self._file).unlink(missing_ok=True)


class NotKept:
    """An `Autosave` that keeps nothing."""

    problem = ""

    def __enter__(self) -> "NotKept":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def write(self, saved: SavedGame, is_over: bool = False) -> None:
        """Keep nothing."""


def newest(place: Path | None = None) -> Interrupted:
    """The newest game whose program has gone. Raises InputError if there is none."""
    for file in _files(folder() if place is None else place):
        if not _is_running(file):
            with suppress(OSError, ValueError):
                content = json.loads(file.read_text(encoding="utf-8"))
                settings = PlaySettings.from_json(content["settings"])
                return Interrupted(saved_in(content["saved"]), settings, file)
    raise InputError("there is no game to go on with: games are kept until they are over, and this one may be running")


def forget(file: Path) -> None:
    """Remove a game that was resumed: it is kept under a new name, or over."""
    for path in (file, _lock_of(file)):
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _files(place: Path) -> list[Path]:
    """The files of running and interrupted games, the newest first."""
    return sorted(place.glob(f"*{SUFFIX}"), key=lambda file: file.name, reverse=True)


def _lock_of(file: Path) -> Path:
    return file.with_suffix(".lock")


def _is_running(file: Path) -> bool:
    """Whether the program that writes this file is still there."""
    try:
        with _lock_of(file).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _remove_old(place: Path) -> None:
    for file in _files(place)[MOST_GAMES:]:
        if not _is_running(file):
            forget(file)
