"""Files of arrays and of JSON that are replaced in one step, so that an interruption never leaves half a file.

A long file of JSON lines grows instead; then the last line may be cut off.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

from options import InputError
from simulator.records.file_errors import check_is_file, content_of, replacing, writing

Kind = TypeVar("Kind")


class FileError(InputError):
    """A file or folder does not hold what it should; the message says which and what was expected."""


def _replace(path: Path, write: Callable[[Any], object]) -> None:
    """Write a file by `write`, which gets a binary stream; the contents reach the disk before the file has its name."""
    with replacing(path) as stream:
        write(stream.buffer)
        stream.flush()
        if path.is_file() or not path.exists():  # no pipe or device
            os.fsync(stream.fileno())


def save_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write an npz archive."""
    _replace(path, lambda file: np.savez_compressed(file, **arrays))


def load_arrays(path: Path, names: Iterable[str]) -> dict[str, np.ndarray]:
    """The arrays of these names in an npz archive. Raises FileError, OSError."""
    check_is_file(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in names}
    except (ValueError, KeyError, EOFError, AttributeError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise FileError(f"{path} is not an archive of {', '.join(names)}: {error}") from error


def save_json_lines(path: Path, values: Iterable[Any]) -> None:
    """Write values as JSON, one value a line."""
    lines = [json.dumps(value, allow_nan=False) + "\n" for value in values]
    _replace(path, lambda file: file.write("".join(lines).encode()))


def add_json_line(path: Path, value: Any) -> None:
    """Write a value as JSON at the end of a file whose lines are whole, see `remove_half_a_line`."""
    with writing(path), path.open("a") as file:
        file.write(json.dumps(value) + "\n")


def load_json_lines(path: Path) -> list[Any]:
    """The values in a file with one JSON value a line; [] if there is no file. Raises FileError, OSError.

    A last line that is cut off is left out.
    """
    values, line = list[Any](), b""
    try:
        for line in content_of(path).splitlines(keepends=True) if path.exists() else ():
            values.append(msgspec.json.decode(line))
    except ValueError as error:
        if line.endswith(b"\n"):
            raise FileError(f"{path}, line {len(values) + 1}, is not one JSON value: {error}") from error
    return values


def save_json(path: Path, content: Any) -> None:
    """Write a value as JSON."""
    _replace(path, lambda file: file.write(json.dumps(content, indent=2).encode() + b"\n"))


def load_json(path: Path) -> Any:
    """The value in a JSON file. Raises FileError, OSError."""
    try:
        return json.loads(content_of(path))
    except ValueError as error:
        raise FileError(f"{path} is not JSON: {error}") from error


def dataclass_of(kind: type[Kind], values: Any) -> Kind:
    """A dataclass from values by name, as JSON has them. Raises TypeError, ValidationError (a ValueError)."""
    return msgspec.convert(vars(kind(**values)), kind)
