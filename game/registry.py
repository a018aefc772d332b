"""Where games are found, by name or file, and what options they have."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from game.contract import Game
from game.errors import UnknownGame
from options import GameOption, UnknownOption

_GAMES = {  # name: module and class
    "go": "go.game:Go",
    "kalah": "mancala.game:Kalah",
    "pentago": "pentago.game:Pentago",
}


def game_names() -> list[str]:
    """The names that `load_game` knows, sorted."""
    return sorted(_GAMES)


def register_game(name: str, place: str) -> None:
    """Make a game known to `load_game`; `place` is `module:Class`, imported when the game is first wanted."""
    if _GAMES.get(name, place) != place:
        raise ValueError(f"the name {name!r} is taken by {_GAMES[name]}")
    _GAMES[name] = place


def game_class(name: str) -> type[Game]:
    """The class of a game, by its registered name or the path of its file; the class declares the game's options.

    Raises UnknownGame, and GameFileError for a file without a game.
    """
    if name in _GAMES:
        module, _, attribute = _GAMES[name].partition(":")
        found: type[Game] | None = getattr(import_module(module), attribute)
    else:
        found = import_module("game_files.load").class_of(name)
    if found is None:
        there_are = ", ".join(game_names())
        raise UnknownGame(
            f"no game is called {name!r}; there are: {there_are}, and any file with rules (docs/games.md)"
        )
    return found


def options_by_name(*more: str) -> dict[str, dict[str, GameOption]]:
    """The options of these games and of all registered ones: by the option's name, then by the game's title."""
    found: dict[str, dict[str, GameOption]] = {}
    for game in map(game_class, dict.fromkeys([*more, *game_names()])):
        for option in game.options:
            found.setdefault(option.name, {})[game.title] = option
    return found


def load_game(name: str, /, **options: Any) -> Game:
    """The game of that name, see `game_class`. Raises UnknownGame, GameFileError, OptionError."""
    return game_class(name)(**{option: _option(name, option).check(value) for option, value in options.items()})


def read_options(name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Options of a game from texts, each read as the game declares it. Raises UnknownGame, OptionError."""
    return {option: _option(name, option).read(text) for option, text in texts.items()}


def _option(name: str, option: str) -> GameOption:
    try:
        return game_class(name).option(option)
    except UnknownOption as error:
        owners = " and ".join(options_by_name().get(option, {}))  # only now, since this imports all games
        raise UnknownOption(option, error.reason + (f", but of {owners}" if owners else "")) from None
