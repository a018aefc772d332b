"""Learned weights in files: read, and refused if a game cannot use them."""

import zlib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeVar
from zipfile import BadZipFile

import numpy as np

from options import InputError

Made = TypeVar("Made")


class WeightsError(InputError):
    """Weights cannot be used; the message says why."""


def read_weights(path: Path, names: Collection[str], make: Callable[[dict[str, np.ndarray]], Made]) -> Made:
    """What `make` makes of a file's arrays with these names; they are float32, in C order.

    Raises WeightsError, which names the file, also for what `make` raises.
    """
    try:
        with path.open("rb") as stream, np.load(stream) as file, np.errstate(over="ignore"):
            return make({name: np.array(file[name], np.float32, order="C") for name in names})
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        TypeError,
        BadZipFile,
        zlib.error,
    ) as error:
        raise WeightsError(f"{path} cannot be used as weights: {error}") from error


def check_arrays(arrays: Mapping[str, np.ndarray], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raises WeightsError for an array of another shape or with NaN or infinity."""
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise WeightsError(f"{name} has the shape {arrays[name].shape}, not {shape}")
        if not np.isfinite(arrays[name]).all():
            raise WeightsError(f"{name} has NaN or infinity")
