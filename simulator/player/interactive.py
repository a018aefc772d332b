"""An agent that a person plays against, or asks for advice.

The referee's games only go forward; a person takes moves back, begins in the middle, and asks for advice about moves
that are then not played. Before each question the engine's board is brought to the position by `undo` and `play`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from agents.agent import RESIGN, AgentSpec
from agents.limits import Limits
from game import Game, IllegalMove, NotationError
from simulator.gtp.analysis import Analysis
from simulator.player import faults
from simulator.player.compile_ahead import compile_ahead
from simulator.player.faults import Fault
from simulator.player.launch import Launch
from simulator.player.player import MoveTime, Player
from simulator.player.prepare import cache_of
from simulator.player.study import RankedMove, ranked_moves
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import IsolationLevel, available_mechanisms

OnLook = Callable[[Player | None], None]
"""Called some times per second while an answer is awaited; what it raises ends the waiting.

While what the agent needs is compiled, there is no player yet.
"""


class AgentFailed(Exception):
    """The agent failed; it may be asked again.

    Attributes:
        stderr: the last lines of its log, oldest first.
    """

    def __init__(self, message: str, stderr: tuple[str, ...]) -> None:
        super().__init__(message)
        self.stderr = stderr

    def quoted(self) -> list[str]:
        """Its last lines as they are shown."""
        return [f"    | {line}" for line in self.stderr]


@dataclass(frozen=True)
class AgentMove:
    """What an agent answered.

    Attributes:
        move: the move, None if it resigns.
        seconds: from the question to the answer, start-up included where there was one.
        analysis: what it says of the move.
    """

    move: Any
    seconds: float
    analysis: Analysis


class Opponent(AbstractContextManager["Opponent"]):
    """An agent that answers questions about positions; the first starts its process, or `start`. Use it in a `with`."""

    def __init__(
        self, game: Game, spec: AgentSpec, limits: Limits, seed: int = 0, isolation: IsolationLevel = "best"
    ) -> None:
        self.game, self.spec, self.limits, self.name = game, spec, limits, spec.name
        self._seed, self._isolation = seed, isolation
        self._player: Player | None = None
        self._board: list[Any] = []  # the positions of the game as its engine knows it
        self._has_been_asked = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the agent's process; the next question starts another."""
        player, self._player = self._player, None
        if player is not None:
            player.process.on_look = lambda memory_mb: None  # what was asked last is over: nobody looks any more
            player.close(polite=True)

    def start(self, position: Any, on_look: OnLook = lambda player: None) -> None:
        """Start the agent's process before its first question, to see whether it can be. Raises AgentFailed.

        Its first move is still to come: it may read its files until then, and has a first move's time for it. One that
        runs already goes on as it is.
        """
        if self._player is not None:
            return
        player = self._player_for([position], on_look)
        player.process.on_look = lambda memory_mb: on_look(player)
        with self._failures(player):
            player.try_out()
            player.process.stop(ends_reads=False)

    def answer(self, positions: list[Any], on_look: OnLook = lambda player: None) -> AgentMove:
        """The agent's move at the end of a game. Raises AgentFailed, after which the process has been ended.

        After anything else that `on_look` raises, too: nobody knows what the agent does then.
        """
        player = self._player_for(positions, on_look)
        self._bring(player, positions)
        limit = self.limits.move_seconds if self._has_been_asked else self.limits.first_move_seconds
        self._has_been_asked = True
        with self._failures(player):
            allowed = MoveTime(limit, self.limits.cushion_seconds)
            reply = player.ask(allowed, lambda memory_mb: on_look(player))
            answer = AgentMove(self._move(reply.text, positions[-1]), reply.seconds, player.analysis())
            if answer.move is not None:
                self._board.append(positions[-1].play(answer.move))
            player.pause()
        return answer

    def study(self, positions: list[Any], seconds: float, on_look: OnLook = lambda player: None) -> list[RankedMove]:
        """What the agent thinks of every move at the end of a game after so many seconds more, best first.

        Asked again about the same positions, it goes on where it stopped. Raises AgentFailed as `answer` does, also for
        an agent that does not analyse.
        """
        player = self._player_for(positions, on_look)
        self._bring(player, positions)
        allowed = MoveTime(self.limits.first_move_seconds, self.limits.cushion_seconds)
        with self._failures(player):
            text = player.study(seconds, allowed, lambda memory_mb: on_look(player))
            try:
                moves = ranked_moves(text, self.game, positions[-1])
            except ValueError as error:
                raise faults.malformed(f"what it thinks of the moves: {error}") from error
            player.process.stop(ends_reads=False)
        return moves

    @contextmanager
    def _failures(self, player: Player) -> Iterator[None]:
        """A fault of the agent as AgentFailed, which names it; its process is ended then."""
        try:
            yield
        except Fault as fault:
            self.close()
            raise AgentFailed(f"{self.name} {fault}", player.process.log.last_lines()) from fault
        except BaseException:
            self.close()
            raise

    def _player_for(self, positions: list[Any], on_look: OnLook) -> Player:
        if self._player is not None and not self._can_reach(positions):
            self.close()
        if self._player is None:
            # Off its clock: what a sandbox compiles cannot be kept.
            compile_ahead(
                self.game.name,
                [self.spec],
                options=self.game.settled_options,
                limits=self.limits,
                on_look=lambda: on_look(None),
            )
            self._player = Player(self._launch(), positions[-1].to_move)
            self._board, self._has_been_asked = [self.game.initial()], False
        return self._player

    def _launch(self) -> Launch:
        return Launch(
            self.spec,
            self.game,
            self.limits,
            seed=self._seed,
            cores=choose_cores(self.limits.processors),
            mechanisms=available_mechanisms(self._isolation),
            cache=cache_of(self.spec, self.game),
        )

    def _shared(self, positions: list[Any]) -> int:
        """How many positions the engine's board and a game have in common, from their start."""
        pairs = enumerate(zip(self._board, positions, strict=False))
        return next((i for i, (own, other) in pairs if own != other), min(len(self._board), len(positions)))

    def _can_reach(self, positions: list[Any]) -> bool:
        """Whether the engine can be brought there: it may have to take moves back, which not every engine can."""
        assert self._player is not None
        can_undo = not self._has_been_asked or self._player.knows("undo")
        return can_undo or self._shared(positions) == len(self._board)

    def _bring(self, player: Player, positions: list[Any]) -> None:
        """Queue what brings the engine's board to the end of a game."""
        shared = self._shared(positions)
        if shared == 0:
            commands = [f"unforced-set_position {self.game.format_position(positions[0])}"]
            shared = 1
        else:
            commands = ["undo"] * (len(self._board) - shared)
        for before, after in zip(positions[shared - 1 :], positions[shared:], strict=False):
            commands.append(player.play_command(before.to_move, self.game.format_move(after.last_move)))
        player.pending = commands
        player.side = positions[-1].to_move
        self._board = list(positions)

    def _move(self, text: str, position: Any) -> Any:
        """The legal move that an answer means, None for resignation. Raises Fault."""
        if text.lower() == RESIGN:
            return None
        try:
            move = self.game.parse_move(text, position)
            position.play(move)
        except (NotationError, IllegalMove) as error:
            raise faults.illegal(text, str(error)) from error
        return move
