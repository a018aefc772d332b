"""One game between two clients by the referee's rules: what their lines mean, and when they count.

It knows no sockets and reads no clock: it gets lines, with the times at which they came, and says what is to be sent.
An answer within a player's time is its move; a line that is no move is ignored then, and the clock runs on. During the
cushion after that time, any line of the player is replaced by a random move. A player that has sent nothing by the end
of the cushion loses.

Begin reading at `ServerGame.received`.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from agents.limits import Limits
from game import FIRST, SECOND
from simulator.course import protocol
from simulator.course.connection import FLOOD_BYTES
from simulator.course.protocol import (
    DRAW,
    WINNER,
    GameOver,
    MoveLine,
    Play,
    ProtocolError,
    Start,
    player_name,
    read_move,
)
from simulator.course.scoresheet import FAULTS, CourseScoresheet, ImpossibleMove
from simulator.gtp.syntax import one_line
from simulator.player import faults
from simulator.player.faults import Fault
from simulator.referee.events import Observer, ignore
from simulator.referee.game_record import GameRecord
from simulator.referee.seeds import derived_seed

SHOWN_COMPLAINTS = 5  # about the lines of one player, in one game


@dataclass(frozen=True)
class _Turn:
    """Whose turn it is, since when (`time.monotonic`), and the time for the move in seconds."""

    player: int
    began: float
    limit: float


class ServerGame:
    """One game.

    Args:
        names: what the clients call themselves.
        limits: the time limits; nothing else is enforced.
        seed: the seed of the moves that replace late ones.
        send: sends a line to one player.
        log: is called with the two STARTs and with every move that both players are sent.
        say: is called with a sentence about anything unusual.
        unfinished: the line that a player has begun to send.

    Attributes:
        record: the record of the game, None before the game is over.
        over: how the game ended, None before that.
    """

    def __init__(
        self,
        names: tuple[str, str],
        limits: Limits,
        *,
        seed: int,
        send: Callable[[int, object], None],
        log: Callable[[object], None],
        say: Callable[[str], None],
        observer: Observer = ignore,
        unfinished: Callable[[int], str] = lambda player: "",
    ) -> None:
        self.record: GameRecord | None = None
        self.over: GameOver | None = None
        self._sheet = CourseScoresheet(names, limits, seed=seed, observer=observer)
        self._limits, self._random = limits, random.Random(derived_seed(seed, "replacement"))
        self._send, self._log, self._say, self._unfinished = send, log, say, unfinished
        self._ignored = ""  # why the last line in this turn was no move
        self._complaints = [0, 0]
        self._turn = _Turn(FIRST, 0.0, 0.0)

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return self._sheet.ply

    def begin(self, now: float) -> None:
        """Tell both that the game begins, and ask for the first move."""
        self._sheet.begin()
        for player, name in enumerate(self._sheet.names):
            start = Start(player, name)
            self._log(start)
            self._send(player, start)
        self._ask(now)

    def received(self, player: int, text: str, now: float) -> None:
        """Take a line of a player, which came at the time `now`."""
        if self.over is not None:
            return
        if player != self._turn.player:
            self._complain(player, f"it is not its turn, {one_line(text, 40)!r} is ignored")
            return
        spent = now - self._turn.began
        if now > self.deadline:
            self._time_is_up(spent)
        elif spent > self._turn.limit:
            self._replace(text, spent, now)
        else:
            self._judge(text, spent, now)

    def left(self, player: int) -> None:
        """End the game: a player has closed its connection and loses."""
        fault = Fault(*FAULTS[protocol.DISCONNECTION], "it closed the connection")
        self._lost(player, fault, f"{protocol.DISCONNECTION} {player_name(player)}")

    def flooded(self, player: int, received: int) -> None:
        """End the game: a player has sent far more than a game takes and loses."""
        details = f"{received} bytes, more than {FLOOD_BYTES}"
        self._lost(player, Fault(*FAULTS[protocol.FLOOD], details, received, FLOOD_BYTES), protocol.FLOOD)

    def cancel(self) -> None:
        """End the game without a winner, because the server is stopped."""
        self._sheet.void("the server was stopped")
        self._end(GameOver(protocol.UNDECIDED, reason=protocol.USER_CANCEL))

    def look(self, now: float) -> None:
        """End the game if the time of the player to move is up."""
        if self.over is None and now > self.deadline:
            self._time_is_up(now - self._turn.began)

    @property
    def deadline(self) -> float:
        """The time at which `look` has something to do, if no line comes before."""
        return self._turn.began + self._turn.limit + self._limits.cushion_seconds

    def _ask(self, now: float) -> None:
        player, limits = self._sheet.position.to_move, self._limits
        self._turn = _Turn(player, now, limits.first_move_seconds if self.ply < 2 else limits.move_seconds)
        self._ignored = ""
        self._send(player, Play(player))

    def _judge(self, text: str, spent: float, now: float) -> None:
        """Judge an answer in time: a legal move, an illegal one, or a line that is no move."""
        player = self._turn.player
        try:
            line = read_move(text)
        except ProtocolError as error:
            self._ignored = str(error)
            self._complain(player, f"ignored while its clock runs: {error}")
            return
        try:
            self._play(line, spent, now)
        except ImpossibleMove as error:
            fault = faults.illegal(one_line(text, 80), str(error))
            self._lost(player, fault, f"{protocol.ILLEGAL_MOVE}: {line.in_words()}")

    def _replace(self, text: str, spent: float, now: float) -> None:
        """Play a random move in place of an answer that came during the cushion."""
        player = self._turn.player
        move = self._random.choice(self._sheet.position.legal_moves())
        who = self._sheet.called(player)
        self._say(f"move {self.ply + 1}: {who} answered after {spent:.3f} s: a random move was played")
        self._play(MoveLine.of(move, player), spent, now, replaced=True, answer=one_line(text, 80))

    def _play(self, line: MoveLine, spent: float, now: float, **more: object) -> None:
        """Play a move, tell both, and ask for the next or end the game. Raises ImpossibleMove."""
        self._sheet.write_line(line, spent, **more)
        self._log(line)
        for player in (FIRST, SECOND):
            self._send(player, line)
        result = self._sheet.position.result
        if result is None:
            self._ask(now)
        else:
            self._sheet.on_board()
            winner = result.winner
            self._end(GameOver(DRAW) if winner is None else GameOver(WINNER, winner))

    def _time_is_up(self, spent: float) -> None:
        limit, cushion = self._turn.limit, self._limits.cushion_seconds
        unfinished = one_line(self._unfinished(self._turn.player), 80)
        why = f"{unfinished!r} came without a line break" if unfinished else self._ignored
        details = f"no answer within {limit:g} s and the cushion of {cushion:g} s" + (f"; {why}" if why else "")
        fault = Fault(*FAULTS[protocol.TIMEOUT], details, spent, limit)
        self._lost(self._turn.player, fault, protocol.TIMEOUT)

    def _lost(self, player: int, fault: Fault, reason: str) -> None:
        self._sheet.lost(player, fault)
        self._end(GameOver(WINNER, 1 - player, reason))

    def _end(self, over: GameOver) -> None:
        if self.over is not None:  # the first end counts
            return
        self.record = self._sheet.record()  # first: whoever sees `over` finds a record
        self.over = over
        for player in (FIRST, SECOND):
            self._send(player, over)

    def _complain(self, player: int, text: str) -> None:
        """Say what was ignored, at most SHOWN_COMPLAINTS times for each player."""
        self._complaints[player] += 1
        if self._complaints[player] <= SHOWN_COMPLAINTS:
            self._say(f"{self._sheet.called(player)}: {text}")
