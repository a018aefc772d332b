"""Loads a game by its name: the file, its module, then the class, whose `name` is `ABSOLUTE/PATH.py#HASH`.

The hash is of the file, or of all Python files of a folder. So a name says which rules are meant: agents' processes,
other machines and records get the whole name and accept no other rules. Begin reading at `class_of`.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from game import Game, GameFileError, file_and_hash, game_title
from game.contract import HASH_DIGITS
from game_files import compiled, openspiel, plain
from options import GameOption, OptionError
from python_file import execute

SETTINGS = ("longest_game", "opening_plies", "moves_ahead")  # of `Game`, which a file may set
_classes: dict[str, type[Game]] = {}  # by their whole names

TABLES = (".npy", ".npz", ".json", ".csv", ".txt", ".toml")  # what a folder's rules may read numbers from


def class_of(name: str) -> type[Game] | None:
    """The class of the game in a file, by its path or its whole name; None if there is no such file or folder.

    A file that is named with its hash is looked for below the current folder, too. Raises GameFileError if the file has
    changed or has no game in it, UnknownGame if OpenSpiel does not have the game.
    """
    if name.startswith(openspiel.PREFIX):
        return _of_openspiel(name)
    path, wanted = file_and_hash(name)
    places = [place for place in _places(path, is_recorded=bool(wanted)) if place.is_file() or place.is_dir()]
    found = {place: file for place in places if (file := _rules_in(place))}
    if places and not found:  # not read: it may be the whole disk
        raise _no_game(places[0])
    for place, file in found.items():
        if wanted in ("", digest := hash_of(place)):
            whole = f"{place}#{digest}"
            if whole not in _classes:
                _classes[whole] = _loaded(place, file, whole)
            return _classes[whole]
    if found:
        place = next(iter(found))
        raise GameFileError(
            f"{place} was changed since these games were played, or is another file: "
            f"its hash is {hash_of(place)}, not {wanted}; put the file as it was into the current folder"
        )
    if name in _classes:  # an agent's process cannot read it any more
        return _classes[name]
    if wanted:
        raise GameFileError(f"the file of these games is not there: {path}; put it into the current folder")
    return None


def _of_openspiel(name: str) -> type[Game]:
    """The class of a game of OpenSpiel. Raises UnknownGame."""
    if name not in _classes:
        rules, whole, longest = openspiel.find(name)
        made = make_class(plain.PlainGame, rules, whole, files=(), longest_game=longest)
        _classes[name] = _classes.setdefault(whole, made)
    return _classes[name]


def _places(text: str, is_recorded: bool) -> Iterator[Path]:
    """Where a file or a folder of that path may be; if its name has a hash, also below the current folder."""
    try:
        path = Path(text).expanduser().resolve()
    except (RuntimeError, ValueError) as error:  # ~ of somebody who is not known; a NUL
        raise GameFileError(f"there is no file {text}: {error}") from error
    yield path
    if is_recorded:
        yield from (Path(*path.parts[start:]).resolve() for start in range(len(path.parts) - 1, 0, -1))


def _rules_in(path: Path) -> Path | None:
    """The file with the rules: the path itself, or in a folder `game.py` or the file called as the folder."""
    files = [path / "game.py", path / f"{path.name}.py"] if path.is_dir() else [path]
    return next((file for file in files if file.is_file() and file.suffix == ".py"), None)


def _no_game(path: Path) -> GameFileError:
    if path.is_dir():
        names = dict.fromkeys(("game.py", f"{path.name or 'game'}.py"))
        return GameFileError(f"{path} holds no game: its rules are in {' or '.join(names)}")
    return GameFileError(f"{path} is not a game: name a .py file, or a folder with game.py")


def hash_of(path: Path) -> str:
    """The hash of a file, or of a folder's Python files with their names. Raises OSError."""
    digest = hashlib.sha256()
    found = (file for file in path.rglob("*.py") if file.is_file())
    files = (file for file in found if not any(part.startswith(".") for part in file.relative_to(path).parts))
    for file in sorted(files) if path.is_dir() else [path]:
        digest.update((str(file.relative_to(path)) if file != path else "").encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]


def _hash_of_arrays(path: Path) -> str:
    """A hash of the names, sizes and times of a folder's arrays and tables; empty if there are none.

    Compiled code has the numbers of a module's arrays in it, so kept code must not be found after they have changed.
    It is kept by the module's name, which has this hash in it.
    """
    files = [file for file in sorted(path.rglob("*")) if file.suffix in TABLES and file.is_file()]
    found = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(found).encode()).hexdigest()[:HASH_DIGITS] if found else ""


def _loaded(path: Path, file: Path, name: str) -> type[Game]:
    """The class of the game in a file or folder, whose rules are in `file`. Raises GameFileError."""
    title, folder = game_title(name), path if path.is_dir() else None
    try:
        with redirect_stdout(sys.stderr):  # stdout may be JSON, or GTP
            module = execute(file, f"{title}_{file_and_hash(name)[1]}{_hash_of_arrays(path)}", folder)
    except (Exception, SystemExit) as error:
        raise GameFileError(f"{path} fails when it is imported:\n{plain.failure(error, path)}") from error
    is_compiled = hasattr(module, "legal") and hasattr(module, "apply")
    needed = compiled.NEEDED if is_compiled else plain.NEEDED
    missing = [function for function in needed if not callable(getattr(module, function, None))]
    if missing:
        raise GameFileError(f"{path} lacks {' and '.join(missing)}: a game's file has {', '.join(needed)}")
    if not is_compiled:
        return make_class(plain.PlainGame, module, name)
    kernel, cells = compiled.kernel_of(module, title), getattr(module, "cells", None)
    if cells is not None and not (type(cells) is tuple and [type(number) for number in cells] == [int, int]):
        raise GameFileError(f"{path}: cells must be rows and columns, as in cells = (8, 8), not {cells!r}")
    return make_class(compiled.CompiledGame, module, name, kernel=kernel, cells=cells)


def make_class(kind: type[Game], module: Any, name: str, **more: Any) -> type[Game]:
    """The class of a game whose rules are in a module, with its options, the names of the players, and `more`."""
    path, players = file_and_hash(name)[0], getattr(module, "players", ("x", "o"))
    words = [word for word in players if isinstance(word, str) and word.isalnum()] if type(players) is tuple else []
    if len({word.lower() for word in words}) != 2 or len(players) != 2:
        raise GameFileError(f"{path}: players must be two different words, as in ('x', 'o'), not {players!r}")
    for setting in SETTINGS:
        if type(value := getattr(module, setting, 1)) is not int or value < 0:
            raise GameFileError(
                f"{path}: {setting} must be a whole number from 0 on, as in {setting} = 60, not {value!r}"
            )
    members: dict[str, Any] = {
        "__doc__": module.__doc__ or "",
        "__module__": kind.__module__,
        "name": name,
        "players": tuple(word.lower() for word in words),
        "options": tuple(_options(module.initial, path)),
        "rules": module,
        "files": (Path(path),),
        **{setting: getattr(module, setting) for setting in SETTINGS if hasattr(module, setting)},
        **more,
    }
    return type(game_title(name), (kind,), members)


def _options(initial: Any, path: str) -> Iterator[GameOption]:
    """The options of a game: the keyword parameters of its `initial`. Raises GameFileError."""
    try:
        parameters = signature(initial, eval_str=True).parameters.values()
    except Exception as error:  # an annotation may be any expression
        raise GameFileError(f"{path}: initial has a parameter that cannot be read: {error}") from error
    for parameter in parameters:
        place = f"{path}: the parameter {parameter.name} of initial"
        if parameter.default is Parameter.empty:
            raise GameFileError(f"{place} has no default: it is an option of the game, and needs one")
        kind = type(parameter.default) if parameter.annotation is Parameter.empty else parameter.annotation
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        kind = str if choices and all(isinstance(choice, str) for choice in choices) else kind
        if kind not in (int, float, bool, str):
            raise GameFileError(f"{place} must have the type int, float, bool, str or a Literal of texts, not {kind}")
        help_text = re.search(rf"^\s*{parameter.name}: (.+)$", initial.__doc__ or "", re.MULTILINE)
        option = GameOption(
            parameter.name, kind, parameter.default, choices=choices, help=help_text[1] if help_text else ""
        )
        try:
            option.check(parameter.default)
        except OptionError as error:
            raise GameFileError(f"{path}: initial: the default of {error}") from error
        yield option
