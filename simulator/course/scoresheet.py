"""The moves of a game as they come over the protocol or out of a log, and in the end its record."""

from datetime import datetime
from typing import Any

from agents.limits import Limits
from game import FIRST, IllegalMove, NotationError, Result, format_result
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
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.referee.verdicts import Verdicts, counted
from simulator.referee.watcher import Watcher

_FAULTS = {  # how the reason of a GAMEOVER begins: the reason and the words of a verdict
    TIMEOUT: (Reason.TIMEOUT, "lost on time"),
    ILLEGAL_MOVE: (Reason.ILLEGAL, "made an illegal move"),
    DISCONNECTION: (Reason.CRASH, "left"),
    FLOOD: (Reason.CRASH, "sent too much"),
}

RANGES = "rows and columns are 0 to 5, quadrants 0 to 3, and 0 rotates, 1 flips"


class ImpossibleMove(ValueError):
    """A move that was announced as played, and cannot be; the message says why."""


class Scoresheet:
    """A game while it is played elsewhere, or read from a log.

    Args:
        watcher: is told of the beginning, the moves and the end.

    Attributes:
        game, position: Pentago, and where it stands.
        names: of the players.
        verdicts: makes this game's verdicts.
    """

    def __init__(
        self, names: tuple[str, str], limits: Limits | None = None, *, seed: int = 0, watcher: Watcher | None = None
    ) -> None:
        self.game, self.names, self.seed = pentago(), names, seed
        self.position: Any = self.game.initial()
        self.verdicts = Verdicts(names, self.game.players)
        self.watcher = watcher or Watcher()
        self._limits = None if limits is None else (limits, limits)
        self._moves: list[MoveRecord] = []
        self._date = datetime.now().astimezone().isoformat(timespec="seconds")
        self.watcher.game_started(self.game, names, self.position)

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return len(self._moves)

    def write(self, line: MoveLine, seconds: float = 0.0, **more: Any) -> str:
        """Write down a move that was played, and return its text; `more` are fields of its `MoveRecord`.

        Raises ImpossibleMove for one of the wrong player, or that the rules forbid.
        """
        if self.position.result is not None:
            raise ImpossibleMove(f"{line}: the game is over")
        mover = self.position.to_move
        if line.player != mover:
            raise ImpossibleMove(f"{line}: it is the turn of {self.verdicts.called(mover)}")
        try:
            move = self.game.parse_move(line.text, self.position)
            self.position = self.position.play(move)
        except NotationError as error:
            raise ImpossibleMove(f"{line}: {RANGES}") from error
        except IllegalMove as error:
            raise ImpossibleMove(f"{line}: {error}") from error
        text = self.game.format_move(move)
        fields: dict[str, Any] = {"peak_memory_mb": 0.0, "answer": text}
        record = MoveRecord(self.ply, mover, text, seconds, **fields | more)
        self._moves.append(record)
        self.watcher.move_made(record, self.position)
        return text

    # --- The end ---

    def lost(self, player: int, fault: Fault, last_lines: tuple[str, ...] = ()) -> Verdict:
        """The player lost by a fault, at the move that comes now."""
        return self.verdicts.lost(player, fault, self.ply, last_lines)

    def void(self, why: str) -> Verdict:
        """Nobody wins, for this reason."""
        return self.verdicts.void(why, self.ply)

    def verdict_of(self, over: GameOver) -> Verdict:
        """The verdict that a GAMEOVER means for this game."""
        if over.ending not in (WINNER, DRAW):
            whose = f" because of {self.verdicts.called(over.player or FIRST)}" if over.ending == CANCELLED else ""
            return self.void(
                f"ended by the server{whose} after {counted(self.ply, 'move')}: {over.reason or over.ending}"
            )
        winner = over.player if over.ending == WINNER else None
        if winner is not None and over.reason:
            return self._lost_by(1 - winner, over.reason)
        result = self.position.result
        if result is not None and result.winner == winner:
            return self.verdicts.on_board(result, self.ply)
        who = "a draw" if winner is None else f"a win of {self.verdicts.called(winner)}"
        text = f"the server counts it as {who} after {counted(self.ply, 'move')}, which the board does not show"
        return Verdict(winner, Reason.NORMAL, text, self.ply)

    def _lost_by(self, loser: int, reason: str) -> Verdict:
        known = next((fault for begin, fault in _FAULTS.items() if reason.startswith(begin)), None)
        kind, action = known or (Reason.CRASH, "lost")
        return self.lost(loser, Fault(kind, action, f"the server says {reason}"))

    def record(self, verdict: Verdict, **more: Any) -> GameRecord:
        """The game's record; `more` are fields of it. The watcher is told."""
        is_void = verdict.reason is Reason.VOID
        result = None if is_void else self._result(verdict)
        fields: dict[str, Any] = {
            "game": self.game.name,
            "agents": self.names,
            "seed": self.seed,
            "opening": (),
            "moves": tuple(self._moves),
            "result": format_result(self.game, result),
            "final_position": self.game.format_position(self.position),
            "verdict": verdict,
            "peak_memory_mb": (0.0, 0.0),
            "options": self.game.settled_options,
            "date": self._date,
            "startup_seconds": (0.0, 0.0),  # both were there before the game began
            "limits": self._limits,
        }
        record = GameRecord(**fields | more)
        self.watcher.game_ended(record)
        return record

    def _result(self, verdict: Verdict) -> Result:
        found = self.position.result
        return found if found is not None and found.winner == verdict.winner else Result(verdict.winner)
