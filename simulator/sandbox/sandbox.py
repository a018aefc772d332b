"""The sandbox of one agent's processes, from their start until all of them are gone.

    start        they begin when they are in their control group
    stop, resume between the agent's turns
    end_reads    after its first move
    memory_mb, excess_tasks, exit_status
    kill, close

`isolation.py` decides which mechanisms it uses on this system.
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from agents.limits import Limits
from simulator.sandbox import bubblewrap, linux, proc, processes
from simulator.sandbox.cgroups import Group
from simulator.sandbox.confine import Confinement
from simulator.sandbox.cores import pinned
from simulator.sandbox.isolation import MAX_DESCRIPTORS, MAX_PROCESSES, UNCOUNTED_DESCRIPTORS, Mechanisms
from simulator.sandbox.processes import STOP_SECONDS, ProcessTree
from simulator.sandbox.visible_files import VisibleFiles

# Waits for a line on stdin before it becomes the program. By then it is in its group, and so are all its children.
_WAITING = ("/bin/sh", "-c", 'read -r _; exec "$@"', "sh")
EXIT_SECONDS = 0.5  # for a process that was killed, or has closed its output, to end
SECOND_LOOK_SECONDS = 0.005  # after which too much memory is measured again before it counts
MOST_COMPILED_BYTES = 8 << 20  # of a file, if compiled code may be written; those of a search have 1 MB at most
# How long to wait for processes that neither stop nor run; they have run if they used more processor time than this.
HELD_UP_SECONDS, HELD_UP_BUSY_SECONDS = 30.0, 0.1
WRAPPERS = 2  # processes of bubblewrap's own around the agent's
# Room for what an agent logs between two looks; one that logs more has to wait. The kernel doubles this or grants less,
# and counts 768 bytes for each small write.
LOG_BYTES = 1 << 20


class Sandbox:
    """The processes of one agent, and what limits them.

    Attributes:
        limits: the agent's limits.
        peak_mb: the most memory that all processes were seen to hold together, MB of 2^20 bytes.
    """

    def __init__(self, mechanisms: Mechanisms, visible: VisibleFiles, limits: Limits, cores: tuple[int, ...]) -> None:
        self.limits, self.peak_mb = limits, 0.0
        self._mechanisms, self._visible, self._cores = mechanisms, visible, cores
        self._group = Group(limits.memory_mb, cores, MAX_PROCESSES)
        self._process: subprocess.Popen[bytes] | None = None
        self._wire: list[socket.socket] = []
        self._started: ProcessTree | None = None
        self._status_fd: int | None = None
        self._status = b""
        self._ended: int | None = None
        self._is_frozen = False
        self._busy_when_stopped: float | None = None
        self._reads_ended = False

    @property
    def confinement(self) -> Confinement:
        """What a process inside has to give up before the agent's code runs in it."""
        used = self._mechanisms
        grows = 0 if self._visible.written is None else MOST_COMPILED_BYTES  # a file grows only if it is compiled code
        return Confinement(
            filters_calls=used.filter,
            allows_processes=used.allows_processes,
            has_namespaces=used.bubblewrap,
            file_bytes=grows if used.bubblewrap or used.filter else None,
            tasks=used.max_tasks,
            descriptors=None if used.is_off else MAX_DESCRIPTORS if used.counts_all else UNCOUNTED_DESCRIPTORS,
            hides_memory=not (used.is_off or used.bubblewrap),  # from its opponent; namespaces hide it anyway
        )

    @property
    def _tree(self) -> ProcessTree:
        assert self._started is not None, "the sandbox has not been started"
        return self._started

    # --- Start ---

    def start(self, command: Sequence[str], environment: Mapping[str, str], token: str) -> tuple[int, int, int]:
        """Start a program inside; returns our ends of its stdin, stdout and stderr, as descriptors.

        Raises OSError if this system fails; then no process and no group is left.
        """
        try:
            with ExitStack() as theirs:  # the process's ends of what it shares with us, of which it gets copies
                self._start(command, environment, token, theirs)
        except OSError:
            try:
                self.kill()
            finally:
                self.close()
            raise
        stdin, stdout, stderr = (end.fileno() for end in self._wire)
        return stdin, stdout, stderr

    def _start(self, command: Sequence[str], environment: Mapping[str, str], token: str, theirs: ExitStack) -> None:
        used = self._mechanisms
        prefix: list[str] = []
        passed: tuple[int, ...] = ()
        if used.bubblewrap:
            self._status_fd, status_end = os.pipe()
            theirs.callback(os.close, status_end)
            os.set_blocking(self._status_fd, False)
            prefix = bubblewrap.command(self._visible, status_end, has_zero=used.allows_processes)
            passed = (status_end,)
        linux.adopt_orphans()
        if used.filter and not used.bubblewrap:
            linux.hide_memory()
        stdin, stdout, stderr = (theirs.enter_context(end) for end in self._make_wire())
        stderr.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LOG_BYTES)
        if used.groups:
            self._group.make()
        with pinned(self._cores):
            process = self._process = subprocess.Popen(
                [*_WAITING, *prefix, *command],
                stdin=stdin.fileno(),
                stdout=stdout.fileno(),
                stderr=stderr.fileno(),
                start_new_session=True,
                env=environment,
                pass_fds=passed,
                cwd=None if used.is_off else "/",  # see `end_reads`
            )
        listed = self._group.processes_listed if self._group.folders else None
        self._started = ProcessTree(process.pid, token, listed)
        self._group.add(process.pid)
        processes.set_backstops(process.pid, self.limits)
        with suppress(BrokenPipeError):  # it was killed before it began, which is noticed later
            os.write(self._wire[0].fileno(), b"\n")

    def _make_wire(self) -> Iterator[socket.socket]:
        """Make the process's stdin, stdout and stderr; yields its ends.

        They are sockets, not pipes. While a process writes to a pipe or reads from it, whoever is at the other end has
        to wait, even if it asked not to; and with memory that is slow to reach, a process makes that as long as it
        wants. An opponent that sees the process could also open a pipe by its name in /proc and read what is in it.
        """
        for _ in range(3):
            our_end, their_end = socket.socketpair()
            self._wire.append(our_end)
            yield their_end

    # --- Watching ---

    def memory_mb(self) -> float:
        """The memory that all processes hold together now, MB."""
        used = self._group.memory_mb()
        if used is None:
            used = self._tree.memory_mb(self.limits.memory_mb)
            if used > self.limits.memory_mb:  # a process that starts another shares all memory with it for a moment
                time.sleep(SECOND_LOOK_SECONDS)
                used = min(used, self._tree.memory_mb(self.limits.memory_mb))
        self.peak_mb = max(self.peak_mb, used)
        return used

    def kernel_peak_mb(self) -> float:
        """The peak so far, MB, including the most that any single process ever held according to the kernel.

        If a group limits memory, what all processes hold now: the kernel lets nothing exceed the limit anyway.
        """
        used = self.memory_mb()
        if "memory" in self._group.folders:
            return used
        self.peak_mb = max(self.peak_mb, self._tree.kernel_peak_mb())
        return self.peak_mb

    def excess_tasks(self) -> int:
        """The number of processes and threads, if it is too large and no group limits it; else 0."""
        if not self._mechanisms.polls_tasks:
            return 0
        tasks = self._tree.count_tasks()
        return tasks if tasks > MAX_PROCESSES else 0

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel killed a process because the sandbox had no memory left.

        Then the peak is set to the limit at least, because that was reached between two polls.
        """
        if not self._group.ran_out_of_memory():
            return False
        self.peak_mb = max(self.peak_mb, float(self.limits.memory_mb))
        return True

    def exit_status(self) -> int | None:
        """The exit status of the agent's process (-n if signal n killed it), without reaping it; None if it lives.

        Raises OSError if the sandbox could not be set up.
        """
        if self._ended is None:
            status = processes.exit_status(self._tree.root)
            self._ended = status if status is None or self._status_fd is None else self._status_inside(status)
        return self._ended

    @property
    def tells_signals(self) -> bool:
        """Whether `exit_status` tells signal n from a program's own exit status 128 + n; bubblewrap does not."""
        return self._status_fd is None

    def _status_inside(self, status: int) -> int:
        """The exit status of the program inside, after bubblewrap itself has ended with `status`."""
        code = bubblewrap.reported("exit-code", self._read_status())
        if code is None and not self.ran_out_of_memory():
            raise OSError(f"bubblewrap ended with status {status} before the agent began, or was killed")
        return status if code is None else _as_signal(code)

    def _read_status(self) -> bytes:
        if self._status_fd is not None:
            with suppress(BlockingIOError):
                self._status += os.read(self._status_fd, 1 << 12)
        return self._status

    # --- Turns ---

    def stop(self) -> bool:
        """Stop all processes until `resume`; returns whether every thread stands still, after STOP_SECONDS at most.

        Processes that have not run meanwhile get HELD_UP_SECONDS: a thread that waits for the disk, or for its turn on
        a busy processor, cannot stop before that wait is over.
        """
        self._is_frozen = self._group.can_freeze
        busy, deadline = self.busy_seconds(), time.monotonic() + HELD_UP_SECONDS
        is_still = self._try_to_stop()
        while not is_still and self.busy_seconds() - busy <= HELD_UP_BUSY_SECONDS and time.monotonic() < deadline:
            is_still = self._try_to_stop()
        self._busy_when_stopped = self.busy_seconds()
        return is_still

    def _try_to_stop(self) -> bool:
        return self._group.freeze(STOP_SECONDS) if self._is_frozen else self._tree.stop()

    def resume(self) -> float:
        """Let all processes go on; returns the processor time in seconds that they used since `stop`, ideally none."""
        before, self._busy_when_stopped = self._busy_when_stopped, None
        used = self.busy_seconds() - before if before is not None else 0.0
        if self._is_frozen:
            self._group.thaw()
        else:
            self._tree.resume()
        self._is_frozen = False
        return max(0.0, used)

    def busy_seconds(self) -> float:
        """Processor time that all processes have used so far, in seconds."""
        counted = self._group.busy_seconds()
        return self._tree.busy_seconds() if counted is None else counted

    def signal_agent(self, number: int) -> None:
        """Send a Python agent's process one of the signals in `confine.py`; it must have answered something before."""
        pid = self._tree.root
        for _ in range(WRAPPERS if self._mechanisms.bubblewrap else 0):
            if not (inside := proc.children(pid)):
                return  # it has ended, and the signal would end bubblewrap before that can say how
            pid = inside[0]
        with suppress(ProcessLookupError):
            os.kill(pid, number)

    def end_reads(self) -> tuple[str, Path] | None:
        """Unmount the agent's own files if it has a file tree of its own; to be called while it is stopped.

        Only the first call does something. Returns how a process still uses one of them, and which, see
        `ProcessTree.open_below`; None if none does. That is why processes start in "/": the referee's folder may be the
        agent's own. Mapped files stay mapped. Raises OSError if this system fails.
        """
        has_files = self._mechanisms.bubblewrap and self._visible.own and not self._reads_ended
        inside = proc.children(self._tree.root) if has_files else []
        self._reads_ended = True
        if not inside:
            return None
        trusted = (self._tree.root, inside[0])
        if held := self._tree.open_below(self._visible.own, self._visible.program, but=trusted):
            return held
        try:
            # The target of a link is among them, too, and must not be unmounted twice.
            bubblewrap.unmount_in(inside[0], [path for path in self._visible.own if not path.is_symlink()])
        except OSError:
            first = proc.stat(inside[0])  # the namespace ends with it, a moment before bubblewrap does
            if self.exit_status() is None and first is not None and first.state not in proc.DEAD:
                raise
        return None

    @property
    def written(self) -> Path | None:
        """The path from outside of the folder that the agent may write; None if there is none, or it is gone."""
        folder = self._visible.written
        inside = proc.children(self._tree.root)
        return Path(f"/proc/{inside[0]}/root{folder}") if folder and inside else None

    # --- End ---

    def kill(self) -> bool:
        """Kill all processes and reap them; returns whether none is left. Their output can still be read."""
        if self._process is None:
            return True
        # The first process inside may have ended before it was seen, and has to be reaped.
        self._tree.include(bubblewrap.reported("child-pid", self._read_status()))
        self._group.kill()
        if self._is_frozen:
            self._group.thaw()
        is_gone = self._tree.kill()
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            is_gone = False
        return is_gone

    def close(self) -> None:
        """Close our ends and remove the control groups, after `kill`. Raises OSError if this system fails."""
        self._process = None
        for end in self._wire:
            end.close()
        if self._status_fd is not None:
            os.close(self._status_fd)
            self._status_fd = None
        self._group.remove()


def _as_signal(code: int) -> int:
    """An exit code as in `Popen.returncode`: bubblewrap, like a shell, says 128 + n if signal n ended a process."""
    return -(code - 128) if code - 128 in {number.value for number in signal.Signals} else code
