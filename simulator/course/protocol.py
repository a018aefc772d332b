"""The lines of the course's protocol as values.

A client sends `START NAME` and, when it is asked, moves; the server sends `START`, `PLAY`, every move that was played,
and in the end `GAMEOVER`. Player 0 is white and moves first. The lines are those that the course's Java server of 2021
reads and writes, see docs/course-server.md.
"""

import re
from typing import Any, NamedTuple

from game import Game, game_title, load_game
from options import InputError
from simulator.gtp.syntax import one_line

GAME = "pentago"
PORT = 8123
LONGEST_NAME = 100  # characters
WINNER, DRAW, UNDECIDED, CANCELLED = "WINNER", "DRAW", "UNDECIDED", "CANCELLED"

# How the reasons of a GAMEOVER begin.
TIMEOUT, ILLEGAL_MOVE, DISCONNECTION, FLOOD = "TIMEOUT", "ILLEGAL MOVE", "DISCONNECTION", "FLOOD"
USER_CANCEL, NO_START, SERVER_FULL, NO_MORE_GAMES = "USER CANCEL", "NO START", "SERVER FULL", "NO MORE GAMES"

_LARGEST = 2**31  # the server's numbers have 32 bits
_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
_START = re.compile(r"START Player-([01])(?: (.*))?")
_PLAY = re.compile(r"PLAY Player-([01])")
_GAME_OVER = re.compile(rf"GAMEOVER (?:(.*) )?(?:({WINNER}|{CANCELLED}) ([01])|({DRAW}|{UNDECIDED}))")


class ProtocolError(ValueError):
    """A line that does not belong to the protocol; the message says what was expected."""


class Start(NamedTuple):
    """A game begins: which player the client is, and its own name."""

    player: int
    name: str

    def __str__(self) -> str:
        return f"START {player_name(self.player)} {self.name}"


class Play(NamedTuple):
    """It is a player's turn."""

    player: int

    def __str__(self) -> str:
        return f"PLAY {player_name(self.player)}"


class MoveLine(NamedTuple):
    """A move, proposed or played; the numbers are whatever a line has, legal or not.

    >>> str(MoveLine.of(pentago().parse_move("f5/1r"), 0)), MoveLine(4, 5, 1, 0, 0).text
    ('4 5 1 0 0', '4 5 1 0')
    """

    row: int
    column: int
    quadrant: int
    turn: int
    player: int

    def __str__(self) -> str:
        return " ".join(map(str, self))

    @classmethod
    def of(cls, move: Any, player: int) -> "MoveLine":
        """The line for a player's move of Pentago."""
        return cls(move.row, move.column, move.quadrant, move.turn, player)

    @property
    def text(self) -> str:
        """The move without its player, as `Game.parse_move` reads it."""
        return " ".join(map(str, self[:4]))

    def in_words(self) -> str:
        """The move as the reason of a lost game names it."""
        return f"Player {self.player}, Move: ({self.row}, {self.column}), R/F: ({self.quadrant}, {self.turn})"


class GameOver(NamedTuple):
    """A game has ended.

    Attributes:
        ending: WINNER, CANCELLED (both of `player`), DRAW or UNDECIDED.
        reason: why the game ended, if not on the board.
    """

    ending: str
    player: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        player = "" if self.player is None else f" {self.player}"
        return " ".join(filter(None, ("GAMEOVER", self.reason, self.ending))) + player


def pentago() -> Game:
    """The one game that is played over this protocol."""
    return load_game(GAME)


def refuse_other_games(name: str) -> None:
    """Raises InputError for any game but Pentago."""
    if name != GAME:
        raise InputError(f"the course's server plays Pentago Twist only, not {game_title(name)}")


def player_name(player: int) -> str:
    """`Player-0` or `Player-1`."""
    return f"Player-{player}"


def two_names(first: str, second: str) -> tuple[str, str]:
    """The names of two players in records, which must differ; the players may have said no name, or the same one."""
    first, second = first or player_name(0), second or player_name(1)
    return (first, second) if first != second else (first, f"{second}#2")


def read_move(line: str) -> MoveLine:
    """Read five whole numbers with single spaces between them; what follows them is ignored. Raises ProtocolError.

    >>> read_move("4 5 1 0 0")
    MoveLine(row=4, column=5, quadrant=1, turn=0, player=0)
    """
    parts = line.split(" ")[:5]
    if len(parts) < 5 or not all(_NUMBER.fullmatch(part) for part in parts):
        raise ProtocolError(f"{one_line(line, 80)!r} is no move: expected five whole numbers, x y quadrant op player")
    numbers = [int(part) for part in parts]
    if not all(-_LARGEST <= number < _LARGEST for number in numbers):
        raise ProtocolError(f"{one_line(line, 80)!r} is no move: a number is too large")
    return MoveLine(*numbers)


def read_server_line(line: str) -> Start | Play | MoveLine | GameOver:
    """What the server says. Raises ProtocolError.

    >>> read_server_line("GAMEOVER TIMEOUT WINNER 1")
    GameOver(ending='WINNER', player=1, reason='TIMEOUT')
    >>> read_server_line("START Player-0 my agent")
    Start(player=0, name='my agent')
    """
    if match := _PLAY.fullmatch(line):
        return Play(int(match[1]))
    if match := _START.fullmatch(line):
        return Start(int(match[1]), one_line(match[2] or "", LONGEST_NAME))
    if match := _GAME_OVER.fullmatch(line):
        reason, of_player, player, of_nobody = match.groups()
        return GameOver(of_player or of_nobody, None if player is None else int(player), one_line(reason or ""))
    if line.startswith(("START", "PLAY", "GAMEOVER")):
        raise ProtocolError(f"{one_line(line, 80)!r} is no line of the server")
    return read_move(line)


def said_by_server(line: str) -> Start | Play | MoveLine | GameOver | None:
    """What the server says; None for a line that does not belong to the protocol."""
    try:
        return read_server_line(line)
    except ProtocolError:
        return None


def name_in_start(line: str) -> str | None:
    """The name in a client's START, made fit to be shown and logged; None for any other line."""
    return fit_name(line.removeprefix("START")) if line.startswith("START") else None


def fit_name(name: str) -> str:
    """A name for a START; commas become semicolons, because they separate the columns of `outcomes.txt`."""
    return one_line(name, LONGEST_NAME).replace(",", ";")
