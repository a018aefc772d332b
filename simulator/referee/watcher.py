"""What the referee reports while a game is played."""

import time

from game import Game, Position
from simulator.referee.game_record import GameRecord, MoveRecord

TICK_SECONDS = 0.1


class Watcher:
    """Is told what happens in a game; this one does nothing.

    What a watcher raises ends the game, with all processes of it closed.
    """

    def game_started(self, game: Game, names: tuple[str, str], position: Position) -> None:
        """The opening has been played, the agents take over at `position`."""

    def move_started(self, player: int, position: Position, limit_seconds: float) -> None:
        """A player is about to be asked for a move."""

    def tick(self, player: int, elapsed: float, memory_mb: float) -> None:
        """About ten times a second while a player thinks: seconds since it was asked, and its memory now."""

    def move_made(self, record: MoveRecord, position: Position) -> None:
        """A move was played and led to `position`."""

    def game_ended(self, record: GameRecord) -> None:
        """The game is over, and no process of it is left."""


class WatcherError(Exception):
    """What a watcher has raised, its cause, in the middle of a question to a player."""


class Ticks:
    """Of all looks at a player that thinks, lets its watcher see ten a second."""

    def __init__(self, watcher: Watcher, player: int) -> None:
        self._watcher, self._player = watcher, player
        self._started, self._next = time.monotonic(), 0.0

    def look(self, memory_mb: float) -> None:
        """Another look was taken. Raises WatcherError: else it would seem that the machine or a player has failed."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + TICK_SECONDS
            try:
                self._watcher.tick(self._player, now - self._started, memory_mb)
            except Exception as error:
                raise WatcherError from error
