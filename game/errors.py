"""What goes wrong with moves, texts and the files of games."""

from options import Failure, InputError


class IllegalMove(ValueError):
    """A move that the rules forbid in this position; the message says why."""


class NotationError(InputError):
    """A text that is no move or position of this game; the message says what was expected."""


class UnknownGame(InputError, LookupError):
    """No game has this name; the message lists the names that exist."""


class GameFileError(InputError):
    """A game's file cannot be loaded, or has no game in it; the message has the file's traceback or what is missing."""


class RulesError(Failure):
    """The rules in a game's file raise an error, or return something wrong; the message has the file's traceback."""
