"""Compiling what an agent compiles by itself, once and before its first game, in a sandbox of its own.

In games nothing can be written, so an agent with numba code of its own would compile it in each of them, on its clock.
Therefore it is started once and asked for a move, with a folder that it can write. Of what it leaves there only files
that can be compiled code are kept, and few enough of them; in games they can be read until the first move is made, as
the agent's own files can. There is no other way into that folder (`kept_code.py` says how it is named): what is in it
was made from the submission alone, before it met anybody. An agent of several modules that imports no compiler is
started only: its bytecode is kept.
"""

import fcntl
import os
import stat
import subprocess
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
MOST_BYTES = MOST_WRITTEN_BYTES
MOST_DEPTH = 40  # of folders in each other; bytecode lies as deep as its source does
KEPT = (".nbi", ".nbc", ".pyc")  # numba's index, numba's code, Python's bytecode
FAILED_SECONDS = 3600.0  # before it is tried again: it may have been the machine
_UNFINISHED = "preparing-"  # how the names of folders begin in which an agent still writes

Say = Callable[[str], None]


class _Overfull(Exception):
    """An agent writes more than it may, or what cannot be read."""

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

    `limits`, `cores` and `hidden` are those of its games. `say` is told before it takes long, and if nothing is kept.
    `on_look` is called some times per second; what it raises ends that. An agent that fails is left for the referee to
    judge. Raises OSError where this machine fails.
    """
    limits = limits or Limits()
    folder = None if kept_code.why_not_here(available_mechanisms()) else kept_code.place_of(spec, game)
    if folder is None or kept_code.is_there(folder):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder.parent.with_suffix(".lock")):
        _remove_left_over(folder.parent)
        if kept_code.is_there(folder):  # somebody else was faster
            return
        # With more memory or processors it may be able to.
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
def alone(lock: Path) -> Iterator[None]:
    """One process or thread at a time that uses this file as its lock."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(folder: Path, launch: Launch, on_look: Callable[[], None]) -> Fault | _Overfull | None:
    """Make the folder with an agent's compiled code. Returns what the agent did wrong, by which there is none."""
    place = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    kept = place / "kept"
    try:
        kept.mkdir()
        _fill(replace(launch, cache=place / "written", fills_cache=True), kept, on_look)
        kept.rename(folder)
    except (Fault, _Overfull) as error:
        return error
    finally:
        _remove_hostile(place)
    return None


def _remove_left_over(parent: Path) -> None:
    """Remove what processes left that were killed while they were alone here, and failures that are long ago."""
    for place in parent.glob(f"{_UNFINISHED}*"):
        _remove_hostile(place)
    for failed in parent.glob(f"*{FAILED}"):
        if time.time() - kept_code.when_used(failed) > FAILED_SECONDS:
            failed.unlink(missing_ok=True)


def _remove_hostile(folder: Path) -> None:
    """Remove a folder in which an agent could do as it liked: Python's own way ends at 1000 folders in each other."""
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, "--", str(folder)], stderr=subprocess.DEVNULL, check=False)


def _fill(launch: Launch, kept: Path, on_look: Callable[[], None]) -> None:
    """Have the agent start, and make a move if it compiles, with a folder to write in, and keep what it compiled.

    The time for that is not its games': what is kept is for games of any time, and this machine may be busy. Raises
    Fault, _Overfull.
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
    """Raises _Overfull for too many or too large files, and where the agent has made some that cannot be looked at."""
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
    """Raises _Overfull for what cannot be looked at (paths of any length, folders of any mode), but not for what has
    gone: a temporary file, already renamed."""
    if not isinstance(error, FileNotFoundError):
        raise _Overfull from error


def _keep(written: Path, kept: Path) -> None:
    """Copy what can be compiled code. All processes of the agent stand still meanwhile.

    Raises _Overfull for what cannot be read, OSError for what cannot be written.
    """
    for place, _, names in os.walk(written, onerror=_refuse):
        for name in names:
            source = Path(place) / name
            if source.suffix in KEPT and (content := _content(source)) is not None:
                target = kept / source.relative_to(written)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)


def _content(path: Path) -> bytes | None:
    """What is in a file, None if it is no plain file. Raises _Overfull."""
    try:
        return path.read_bytes() if stat.S_ISREG(os.lstat(path).st_mode) else None
    except OSError as error:
        raise _Overfull from error
