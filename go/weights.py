"""Learned weights in files: read, and refused if Go cannot use them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from options import InputError


class WeightsError(InputError):
    """Weights cannot be used; the message says why."""


def read_arrays(path: Path, names: Iterable[str]) -> dict[str, np.ndarray]:
    """The arrays with these names in a file. Raises WeightsError, FileNotFoundError."""
    try:
        with np.load(path) as arrays:
            return {name: arrays[name] for name in names}
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise WeightsError(f"{path} has no weights for Go with {', '.join(names)}: {error}") from error


def check_arrays(arrays: Mapping[str, np.ndarray], shapes: Mapping[str, tuple[int, ...]], source: object) -> None:
    """Raises WeightsError, which names the source, for an array of another shape or with NaN or infinity."""
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise WeightsError(f"{source}: {name} has the shape {arrays[name].shape}, not {shape}")
        if not np.isfinite(arrays[name]).all():
            raise WeightsError(f"{source}: {name} has NaN or infinity")
