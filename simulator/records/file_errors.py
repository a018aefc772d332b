"""Files that people name: why one cannot be read or written, in words."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """An OSError of what writes a file, or makes a folder, in the `with` becomes one that says why in words."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOENT:
            there = path.parent.is_dir()
            reason = f"{path.parent} takes no new files" if there else f"no such folder: {path.parent}"
        else:
            reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        raise OSError(f"cannot write {path}: {reason}") from error


def cannot_read(path: Path, error: OSError) -> OSError:
    """An error for people in place of the one that reading a file has raised."""
    if error.errno == errno.ENOENT:
        return FileNotFoundError(f"there is no file {path}")
    return OSError(f"cannot read {path}: {_REASONS.get(error.errno or 0) or error.strerror or error}")
