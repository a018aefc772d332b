"""Why a file that people named cannot be read or written, in words."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from zlib import crc32

DATABASE = b"SQLite format 3\0"  # how every SQLite file begins
_REASONS = {
    errno.EACCES: "that is not permitted",
    errno.EPERM: "that is not permitted",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "what should be a folder on its path is a file",
    errno.EEXIST: "there is a file of that name",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the disk is read-only",
}


def is_database(path: Path) -> bool:
    """Whether there is an SQLite file. Raises OSError for one that cannot be read."""
    if not os.path.isfile(path):
        return False
    with path.open("rb") as file:
        return file.read(len(DATABASE)) == DATABASE


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """An OSError in the `with`, where a file is written or a folder made, becomes one that says why in words."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOENT:
            there = path.parent.is_dir()
            reason = f"{path.parent} takes no new files" if there else f"no such folder: {path.parent}"
        else:
            code = errno.EISDIR if error.errno == errno.EEXIST and path.is_dir() else error.errno or 0
            reason = _REASONS.get(code) or error.strerror or str(error)
        raise OSError(f"cannot write {path}: {reason}") from error


@contextmanager
def replacing(path: Path) -> Iterator[TextIOWrapper]:
    """A text file that takes the place of an older one when all is written, which somebody may be reading meanwhile.

    It has the rights of the older one, and is where a link of that name leads. Its folder is made if it is not there.
    A device or a pipe, and a file whose folder takes no others, is written as it is. An OSError says why in words, as
    `writing` does.
    """
    place = path.resolve() if path.is_symlink() else path
    if path.exists() and not (path.is_file() and os.access(place.parent, os.W_OK)):
        with writing(path), path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    # A name has 255 bytes at most, a character up to four.
    half = place.with_name(f".{place.name[:50]}.{crc32(os.fsencode(place.name)):08x}.half")
    with writing(path):
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with half.open("w", encoding="utf-8", newline="") as stream:
                yield stream
            if place.exists():
                shutil.copymode(place, half)
            _put_in_place(half, place)
        finally:
            half.unlink(missing_ok=True)


def _put_in_place(half: Path, place: Path) -> None:
    """Give a file its name; where the older one cannot go, as in a container that was given this file, its content."""
    try:
        half.replace(place)
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EXDEV):
            raise
        shutil.copyfile(half, place)


def check_is_file(path: Path) -> None:
    """Raise OSError, in words, for what is not a regular file: whoever opens a named pipe may wait forever."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise cannot_read(path, error) from error
    if stat.S_ISDIR(mode):
        raise OSError(f"{path} is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is a pipe or a device, and not a file")


def content_of(path: Path, most: int = -1) -> bytes:
    """What a regular file holds, `most` bytes of it at most. Raises OSError, in words."""
    check_is_file(path)
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise cannot_read(path, error) from error


def check_can_write(path: Path) -> None:
    """Raise OSError, in words, for a file that cannot be written; to be asked before the work whose result it gets."""
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
    """An error in words; one of the system with its file, and why that cannot be used."""
    if error.errno is None:
        return str(error)
    reason = _REASONS.get(error.errno) or error.strerror or str(error)
    return reason if error.filename is None else f"cannot use {error.filename}: {reason}"


def cannot_read(path: Path, error: OSError) -> OSError:
    """An error for people in place of the one that reading a file has raised."""
    if error.errno == errno.ENOENT:
        return FileNotFoundError(f"there is no file {path}")
    return OSError(f"cannot read {path}: {_REASONS.get(error.errno or 0) or error.strerror or error}")
