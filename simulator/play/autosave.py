"""The running game in the user's cache folder, so that `play --resume` goes on after a lost connection.

Every program that plays has its own file, which it keeps locked while it runs. `--resume` takes the newest game whose
program has ended; the game stays in its file. A game that was never begun has no file. A finished game can be resumed
once, to be looked at and saved; it is removed after that, or when another game begins.
"""

import fcntl
import json
import os
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from options import Failure, InputError
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.records.saved_game import SavedGame, saved_in

MOST_GAMES = 20  # that are kept
SUFFIX = ".game"
# What a broken file may raise.
UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, Failure)


class Interrupted(NamedTuple):
    """A game whose program has ended, with its settings and its file."""

    saved: SavedGame
    settings: PlaySettings
    file: Path


def folder() -> Path:
    """The folder of running games: below XDG_CACHE_HOME, or ~/.cache. Raises RuntimeError if there is no home."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "unforced" / "games"


class Autosave(AbstractContextManager["Autosave"]):
    """Writes the running game, each time in place of what was written before; used in a `with`.

    Nothing is raised if the folder cannot be written: a game can be played without being kept. `problem` then says why,
    and the next move tries again.

    Attributes:
        problem: why the game is not kept; empty if it is.
    """

    def __init__(self, settings: PlaySettings, resumed: Path | None = None) -> None:
        """Keep a game from the first `write` on, in the file of the game that is `resumed` or in a new one."""
        self.problem = self._told = ""  # the problem, and the one that a person was told of
        self.settings, self._file = settings, resumed
        self._lock: IO[bytes] | None = None
        self._is_seen = resumed is not None and _is_over(resumed)  # a finished game, at which somebody only looks

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def is_kept(self) -> bool:
        """Whether `play --resume` can go on with the game."""
        return not self.problem and self._file is not None and self._file.exists()

    def write(self, saved: SavedGame, is_over: bool = False) -> None:
        """Keep the game; a game that has neither moves nor a position of its own is removed."""
        self._is_seen &= is_over
        try:
            file = self._locked()
            if saved.moves or saved.position:
                content = {"saved": saved.to_json(), "settings": self.settings.to_json(), "is_over": is_over}
                new = file.with_suffix(".new")
                new.write_text(json.dumps(content), encoding="utf-8")
                new.replace(file)
            else:
                file.unlink(missing_ok=True)
            self.problem = ""
        except (OSError, RuntimeError) as error:
            self.problem = str(error)

    def new_problem(self) -> str:
        """A sentence on why the game is not kept, if no earlier call has said so; else empty."""
        told, self._told = self._told, self.problem
        if self.problem in ("", told):
            return ""
        return f"this game is not kept, and play --resume will not find it: {self.problem}. save FILE keeps it"

    def close(self) -> None:
        """Let go of the file; the game can now be resumed."""
        lock, self._lock = self._lock, None
        if lock is not None and self._file is not None:
            if self._is_seen or not self._file.exists():
                forget(self._file)  # while it is locked, so that nobody resumes it meanwhile
            lock.close()

    def _locked(self) -> Path:
        """The file, which the first call locks. Raises OSError, RuntimeError."""
        if self._file is not None and self._lock is not None:
            return self._file
        file = self._file or folder() / f"{time.time_ns()}-{os.getpid()}{SUFFIX}"
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = _lock_of(file).open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise
        self._file, self._lock = file, lock
        _remove_old(file.parent)
        return file


def newest() -> Interrupted:
    """The newest game whose program has ended. Raises InputError if there is none.

    Files that cannot be read, and games that cannot be played here any more, are skipped.
    """
    try:
        files = _files(folder())
    except RuntimeError as error:
        raise InputError(f"no folder for unfinished games: {error} Set XDG_CACHE_HOME to a folder") from error
    for file in files:
        if not _is_running(file):
            with suppress(*UNREADABLE):
                content = json.loads(file.read_text(encoding="utf-8"))
                saved = saved_in(content["saved"])
                GameInProgress.continued(saved)
                return Interrupted(saved, PlaySettings.from_json(content["settings"]), file)
    raise InputError("there is no game to resume: none was begun, or it is still open in another program")


def _is_over(file: Path) -> bool:
    """Whether the game in a file is over; False for a broken file."""
    with suppress(*UNREADABLE):
        return json.loads(file.read_text(encoding="utf-8"))["is_over"] is True
    return False


def forget(file: Path) -> None:
    """Remove a game."""
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
    """Remove games that are over, and the oldest if there are too many, but no game that is being played."""
    for number, file in enumerate(_files(place)):
        if (number >= MOST_GAMES or _is_over(file)) and not _is_running(file):
            forget(file)
