"""The commands that save a game in a file, and load one."""

import os
from functools import partial
from pathlib import Path

from game import Game, load_game
from game_files.alarm import guarded
from options import Failure, InputError
from simulator.play.controller import Controller
from simulator.play.game_in_progress import GameInProgress
from simulator.records.file_errors import check_is_file
from simulator.records.saved_game import SavedGame, is_sgf, load_game_file

FORCE = "--force"  # before or after the name in `save FILE`: overwrite a file of that name
FILE_ERRORS = (ValueError, OSError, RuntimeError, Failure)  # RuntimeError: ~NAME of an unknown user


def save(controller: Controller, argument: str) -> None:
    """Write the game to a file; over an existing one only if the person wants that."""
    name, over = _name_and_force(argument)
    if not name:
        raise InputError("save where? Type save and a file, game.json for example")
    try:
        path = Path(name).expanduser()
        if os.path.isfile(path) and not over:
            refusal = f"not saved: {name} exists. To overwrite it: save {name} {FORCE}"
            overwrite = partial(save, controller, f"{name} {FORCE}")
            controller.front_end.confirm(f"{name} exists. Overwrite it?", overwrite, refusal)
            return
        controller.played.save(path, over)
    except FILE_ERRORS as error:
        controller.front_end.say(f"not saved: {error}")
    else:
        controller.front_end.saved(path, name)


def _name_and_force(argument: str) -> tuple[str, bool]:
    """The name of a file, and whether `--force` stands before or after it.

    >>> _name_and_force("my game.json --force"), _name_and_force("--force game.json"), _name_and_force("game.json")
    (('my game.json', True), ('game.json', True), ('game.json', False))
    """
    words = argument.split(" ")
    return _unquoted(" ".join(word for word in words if word != FORCE).strip()), FORCE in words


def _unquoted(name: str) -> str:
    """A file's name without the quotation marks around it, which a shell needs for a name with blanks."""
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'" else name


def load(controller: Controller, argument: str) -> None:
    """Go on with a game from a file; ask first if the game on the board is not over."""
    if not argument:
        raise InputError("load what? Type load and a file, game.json for example")
    try:
        path, game = _checked(controller, argument)
    except FILE_ERRORS as error:
        raise InputError(f"not loaded: {error}") from error
    controller.if_given_up(partial(_prepare, controller, game, path))


def what_is_wrong(controller: Controller, name: str) -> str:
    """What is wrong with a file, moves included if the rules are compiled already; its agents are checked later."""
    try:
        _checked(controller, name)
    except FILE_ERRORS as error:
        return str(error)
    return ""


def _checked(controller: Controller, name: str) -> tuple[Path, Game]:
    """The path of a file, and the game in it. Raises FILE_ERRORS."""
    path = Path(_unquoted(name)).expanduser()
    check_is_file(path)
    if is_sgf(path):
        game = load_game("go")
    else:
        saved = load_game_file(path)
        with guarded(saved.game):
            game = load_game(saved.game, **saved.options)
    if controller.has_rules(game):
        GameInProgress.continued(load_game_file(path))
    return path, game


def _prepare(controller: Controller, game: Game, path: Path) -> None:
    try:
        controller.with_rules(game, partial(_load, controller, path))
    except FILE_ERRORS as error:  # the rules of a game in a file fail
        controller.front_end.say(f"not loaded: {error}")


def _load(controller: Controller, path: Path) -> None:
    try:
        loaded = GameInProgress.continued(load_game_file(path))
    except FILE_ERRORS as error:  # the moves are wrong, or the file was changed since it was checked
        controller.front_end.say(f"not loaded: {error}")
        return
    with_players = not is_sgf(path)  # SGF does not say which side a person played
    absent = loaded.absent() if with_players else {}
    loaded.let_play([SavedGame.agent if text in absent else text for text in loaded.players])
    controller.begin_with(partial(controller.played.take_over, loaded, with_players=with_players))
    if absent:
        why = "; ".join(absent.values())
        controller.front_end.say(f"an agent of this game cannot play: {why}. {SavedGame.agent} plays instead")
