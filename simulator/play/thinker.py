"""An agent that thinks in a thread, so that a screen stays alive: asked, hurried, paused, and called off.

A question to it is a `Request`. While the agent thinks, the thread that waits for it looks at its process about 50
times a second; only there the agent is paused, told to hurry, or given up.

*Move now* ends the time for the move. Agents of ours that search for a time answer within some milliseconds, students'
agents as soon as they look at `clock.remaining`; an agent that never looks goes on until its time is over. GTP has no
command for this: for a program that speaks GTP, `move_now` returns False, and the program answers when it is ready.

*A pause* stops the process. The time of a pause does not count, nor does the time for which this program itself is
stopped (Ctrl-Z, a laptop that sleeps). The agent's own clock runs on meanwhile, so its answer after that is dropped,
and it is asked again with a whole move's time. The time of the dropped answer does not count either. Ctrl-Z does not
stop the agent: an answer that it gives while this program is stopped is taken.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from agents.agent import RESIGN, AgentSpec
from agents.limits import Limits
from game import Game
from simulator.gtp.analysis import Analysis
from simulator.play.names import agent_name
from simulator.play.request import CalledOff, Request
from simulator.player.compile_ahead import compile_ahead
from simulator.player.faults import AgentFailed, Fault
from simulator.player.launch import launch_for
from simulator.player.move_time import MoveTime
from simulator.player.player import OnLook, Player
from simulator.player.study import RankedMove
from simulator.sandbox.isolation import IsolationLevel

__all__ = ["AgentFailed", "AgentMove", "CalledOff", "RankedMove", "Request", "Thinker"]

T = TypeVar("T")

STUDY_SLICE_SECONDS = 0.2  # a study can be ended after each such slice
MOST_STALLS = 3  # after more stalls of this program, an answer is taken all the same: this machine will stall again


@dataclass(frozen=True)
class AgentMove:
    """What an agent answered.

    Attributes:
        move: the move; None can be a move, in a game whose pass is None.
        seconds: the time from the question to the answer, start-up included if there was one.
    """

    move: Any
    seconds: float
    analysis: Analysis
    resigns: bool = False


class Thinker(AbstractContextManager["Thinker"]):
    """An agent in its usual process and sandbox, with a thread that waits for it; use it in a `with`, or `close` it.

    It answers one request at a time; other requests wait. A request that comes after it was closed is called off at
    once. It may be asked and closed by different threads.
    """

    def __init__(
        self, game: Game, spec: AgentSpec, limits: Limits, seed: int = 0, isolation: IsolationLevel = "best"
    ) -> None:
        self.game, self.spec, self.limits = game, spec, limits
        self.name = agent_name(spec.text)
        self._seed, self._isolation = seed, isolation
        self._player: Player | None = None  # only the thread uses it; None if no process runs
        self._has_moved = False
        # One thread for all requests: an agent's process ends with the thread that started it (PR_SET_PDEATHSIG).
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"waits for {spec.name}")
        self._open: set[Request[Any]] = set()  # asked and not answered
        self._changing = threading.Lock()  # held while `_open` or `_is_closed` changes
        self._is_closed = False

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, *, waits: bool = True) -> None:
        """Call off all requests, and end the agent's process; `waits`: return when it has ended. May be repeated."""
        with self._changing:
            if self._is_closed:
                return
            self._is_closed = True
            for request in self._open:
                request.cancel()
            ended = self._thread.submit(self._end)
        self._thread.shutdown(wait=waits)
        if waits:
            ended.result()

    def start(self) -> Request[None]:
        """Start the process, to see whether the agent can play; `result` raises AgentFailed if it cannot."""
        return self._ask(self._start)

    def move(self, positions: list[Any]) -> Request[AgentMove]:
        """Ask for the move at the end of a game."""
        positions = list(positions)
        return self._ask(lambda request: self._answer(positions, request))

    def study(self, positions: list[Any], seconds: float) -> Request[list[RankedMove]]:
        """Ask what the agent thinks of every move at the end of a game after so many seconds, best first.

        `move_now` ends the study with what was found so far. `result` raises AgentFailed if the agent cannot analyse.
        """
        positions = list(positions)
        return self._ask(lambda request: self._study(positions, seconds, request))

    def _ask(self, work: Callable[[Request[T]], T]) -> Request[T]:
        request: Request[T] = Request(self.name, not self.spec.is_gtp)
        with self._changing:
            if not self._is_closed:
                self._open.add(request)
                request.when_done(self._forget)
                self._thread.submit(request.run, work)
                return request
        request.cancel()
        request.run(work)  # this only calls it off
        return request

    def _forget(self, request: Request[Any]) -> None:
        with self._changing:
            self._open.discard(request)

    # --- In the thread ---

    def _start(self, request: Request[None]) -> None:
        """Start the process, which may read its files until its first move; that still has a first move's time."""
        if self._player is None:
            with self._process(request) as (player, look):
                player.start(look)
                player.stop()

    def _answer(self, positions: list[Any], request: Request[AgentMove]) -> AgentMove:
        stalls = 0
        while True:
            request.asked()
            answer = self._move(positions, request)
            if request.is_off:
                raise CalledOff
            stalls += request.was_stalled
            is_dropped = request.was_paused or (request.was_stalled and stalls <= MOST_STALLS)
            if request.hurries or not is_dropped:
                return answer

    def _move(self, positions: list[Any], request: Request[Any]) -> AgentMove:
        with self._process(request) as (player, look):
            limit = self.limits.move_seconds if self._has_moved else self.limits.first_move_seconds
            self._has_moved = True
            answer = player.ask(positions, MoveTime(limit, self.limits.cushion_seconds), look)
            resigns = answer.text.lower() == RESIGN
            move = None if resigns else answer.played().last_move
            stood_still = max(request.stopped_seconds, answer.unsure_seconds)  # the agent, or this program
            found = AgentMove(move, max(0.0, answer.seconds - stood_still), player.analysis(), resigns)
            player.pause()
        return found

    def _study(self, positions: list[Any], seconds: float, request: Request[list[RankedMove]]) -> list[RankedMove]:
        searched = 0.0
        while True:
            request.asked(is_clock_kept=True)
            found = self._ranked(positions, min(STUDY_SLICE_SECONDS, seconds - searched), request)
            searched += STUDY_SLICE_SECONDS
            if request.is_off:
                raise CalledOff
            if not found or searched >= seconds or request.hurries:
                return found

    def _ranked(self, positions: list[Any], seconds: float, request: Request[Any]) -> list[RankedMove]:
        """Ask for a ranking; asked again about the same positions, the agent goes on where it stopped."""
        allowed = MoveTime(self.limits.first_move_seconds, self.limits.cushion_seconds)
        with self._process(request) as (player, look):
            found = player.study(positions, seconds, allowed, look)
            player.stop()
        return found

    @contextmanager
    def _process(self, request: Request[Any]) -> Iterator[tuple[Player, OnLook]]:
        """The player, whose process is started if it does not run, and what to call while the player is waited for.

        A fault of the agent becomes AgentFailed, which names the agent. After this and any other exception, the process
        is ended, because nobody knows what it is doing.
        """
        if self._player is None:
            # Before the agent's clock runs: what is compiled in a sandbox cannot be kept.
            compile_ahead(self.game, [self.spec], limits=self.limits, on_look=lambda: request.look(None))
            launch = launch_for(self.spec, self.game, self.limits, seed=self._seed, isolation=self._isolation)
            self._player, self._has_moved = Player(launch), False
        player = self._player
        try:
            yield player, lambda memory_mb: request.look(player)
        except Fault as fault:
            self._end()
            raise AgentFailed(f"{self.spec.name} {fault}", player.log.last_lines()) from fault
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        """End the agent's process; the next question starts another."""
        player, self._player = self._player, None
        if player is not None:
            player.close(polite=True)
