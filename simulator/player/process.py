"""An agent's process in its sandbox: started, watched, stopped between its turns, and in the end killed and reaped."""

import errno
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from agents.agent import gtp_command
from simulator.gtp.client import Client, EngineClosed
from simulator.player import faults
from simulator.player.contract import LOAD_FAILED
from simulator.player.faults import Fault
from simulator.player.launch import Launch, search_path
from simulator.player.log import AgentLog, Transcript
from simulator.sandbox.isolation import MAX_PROCESSES
from simulator.sandbox.processes import STOP_SECONDS
from simulator.sandbox.sandbox import Sandbox
from simulator.sandbox.visible_files import VisibleFiles, files_visible_to

EXIT_SECONDS = 0.5  # for a process that closed its output to end, so that the verdict can say how
PAUSED_BUSY_SECONDS = 0.1  # of processor time between turns; a stopped process has none, and a step of the book is 0.01
STACKS_SECONDS = 0.3  # for a hung agent's process to write where its threads stand
STACKS_PAUSE_SECONDS = 0.03  # without a new line, after which it has written them all


def _with_cache(files: VisibleFiles, launch: Launch) -> VisibleFiles:
    """The files that an agent may read, its compiled code too; what is hidden or may be written while that is made."""
    hidden = (path for path in launch.hidden if path.is_file() and any(map(path.is_relative_to, files.own)))
    files = files._replace(hidden=(*files.hidden, *hidden))
    if launch.cache is None:
        return files
    return (
        files._replace(written=launch.cache) if launch.fills_cache else files._replace(own=(*files.own, launch.cache))
    )


class AgentProcess:
    """The process of an agent, with all processes that it begins.

    Attributes:
        client: speaks GTP with it; None while it is not running.
        log: what it writes to stderr and stdout.
        on_look: called about 50 times a second while an answer is awaited, with the memory in use in MB.
    """

    def __init__(self, launch: Launch) -> None:
        self.client: Client | None = None
        self.log = AgentLog()
        self._transcript = Transcript() if launch.keeps_transcript else None
        self.on_look: Callable[[float], None] = lambda memory_mb: None
        self._launch = launch
        files = _with_cache(files_visible_to(launch.spec, search_path(), launch.opponent), launch)
        self._sandbox = Sandbox(launch.mechanisms, files, launch.limits, launch.cores)
        self._process: subprocess.Popen[bytes] | None = None
        self._missed_exit = False
        self._reads_ended = False

    # --- Start and end ---

    def start(self, started: float) -> Client:
        """Start it; the clock of its first move began at `started`. Raises Fault if the program is not there.

        Raises OSError if no process can be started.
        """
        spec = self._launch.spec
        if spec.is_gtp and shutil.which(gtp_command(spec.source).argv[0], path=search_path()) is None:
            raise faults.not_started()
        token = secrets.token_hex(8)
        command = self._launch.command(started, self._sandbox.confinement)
        process = self._process = self._sandbox.start(command, self._launch.environment(token), token)
        assert process.stdin and process.stdout and process.stderr
        tap = (self._transcript.write,) if self._transcript else ()
        self.client = Client(process.stdout.fileno(), process.stdin.fileno(), self._look, *tap)
        self.log.attach(process.stderr.fileno())
        return self.client

    def close(self) -> None:
        """Kill it and all that descends from it, and reap them. May be called more than once.

        Raises OSError if a process cannot be killed, or what held it cannot be removed.
        """
        process, self._process = self._process, None
        if process is None:
            return
        is_gone = self._sandbox.kill()
        try:
            process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            is_gone = False
        self.log.detach()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        self.client = None
        self._sandbox.close()
        if not is_gone:
            raise OSError(errno.EBUSY, f"processes of {self._launch.name} cannot be killed")

    # --- Watching ---

    @property
    def peak_memory_mb(self) -> float:
        """The most that all its processes held together so far, MB of 2^20 bytes."""
        return self._sandbox.peak_mb

    def transcript(self) -> str:
        """What went over the wire; empty where that is not kept."""
        return "" if self._transcript is None else self._transcript.text()

    def busy_seconds(self) -> float:
        """Processor time that all its processes used so far."""
        return self._sandbox.busy_seconds()

    def check(self) -> None:
        """Look at its peak of memory and at what it has begun. Raises Fault."""
        self._check_limits(self._sandbox.kernel_peak_mb())

    def _look(self) -> None:
        self.log.read()
        used = self._sandbox.memory_mb()
        self._check_limits(used)
        self._check_alive()
        self.on_look(used)

    def _check_limits(self, used_mb: float) -> None:
        limit = self._launch.limits.memory_mb
        if used_mb > limit:
            raise faults.too_much_memory(used_mb, limit)
        self._check_out_of_memory()
        if tasks := self._sandbox.excess_tasks():
            raise faults.too_many_tasks(tasks, MAX_PROCESSES)

    def _check_out_of_memory(self) -> None:
        if self._sandbox.ran_out_of_memory():
            raise faults.out_of_memory(self._sandbox.reach_limit(), self._launch.limits.memory_mb)

    def _check_alive(self) -> None:
        """A child that holds the wire can outlive the process: the end of the output would never come.

        Raises on the second look only, so that an answer from the last moment is read first.
        """
        if self._sandbox.exit_status() is None:
            return
        if self._missed_exit:
            raise EngineClosed("the process has ended")
        self._missed_exit = True

    def how_it_ended(self) -> Fault:
        """What to say of a process that closed its output. Raises Fault if the kernel ended it for its memory."""
        deadline = time.monotonic() + EXIT_SECONDS
        while (status := self._sandbox.exit_status()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        self._check_out_of_memory()
        if status == LOAD_FAILED and not self._launch.spec.is_gtp:
            self.log.read()
            return faults.not_loaded(next(reversed(self.log.last_lines()), ""))
        return faults.ended(status, tells_signals=self._sandbox.tells_signals)

    def write_stacks(self) -> None:
        """Have a worker write where its threads stand, before it is killed."""
        if self._process is None or self._launch.spec.is_gtp:
            return
        self.log.read()
        before = self.log.received
        self._sandbox.show_stacks()
        deadline = time.monotonic() + STACKS_SECONDS
        is_done = False
        while not is_done and time.monotonic() < deadline:
            received = self.log.received
            time.sleep(STACKS_PAUSE_SECONDS)
            self.log.read()
            is_done = before < received == self.log.received

    def hurry(self) -> None:
        """Have a worker that has answered something end the time for its move."""
        if self._process is not None and not self._launch.spec.is_gtp:
            self._sandbox.hurry()

    @property
    def written(self) -> Path | None:
        """The folder that it may write, see `Sandbox.written`."""
        return self._sandbox.written

    # --- Turns ---

    def stop(self, *, ends_reads: bool = True) -> None:
        """Stop all its processes until `resume`; the first time, reading of files ends.

        Raises Fault if one cannot be stopped, or holds a file of its own open.
        """
        if self._process is None:
            return
        if not self._sandbox.stop():
            raise faults.not_stopped(STOP_SECONDS)
        if ends_reads and not self._reads_ended:
            self._reads_ended = True
            if held := self._sandbox.end_reads():
                raise faults.file_still_open(held)

    def resume(self) -> None:
        """Let all its processes go on. Raises Fault if they were busy meanwhile."""
        used = self._sandbox.resume()
        if used > PAUSED_BUSY_SECONDS:
            raise faults.busy_while_stopped(used)
