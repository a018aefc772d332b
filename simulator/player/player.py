"""One player of a game: it shows the game to its agent, asks for moves, and stops the agent between its turns.

With each request, an agent is told the moves that it does not have on its board yet, so that it reads them on its own
clock. Everything that the agent can do wrong is raised as a `Fault`; an `OSError` means that the referee's machine
failed.

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

# What an agent may take for `analysis`: wall-clock time and, at each move, processor time. Ours need 0.001 s.
ANALYSIS_SECONDS = 0.25
ANALYSIS_BUSY_SECONDS = 0.05
# Allowed processor time between turns: a stopped process uses none, and the system counts in steps of 0.01 s.
PAUSED_BUSY_SECONDS = 0.1
QUIT_SECONDS = 0.5  # for `Agent.close`, before the process is killed

STATS = "unforced-search_stats"

OnLook = Callable[[float], None]
"""Called with the memory in use in MB about 50 times a second while an answer is awaited; if it raises, that ends."""


def _nobody_looks(memory_mb: float) -> None:
    """The default `OnLook`, which does nothing."""


class Player:
    """An agent as a player of one game.

    Attributes:
        log: what the agent writes to stderr and stdout.
        startup_seconds: from the start of the agent's clock to its first answer to any command: starting, imports,
            `setup`; None before that.
    """

    def __init__(self, launch: Launch) -> None:
        self.sandbox = Sandbox(launch.mechanisms, launch.files, launch.limits, launch.cores)
        self.log = AgentLog()
        self.startup_seconds: float | None = None
        self._launch, self._game = launch, launch.game
        self._transcript = Transcript() if launch.keeps_transcript else None
        self._client: Client | None = None  # None unless the agent's process runs
        self._board: list[Any] = [launch.game.initial()]  # the positions of the game that the engine has been told
        self._known = frozenset({"undo", "time_left", STATS})  # optional commands; a Python agent knows them all
        self._reads_fractions = True
        self._overdrawn = 0.0  # processor seconds of the last analysis, less ANALYSIS_BUSY_SECONDS per move since then
        self._clock_began = 0.0
        self._on_look: OnLook = _nobody_looks
        self._missed_exit = False

    @property
    def is_python(self) -> bool:
        """Whether this is a Python agent, in a process of ours, and not another program."""
        return not self._launch.spec.is_gtp

    @property
    def transcript(self) -> str:
        """What went over the wire; empty if it is not kept."""
        return "" if self._transcript is None else self._transcript.text()

    # --- Asking ---

    def start(self, on_look: OnLook = _nobody_looks) -> None:
        """Start the process and wait for its first answer, for as long as a first move may take.

        Does nothing if the process runs already. Raises Fault if the agent could not play, OSError if the machine
        fails.
        """
        if self._client is not None:
            return
        limits = self._launch.limits
        allowed = MoveTime(limits.first_move_seconds, limits.cushion_seconds)
        with self._faults(allowed, on_look):
            self._begin(self._clock_began + allowed.at_most)
            check_limits(self.sandbox, self.sandbox.kernel_peak_mb())

    def try_start(self) -> Fault | None:
        """Start the agent as for its first move, and end it. Returns why it could not be started, or None.

        Raises OSError if the machine fails.
        """
        try:
            self.start()
        except Fault as fault:
            return fault
        finally:
            self.close()
        return None

    def ask(self, positions: Sequence[Any], allowed: MoveTime, on_look: OnLook = _nobody_looks) -> Answer:
        """Ask for the move in the last of `positions`; starts the process for the first move, else lets it go on.

        An answer that is late but within the cushion, or no legal move, is returned, not judged. The clock of the first
        move begins before the process is started; that of a later move when the request has been written or, if a
        program has to take moves back, before that. Raises Fault for all else that the agent does wrong, OSError if the
        machine fails.
        """
        position = positions[-1]
        text, arrived = self._request(positions, f"genmove {self._game.players[position.to_move]}", allowed, on_look)
        delays = self._connected.take_delays()
        after, why_illegal = position_after(text, self._game, position, is_python=self.is_python)
        if after is not None:
            self._board.append(after)
        elif not self.is_python:  # if the game goes on (a late answer), nobody knows what the program has on its board
            self._board = []
        seconds = arrived - self._clock_began
        return Answer(text, seconds, delays.worst, delays.unsure, after, why_illegal)

    def study(
        self, positions: Sequence[Any], seconds: float, allowed: MoveTime, on_look: OnLook = _nobody_looks
    ) -> list[RankedMove]:
        """What the agent thinks of every move of the last position after searching for `seconds`, best first.

        It may answer until `seconds` and the `allowed` time are over. Raises Fault as `ask` does, and for an agent that
        does not analyse.
        """
        self.start(on_look)
        text, _ = self._request(positions, f"unforced-study {seconds:.3f}", allowed, on_look, seconds)
        try:
            return ranked_moves(text, self._game, positions[-1])
        except ValueError as error:
            raise faults.malformed(f"an answer to unforced-study that cannot be read: {error}") from error

    def hurry(self) -> bool:
        """End the time for the move that the agent thinks about. Returns False if the agent cannot be told.

        It can be told once it has answered any command. A Python agent that looks at its clock, or searches by a
        `Pacer` as ours do, answers at once. GTP has no command for this, so other programs cannot be told.
        """
        if not self.is_python or self.startup_seconds is None:
            return False
        if self._client is not None:
            self.sandbox.signal_agent(HURRY_SIGNAL)
        return True

    def analysis(self) -> Analysis:
        """What the agent says of its last move; empty if it says nothing sensible, or not in time, or is not asked.

        The agent's clock does not run meanwhile, so there is a short deadline, ANALYSIS_SECONDS: an agent that misses
        it is not asked again. An agent that uses k times ANALYSIS_BUSY_SECONDS of the processor is not asked again
        before its k-th move from then on, so that on average it gains ANALYSIS_BUSY_SECONDS a move at most. Raises
        Fault only for too much memory or too many processes and threads.
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
        """Stop all processes of the agent until `resume` or the next request. Raises Fault if one cannot be stopped."""
        began = time.monotonic()
        if self._client is not None and not self.sandbox.stop():
            raise faults.not_stopped(time.monotonic() - began)

    def pause(self) -> None:
        """Stop the agent after its move, as `stop` does; after its first move, it can no longer read its own files.

        Raises Fault if a process cannot be stopped, or still holds such a file open.
        """
        self.stop()
        if self._client is not None and (held := self.sandbox.end_reads()):
            raise faults.still_held(*held)

    def resume(self) -> None:
        """Let all processes of the agent go on. Raises Fault if they were busy while they should have stood still."""
        used = self.sandbox.resume()
        if used > PAUSED_BUSY_SECONDS:
            raise faults.busy_while_stopped(used)

    def close(self, polite: bool = False) -> None:
        """Kill the agent's processes and all their descendants, and reap them. May be called more than once.

        With `polite`, the engine is told to quit first, and has QUIT_SECONDS to tidy up. Raises OSError if a process
        cannot be killed, or its sandbox cannot be removed.
        """
        try:
            if polite and self._client is not None:
                self.resume()
                self._exchange(["quit"], time.monotonic() + QUIT_SECONDS)
        except (EngineError, Fault):
            return  # the game is over: how the engine answers `quit` does not matter
        finally:
            self._end()

    # --- The process ---

    def _begin(self, deadline: float) -> None:
        """Start the process and wait for its first answer.

        Raises Fault if there is no such program, OSError if no process can be started, and what the wire raises.
        """
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
        try:
            is_gone = self.sandbox.kill()
        finally:
            self.log.detach()
            self._client = None
            self.sandbox.close()
        if not is_gone:
            raise OSError(errno.EBUSY, f"processes of {self._launch.name} cannot be killed")

    def _look(self) -> None:
        """Check the processes while an answer is awaited.

        A child that holds the wire can outlive the process, and then the output would never end: so it is checked
        whether the process has ended. That is raised on the second look only, so that its last answer is read first.
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
                self._connected.take_delays()  # drops the delays of earlier requests
                self.resume()
            client = self._connected
            commands = moves_to(self._game, self._board, positions, can_undo="undo" in self._known)
            undone = 0 if self.is_python else commands.count("undo")
            if undone:  # the agent's clock runs meanwhile
                was_taken_back = self._take_back(undone, self._clock_began + seconds)
                commands = commands[undone:] if was_taken_back else moves_to(self._game, [], positions, can_undo=False)
            if allowed.clock is not None and "time_left" in self._known:
                colour = self._game.players[positions[-1].to_move]
                # A Python agent's process knows the limit of a move itself.
                limit = math.inf if self.is_python else self._launch.limits.move_seconds
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
        """Wait until the engine answers, and tell a program the game and its limits; a Python agent knows them."""
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
        """Ask a program to take back moves; returns whether it did. A program that refuses once is not asked again."""
        for _ in range(moves):
            if self._tolerant_request("undo", deadline) is None:
                self._known -= {"undo"}
                return False
        return True

    def _exchange(self, commands: list[str], deadline: float) -> None:
        """Send commands in one piece, and read all answers."""
        self._receive(commands, self._connected.send(commands, deadline), deadline)

    def _receive(self, commands: list[str], ids: list[int], deadline: float) -> str:
        """Read the answers to commands, and return the last one."""
        for command, request_id in zip(commands, ids, strict=True):
            try:
                text = self._connected.receive(request_id, deadline)
            except Refused as error:
                if not command.startswith("time_left "):  # an engine may refuse this command, or not have it
                    raise faults.refused(command, str(error)) from error
        return text

    def _tolerant_request(self, command: str, deadline: float) -> str | None:
        """The answer to a command that an engine may refuse; None if it refuses."""
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
            pass  # a refusal is allowed; any other error will come again at the next request, on the agent's clock
        return Analysis()

    @contextmanager
    def _faults(self, allowed: MoveTime, on_look: OnLook) -> Iterator[None]:
        """Start the agent's clock; turn an error on the wire within the block into a Fault that says what happened."""
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
