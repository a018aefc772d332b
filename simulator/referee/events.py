"""The events of a game for observers: a `GameBegan`, then a `MoveRecord` for each move, at the end the `GameRecord`.

While a player thinks, there are `ClockRuns`. An observer is a function that is called with each event; a worker sends
the same objects to its coordinator.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from simulator.referee.game_record import GameRecord, MoveRecord

TICK_SECONDS = 0.25  # between two `ClockRuns`; a screen that shows eight games is redrawn about as often


class GameBegan(NamedTuple):
    """The opening has been played, and the agents take over; names are in the order of the players."""

    names: tuple[str, str]
    opening: tuple[str, ...] = ()


class ClockRuns(NamedTuple):
    """A player thinks about the move after `ply`: since `elapsed` seconds of `limit`, and uses `memory_mb` now."""

    player: int
    ply: int
    elapsed: float
    limit: float
    memory_mb: float


GameEvent = GameBegan | ClockRuns | MoveRecord | GameRecord
Observer = Callable[[GameEvent], None]
"""If an observer raises an exception, the game ends, and all its processes are closed."""


def ignore(event: GameEvent) -> None:
    """An observer that does nothing."""


class ObserverError(Exception):
    """An observer has raised an exception, which is the cause of this one."""


def guarded(observer: Observer) -> Observer:
    """The observer, but it raises ObserverError for any error, so that no machine or player is blamed for it."""

    def observe(event: GameEvent) -> None:
        try:
            observer(event)
        except Exception as error:
            raise ObserverError from error

    return observe


def ticks(observer: Observer, player: int, ply: int, limit: float) -> Callable[[float], None]:
    """A function to be called often while a player thinks; it tells the observer only every TICK_SECONDS."""
    started, next_tick = time.monotonic(), 0.0

    def look(memory_mb: float) -> None:
        """Tell the observer if it is time to."""
        nonlocal next_tick
        now = time.monotonic()
        if now >= next_tick:
            next_tick = now + TICK_SECONDS
            observer(ClockRuns(player, ply, now - started, limit, memory_mb))

    return look
