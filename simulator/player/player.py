"""One player of a game: an agent that is told the moves of others, asked for its own, and stopped between its turns.

An agent is a worker of ours (a Python agent, see `worker.py`) or another program that speaks GTP. What it is to know of
the game is queued (`tell`, `correct`) and sent together with the next request, so that it learns it on its own clock.
Everything that an agent can do wrong comes out as a `Fault`; an `OSError` is the fault of the referee's machine.

Begin reading at `Player.ask`. Below it: `process` (start, watch, stop, kill), `launch` (command line, environment),
`log`, and `faults` (the words for what went wrong).
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from agents.limits import Limits
from game import Game
from simulator.gtp.analysis import Analysis
from simulator.gtp.client import Client, EngineClosed, EngineError, EngineTimeout, MalformedAnswer, Refused, Reply
from simulator.player import faults
from simulator.player.faults import Fault
from simulator.player.launch import Launch
from simulator.player.process import AgentProcess

# An agent of ours needs 0.001; who once takes longer, or more of the processor, is not asked again in this game.
ANALYSIS_SECONDS = 0.25
ANALYSIS_BUSY_SECONDS = 0.05
QUIT_SECONDS = 0.5  # for `Agent.close`, before the process is killed

STATS = "unforced-search_stats"


class Answer(NamedTuple):
    """What an agent answered to `genmove`.

    Attributes:
        text: the answer.
        seconds: from the flushed request to the answer's last newline.
        delay_seconds: the most that the referee itself looked too late while it waited, see `MoveRecord`.
        unsure_seconds: by how much less than `seconds` it may have been, because the referee itself was held up.
    """

    text: str
    seconds: float
    delay_seconds: float
    unsure_seconds: float


@dataclass(frozen=True)
class MoveTime:
    """The time for one move, in seconds.

    Attributes:
        limit: for the move; infinite where only the game clock counts.
        cushion: by which an answer may be late before nobody waits for it any more.
        clock: what is left on the game clock, None without one; there is no cushion for that.
    """

    limit: float
    cushion: float = 0.0
    clock: float | None = None

    @property
    def at_most(self) -> float:
        """How long an answer is awaited."""
        return min(self.limit + self.cushion, math.inf if self.clock is None else self.clock)

    @property
    def announced(self) -> float:
        """Until when an answer is in time."""
        return min(self.limit, self.at_most)

    def __str__(self) -> str:
        if self.clock is not None and self.clock <= self.limit + self.cushion:
            return f"the {self.clock:.3f} s left on its clock"
        return f"{self.limit:g} s" + (f" and the cushion of {self.cushion:g} s" if self.cushion else "")


class Player:
    """An agent as player 0 or 1 of one game.

    Attributes:
        side: the player whose moves it is asked for, 0 or 1.
        name: what it is called in this game.
        process: what it runs in.
        pending: GTP commands that it is sent before it is asked for its next move.
        startup_seconds: from the start of its clock to its first answer to anything: starting, imports, `setup`;
            None before.
    """

    def __init__(self, launch: Launch, side: int) -> None:
        self.side, self.name = side, launch.name or launch.spec.name
        self.process = AgentProcess(launch)
        self.pending: list[str] = []
        self.startup_seconds: float | None = None
        self._launch, self._game = launch, launch.game
        self._history: list[str] = []  # every move of the game so far, as a command
        self._known = frozenset({"undo", "time_left", STATS})  # commands that matter here; a worker has them all
        self._reads_fractions = True

    def knows(self, command: str) -> bool:
        """Whether its engine has a command."""
        return command in self._known

    # --- What it is to know ---

    def tell(self, side: int, move: str) -> None:
        """A move that it has not made itself."""
        self._history.append(self.play_command(side, move))
        self.pending.append(self._history[-1])

    def made(self, move: str) -> None:
        """The move that it answered was accepted; its board has it already."""
        self._history.append(self.play_command(self.side, move))

    def correct(self, move: str, has_played: bool) -> None:
        """Its answer was replaced by `move`; `has_played` says whether its own is on its board now."""
        self.made(move)
        if not has_played:
            self.pending = self._history[-1:]
        elif self.knows("undo"):
            self.pending = ["undo", self._history[-1]]
        else:
            self.pending = ["clear_board", *self._history]

    def play_command(self, side: int, move: str) -> str:
        """The GTP command for a move."""
        return f"play {self._game.players[side]} {move}"

    # --- Asking ---

    def ask(self, allowed: MoveTime, on_look: Callable[[float], None] = lambda memory_mb: None) -> Answer:
        """Ask for a move; starts the process if it is the first, otherwise lets it go on.

        An answer within the cushion is returned, not judged. `on_look` is called about 50 times a second with the
        memory in use in MB. The clock of the first move begins before the process is started, that of a later one when
        the request has been written. Raises Fault for everything that the agent does wrong, OSError if the machine
        fails.
        """
        self.process.on_look = on_look
        if self.process.client is not None:
            self.process.client.take_delays()  # those of other questions
        started, is_first = time.monotonic(), self.process.client is None
        with self._faults(allowed, started):
            if is_first:
                self._begin(started, started + allowed.at_most)
            else:
                self.process.resume()
            commands = [*self.pending, *self._time_left(allowed), f"genmove {self._game.players[self.side]}"]
            client = self._client()
            ids = client.send(commands, (started if is_first else time.monotonic()) + allowed.at_most)
        started = started if is_first else client.sent
        with self._faults(allowed, started):
            reply = self._receive(commands, ids, started + allowed.at_most)
            self.pending = []
            self.process.check()
        delays = client.take_delays()
        return Answer(reply.text, reply.arrived - started, delays.worst, delays.unsure)

    def try_out(self) -> None:
        """Start the process and wait until it answers anything, with the time of a first move: could it play?

        Raises Fault if it could not, OSError if the machine fails.
        """
        limits, started = self._launch.limits, time.monotonic()
        allowed = MoveTime(limits.first_move_seconds, limits.cushion_seconds)
        with self._faults(allowed, started):
            self._begin(started, started + allowed.at_most)
            self.process.check()

    def study(self, seconds: float, allowed: MoveTime, on_look: Callable[[float], None]) -> str:
        """The answer to `unforced-study`; starts the process if it was not, otherwise lets it go on.

        `allowed` is beyond the seconds asked for. Raises Fault as `ask` does, and for an agent that does not analyse.
        """
        self.process.on_look = on_look
        started = time.monotonic()
        with self._faults(allowed, started):
            if self.process.client is None:
                self._begin(started, started + allowed.at_most)
            else:
                self.process.resume()
            deadline = time.monotonic() + seconds + allowed.at_most
            reply = self._request([*self.pending, f"unforced-study {seconds:.3f}"], deadline)
            self.pending = []
            self.process.check()
        return reply.text

    def hurry(self) -> bool:
        """End the time for the move that it thinks about, if it has answered anything; False if it cannot be told.

        A Python agent that looks at its clock, or searches by a `Pacer` as ours do, answers at once. A program that
        speaks GTP has no word for it.
        """
        if self._launch.spec.is_gtp or self.startup_seconds is None:
            return False
        self.process.hurry()
        return True

    def analysis(self) -> Analysis:
        """What the agent says of its last move; empty if it says nothing, or nothing sensible, or not at once.

        Off the clock, and therefore with a short deadline of its own; who uses the time to think is not asked again.
        Raises Fault only for too much memory, or if the process is gone.
        """
        if self.process.client is None or not self.knows(STATS):
            return Analysis()
        busy = self.process.busy_seconds()
        analysis = self._ask_analysis()
        if self.process.busy_seconds() - busy > ANALYSIS_BUSY_SECONDS:
            self._known -= {STATS}
        return analysis

    def pause(self) -> None:
        """Stop all of its processes, until the next `ask`. Its memory is not looked at meanwhile.

        The first time, reading of files ends. Raises Fault, see `AgentProcess.stop`.
        """
        self.process.stop()

    def close(self, polite: bool = False) -> None:
        """End its processes. May be called more than once.

        With `polite` the engine is told to quit first, and has QUIT_SECONDS to tidy up. Raises OSError if a process
        cannot be killed, or what held it cannot be removed.
        """
        try:
            if polite and self.process.client is not None:
                self.process.resume()
                self._request(["quit"], time.monotonic() + QUIT_SECONDS)
        except (EngineError, Fault):
            return  # the game is over: whether it takes its leave in good form does not matter
        finally:
            self.process.close()

    # --- The wire ---

    def _client(self) -> Client:
        assert self.process.client is not None
        return self.process.client

    def _begin(self, started: float, deadline: float) -> None:
        self.process.start(started)
        self._greet(deadline)
        self.startup_seconds = time.monotonic() - started

    def _greet(self, deadline: float) -> None:
        """Wait until the engine is there, and tell another program's what is played; a worker was told as it began."""
        if not self._launch.spec.is_gtp:
            self._tolerant_request("protocol_version", deadline)
            return
        self._known = frozenset((self._tolerant_request("list_commands", deadline) or "").split())
        self._reads_fractions = self.knows(STATS)
        size, komi = _board_size(self._game), self._game.settled_options.get("komi")
        if self.knows("boardsize") and size is not None:
            self._request([f"boardsize {size}"], deadline)
        self._request(["clear_board"], deadline)
        if self.knows("komi") and komi is not None:
            self._tolerant_request(f"komi {komi:g}", deadline)
        if self.knows("time_settings") and (settings := self._time_settings(self._launch.limits)):
            self._tolerant_request(settings, deadline)

    def _time_settings(self, limits: Limits) -> str:
        """What GTP can say of the limits: nothing of an infinite one, nor of a game clock's increment."""
        if limits.clock_seconds:
            return f"time_settings {self._gtp_seconds(limits.clock_seconds)} 0 0"
        return "" if math.isinf(limits.move_seconds) else f"time_settings 0 {self._gtp_seconds(limits.move_seconds)} 1"

    def _time_left(self, allowed: MoveTime) -> list[str]:
        if allowed.clock is None or not self.knows("time_left"):
            return []
        return [f"time_left {self._game.players[self.side]} {self._gtp_seconds(allowed.clock)} 0"]

    def _gtp_seconds(self, seconds: float) -> str:
        """A time as an engine can read it: GTP has whole seconds, and engines of ours read fractions.

        Rounded down, because an engine that trusts a longer time than it has would lose by it; but not to 0, with which
        nobody can play.
        """
        return f"{seconds:.6g}" if self._reads_fractions else str(max(1, math.floor(seconds)))

    def _request(self, commands: list[str], deadline: float) -> Reply:
        """Send commands in one piece, read all answers, return the last."""
        return self._receive(commands, self._client().send(commands, deadline), deadline)

    def _receive(self, commands: list[str], ids: list[int], deadline: float) -> Reply:
        for command, request_id in zip(commands, ids, strict=True):
            try:
                reply = self._client().receive(request_id, deadline)
            except Refused as error:
                raise faults.refused(command, str(error)) from error
        return reply

    def _tolerant_request(self, command: str, deadline: float) -> str | None:
        """The answer to a command that an engine may refuse, None if it does."""
        client = self._client()
        try:
            return client.receive(client.send([command], deadline)[0], deadline).text
        except Refused:
            return None

    def _ask_analysis(self) -> Analysis:
        client, deadline = self._client(), time.monotonic() + ANALYSIS_SECONDS
        request_id = None
        try:
            request_id = client.send([STATS], deadline)[0]
            return Analysis.from_text(client.receive(request_id, deadline).text)
        except EngineTimeout:
            self._known -= {STATS}
            if request_id is not None:
                client.abandon(request_id)
        except EngineError:
            pass  # it may refuse; after anything else, the next request will meet the same, on the agent's clock
        return Analysis()

    @contextmanager
    def _faults(self, allowed: MoveTime, started: float) -> Iterator[None]:
        """What goes wrong on the wire, as a Fault that says who did what."""
        log = self.process.log
        before = log.received
        try:
            yield
        except EngineTimeout as error:
            seconds = time.monotonic() - started
            printed_mb = (log.received - before) >> 20
            self.process.write_stacks()
            raise faults.no_answer(
                str(allowed), seconds, allowed.announced, printed_mb=printed_mb, has_stacks=log.shows_stacks
            ) from error
        except EngineClosed as error:
            raise self.process.how_it_ended() from error
        except MalformedAnswer as error:
            raise faults.malformed(str(error)) from error


def _board_size(game: Game) -> int | None:
    """What `boardsize` is to say: the game's own size, else the side of a square board, None for another board."""
    size: int | None = game.settled_options.get("size")
    if size is not None:
        return size
    shape = game.initial().board.shape
    return int(shape[0]) if len(shape) == 2 and shape[0] == shape[1] else None
