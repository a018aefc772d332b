"""Why a file that people named cannot be read or written, in words."""

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from secrets import token_hex

from options import InputError

DATABASE = b"SQLite format 3\0"  # how every SQLite file begins
_REASONS = {
    errno.EACCES: "that is not permitted",
    errno.EPERM: "that is not permitted",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EEXIST: "a file of that name exists already",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the disk is read-only",
}


def is_database(path: Path) -> bool:
    """Whether there is a file and it is an SQLite file. Raises OSError if it cannot be read."""
    if not os.path.isfile(path):
        return False
    with path.open("rb") as file:
        return file.read(len(DATABASE)) == DATABASE


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError in the `with`, which writes a file or makes a folder, into one that says why in words."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOENT:
            there = path.parent.is_dir()
            reason = f"no new file can be made in {path.parent}" if there else f"no such folder: {path.parent}"
        else:
            code = errno.EISDIR if error.errno == errno.EEXIST and path.is_dir() else error.errno or 0
            reason = _REASONS.get(code) or error.strerror or str(error)
        raise OSError(f"cannot write {path}: {reason}") from error


@contextmanager
def replacing(path: Path) -> Iterator[TextIOWrapper]:
    """Open a text file that replaces an older one only when all is written: somebody may be reading the older one.

    The new file gets the permissions of the older one. If `path` is a link, the file to which it leads is replaced. The
    folder is made if it is not there. A device, a pipe, and a file in a folder that takes no new files are written
    directly. If two programs write one file at the same time, the one that ends last counts. A program that is killed
    leaves a file `.NAME.*.half`. What UTF-8 cannot encode is written as an escape. An OSError says why in words, as in
    `writing`.
    """
    place = path.resolve() if path.is_symlink() else path
    if path.exists() and not (path.is_file() and os.access(place.parent, os.W_OK)):
        with writing(path), path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            yield stream
        return
    # A name has 255 bytes at most, a character up to four.
    half = place.with_name(f".{place.name[:50]}.{token_hex(4)}.half")
    with writing(path):
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with half.open("x", encoding="utf-8", errors="backslashreplace", newline="") as stream:
                yield stream
            if place.exists():
                shutil.copymode(place, half)
            _put_in_place(half, place)
        finally:
            half.unlink(missing_ok=True)


def _put_in_place(half: Path, place: Path) -> None:
    """Move a file to its place; if the older one cannot be replaced (a file mounted into a container), overwrite it."""
    try:
        half.replace(place)
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EXDEV):
            raise
        shutil.copyfile(half, place)


@contextmanager
def locked(path: Path, refusal: Exception, lock: Path | None = None) -> Iterator[None]:
    """Hold a lock during the `with`; the kernel drops it when the process ends, however it ends.

    Args:
        path: what is locked, as an error calls it.
        refusal: is raised if another process holds the lock.
        lock: a file that stands for the lock and is removed at the end; by default `path` itself, which stays.

    Raises OSError, in words, if there can be no such file.
    """
    with writing(path):
        file = (lock or path).open("a")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise refusal from error
        if os.fstat(file.fileno()).st_nlink == 0:  # the process that held it has just removed it
            raise refusal
        try:
            yield
        finally:
            if lock is not None:
                with suppress(OSError):  # a file that stays locks nobody out
                    lock.unlink()


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn an error in the `with`, which reads a file, into an OSError that says why in words."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileNotFoundError(f"there is no file {path}") from error
    except OSError as error:
        raise OSError(f"cannot read {path}: {_REASONS.get(error.errno or 0) or error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise OSError(f"cannot read {path}: {error}") from error


def check_is_file(path: Path) -> None:
    """Raise OSError, in words, for what is not a regular file: whoever opens a named pipe may wait forever."""
    with reading(path):
        mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise OSError(f"{path} is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is a pipe or a device, not a file")


def content_of(path: Path, most: int = -1) -> bytes:
    """The content of a regular file: its first `most` bytes, or all for -1. Raises OSError, in words."""
    check_is_file(path)
    with reading(path), path.open("rb") as file:
        return file.read(most)


def text_of(path: Path) -> str:
    """The text, in UTF-8, of a regular file or of a pipe without a name, such as `<(...)` or what is piped to stdin.

    Raises OSError, in words, and InputError for other content.
    """
    check_can_read(path)
    with reading(path):
        content = path.read_bytes()
    if b"\0" in content:
        raise InputError(f"{path} is a binary file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: this is not UTF-8: save it as UTF-8") from error


def check_can_read(path: Path) -> None:
    """Raise OSError, in words, for what is no regular file, unless it is a pipe without a name, such as `<(...)`."""
    with reading(path):
        is_open_pipe = path.is_fifo() and not path.resolve().exists()
    if not is_open_pipe:  # who opens a pipe that has a name may wait forever
        check_is_file(path)


def check_can_write(path: Path) -> None:
    """Raise OSError, in words, if a file cannot be written; call this before the work whose result goes there."""
    with writing(path):
        try:
            mode, where = path.stat().st_mode, path
        except FileNotFoundError:
            mode, where = 0, path.parent
            where.stat()
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "")
        if not os.access(where, os.W_OK):
            raise PermissionError(errno.EACCES, "")


def in_words(error: OSError) -> str:
    """An error in words; for an error of the system, the file and why it cannot be used."""
    if error.errno is None:
        return str(error)
    reason = _REASONS.get(error.errno) or error.strerror or str(error)
    return reason if error.filename is None else f"cannot use {error.filename}: {reason}"
