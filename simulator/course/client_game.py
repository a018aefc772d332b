"""One game of our agent at the course's server, from the client's side.

The agent plays in its usual process and sandbox. The board changes only by what the server announces, never by the
agent's answer: the server may have played another move in its place. The agent is told less time than the server
gives, by a margin for the way there and back.

A late answer is sent all the same, as long as the server has not announced a move for us. During its cushion the server
waits for a line; if one comes, it throws the line away and plays a random move, else the game is lost. Once a move was
announced for us, a late answer is thrown away here: the server would take it for our next move.

Begin reading at `ClientGame.play`.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from agents.agent import RESIGN
from agents.limits import Limits
from game import SECOND
from options import counted
from simulator.course.connection import FLOOD_BYTES, Connection, Line
from simulator.course.protocol import GameOver, MoveLine, Play, ProtocolError, Start, read_server_line, said_by_server
from simulator.course.scoresheet import CourseScoresheet, ImpossibleMove
from simulator.gtp.analysis import Analysis
from simulator.gtp.syntax import one_line
from simulator.player.faults import Fault
from simulator.player.move_time import Answer, MoveTime
from simulator.player.player import Player
from simulator.referee.game_record import GameRecord

LEAST_SECONDS = 0.05  # an agent is given so much, however late it is asked
LARGEST_MARGIN = 0.25  # of a move's time
READS_AT_A_LOOK = 16  # at most; a game needs one
OPPONENT = "opponent"  # the protocol does not say its name


class ServerError(Exception):
    """No game was begun: the server closed the connection, or said that there is no game; the message says which."""


class _Over(Exception):
    """The server has ended the game, or closed the connection, while the agent was thinking."""


def told_limits(limits: Limits, margin: float) -> Limits:
    """The limits that the agent is told: the server's, with less time, by a margin of so many seconds."""
    seconds = (limits.first_move_seconds, limits.move_seconds)
    first, later = (each - min(margin, LARGEST_MARGIN * each) for each in seconds)
    return replace(limits, first_move_seconds=first, move_seconds=later)


def time_left(told: Limits, *, is_first: bool, spent: float) -> MoveTime:
    """The time for an answer after `spent` seconds of it have gone by already."""
    left = (told.first_move_seconds if is_first else told.move_seconds) - spent
    return MoveTime(max(LEAST_SECONDS, left), max(0.0, told.cushion_seconds + min(0.0, left)))


class Inbox:
    """The lines of a connection in the order in which they came; they are kept until somebody asks for them."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._lines: deque[Line] = deque()

    def look(self) -> None:
        """Read what has come, without waiting."""
        for _ in range(READS_AT_A_LOOK):
            if self.connection.is_closed or not self.connection.wait(0):
                return
            self._read()

    def next(self) -> Line | None:
        """The next line, as soon as there is one; None when the connection is closed and all was read."""
        while not self._lines and not self.connection.is_closed:
            self.connection.wait()
            self._read()
        return self._lines.popleft() if self._lines else None

    def _read(self) -> None:
        """Read what has come; if that is more than a game can have, drop it and close the inbox."""
        self._lines += self.connection.read()
        if self.connection.received > FLOOD_BYTES:
            self._lines.clear()
            self.connection.is_closed = True

    @property
    def how_it_ended(self) -> str:
        """Why there are no more lines: what the server did."""
        if self.connection.received > FLOOD_BYTES:
            return f"the server sent more than {FLOOD_BYTES} bytes"
        return "the connection to the server ended"

    def is_over(self) -> bool:
        """Whether the game is over, so that nothing that is sent now counts."""
        said = (said_by_server(line.text) for line in self._lines)
        return self.connection.is_closed or any(isinstance(one, GameOver) for one in said)

    def has_move_of(self, player: int) -> bool:
        """Whether a move of that player has come and was not read yet."""
        said = (said_by_server(line.text) for line in self._lines)
        return any(isinstance(one, MoveLine) and one.player == player for one in said)


def begin(inbox: Inbox, name: str) -> Start:
    """Say that we are ready, and wait for the beginning of the game. Raises ServerError."""
    inbox.connection.send(f"START {name}")
    while (line := inbox.next()) is not None:
        said = said_by_server(line.text)
        if isinstance(said, Start):
            return said
        if isinstance(said, GameOver):
            raise ServerError(f"the server refused: {said.reason or said}")
    raise ServerError(f"{inbox.how_it_ended} before the game began")


class _Answered(NamedTuple):
    """The agent's answer, kept until the server announces what was played."""

    line: MoveLine
    answer: Answer
    analysis: Analysis
    was_sent: bool


class ClientGame:
    """One game of our agent.

    Args:
        inbox: the inbox of the connection, from which the START was read already; answers go back there.
        player, side: the agent, and which player of the game it is.
        told: the agent's limits, see `told_limits`.
        say: is called with a sentence for people about anything unusual.
    """

    def __init__(
        self,
        inbox: Inbox,
        player: Player,
        side: int,
        told: Limits,
        sheet: CourseScoresheet,
        say: Callable[[str], None],
    ) -> None:
        self._inbox, self._player, self._side = inbox, player, side
        self._told, self._sheet, self._say = told, sheet, say
        self._answered: _Answered | None = None
        self._turn_began = time.monotonic()

    def play(self) -> None:
        """Play to the end, however the game ends; always returns. The agent's process goes on, unless at fault."""
        try:
            self._follow()
        except Fault as fault:
            self._player.close()  # first, so that its last words are there to be read
            self._sheet.lost(self._side, fault, self._player.log.last_lines())
        except ImpossibleMove as error:
            self._sheet.void(f"the server announced an impossible move, {error}")
        except (OSError, MemoryError) as error:
            self._sheet.void(f"this machine failed: {str(error) or 'no memory left'}")

    def _follow(self) -> None:
        while self._sheet.verdict is None:
            if (line := self._inbox.next()) is None:
                self._sheet.void(f"{self._inbox.how_it_ended} after {counted(self._sheet.ply, 'move')}")
                return
            try:
                said = read_server_line(line.text)
            except ProtocolError as error:
                self._say(f"ignored: {error}")
                continue
            match said:
                case GameOver():
                    self._sheet.ended(said)
                case MoveLine():
                    self._played(said, line.arrived)
                case Play():
                    self._asked(said, line.arrived)

    # --- Our turn ---

    def _asked(self, play: Play, arrived: float) -> None:
        """It is our turn: ask the agent and send its answer, unless it resigns. Raises Fault."""
        if play.player != self._side or self._sheet.position.to_move != self._side or self._answered is not None:
            self._say(f"ignored: {play}, which does not fit the game")
            return
        try:
            answer = self._ask(arrived)
        except _Over:
            return  # the inbox has the reason
        if answer.text.lower() == RESIGN:
            self._sheet.resigned(self._side)
            return
        line = MoveLine.of(answer.played().last_move, self._side)
        self._inbox.look()
        is_awaited = not self._inbox.has_move_of(self._side)
        if is_awaited:
            self._inbox.connection.send(str(line))
        else:
            self._say(f"move {self._sheet.ply + 1}: an answer after {answer.seconds:.3f} s was thrown away, too late")
        self._answered = _Answered(line, answer, self._player.analysis(), is_awaited)
        self._player.pause()

    def _ask(self, arrived: float) -> Answer:
        allowed = time_left(self._told, is_first=self._sheet.ply < 2, spent=time.monotonic() - arrived)

        def look(memory_mb: float) -> None:
            self._inbox.look()
            if self._inbox.is_over():
                raise _Over

        return self._player.ask(self._sheet.positions, allowed, look)

    # --- What was played ---

    def _played(self, line: MoveLine, arrived: float) -> None:
        """A move was announced: it is on the board now, whoever chose it. Raises ImpossibleMove."""
        seconds, self._turn_began = max(0.0, arrived - self._turn_began), arrived
        answered, self._answered = self._answered, None
        if line.player != self._side or answered is None:
            self._sheet.write_line(line, seconds)
            return
        is_ours = answered.was_sent and line == answered.line
        text = self._sheet.write_line(
            line,
            answered.answer.seconds,
            peak_memory_mb=self._player.sandbox.peak_mb,
            replaced=not is_ours,
            answer=one_line(answered.answer.text),
            analysis=answered.analysis if is_ours else Analysis(),
            delay_seconds=answered.answer.delay_seconds,
        )
        if answered.was_sent and not is_ours:
            late = f"an answer after {answered.answer.seconds:.3f} s"
            self._say(f"move {self._sheet.ply}: {late} was too late, the server played {text} instead")

    # --- The end ---

    def record(self, enforcement: dict[str, str], incidents: Sequence[str]) -> GameRecord:
        """The record of the game, once the agent's processes are closed."""
        return self._sheet.record(
            peak_memory_mb=in_order(self._side, self._player.sandbox.peak_mb, 0.0),
            startup_seconds=in_order(self._side, self._player.startup_seconds, 0.0),
            logs=in_order(self._side, self._player.log.text(), ""),
            transcripts=in_order(self._side, self._player.transcript, ""),
            enforcement=enforcement,
            incidents=tuple(incidents),
        )


def in_order(side: int, own: Any, other: Any) -> tuple[Any, Any]:
    """What belongs to our agent and to the other player, in the order in which they move."""
    return (other, own) if side == SECOND else (own, other)
