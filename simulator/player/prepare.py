"""Compiling what an agent compiles by itself, once and before its first game, in a sandbox of its own.

In games nothing can be written, so an agent with numba code of its own would compile it in each game, on its clock.
Therefore it is started once with a folder that it can write, and asked for a move. From this folder only files that can
be compiled code are kept, and few enough of them; in games they can be read until the first move is made, as the
agent's own files can. Nothing else gets into the folder of kept code (`kept_code.py` says how it is named): what it has
was made from the submission alone, before any game. An agent of several modules that imports no compiler is started but
not asked for a move: its bytecode is kept.
"""

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from agents.agent import AgentSpec
from agents.limits import Limits
from game import Game
from simulator.player import kept_code
from simulator.player.checks import how_it_ended
from simulator.player.faults import Fault, Reason
from simulator.player.kept_code import FAILED, MOST_FILES
from simulator.player.launch import Launch, launch_for
from simulator.player.move_time import MoveTime
from simulator.player.player import Player
from simulator.player.source_hashes import agent_file, imported_by
from simulator.sandbox.bubblewrap import MOST_WRITTEN_BYTES
from simulator.sandbox.isolation import available_mechanisms

MB = 1 << 20  # bytes
PREPARE_SECONDS = 90.0  # for the move, compiling included; a search compiles for 16 s, and this machine may be busy
LOOK_SECONDS = 0.1  # between two calls of `on_look`
MOST_BYTES = MOST_WRITTEN_BYTES
MOST_DEPTH = 40  # levels of nested folders; bytecode lies as deep as its source does
KEPT = (".nbi", ".nbc", ".pyc")  # numba's index, numba's code, Python's bytecode
FAILED_SECONDS = 3600.0  # after which an agent that failed is tried again: perhaps the machine was the cause
_UNFINISHED = "preparing-"  # how the names begin of folders and files that are not complete yet

Say = Callable[[str], None]


class _Overfull(Exception):
    """An agent has written more than it may, or something that cannot be read."""

    def __str__(self) -> str:
        return f"wrote more than {MOST_FILES} files or {MOST_BYTES // MB} MB, or some that cannot be read"


def prepare(
    spec: AgentSpec,
    game: Game,
    say: Say = lambda text: None,
    limits: Limits | None = None,
    cores: tuple[int, ...] = (),
    hidden: tuple[Path, ...] = (),
    on_look: Callable[[], None] = lambda: None,
) -> None:
    """Compile what an agent compiles by itself, unless that was done before or cannot be kept.

    `limits`, `cores` and `hidden` are those of its games. `say` is told before the agent is started, and if nothing is
    kept. `on_look` is called some times per second; an exception that it raises ends the preparation. An agent that
    fails is left for the referee to judge. Raises OSError if this machine fails.
    """
    limits = limits or Limits()
    folder = None if kept_code.why_not_here(available_mechanisms()) else kept_code.place_of(spec, game)
    if folder is None or kept_code.is_there(folder):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder.parent.with_suffix(".lock"), on_look):
        _remove_left_over(folder.parent)
        if kept_code.is_there(folder):  # somebody else was faster
            return
        # Under other limits of memory or processors, the agent may succeed.
        failed = folder.with_suffix(f".{limits.memory_mb}-{limits.processors}{FAILED}")
        if failed.is_file():
            say(_not_prepared(spec, failed.read_text(encoding="utf-8")))
            return
        say(f"preparing {spec.name} (what it compiles is kept)")
        hidden = (*kept_code.of_others(spec), *hidden)
        launch = launch_for(spec, game, limits, cores=cores or None, is_cold=True, hidden=hidden)
        if failure := _make(folder, launch, on_look):
            if not (isinstance(failure, Fault) and failure.reason is Reason.TIMEOUT):  # which a busy machine may cause
                _write_failed(failed, str(failure))
            say(_not_prepared(spec, str(failure)))
        kept_code.remove_unused(folder.parent)


def _not_prepared(spec: AgentSpec, failure: str) -> str:
    return f"{spec.name} was not prepared, and compiles in each game: it {failure}"


def _write_failed(failed: Path, failure: str) -> None:
    """Keep why an agent could not be prepared; the file appears whole or not at all."""
    half = failed.with_name(f"{_UNFINISHED}{failed.name}")
    half.write_text(failure, encoding="utf-8", errors="backslashreplace")
    half.replace(failed)


@contextmanager
def alone(lock: Path, on_look: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Wait until no other process or thread holds this file as its lock, and hold it; `on_look` as in `prepare`."""
    with lock.open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                on_look()
                time.sleep(LOOK_SECONDS)
        yield


def _make(folder: Path, launch: Launch, on_look: Callable[[], None]) -> Fault | _Overfull | None:
    """Make the folder with an agent's compiled code. If the agent does something wrong, make none and return what."""
    place = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    kept = place / "kept"
    try:
        kept.mkdir()
        _fill(replace(launch, cache=place / "written", fills_cache=True), kept, on_look)
        kept.rename(folder)
    except (Fault, _Overfull) as error:
        return error
    finally:
        shutil.rmtree(place)
    return None


def _remove_left_over(parent: Path) -> None:
    """Remove what processes left that were killed while they held the lock, and old reports of failures."""
    for place in parent.glob(f"{_UNFINISHED}*"):
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)
    for failed in parent.glob(f"*{FAILED}"):
        if time.time() - kept_code.when_used(failed) > FAILED_SECONDS:
            failed.unlink(missing_ok=True)


def _fill(launch: Launch, kept: Path, on_look: Callable[[], None]) -> None:
    """Start the agent with a folder to write in, ask it for a move if it compiles, and copy what it compiled to `kept`.

    Its time is PREPARE_SECONDS, whatever its games allow: the code is kept for games of any time, and this machine may
    be busy. Raises Fault, _Overfull.
    """
    compiles = kept_code.compiles(imported_by(agent_file(launch.spec)).names)
    if not compiles:
        launch = replace(launch, limits=replace(launch.limits, first_move_seconds=PREPARE_SECONDS))
    player = Player(launch)

    def look(memory_mb: float) -> None:
        on_look()
        if written := player.sandbox.written:
            _see_that_it_fits(written)

    try:
        if compiles:
            player.ask([launch.game.initial()], MoveTime(PREPARE_SECONDS), look)
        else:
            player.start(look)
        player.stop()
        if (written := player.sandbox.written) is None:
            raise how_it_ended(player.sandbox, player.log, is_loading=True)
        _see_that_it_fits(written)
        _keep(written, kept)
    finally:
        player.close()


def _see_that_it_fits(folder: Path) -> None:
    """Raises _Overfull if there are too many or too large files, or some that cannot be looked at."""
    files = size = 0
    for place, folders, names in os.walk(folder, onerror=_refuse):
        if len(Path(place).relative_to(folder).parts) > MOST_DEPTH:
            raise _Overfull
        files += len(names) + len(folders)
        for name in names:
            try:
                size += os.lstat(os.path.join(place, name)).st_size
            except OSError as error:
                _refuse(error)
        if files > MOST_FILES or size > MOST_BYTES:
            raise _Overfull


def _refuse(error: OSError) -> None:
    """Raises _Overfull for a file or folder that cannot be looked at, but not for one that is gone.

    The agent can make paths of any length and folders of any mode; what is gone was a temporary file, already renamed.
    """
    if not isinstance(error, FileNotFoundError):
        raise _Overfull from error


def _keep(written: Path, kept: Path) -> None:
    """Copy the files that can be compiled code. All processes of the agent must stand still meanwhile.

    Raises _Overfull for files that cannot be read, OSError if a copy cannot be written.
    """
    for place, _, names in os.walk(written, onerror=_refuse):
        for name in names:
            source = Path(place) / name
            if source.suffix in KEPT and (content := _content(source)) is not None:
                target = kept / source.relative_to(written)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)


def _content(path: Path) -> bytes | None:
    """The content of a file; None if it is no plain file. Raises _Overfull if it cannot be read."""
    try:
        return path.read_bytes() if stat.S_ISREG(os.lstat(path).st_mode) else None
    except OSError as error:
        raise _Overfull from error
