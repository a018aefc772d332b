"""One agent as a process: started, asked, watched, stopped between its turns, and in the end killed and reaped.

A seat is either a worker of ours (a Python agent, see `worker.py`) or another program that speaks GTP. What is known of
the game is queued (`tell`, `correct`) and sent together with the next request, so that the agent learns it on its own
clock. Everything that an agent can do wrong comes out as a `Fault`; an `OSError` is the fault of the referee's machine.
"""

import errno
import fcntl
import json
import math
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from agents.agent import AgentSpec, Limits, gtp_command
from game import Game
from jit import CACHE_FOLDER, PROJECT
from simulator.gtp.analysis import parse_analysis
from simulator.gtp.client import Client, EngineClosed, EngineError, EngineTimeout, MalformedAnswer, Refused
from simulator.gtp.syntax import one_line, printable
from simulator.player.compile_ahead import compile_ahead
from simulator.player.enforcement import KEPT_STDERR_BYTES, SHOWN_STDERR_LINES
from simulator.player.worker import LOAD_FAILED
from simulator.referee.game_record import Reason
from simulator.sandbox import processes
from simulator.sandbox.confine import confined_command
from simulator.sandbox.isolation import MAX_PROCESSES, Mechanisms, available_mechanisms
from simulator.sandbox.processes import STOP_SECONDS
from simulator.sandbox.sandbox import Sandbox
from simulator.sandbox.visible_files import files_visible_to, named_path

# An agent of ours needs 0.001; who once takes longer, or more of the processor, is not asked again in this game.
ANALYSIS_SECONDS = 0.25
ANALYSIS_BUSY_SECONDS = 0.05
QUIT_SECONDS = 0.5  # for `Agent.close`, before the process is killed
EXIT_SECONDS = 0.5  # for a process that closed its output to end, so that the verdict can say how
PAUSED_BUSY_SECONDS = 0.1  # of processor time between turns; a stopped process has none, and a step of the book is 0.01
STACKS_SECONDS = 0.3  # for a hung agent's process to write where its threads stand
STACKS_PAUSE_SECONDS = 0.03  # without a new line, after which it has written them all
LONGEST_FAULT = 600  # characters; an illegal move with the reason why it is none has 400 at most
_PIPE_BYTES = 1 << 20  # of the pipe for stderr: an agent that logs this much between two looks has to wait for us

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian puts gnugo, and many a PATH does not look

_NOT_THE_MACHINE = {errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.EPERM}


class Fault(Exception):
    """Something an agent did that loses the game.

    Attributes:
        reason: one of TIMEOUT, ILLEGAL, CRASH, MEMORY, FILES, PROCESSOR.
        what: a predicate for a sentence that begins with the agent's name, on one printable line.
        measured, limit: the figures, where there are some.
    """

    def __init__(self, reason: Reason, what: str, measured: float | None = None, limit: float | None = None) -> None:
        what = one_line(what, LONGEST_FAULT)  # it may quote what the agent wrote, and the names of its files
        super().__init__(what)
        self.reason, self.what, self.measured, self.limit = reason, what, measured, limit


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


class _StderrTail:
    """The last bytes that an agent writes to stderr; nothing else is kept, so a flood fills neither memory nor disk."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._tail = b""
        self.received = 0  # bytes
        os.set_blocking(fd, False)
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with suppress(PermissionError):  # the user's share of pipe memory is used up: the usual 64 KiB will do
                fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def read(self) -> None:
        """Take what is there, one pipe's fill at most."""
        try:
            data = os.read(self._fd, _PIPE_BYTES)
        except BlockingIOError:
            return
        self.received += len(data)
        self._tail = (self._tail + data)[-KEPT_STDERR_BYTES:]

    def lines(self) -> tuple[str, ...]:
        """The last lines, printable and of bounded length."""
        lines = self._tail.decode("utf-8", "replace").splitlines()
        return tuple(map(printable, lines[-SHOWN_STDERR_LINES:]))


class Seat:
    """One agent's place in one game.

    Attributes:
        player: whose moves it is asked for.
        name: what the agent is called in this game.
        peak_memory_mb: the most that all its processes held together so far.
        startup_seconds: from the start of its clock to its first answer to anything: starting, imports, `setup`;
            None before.
    """

    def __init__(
        self,
        spec: AgentSpec,
        game: Game,
        player: int,
        limits: Limits,
        *,
        seed: int = 0,
        name: str = "",
        game_options: Mapping[str, Any] | None = None,
        cores: tuple[int, ...] = (),
        mechanisms: Mechanisms | None = None,
        opponent: AgentSpec | None = None,
    ) -> None:
        self.spec, self.game, self.player, self.limits = spec, game, player, limits
        self.startup_seconds: float | None = None
        self.name = name or spec.name
        self._seed = seed
        self._game_options = dict(game_options or {})
        compile_ahead(game.name, [spec])  # off every clock: inside a sandbox, nothing that is compiled can be kept
        self._mechanisms = mechanisms or available_mechanisms()
        self._sandbox = Sandbox(self._mechanisms, files_visible_to(spec, search_path(), opponent), limits, cores)
        self._process: subprocess.Popen[bytes] | None = None
        self._wire: Client | None = None
        self._stderr: _StderrTail | None = None
        self._last_lines: tuple[str, ...] = ()
        self._history: list[tuple[int, str]] = []  # every move of the game so far
        self._queue: list[str] = []  # what the engine has not been told
        self._known = frozenset({"undo", "unforced-search_stats"})  # commands that matter here; a worker has both
        self._missed_exit = False
        self._reads_ended = False
        self._tick: Callable[[float], None] = lambda memory_mb: None

    # --- What the agent is to know ---

    def tell(self, player: int, move: str) -> None:
        """A move that the agent has not made itself."""
        self._history.append((player, move))
        self._queue.append(self._play_command(player, move))

    def made(self, move: str) -> None:
        """The move that the agent answered was accepted; its board has it already."""
        self._history.append((self.player, move))

    def correct(self, move: str, has_played: bool) -> None:
        """The agent's answer was replaced by `move`; `has_played` says whether its own is on its board now."""
        self._history.append((self.player, move))
        if not has_played:
            self._queue = [self._play_command(self.player, move)]
        elif "undo" in self._known:
            self._queue = ["undo", self._play_command(self.player, move)]
        else:
            self._queue = ["clear_board", *(self._play_command(*entry) for entry in self._history)]

    def _play_command(self, player: int, move: str) -> str:
        return f"play {self.game.players[player]} {move}"

    # --- Asking ---

    def ask(self, limit_seconds: float, tick: Callable[[float], None] = lambda memory_mb: None) -> Answer:
        """Ask for a move; starts the process if it is the first, otherwise lets it go on.

        Waits until the limit and the cushion have passed; an answer within the cushion is returned, not judged. `tick`
        is called about 50 times a second with the memory in use. The clock of the first move begins before the
        process is started. Raises Fault for everything that the agent does wrong, OSError if the machine fails.
        """
        self._tick = tick
        if self._wire is not None:
            self._wire.take_delays()  # those of other questions
        started = time.monotonic()
        with self._faults(limit_seconds, started):
            if self._process is None:
                deadline = started + limit_seconds + self.limits.cushion_seconds
                self._begin(started, deadline)
                reply = self._request([*self._queue, self._genmove], deadline)
            else:
                self._resume()
                started = time.monotonic()
                reply = self._request(
                    [*self._queue, self._genmove], started + limit_seconds + self.limits.cushion_seconds
                )
            self._queue = []
            self._check_peak()
        assert self._wire is not None
        delays = self._wire.take_delays()
        return Answer(reply.text, reply.arrived - started, delays.worst, delays.unsure)

    def try_out(self) -> None:
        """Start the process and wait until it answers anything, with the time of a first move: could it play?

        Raises Fault if it could not, OSError if the machine fails. The seat is good for nothing but `close` then.
        """
        limit, started = self.limits.first_move_seconds, time.monotonic()
        with self._faults(limit, started):
            self._begin(started, started + limit + self.limits.cushion_seconds)
            self._check_peak()

    def _begin(self, started: float, deadline: float) -> None:
        self._start(started)
        self._greet(deadline)
        self.startup_seconds = time.monotonic() - started

    @property
    def _genmove(self) -> str:
        return f"genmove {self.game.players[self.player]}"

    def analysis(self) -> dict[str, Any]:
        """What the agent says of its last move; empty if it says nothing, or nothing sensible, or not at once.

        Off the clock, and therefore with a short deadline of its own; who uses the time to think is not asked again.
        Raises Fault only for too much memory, or if the process is gone.
        """
        if self._wire is None or "unforced-search_stats" not in self._known:
            return {}
        busy = self._sandbox.busy_seconds()
        said = self._ask_analysis()
        if self._sandbox.busy_seconds() - busy > ANALYSIS_BUSY_SECONDS:
            self._known -= {"unforced-search_stats"}
        return said

    def _ask_analysis(self) -> dict[str, Any]:
        assert self._wire is not None
        deadline = time.monotonic() + ANALYSIS_SECONDS
        request_id = None
        try:
            request_id = self._wire.send(["unforced-search_stats"], deadline)[0]
            text = self._wire.receive(request_id, deadline).text
        except Refused:
            return {}
        except EngineTimeout:
            self._known -= {"unforced-search_stats"}
            if request_id is not None:
                self._wire.abandon(request_id)
            return {}
        except EngineError:
            return {}  # the next request will meet the same, on the agent's clock
        return parse_analysis(text)

    def _request(self, commands: list[str], deadline: float) -> Any:
        """Send commands in one piece, read all answers, return the last."""
        assert self._wire is not None
        ids = self._wire.send(commands, deadline)
        for command, request_id in zip(commands, ids, strict=True):
            try:
                reply = self._wire.receive(request_id, deadline)
            except Refused as error:
                raise Fault(Reason.CRASH, _refusal(command, one_line(str(error)))) from error
        return reply

    def _tolerant_request(self, command: str, deadline: float) -> str | None:
        """The answer to a command that an engine may refuse, None if it does."""
        assert self._wire is not None
        try:
            return self._wire.receive(self._wire.send([command], deadline)[0], deadline).text
        except Refused:
            return None

    @contextmanager
    def _faults(self, limit_seconds: float, started: float) -> Iterator[None]:
        """What goes wrong on the wire, as a Fault that says who did what."""
        try:
            yield
        except EngineTimeout as error:
            seconds = time.monotonic() - started
            allowed = f"{limit_seconds:g} s and the cushion of {self.limits.cushion_seconds:g} s"
            what = f"gave no answer within {allowed}; killed after {seconds:.3f} s"
            if self._collect_stacks():
                what += " (where its threads stood is below)"
            raise Fault(Reason.TIMEOUT, what, seconds, limit_seconds) from error
        except EngineClosed as error:
            what = self._how_it_ended()
            self._check_out_of_memory()
            raise Fault(Reason.CRASH, what) from error
        except MalformedAnswer as error:
            raise Fault(Reason.CRASH, f"broke the protocol: it sent {error}") from error

    def _collect_stacks(self) -> bool:
        """Have a worker write where its threads stand, before it is killed; whether it wrote anything."""
        if self._process is None or self._stderr is None or self.spec.is_gtp:
            return False
        self._stderr.read()
        before = self._stderr.received
        self._sandbox.show_stacks()
        deadline = time.monotonic() + STACKS_SECONDS
        is_done = False
        while not is_done and time.monotonic() < deadline:
            received = self._stderr.received
            time.sleep(STACKS_PAUSE_SECONDS)
            self._stderr.read()
            is_done = before < received == self._stderr.received
        return self._stderr.received > before

    # --- Watching ---

    def _on_wait(self) -> None:
        assert self._stderr is not None
        self._stderr.read()
        used = self._sandbox.memory_mb()
        self._check_memory(used)
        self._check_out_of_memory()
        self._check_tasks()
        self._check_alive()
        self._tick(used)

    def _check_alive(self) -> None:
        """A child that holds the wire can outlive the process: the end of the output would never come.

        Raises on the second look only, so that an answer from the last moment is read first.
        """
        if self._exit_status() is None:
            return
        if self._missed_exit:
            raise EngineClosed("the process has ended")
        self._missed_exit = True

    def _check_peak(self) -> None:
        self._check_memory(self._sandbox.kernel_peak_mb())
        self._check_out_of_memory()
        self._check_tasks()

    def _check_out_of_memory(self) -> None:
        """The kernel holds the limit more strictly than two looks can: what it ended did not get beyond."""
        if not self._sandbox.ran_out_of_memory():
            return
        limit, peak = self.limits.memory_mb, self._sandbox.reach_limit()
        what = f"wanted more than the {limit} MB of memory that it may have: the kernel ended a process of its"
        raise Fault(Reason.MEMORY, what, peak, limit)

    def _check_memory(self, used_mb: float) -> None:
        limit = self.limits.memory_mb
        if used_mb > limit:
            raise Fault(Reason.MEMORY, f"used {used_mb:.1f} MB of memory, the limit is {limit} MB", used_mb, limit)

    def _check_tasks(self) -> None:
        if tasks := self._sandbox.excess_tasks():
            what = f"had {tasks} processes and threads, the limit is {MAX_PROCESSES}"
            raise Fault(Reason.PROCESSOR, what, tasks, MAX_PROCESSES)

    def _exit_status(self) -> int | None:
        """How the process ended, as `Popen.returncode` says it, without reaping it; None while it lives."""
        return self._sandbox.exit_status()

    def _how_it_ended(self) -> str:
        deadline = time.monotonic() + EXIT_SECONDS
        while (status := self._exit_status()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        if status is None:
            return "closed its end of the wire"
        if status < 0:
            doubt = "" if self._sandbox.tells_signals else f", or ended by itself with exit status {128 - status}"
            return f"was killed by {_signal_name(-status)}{doubt}"
        if status == LOAD_FAILED and not self.spec.is_gtp:
            return "could not be loaded (its reasons are below)"
        return f"ended by itself, with exit status {status}"

    @property
    def peak_memory_mb(self) -> float:
        """The most that all its processes held together so far, MB of 2^20 bytes."""
        return self._sandbox.peak_mb

    def stderr_lines(self) -> tuple[str, ...]:
        """The last lines that the agent wrote to stderr, oldest first."""
        if self._stderr is not None:
            self._stderr.read()
            self._last_lines = self._stderr.lines()
        return self._last_lines

    # --- The process ---

    def _start(self, started: float) -> None:
        """Start the process. Raises Fault if a GTP program cannot be started, OSError if no process can."""
        token = secrets.token_hex(8)
        if self.spec.is_gtp and shutil.which(gtp_command(self.spec.source).argv[0], path=search_path()) is None:
            raise Fault(Reason.CRASH, "could not be started: there is no such program")
        process = self._process = self._sandbox.start(
            self._command(started), _environment(self._mechanisms, token), token
        )
        assert process.stdin and process.stdout and process.stderr
        self._wire = Client(process.stdout.fileno(), process.stdin.fileno(), self._on_wait)
        self._stderr = _StderrTail(process.stderr.fileno())

    def _command(self, started: float) -> list[str]:
        # -P: a file game.py in the folder where the user happens to stand must not go before ours.
        if self.spec.is_gtp:
            argv = [str(named_path(argument) or argument) for argument in gtp_command(self.spec.source).argv]
            return confined_command(self._sandbox.confinement, argv)
        limits = self.limits
        options = {
            "--game": self.game.name,
            "--game-options": json.dumps(self._game_options),
            "--agent": _whole_agent(self.spec),
            "--seed": self._seed,
            "--move-time": limits.move_seconds,
            "--first-move-time": limits.first_move_seconds,
            "--memory": limits.memory_mb,
            "--name": self.name,
            "--started": started,
            "--confinement": self._sandbox.confinement.to_text(),
        }
        return [
            sys.executable,
            "-P",
            "-m",
            "simulator.player.worker",
            *(f"{key}={value}" for key, value in options.items()),
        ]

    def _greet(self, deadline: float) -> None:
        """Wait until the engine is there, and tell another program's what is played; a worker was told as it began."""
        if not self.spec.is_gtp:
            self._tolerant_request("protocol_version", deadline)
            return
        self._known = frozenset((self._tolerant_request("list_commands", deadline) or "").split())
        size = _board_size(self.game)
        if "boardsize" in self._known and size is not None:
            self._request([f"boardsize {size}"], deadline)
        self._request(["clear_board"], deadline)
        komi = self.game.settled_options.get("komi")
        if "komi" in self._known and komi is not None:
            self._tolerant_request(f"komi {komi:g}", deadline)
        if "time_settings" in self._known:
            self._tolerant_request(f"time_settings 0 {self._announced_seconds()} 1", deadline)

    def _announced_seconds(self) -> str:
        """The time for a move as an engine can read it: GTP has whole seconds, and engines of ours read fractions.

        Rounded down, because an engine that trusts a longer time than it has would lose by it; but not to 0, with which
        nobody can play.
        """
        seconds = self.limits.move_seconds
        if "unforced-search_stats" in self._known:
            return f"{seconds:g}"
        return str(max(1, math.floor(seconds)))

    def pause(self) -> None:
        """Stop all of the agent's processes, until the next `ask`. Its memory is not looked at meanwhile.

        The first time, reading of files ends. Raises Fault if a process cannot be stopped, or holds a file of its own
        open.
        """
        if self._process is None:
            return
        if not self._sandbox.stop():
            what = f"could not be stopped within {STOP_SECONDS:g} s after its answer"
            raise Fault(Reason.PROCESSOR, what, STOP_SECONDS, 0.0)
        if not self._reads_ended:
            self._reads_ended = True
            if held := self._sandbox.end_reads():
                what = f"still held {held} open after its first move, when reading files has to end"
                raise Fault(Reason.FILES, what)

    def _resume(self) -> None:
        """Let all of the agent's processes go on. Raises Fault if they were busy meanwhile."""
        used = self._sandbox.resume()
        if used > PAUSED_BUSY_SECONDS:
            what = f"used {used:.2f} s of processor time while its opponent was to move"
            raise Fault(Reason.PROCESSOR, what, used, 0.0)

    def close(self, polite: bool = False) -> None:
        """Kill the process and all that descends from it, and reap them. May be called more than once.

        With `polite` the engine is told to quit first, and has QUIT_SECONDS to tidy up. Raises OSError if a process
        cannot be killed, or what held it cannot be removed.
        """
        process = self._process
        if process is None:
            return
        try:
            if polite:
                self._quit()
        finally:
            self._process = None
            is_gone = self._sandbox.kill()
            try:
                process.wait(EXIT_SECONDS)
            except subprocess.TimeoutExpired:
                is_gone = False
            self.stderr_lines()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
            self._stderr = self._wire = None
            self._sandbox.close()
            if not is_gone:
                raise OSError(errno.EBUSY, f"processes of {self.name} cannot be killed")

    def _quit(self) -> None:
        if self._wire is None:
            return
        deadline = time.monotonic() + QUIT_SECONDS
        try:
            self._resume()
            self._request(["quit"], deadline)
        except (EngineError, Fault):
            return  # the game is over: whether it takes its leave in good form does not matter


def _board_size(game: Game) -> int | None:
    """What `boardsize` is to say: the game's own size, else the side of a square board, None for another board."""
    size: int | None = game.settled_options.get("size")
    if size is not None:
        return size
    shape = game.initial().board.shape
    return int(shape[0]) if len(shape) == 2 and shape[0] == shape[1] else None


def _refusal(command: str, error: str) -> str:
    """The predicate for an engine that answered a command with `?`."""
    name, _, argument = command.partition(" ")
    if name == "play":
        return f"refused the legal move `{command}`: {error}"
    if name == "boardsize":
        return f"does not play on a board of size {argument}: {error}"
    return f"answered `{command}` with an error: {error}"


def search_path() -> str:
    """Where programs are looked for: the folders of PATH, then those for games."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join([*folders, *(folder for folder in GAMES_FOLDERS if folder not in folders)])


def _environment(mechanisms: Mechanisms, token: str) -> dict[str, str]:
    """What makes an agent's process findable, repeatable and single-threaded.

    Of the referee's own environment, which may hold secrets, language and time zone only; all of it where isolation is
    switched off.
    """
    kept = {key: text for key, text in os.environ.items() if key in ("LANG", "TZ") or key.startswith("LC_")}
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    cache = {"UNFORCED_CACHE": str(CACHE_FOLDER.parent)} if CACHE_FOLDER is not None else {}
    return {
        **(os.environ if mechanisms.is_off else {"HOME": "/", **kept}),
        **one_thread,
        **cache,
        "PATH": search_path(),
        "PYTHONPATH": str(PROJECT),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",  # a segmentation fault leaves its Python traceback on stderr
        processes.TOKEN_VARIABLE: token,
    }


def _whole_agent(spec: AgentSpec) -> str:
    """An agent's text with the path of its file from the root on: in its sandbox, a process stands at the root."""
    file = str(Path(spec.source).expanduser().resolve()) if spec.is_file else spec.source
    return file + spec.text[len(spec.source) :]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
