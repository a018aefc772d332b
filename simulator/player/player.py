"""One player of a game: it shows the game to its agent, asks for moves, and stops the agent between its turns.

Of the game, an agent is told with each request what its board has not yet, so that it learns it on its own clock.
Everything that it can do wrong comes out as a `Fault`; an `OSError` is the fault of the referee's machine.

Begin reading at `Player.ask`. Beside it: `launch` (files, command line, environment), `move_time`, `engine_words` (what
engines are told), `log`, `checks`, and `faults` (the words for what went wrong).
"""

import errno
import math
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agents.agent import gtp_command
from simulator.gtp.analysis import Analysis
from simulator.gtp.client import Client, EngineClosed, EngineError, EngineTimeout, MalformedAnswer, Refused
from simulator.player import faults
from simulator.player.checks import check_limits, how_it_ended, write_stacks
from simulator.player.engine_words import board_size, moves_to, time_left, time_settings
from simulator.player.faults import Fault
from simulator.player.launch import Launch
from simulator.player.log import AgentLog, Transcript
from simulator.player.move_time import Answer, MoveTime, position_after
from simulator.player.study import RankedMove, ranked_moves
from simulator.sandbox.confine import HURRY_SIGNAL
from simulator.sandbox.sandbox import Sandbox
from simulator.sandbox.visible_files import program_named

# An agent of ours needs 0.001; who once takes longer, or more of the processor, is not asked again in this game.
ANALYSIS_SECONDS = 0.25
ANALYSIS_BUSY_SECONDS = 0.05
PAUSED_BUSY_SECONDS = 0.1  # of processor time between turns; a stopped process has none, and a step of the book is 0.01
QUIT_SECONDS = 0.5  # for `Agent.close`, before the process is killed

STATS = "unforced-search_stats"

OnLook = Callable[[float], None]
"""Is told about 50 times a second, while an answer is awaited, of the memory in use in MB; what it raises ends that."""


def _nobody_looks(memory_mb: float) -> None:
    """Nobody wants to know."""


class Player:
    """An agent as a player of one game.

    Attributes:
        log: what they write to stderr and stdout.
        startup_seconds: from the start of its clock to its first answer to anything: starting, imports, `setup`;
            None before.
    """

    def __init__(self, launch: Launch) -> None:
        self.sandbox = Sandbox(launch.mechanisms, launch.files, launch.limits, launch.cores)
        self.log = AgentLog()
        self.startup_seconds: float | None = None
        self._launch, self._game = launch, launch.game
        self._transcript = Transcript() if launch.keeps_transcript else None
        self._client: Client | None = None  # while its process runs
        self._board: list[Any] = [launch.game.initial()]  # the positions of the game as its engine has them
        self._known = frozenset({"undo", "time_left", STATS})  # commands that matter here; a Python agent has them all
        self._reads_fractions = True
        self._overdrawn = 0.0  # processor seconds of its last analyses, less what was granted for each move since
        self._clock_began = 0.0
        self._on_look: OnLook = _nobody_looks
        self._missed_exit = False

    @property
    def is_python(self) -> bool:
        """Whether it is a Python agent, in a process of ours."""
        return not self._launch.spec.is_gtp

    @property
    def transcript(self) -> str:
        """What went over the wire; empty where that is not kept."""
        return "" if self._transcript is None else self._transcript.text()

    # --- Asking ---

    def start(self, on_look: OnLook = _nobody_looks) -> None:
        """Start the process and wait until it answers anything, with the time of a first move: could it play?

        A process that runs already goes on as it is. Raises Fault if it could not, OSError if the machine fails.
        """
        if self._client is not None:
            return
        limits = self._launch.limits
        allowed = MoveTime(limits.first_move_seconds, limits.cushion_seconds)
        with self._faults(allowed, on_look):
            self._begin(self._clock_began + allowed.at_most)
            check_limits(self.sandbox, self.sandbox.kernel_peak_mb())

    def try_start(self) -> Fault | None:
        """Start it as for its first move, and end it; returns why it could not be started. Raises OSError."""
        try:
            self.start()
        except Fault as fault:
            return fault
        finally:
            self.close()
        return None

    def ask(self, positions: Sequence[Any], allowed: MoveTime, on_look: OnLook = _nobody_looks) -> Answer:
        """Ask for the move at the end of a game; starts the process if it is the first, otherwise lets it go on.

        An answer within the cushion, or that is no legal move, is returned, not judged. The clock of the first move
        begins before the process is started, that of a later one when the request has been written, or before a program
        is asked to take moves back. Raises Fault for all that the agent does wrong, OSError if the machine fails.
        """
        position = positions[-1]
        text, arrived = self._request(positions, f"genmove {self._game.players[position.to_move]}", allowed, on_look)
        delays = self._connected.take_delays()
        after, why_illegal = position_after(text, self._game, position, is_python=self.is_python)
        if after is not None:
            self._board.append(after)
        elif not self.is_python:  # if the game goes on (it came late), nobody knows what the program has on its board
            self._board = []
        seconds = arrived - self._clock_began
        return Answer(text, seconds, delays.worst, delays.unsure, after, why_illegal)

    def study(
        self, positions: Sequence[Any], seconds: float, allowed: MoveTime, on_look: OnLook = _nobody_looks
    ) -> list[RankedMove]:
        """What it thinks of every move at the end of a game after so many seconds, best first; `allowed` is beyond.

        Raises Fault as `ask` does, and for an agent that does not analyse.
        """
        self.start(on_look)
        text, _ = self._request(positions, f"unforced-study {seconds:.3f}", allowed, on_look, seconds)
        try:
            return ranked_moves(text, self._game, positions[-1])
        except ValueError as error:
            raise faults.malformed(f"what it thinks of the moves: {error}") from error

    def hurry(self) -> bool:
        """End the time for the move that it thinks about, if it has answered anything; False if it cannot be told.

        A Python agent that looks at its clock, or searches by a `Pacer` as ours do, answers at once. A program that
        speaks GTP has no word for it.
        """
        if not self.is_python or self.startup_seconds is None:
            return False
        if self._client is not None:
            self.sandbox.signal_agent(HURRY_SIGNAL)
        return True

    def analysis(self) -> Analysis:
        """What the agent says of its last move; empty if it says nothing, or nothing sensible, or not at once.

        Off the clock, and therefore with a short deadline of its own; who misses it is not asked again. Who uses k
        times ANALYSIS_BUSY_SECONDS is not asked for the next k moves, so that nobody gains time to think in. Raises
        Fault only for too much memory, or if the process is gone.
        """
        if self._client is None or STATS not in self._known:
            return Analysis()
        self._overdrawn = max(0.0, self._overdrawn - ANALYSIS_BUSY_SECONDS)
        if self._overdrawn:
            return Analysis()
        busy = self.sandbox.busy_seconds()
        analysis = self._ask_analysis(self._client)
        self._overdrawn = self.sandbox.busy_seconds() - busy
        return analysis

    # --- Turns ---

    def stop(self) -> None:
        """Stop all of its processes until it is asked again, or `resume`. Raises Fault if one cannot be stopped."""
        began = time.monotonic()
        if self._client is not None and not self.sandbox.stop():
            raise faults.not_stopped(time.monotonic() - began)

    def pause(self) -> None:
        """Stop it as `stop` does, when it has moved: the first time, reading of files ends.

        Raises Fault if a process cannot be stopped, or holds a file of its own open.
        """
        self.stop()
        if self._client is not None and (held := self.sandbox.end_reads()):
            raise faults.still_held(*held)

    def resume(self) -> None:
        """Let all its processes go on. Raises Fault if they were busy meanwhile."""
        used = self.sandbox.resume()
        if used > PAUSED_BUSY_SECONDS:
            raise faults.busy_while_stopped(used)

    def close(self, polite: bool = False) -> None:
        """Kill its processes and all that descends from them, and reap them. May be called more than once.

        With `polite` the engine is told to quit first, and has QUIT_SECONDS to tidy up. Raises OSError if a process
        cannot be killed, or what held it cannot be removed.
        """
        try:
            if polite and self._client is not None:
                self.resume()
                self._exchange(["quit"], time.monotonic() + QUIT_SECONDS)
        except (EngineError, Fault):
            return  # the game is over: whether it takes its leave in good form does not matter
        finally:
            self._end()

    # --- The process ---

    def _begin(self, deadline: float) -> None:
        """Start the process. Raises Fault if the program is not there, OSError if no process can be started."""
        spec = self._launch.spec
        if spec.is_gtp and program_named(gtp_command(spec.source)[0]) is None:
            raise faults.not_started()
        token = secrets.token_hex(8)
        command = self._launch.command(self._clock_began, self.sandbox.confinement)
        stdin, stdout, stderr = self.sandbox.start(command, self._launch.environment(token), token)
        tap = (self._transcript.write,) if self._transcript else ()
        self._client = Client(stdout, stdin, self._look, *tap)
        self.log.attach(stderr)
        self._greet(deadline)
        self.startup_seconds = time.monotonic() - self._clock_began

    def _end(self) -> None:
        is_gone = self.sandbox.kill()
        self.log.detach()
        self._client = None
        self.sandbox.close()
        if not is_gone:
            raise OSError(errno.EBUSY, f"processes of {self._launch.name} cannot be killed")

    def _look(self) -> None:
        """Look at the processes while they are waited for.

        A child that holds the wire can outlive the process: the end of the output would never come. That the process
        has ended is raised on the second look only, so that an answer from the last moment is read first.
        """
        self.log.read()
        used = self.sandbox.memory_mb()
        check_limits(self.sandbox, used)
        if self.sandbox.exit_status() is not None:
            if self._missed_exit:
                raise EngineClosed("the process has ended")
            self._missed_exit = True
        self._on_look(used)

    # --- The wire ---

    @property
    def _connected(self) -> Client:
        assert self._client is not None
        return self._client

    def _request(
        self, positions: Sequence[Any], command: str, allowed: MoveTime, on_look: OnLook, more_seconds: float = 0.0
    ) -> tuple[str, float]:
        """Show the engine the game and ask it something; returns the answer, and when it arrived."""
        with self._faults(allowed, on_look):
            seconds = allowed.at_most + more_seconds
            is_first = self._client is None
            if is_first:
                self._begin(self._clock_began + seconds)
            else:
                self._connected.take_delays()  # those of other questions
                self.resume()
            client = self._connected
            commands = moves_to(self._game, self._board, positions, can_undo="undo" in self._known)
            undone = 0 if self.is_python else commands.count("undo")
            if undone:  # on its clock
                was_taken_back = self._take_back(undone, self._clock_began + seconds)
                commands = commands[undone:] if was_taken_back else moves_to(self._game, [], positions, can_undo=False)
            if allowed.clock is not None and "time_left" in self._known:
                colour = self._game.players[positions[-1].to_move]
                limit = math.inf if self.is_python else self._launch.limits.move_seconds  # which its own process knows
                commands.append(time_left(colour, allowed.clock, limit, self._reads_fractions))
            commands.append(command)
            clock_runs = is_first or undone > 0
            ids = client.send(commands, (self._clock_began if clock_runs else time.monotonic()) + seconds)
            if not clock_runs:
                self._clock_began = client.sent
            text = self._receive(commands, ids, self._clock_began + seconds)
            arrived = client.arrived
            self._board = list(positions)
            check_limits(self.sandbox, self.sandbox.kernel_peak_mb())
        return text, arrived

    def _greet(self, deadline: float) -> None:
        """Wait until the engine is there, and tell another program what is played; a Python agent knows."""
        if self.is_python:
            self._tolerant_request("protocol_version", deadline)
            return
        self._known = frozenset((self._tolerant_request("list_commands", deadline) or "").split())
        self._reads_fractions = STATS in self._known
        size, komi = board_size(self._game), self._game.settled_options.get("komi")
        if "boardsize" in self._known and size is not None:
            self._exchange([f"boardsize {size}"], deadline)
        self._exchange(["clear_board"], deadline)
        if "komi" in self._known and komi is not None:
            self._tolerant_request(f"komi {komi:g}", deadline)
        settings = time_settings(self._launch.limits, self._reads_fractions)
        if "time_settings" in self._known and settings:
            self._tolerant_request(settings, deadline)

    def _take_back(self, moves: int, deadline: float) -> bool:
        """Whether a program takes back so many moves; one that refuses once is not asked again."""
        for _ in range(moves):
            if self._tolerant_request("undo", deadline) is None:
                self._known -= {"undo"}
                return False
        return True

    def _exchange(self, commands: list[str], deadline: float) -> str:
        """Send commands in one piece, read all answers, return the last."""
        return self._receive(commands, self._connected.send(commands, deadline), deadline)

    def _receive(self, commands: list[str], ids: list[int], deadline: float) -> str:
        for command, request_id in zip(commands, ids, strict=True):
            try:
                text = self._connected.receive(request_id, deadline)
            except Refused as error:
                if not command.startswith("time_left "):  # which an engine may refuse as it may lack it
                    raise faults.refused(command, str(error)) from error
        return text

    def _tolerant_request(self, command: str, deadline: float) -> str | None:
        """The answer to a command that an engine may refuse, None if it does."""
        client = self._connected
        try:
            return client.receive(client.send([command], deadline)[0], deadline)
        except Refused:
            return None

    def _ask_analysis(self, client: Client) -> Analysis:
        deadline = time.monotonic() + ANALYSIS_SECONDS
        request_id = None
        try:
            request_id = client.send([STATS], deadline)[0]
            return Analysis.from_text(client.receive(request_id, deadline))
        except EngineTimeout:
            self._known -= {STATS}
            if request_id is not None:
                client.abandon(request_id)
        except EngineError:
            pass  # it may refuse; after anything else, the next request will meet the same, on the agent's clock
        return Analysis()

    @contextmanager
    def _faults(self, allowed: MoveTime, on_look: OnLook) -> Iterator[None]:
        """The clock begins; what goes wrong on the wire comes out as a Fault that says who did what."""
        self._clock_began, before = time.monotonic(), self.log.received
        self._on_look = on_look
        try:
            yield
        except EngineTimeout as error:
            seconds = time.monotonic() - self._clock_began
            printed_mb = (self.log.received - before) >> 20
            if self.is_python:
                write_stacks(self.sandbox, self.log)
            raise faults.no_answer(
                str(allowed), seconds, allowed.announced, printed_mb=printed_mb, has_stacks=self.log.shows_stacks
            ) from error
        except EngineClosed as error:
            is_loading = self.is_python and self.startup_seconds is None
            raise how_it_ended(self.sandbox, self.log, is_loading=is_loading) from error
        except MalformedAnswer as error:
            raise faults.malformed(str(error)) from error
        finally:
            self._on_look = _nobody_looks
