"""An agent that a person plays against or asks: a seat whose game can be taken back.

The referee's games only go forward; a person takes moves back, begins in the middle, and asks for advice about moves
that are then not played. Before each question the engine's board is brought to the position by `undo` and `play`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from agents.agent import RESIGN, AgentSpec, Limits
from game import Game, IllegalMove, NotationError
from simulator.player import player as seat
from simulator.player.player import Seat
from simulator.referee.game_record import Reason
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import IsolationLevel, available_mechanisms


class Fault(Exception):
    """The agent failed; it may be asked again.

    Attributes:
        stderr: its last lines, oldest first.
    """

    def __init__(self, message: str, stderr: tuple[str, ...]) -> None:
        super().__init__(message)
        self.stderr = stderr

    def quoted(self) -> list[str]:
        """Its last lines as they are shown."""
        return [f"    | {line}" for line in self.stderr]


@dataclass(frozen=True)
class Answer:
    """What an agent answered.

    Attributes:
        move: the move, None if it resigns.
        seconds: from the question to the answer, start-up included where there was one.
        analysis: what it says of the move, see `Agent.analysis`.
    """

    move: Any
    seconds: float
    analysis: dict[str, Any]


class StudySeat(Seat):
    """A seat that can be brought to any position before it is asked."""

    def __init__(
        self, spec: AgentSpec, game: Game, player: int, limits: Limits, seed: int, isolation: IsolationLevel
    ) -> None:
        options = game.settled_options
        super().__init__(
            spec,
            game,
            player,
            limits,
            seed=seed,
            game_options=options,
            cores=choose_cores(limits.processors),
            mechanisms=available_mechanisms(isolation),
        )
        self.board: list[Any] = [game.initial()]  # the positions of the game as its engine knows it
        self.has_been_asked = False

    def start(self) -> None:
        """Start the process, wait until it answers, and stop it until it is asked. Raises the seat's Fault.

        Its first move is still to come: it may read its files until then, and has a first move's time for it.
        """
        self.try_out()
        self._sandbox.stop()

    def shares(self, positions: list[Any]) -> int:
        """How many positions the engine's board and a game have in common, from their start."""
        shared = 0
        while shared < min(len(self.board), len(positions)) and self.board[shared] == positions[shared]:
            shared += 1
        return shared

    def can_reach(self, positions: list[Any]) -> bool:
        """Whether the engine can be brought there: it may have to take moves back, which not every engine can."""
        return not self.has_been_asked or "undo" in self._known or self.shares(positions) == len(self.board)

    def bring_to(self, positions: list[Any]) -> None:
        """Queue what brings the engine's board to the end of a game."""
        shared = self.shares(positions)
        if shared == 0:
            commands = [f"unforced-set_position {self.game.format_position(positions[0])}"]
            shared = 1
        else:
            commands = ["undo"] * (len(self.board) - shared)
        for before, after in zip(positions[shared - 1 :], positions[shared:], strict=False):
            commands.append(self._play_command(before.to_move, self.game.format_move(after.last_move)))
        self._queue = commands
        self.player = positions[-1].to_move
        self.board = list(positions)


class Opponent:
    """An agent that answers questions about positions; the first starts its process, or `start`. Use it in a `with`."""

    def __init__(
        self, game: Game, spec: AgentSpec, limits: Limits, seed: int = 0, isolation: IsolationLevel = "best"
    ) -> None:
        self.game, self.spec, self.limits, self.seed, self.isolation = game, spec, limits, seed, isolation
        self._seat: StudySeat | None = None

    @property
    def name(self) -> str:
        """What to call it."""
        return self.spec.name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the agent's process; the next question starts another."""
        if self._seat is not None:
            self._seat.close(polite=True)
        self._seat = None

    def start(self, position: Any) -> None:
        """Start the agent's process before its first question, to see whether it can be. Raises Fault if it cannot."""
        study = self._seat_for([position])
        with self._faults(study):
            study.start()

    def answer(self, positions: list[Any]) -> Answer:
        """The agent's move at the end of a game. Raises Fault, after which the process has been ended."""
        study = self._seat_for(positions)
        study.bring_to(positions)
        limit = self.limits.move_seconds if study.has_been_asked else self.limits.first_move_seconds
        study.has_been_asked = True
        with self._faults(study):
            reply = study.ask(limit)
            answer = Answer(self._move(reply.text, positions[-1]), reply.seconds, study.analysis())
            if answer.move is not None:
                study.board.append(positions[-1].play(answer.move))
            study.pause()
        return answer

    @contextmanager
    def _faults(self, study: StudySeat) -> Iterator[None]:
        """What the seat says that the agent did, as a Fault that names it; its process is ended then."""
        try:
            yield
        except seat.Fault as fault:
            self.close()
            raise Fault(f"{self.name} {fault.what}", study.stderr_lines()) from fault

    def _seat_for(self, positions: list[Any]) -> StudySeat:
        if self._seat is not None and not self._seat.can_reach(positions):
            self.close()
        if self._seat is None:
            player = positions[-1].to_move
            self._seat = StudySeat(self.spec, self.game, player, self.limits, self.seed, self.isolation)
        return self._seat

    def _move(self, text: str, position: Any) -> Any:
        """The legal move that an answer means, None for resignation. Raises the seat's Fault."""
        if text.lower() == RESIGN:
            return None
        try:
            move = self.game.parse_move(text, position)
            position.play(move)
        except (NotationError, IllegalMove) as error:
            raise seat.Fault(Reason.ILLEGAL, f"answered {text!r:.60}: {error}") from error
        return move
