"""The zip file of a submission: packing it, and unpacking it without trusting its maker.

Nothing that a zip file says of itself is believed: sizes are counted while a file is read, names are checked before
anything is written, and links, devices and encrypted files are refused. An unpacked folder appears whole or not at all.
"""

import errno
import hashlib
import io
import json
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from agents.agent import UNPACKED
from simulator import command_line
from simulator.gtp.syntax import printable
from simulator.player.source_hashes import MANIFEST
from simulator.records.file_errors import check_is_file, reading, replacing, writing
from simulator.submission.files import (
    GET_PERMISSION,
    LEAVE_OUT,
    MB,
    MOST_BYTES,
    MOST_FILES,
    MOST_MANIFEST_BYTES,
    MOST_WALKED,
    Submission,
    SubmissionError,
    check_length,
    check_name,
    find_submission,
    is_left_out,
    needed,
)
from simulator.submission.manifest import authors_in, compare, read_manifest

MOST_ZIP_BYTES = MOST_BYTES + MB  # of the zip file itself
PIECE_BYTES = 1 << 16
REPACK = f"pack it with `{command_line('pack')}`"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every file in it, so that the same files give the same zip file
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
# The errors of a file system for names that it does not accept; all others are no fault of a submission.
_BAD_NAME = (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.EEXIST, errno.EISDIR, errno.ENOTDIR)


def contents_of(submission: Submission) -> dict[PurePosixPath, bytes]:
    """The contents of all files by name, without the manifest of an earlier zip file that was unpacked there.

    Raises SubmissionError for another file with the manifest's name, OSError if a file cannot be read.
    """
    contents = {name: (submission.folder / name).read_bytes() for name in submission.files}
    manifest = contents.pop(PurePosixPath(MANIFEST), None)
    if manifest is not None:
        try:
            read_manifest(manifest)
        except SubmissionError as error:
            raise SubmissionError(f"packing adds a {MANIFEST} of its own", "give your file another name") from error
    return contents


def write_zip(contents: Mapping[PurePosixPath, bytes], manifest: Mapping[str, Any], target: Path) -> None:
    """Write a submission's zip file, see `replacing`. Raises OSError, also for a pipe or device of that name."""
    if target.exists():
        check_is_file(target)
    texts = {MANIFEST: json.dumps(manifest, indent=1).encode(), **{str(name): data for name, data in contents.items()}}
    with replacing(target) as stream, zipfile.ZipFile(cast("IO[bytes]", stream.buffer), "w") as archive:
        for name, data in texts.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)


@contextmanager
def unpacked(path: Path) -> Iterator[Submission]:
    """The submission in a zip file, unpacked into a folder that is removed after the block.

    Raises SubmissionError, OSError.
    """
    content = _bytes_of(path)
    with tempfile.TemporaryDirectory(prefix="unforced-zip-") as place:
        yield _unpack(content, path, Path(place).resolve() / path.stem)


def unpack_beside(path: Path) -> Submission:
    """The submission in a zip file, unpacked for good: into a hidden folder beside it, named after a hash of the file.

    The same file is not unpacked twice, so a tournament that goes on has the agents that it began with. Raises
    SubmissionError, OSError.
    """
    content = _bytes_of(path)
    digest = hashlib.sha256(content).hexdigest()[:16]
    folder = path.absolute().parent / UNPACKED / digest / path.stem
    if not folder.is_dir():
        with writing(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".half-", dir=folder.parent) as place:
                _unpack(content, path, Path(place) / path.stem)
                _put_in_place(Path(place) / path.stem, folder)
    return _submission_in(folder, path)


def _put_in_place(made: Path, folder: Path) -> None:
    """Give a folder its final name, unless another process has put the same folder there meanwhile."""
    try:
        made.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def _bytes_of(path: Path) -> bytes:
    """The bytes of a zip file, at most MOST_ZIP_BYTES.

    Raises SubmissionError if it is larger, missing, or not to be read by this user; OSError.
    """
    with reading(path):
        if not path.is_file():
            advice = f"name a .zip that `{command_line('pack')}` made"
            raise SubmissionError(f"there is no file {printable(str(path))}", advice)
        if not os.access(path, os.R_OK):
            raise SubmissionError(f"{printable(str(path))} cannot be read", GET_PERMISSION)
        with path.open("rb") as file:
            content = file.read(MOST_ZIP_BYTES + 1)
    if len(content) > MOST_ZIP_BYTES:
        raise SubmissionError(f"it has more than {MOST_ZIP_BYTES // MB} MB", LEAVE_OUT)
    return content


def _unpack(content: bytes, path: Path, folder: Path) -> Submission:
    """Write the files of a zip file, of this content and path, into a folder. Raises SubmissionError, OSError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = _entries(archive)
            folder.mkdir(parents=True)
            left = MOST_BYTES + MOST_MANIFEST_BYTES
            for name, entry in entries.items():
                left -= _write(archive, entry, folder / name, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, OverflowError, RuntimeError, ValueError) as error:
        raise SubmissionError(f"it is not a zip file that can be read: {printable(str(error))}", REPACK) from error
    except OSError as error:
        if error.errno in _BAD_NAME:
            text = f"its files cannot be written under their names: {error.strerror}"
            raise SubmissionError(text, "rename files") from error
        raise
    return _submission_in(folder, path)


def _entries(archive: zipfile.ZipFile) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """The files of an archive, by their paths in the folder. Raises SubmissionError for one that is not allowed."""
    # Files that no check looks at are not written; nor are they beside a folder that is taken off.
    listed = [entry for entry in archive.infolist() if not is_left_out(PurePosixPath(entry.orig_filename))]
    if len(listed) > MOST_WALKED:  # an environment may be among them
        raise SubmissionError(f"it has {len(listed)} entries, the limit is {MOST_FILES} files", "leave out data")
    for entry in listed:
        check_length(entry.orig_filename)
    kept = frozenset(needed([PurePosixPath(entry.orig_filename) for entry in listed if not entry.is_dir()]))
    listed = [entry for entry in listed if entry.is_dir() or PurePosixPath(entry.orig_filename) in kept]
    if len(kept) > 2 * MOST_FILES:
        raise SubmissionError(f"it has {len(kept)} entries, the limit is {MOST_FILES} files", "leave out data")
    found: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for entry in listed:
        name = _checked_name(entry)
        if entry.is_dir():
            continue
        if name in found:
            raise SubmissionError(f"{name} is in it twice", REPACK)
        found[name] = entry
    for name in found:
        if clash := next((parent for parent in name.parents if parent in found), None):
            raise SubmissionError(f"{clash} is in it as a file and as a folder", REPACK)
    folders = {parent for name in found for parent in name.parents}
    if len(folders) > MOST_FILES:
        raise SubmissionError(f"it has {len(folders)} folders, the limit is {MOST_FILES}", LEAVE_OUT)
    return _without_top_folder(found)


def _checked_name(entry: zipfile.ZipInfo) -> PurePosixPath:
    """The path of an entry, relative to the folder. Raises SubmissionError if the entry is not allowed."""
    text, shown = entry.orig_filename, printable(entry.orig_filename, 80)
    name = PurePosixPath(text)
    if "\\" in text:  # as Compress-Archive of Windows PowerShell writes it
        raise SubmissionError(f"{shown} has a backslash, where zip files have a slash", REPACK)
    check_name(text)
    if not text or (not name.parts and not entry.is_dir()):
        raise SubmissionError(f"the name {shown!r} names no file", REPACK)
    if name.is_absolute() or ".." in name.parts:
        raise SubmissionError(f"{shown} leads out of its folder", REPACK)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise SubmissionError(f"{shown} is a symbolic link", "replace it by the file that it leads to")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise SubmissionError(f"{shown} is a device, pipe or socket, not a plain file", "leave it out")
    if entry.flag_bits & _ENCRYPTED:
        raise SubmissionError(f"{shown} is encrypted", "pack it without a password")
    if entry.compress_type not in _METHODS:
        raise SubmissionError(f"{shown} is compressed by a method other than deflate", REPACK)
    return name


def _without_top_folder(found: dict[PurePosixPath, zipfile.ZipInfo]) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """The same files; if all are in one folder, their paths begin in it: many programs pack the folder itself."""
    tops = {name.parts[0] for name in found}
    if len(tops) != 1 or any(len(name.parts) == 1 for name in found):
        return found
    return {PurePosixPath(*name.parts[1:]): entry for name, entry in found.items()}


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, most: int) -> int:
    """Write a file of an archive; returns its size as counted. Raises SubmissionError above `most` bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(entry) as source, target.open("xb") as file:
        while piece := source.read(PIECE_BYTES):
            size += len(piece)
            if size > most:
                raise SubmissionError(f"unpacked it has more than {MOST_BYTES // MB} MB", LEAVE_OUT)
            file.write(piece)
    return size


def _submission_in(folder: Path, path: Path) -> Submission:
    """The submission of an unpacked folder, compared with its manifest if it has one. Raises SubmissionError."""
    file = folder / MANIFEST
    if not file.is_file():
        return replace(find_submission(folder), path=path)
    if os.path.getsize(file) > MOST_MANIFEST_BYTES:
        raise SubmissionError(f"its {MANIFEST} has more than {MOST_MANIFEST_BYTES >> 10} KB", REPACK)
    manifest = read_manifest(file.read_bytes())
    submission = find_submission(folder, manifest["agent"])
    files = {name: size for name, size in submission.files.items() if str(name) != MANIFEST}
    compare(manifest, {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files})
    return replace(submission, path=path, files=files, authors=authors_in(manifest))
