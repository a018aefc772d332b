"""A scoresheet for moves that come from the protocol or from a log; it knows what a GAMEOVER means for the game."""

from typing import Any

from agents.limits import Limits
from game import FIRST, IllegalMove, NotationError
from options import counted
from simulator.course.protocol import (
    CANCELLED,
    DISCONNECTION,
    DRAW,
    FLOOD,
    ILLEGAL_MOVE,
    TIMEOUT,
    WINNER,
    GameOver,
    MoveLine,
    pentago,
)
from simulator.player.faults import Fault
from simulator.referee.events import Observer, ignore
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.scoresheet import Scoresheet

FAULTS = {  # by how the reason of a GAMEOVER begins: the reason and the words of a verdict
    TIMEOUT: (Reason.TIMEOUT, "lost on time"),
    ILLEGAL_MOVE: (Reason.ILLEGAL, "made an illegal move"),
    DISCONNECTION: (Reason.CRASH, "left"),
    FLOOD: (Reason.CRASH, "sent too much"),
}

RANGES = "rows and columns are 0 to 5, quadrants 0 to 3, and 0 rotates, 1 flips"


class ImpossibleMove(ValueError):
    """A move was announced as played, but cannot be played; the message says why."""


class CourseScoresheet(Scoresheet):
    """A game of Pentago while it is played elsewhere, or read from a log."""

    def __init__(
        self, names: tuple[str, str], limits: Limits | None = None, *, seed: int = 0, observer: Observer = ignore
    ) -> None:
        both = None if limits is None else (limits, limits)
        super().__init__(pentago(), names, seed=seed, limits=both, observer=observer)

    def write_line(self, line: MoveLine, seconds: float = 0.0, **more: Any) -> str:
        """Write down a move that was played, and return its text; `more` are fields of its `MoveRecord`.

        Raises ImpossibleMove for a move of the wrong player, and for a move that the rules forbid.
        """
        if self.position.result is not None:
            raise ImpossibleMove(f"{line}: the game is over")
        mover = self.position.to_move
        if line.player != mover:
            raise ImpossibleMove(f"{line}: it is the turn of {self.called(mover)}")
        try:
            position = self.after(line.text)
        except (NotationError, IllegalMove) as error:
            raise ImpossibleMove(f"{line}: {RANGES if isinstance(error, NotationError) else error}") from error
        text = self.game.format_move(position.last_move)
        return self.write(position, seconds, **{"answer": text} | more)

    def ended(self, over: GameOver) -> None:
        """End the game as a GAMEOVER says."""
        if over.ending not in (WINNER, DRAW):
            whose = f" because of {self.called(over.player or FIRST)}" if over.ending == CANCELLED else ""
            self.void(f"ended by the server{whose} after {counted(self.ply, 'move')}: {over.reason or over.ending}")
            return
        winner, result = over.player if over.ending == WINNER else None, self.position.result
        if winner is not None and over.reason:
            reasons = (fault for begin, fault in FAULTS.items() if over.reason.startswith(begin))
            self.lost(1 - winner, Fault(*next(reasons, (Reason.CRASH, "lost")), f"the server says {over.reason}"))
        elif result is not None and result.winner == winner:
            self.on_board()
        else:
            who = "a draw" if winner is None else f"a win of {self.called(winner)}"
            text = f"the server counts it as {who} after {counted(self.ply, 'move')}, but the board does not show that"
            self.end(winner, Reason.NORMAL, text)

    def record(self, **more: Any) -> GameRecord:
        """See `Scoresheet`; both players were there before the game began."""
        return super().record(**{"startup_seconds": (0.0, 0.0)} | more)
