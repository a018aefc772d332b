"""Files of weights: npz archives of a network's arrays and a JSON text that says how they were made."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from game import LearnedGame
from learning.files import FileError, load_arrays, save_arrays
from learning.network import Network, zeros
from options import InputError


def save_weights(path: Path, network: Network, meta: dict[str, Any]) -> None:
    """Write weights and how they were made."""
    save_arrays(path, network.saved | {"meta": json.dumps(meta)})


def require_width(game: LearnedGame, width: int) -> None:
    """Raises InputError if the game's evaluation cannot read a network with so many hidden units."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "weights.npz"
        save_weights(path, zeros(game, width), {})
        try:
            game.kernel_with(evaluation=str(path))
        except InputError as error:
            why = error.__cause__ or error  # without the name of a file that nobody has seen
            raise InputError(f"a network with {width} hidden units cannot be used (see --width): {why}") from error


def load_weights(path: Path, game: LearnedGame) -> tuple[Network, dict[str, Any]]:
    """The weights in a file, and how they were made. Raises FileError, OSError."""
    found = load_arrays(path, (*zeros(game, 1).saved, "meta"))
    network = zeros(game, found["fragments"].shape[-1] if found["fragments"].ndim else 0)
    for name, expected in network.saved.items():
        weights = found[name]
        if not np.isfinite(weights).all():
            raise FileError(f"{path} holds no weights: {name} has values that are no numbers")
        if weights.shape != expected.shape:
            raise FileError(
                f"{path} holds no weights for {game.title}: {name} has the shape {weights.shape}, not {expected.shape}"
            )
        expected[:] = weights
    try:
        return network, json.loads(str(found["meta"]))
    except ValueError as error:
        raise FileError(f"{path} does not say how its weights were made: {error}") from error
