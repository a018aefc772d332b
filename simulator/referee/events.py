"""The events of a game for observers: a `GameBegan`, then the record of each move, at last the game's record.

While a player thinks, `ClockRuns` says so. An observer is a function that is told each event as it is; a worker sends
the same objects to its coordinator.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from simulator.referee.game_record import GameRecord, MoveRecord

TICK_SECONDS = 0.25  # between two looks at a clock; a screen that shows eight games is redrawn about as often


class GameBegan(NamedTuple):
    """The opening has been played, the agents take over; names in the order of the players."""

    names: tuple[str, str]
    opening: tuple[str, ...] = ()


class ClockRuns(NamedTuple):
    """A player thinks about the move after `ply`: for so many seconds, with so much memory now."""

    player: int
    ply: int
    elapsed: float
    limit: float
    memory_mb: float


GameEvent = GameBegan | ClockRuns | MoveRecord | GameRecord
Observer = Callable[[GameEvent], None]
"""What it raises ends the game, with all processes of it closed."""


def ignore(event: GameEvent) -> None:
    """An observer that does nothing."""


class ObserverError(Exception):
    """What an observer has raised, its cause."""


def guarded(observer: Observer) -> Observer:
    """The observer, with ObserverError for what it raises: else it would seem that the machine or a player failed."""

    def observe(event: GameEvent) -> None:
        try:
            observer(event)
        except Exception as error:
            raise ObserverError from error

    return observe


def ticks(observer: Observer, player: int, ply: int, limit: float) -> Callable[[float], None]:
    """A function to call at each look at a player that thinks; it tells the observer a few times a second."""
    started, next_tick = time.monotonic(), 0.0

    def look(memory_mb: float) -> None:
        """Another look was taken."""
        nonlocal next_tick
        now = time.monotonic()
        if now >= next_tick:
            next_tick = now + TICK_SECONDS
            observer(ClockRuns(player, ply, now - started, limit, memory_mb))

    return look
