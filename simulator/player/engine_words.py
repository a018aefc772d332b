"""What the referee tells an engine about a game, as GTP commands."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from agents.limits import Limits
from game import Game

MOVES_LEFT = 30  # a program divides the time on a game clock among about so many moves


def moves_to(game: Game, board: Sequence[Any], positions: Sequence[Any], *, can_undo: bool) -> list[str]:
    """The commands that bring an engine from the positions on its board to those of a game.

    Surplus moves are taken back; if the engine cannot do that, it is told the whole game again.

    >>> from game import load_game
    >>> pentago = load_game("pentago")
    >>> start = pentago.initial()
    >>> games = [[start, start.play(pentago.parse_move(move))] for move in ("a1/0r", "b2/0r")]
    >>> moves_to(pentago, games[0], games[1], can_undo=True)
    ['undo', 'play w b2/0r']
    """
    pairs = enumerate(zip(board, positions, strict=False))
    shortest = min(len(board), len(positions))
    shared = next((i for i, (own, other) in pairs if own is not other and own != other), shortest)
    too_many = len(board) - shared
    if shared == 0 or (too_many and not can_undo):
        is_usual = (shared > 0 or not board) and positions[0] == game.initial()
        commands = ["clear_board" if is_usual else f"unforced-set_position {game.format_position(positions[0])}"]
        shared = 1
    else:
        commands = ["undo"] * too_many
    for before, after in pairwise(positions[shared - 1 :]):
        commands.append(f"play {game.players[before.to_move]} {game.format_move(after.last_move)}")
    return commands


def board_size(game: Game) -> int | None:
    """The argument of `boardsize`: the option that is the game's size, else the side of a square board, else None."""
    if game.size_option in game.settled_options:
        return int(game.settled_options[game.size_option])
    shape = game.initial().board.shape
    return int(shape[0]) if len(shape) == 2 and shape[0] == shape[1] else None


def time_settings(limits: Limits, reads_fractions: bool) -> str:
    """The command `time_settings` for limits: the game clock without its increment, or the move's limit if nearer.

    Empty if there is no limit.
    """
    clock = limits.clock_seconds
    if clock and not is_nearer(limits.move_seconds, clock):
        return f"time_settings {gtp_seconds(clock, reads_fractions)} 0 0"
    if math.isinf(limits.move_seconds):
        return ""
    return f"time_settings 0 {gtp_seconds(limits.move_seconds, reads_fractions)} 1"


def time_left(colour: str, clock: float, move_seconds: float, reads_fractions: bool) -> str:
    """The command `time_left` during a game: for the game clock, or for the limit of a move if that is nearer.

    >>> time_left("b", 40.0, 2.0, reads_fractions=True), time_left("b", 90.0, 2.0, reads_fractions=True)
    ('time_left b 40 0', 'time_left b 2 1')
    """
    if is_nearer(move_seconds, clock):
        return f"time_left {colour} {gtp_seconds(move_seconds, reads_fractions)} 1"
    return f"time_left {colour} {gtp_seconds(clock, reads_fractions)} 0"


def is_nearer(move_seconds: float, clock: float) -> bool:
    """Whether a move's limit is shorter than the share of the game clock that a program would spend on a move."""
    return move_seconds * MOVES_LEFT < clock


def gtp_seconds(seconds: float, reads_fractions: bool) -> str:
    """A time as an engine can read it: GTP has whole seconds, but engines of ours read fractions.

    It is rounded down, because an engine that relied on a longer time than it has would lose; but to 1 at least,
    because nobody can play with 0.
    """
    return f"{seconds:.6g}" if reads_fractions else str(max(1, math.floor(seconds)))
