"""The state of a game while it is played, by the referee or elsewhere, and at the end its verdict and record."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from agents.limits import Limits
from game import Game, Position, Result, RulesError, format_result
from options import counted
from simulator.player.faults import Fault
from simulator.referee.events import GameBegan, Observer, ignore
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict


class Scoresheet:
    """A game as far as it has been played; an observer is told of its events.

    Args:
        position: where the game begins, by default the initial position.

    Attributes:
        positions: all positions so far, the opening's included.
        opening: canonical texts of the moves that were played before the agents took over.
        verdict: how the game ended, None before.
    """

    def __init__(
        self,
        game: Game,
        names: tuple[str, str],
        *,
        seed: int = 0,
        limits: tuple[Limits, Limits] | None = None,
        position: Position | None = None,
        observer: Observer = ignore,
    ) -> None:
        self.game, self.names, self.seed, self.limits = game, names, seed, limits
        self.positions: list[Any] = [game.initial() if position is None else position]
        self.opening: tuple[str, ...] = ()
        self.verdict: Verdict | None = None
        self._result: Result | None = None
        self._moves: list[MoveRecord] = []
        self._observe = observer
        self._date = datetime.now().astimezone().isoformat(timespec="seconds")

    @property
    def position(self) -> Any:
        """The present position."""
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many moves were played, the opening's included."""
        return len(self.opening) + len(self._moves)

    def begin(self, opening: Sequence[str] = ()) -> None:
        """Play the opening. Raises ValueError if it is illegal."""
        for text in opening:
            self.positions.append(self.after(text))
        self.opening = tuple(self.game.format_move(position.last_move) for position in self.positions[1:])
        self._observe(GameBegan(self.names, self.opening))

    def after(self, text: str) -> Position:
        """The position that a move leads to. Raises ValueError if it is no legal move."""
        position: Position = self.position.play(self.game.parse_move(text, self.position))
        return position

    def write(self, position: Position, seconds: float = 0.0, peak_memory_mb: float = 0.0, **more: Any) -> str:
        """Record the move that led to a position, and return its text; `more` are fields of its `MoveRecord`."""
        text = self.game.format_move(position.last_move)
        move = MoveRecord(self.ply, self.position.to_move, text, seconds, peak_memory_mb, **more)
        self._moves.append(move)
        self.positions.append(position)
        self._observe(move)
        return text

    # --- The end; what an agent did wrong is in `simulator/player/faults.py` ---

    def end(self, winner: int | None, reason: Reason, text: str, *, result: Result | None = None, **more: Any) -> None:
        """End the game; `more` are fields of its `Verdict`.

        `result` is needed only for a game that did not end on its board, but was counted.
        """
        self.verdict, self._result = Verdict(winner, reason, text, self.ply, **more), result

    def called(self, player: int) -> str:
        """A player's name and side, such as `uct_agent (w)`."""
        return f"{self.names[player]} ({self.game.players[player]})"

    def lost(self, player: int, fault: Fault, last_lines: tuple[str, ...] = ()) -> None:
        """End the game: the player to move loses by a fault; `last_lines` are those of its log."""
        text = f"{self.called(player)} {fault.at_move(self.ply + 1)}"
        more: dict[str, Any] = {"measured": fault.measured, "limit": fault.limit, "stderr": last_lines}
        self.end(1 - player, fault.reason, text, loser=player, **more)

    def is_over(self) -> bool:
        """Whether the game is over; ends it if the board says so, or if it has reached the greatest length."""
        if self.verdict is None and self.position.result is not None:
            self.on_board()
        elif self.verdict is None and self.ply >= self.game.longest_game:
            self.as_it_stands(self.game.adjudicate(self.position))
        return self.verdict is not None

    def resigned(self, player: int) -> None:
        """End the game: a player resigned."""
        text = f"{self.called(player)} resigned at move {self.ply + 1}"
        self.end(1 - player, Reason.RESIGNATION, text, loser=player)

    def on_board(self, more: str = "") -> None:
        """End the game as its board says; `more` is added to the text of the verdict."""
        result = self.position.result
        text = "drawn on the board" if result.winner is None else self._wins(result, " on the board")
        self.end(result.winner, Reason.NORMAL, f"{text} after {counted(self.ply, 'move')}{more}")

    def as_it_stands(self, result: Result) -> None:
        """End the game at its greatest length, with the result as the board was counted."""
        who = "it is drawn" if result.winner is None else self._wins(result)
        text = f"stopped after {counted(self.ply, 'move')}, the most that a game may have; as the board stands, {who}"
        self.end(result.winner, Reason.NORMAL, text, result=result)

    def counted_elsewhere(self, result: Result) -> None:
        """End the game with the result that its file gives, although its moves do not end it."""
        who = "drawn" if result.winner is None else self._wins(result)
        text = f"{who}, as the file says: its board is open after {counted(self.ply, 'move')}"
        self.end(result.winner, Reason.NORMAL, text, result=result)

    def void(self, why: str, log: Sequence[str] = ()) -> None:
        """End the game: nobody wins, because of `why`; the lines of `log` show more."""
        self.end(None, Reason.VOID, why, stderr=tuple(log))

    def _wins(self, result: Result, where: str = "") -> str:
        assert result.winner is not None
        margin = "" if result.margin is None else f" by {result.margin:g}"
        return f"{self.called(result.winner)} wins{where}{margin}"

    def _final_position(self) -> str:
        try:
            return self.game.format_position(self.position)
        except RulesError:  # a game's own file fails; the moves say the same
            return ""

    def record(self, **more: Any) -> GameRecord:
        """The record of a game that is over; `more` are fields of the record."""
        assert self.verdict is not None
        verdict, result = self.verdict, self._result
        if result is None and verdict.reason is Reason.VOID:  # its rules may fail, so they are not asked
            result = Result(None)
        elif result is None:
            on_board = self.position.result
            fits = on_board is not None and on_board.winner == verdict.winner
            result = on_board if fits else Result(verdict.winner)
        fields: dict[str, Any] = {
            "game": self.game.name,
            "agents": self.names,
            "seed": self.seed,
            "opening": self.opening,
            "moves": tuple(self._moves),
            "result": format_result(self.game, None if verdict.reason is Reason.VOID else result),
            "final_position": self._final_position(),
            "verdict": verdict,
            "peak_memory_mb": (0.0, 0.0),
            "options": self.game.settled_options,
            "date": self._date,
            "limits": self.limits,
        }
        record = GameRecord(**fields | more)
        self._observe(record)
        return record
