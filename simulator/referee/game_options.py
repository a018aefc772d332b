"""The options of a game, on their way from a command line to the agents, records and saved games.

They are keywords of `game.load_game`, and have to survive JSON.
"""

from collections.abc import Mapping
from typing import Any

from game import Game, NotationError, game_names, load_game

NAMES = ("size", "komi")  # what command lines offer; a game that takes one has it as an attribute too


class UnknownOption(NotationError):
    """A game does not have this option."""

    def __init__(self, game: str, option: str) -> None:
        super().__init__(f"{game} has no option {option}")
        self.option = option


def load_with(name: str, options: Mapping[str, Any]) -> Game:
    """The game of that name with these options. Raises NotationError, which says which option is not to be had."""
    try:
        return load_game(name, **options)
    except LookupError as error:
        raise NotationError(error.args[0]) from error
    except TypeError as error:
        raise UnknownOption(name, _unknown(name, options)) from error
    except ValueError as error:
        raise NotationError(str(error)) from error


def _unknown(name: str, options: Mapping[str, Any]) -> str:
    """The first option that the game does not take even alone."""
    for option, value in options.items():
        try:
            load_game(name, **{option: value})
        except TypeError:
            return option
        except ValueError:
            continue
    return " and ".join(options)


def games_with(option: str) -> list[str]:
    """The names of the games that take this option."""
    return [name for name in game_names() if option in settled(load_game(name))]


def settled(game: Game) -> dict[str, Any]:
    """The options of a game with the values that they have in it, defaults too: they load the same game again."""
    return {name: getattr(game, name) for name in NAMES if hasattr(game, name)}
