"""What goes wrong with moves, texts and the files of games."""

from options import Failure, InputError


class IllegalMove(ValueError):
    """A move that the rules forbid in this position; the message says why."""


class NotationError(InputError):
    """A text that is no move or position of this game; the message says what was expected."""


class UnknownGame(InputError, LookupError):
    """No game has this name; the message lists those that there are."""


class GameFileError(InputError):
    """A game's file cannot be had, or holds no game; the message has the file's own traceback, or what it lacks."""


class RulesError(Failure):
    """The rules of a game's file fail, or return what they may not; the message has the file's own traceback."""
