"""The cell: where one agent's processes live, from their start until nothing of them is left.

    start        they begin when they are in their control group
    stop, resume between the agent's turns
    end_reads    after its first move
    check_memory, exit_status
    kill, close

A cell is used by one `Seat`. What holds on this system is `machine.Machine`'s to say.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from agents.agent import Limits
from simulator.sandbox import bubblewrap, linux, proc, processes
from simulator.sandbox import unmount as detach
from simulator.sandbox.cgroups import Group
from simulator.sandbox.confine import STACKS_SIGNAL, Confinement
from simulator.sandbox.cores import pinned
from simulator.sandbox.isolation import MAX_DESCRIPTORS, MAX_PROCESSES, UNCOUNTED_DESCRIPTORS, Machine
from simulator.sandbox.processes import STOP_SECONDS, ProcessTree
from simulator.sandbox.visible_files import View

# Waits for a line on stdin before it becomes a program: by then it is in its group, so that what it begins is too.
_WAITING = ("/bin/sh", "-c", 'read -r _; exec "$@"', "sh")
_DETACH_SECONDS = 10.0  # it takes 0.02 s
SECOND_LOOK_SECONDS = 0.005  # later, before more memory than is allowed counts
WRAPPERS = 2  # processes of bubblewrap's own around the agent's


class Cell:
    """The processes of one agent, and what holds them.

    Attributes:
        peak_mb: the most memory that all processes were seen to hold together, MB of 2^20 bytes.
    """

    def __init__(self, machine: Machine, view: View, limits: Limits, cores: tuple[int, ...]) -> None:
        self.peak_mb = 0.0
        self._machine, self._view, self._limits, self._cores = machine, view, limits, cores
        self._group: Group | None = None
        self._tree: ProcessTree | None = None
        self._status_fd: int | None = None
        self._status = b""
        self._ended: int | None = None
        self._is_frozen = False
        self._busy_when_stopped: float | None = None

    @property
    def confinement(self) -> Confinement:
        """What a process inside is to give up before foreign code runs in it."""
        machine = self._machine
        return Confinement(
            filters_calls=machine.filter,
            makes_processes=machine.makes_processes,
            has_namespaces=machine.bubblewrap,
            writes_nothing=machine.bubblewrap or machine.filter,
            tasks=machine.tasks,
            descriptors=None if machine.is_open else MAX_DESCRIPTORS if machine.counts_all else UNCOUNTED_DESCRIPTORS,
        )

    # --- Start ---

    def start(self, command: Sequence[str], environment: Mapping[str, str], token: str) -> "subprocess.Popen[bytes]":
        """Start a program inside, with pipes to all of its streams. Raises OSError if the machine fails."""
        status_fds = os.pipe() if self._machine.bubblewrap else ()
        has_zero = self._machine.makes_processes
        prefix = bubblewrap.command(self._view, status_fds[1], has_zero=has_zero) if status_fds else []
        linux.adopt_orphans()
        if self._machine.filter and not self._machine.bubblewrap:
            linux.hide_memory()
        try:
            if self._machine.groups:
                self._group = Group(self._limits.memory_mb, self._cores, MAX_PROCESSES)
            with pinned(self._cores):
                process = subprocess.Popen(
                    [*_WAITING, *prefix, *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                    env=environment,
                    pass_fds=status_fds[1:],
                    cwd=None if self._machine.is_open else "/",  # see `end_reads`
                )
        except OSError:
            _close(status_fds)
            self.close()
            raise
        if status_fds:
            self._status_fd = status_fds[0]
            os.set_blocking(self._status_fd, False)
        _close(status_fds[1:])
        listed = None if self._group is None else self._group.processes_listed
        self._tree = ProcessTree(process.pid, token, listed)
        try:
            self._let_in(process)
        except OSError:
            self.kill()
            process.communicate()
            self.close()
            raise
        return process

    def _let_in(self, process: "subprocess.Popen[bytes]") -> None:
        if self._group is not None:
            self._group.add(process.pid)
        processes.set_backstops(process.pid, self._limits)
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it was killed before it began: that is seen soon enough
            process.stdin.write(b"\n")

    # --- Watching ---

    def memory_mb(self) -> float:
        """What all processes hold together now."""
        assert self._tree is not None
        if self._group is not None and "memory" in self._group.folders:
            used = self._group.memory_mb()
        else:
            used = self._tree.memory_mb(self._limits.memory_mb)
            if used > self._limits.memory_mb:  # a process that begins another shares all with it for a moment
                time.sleep(SECOND_LOOK_SECONDS)
                used = min(used, self._tree.memory_mb(self._limits.memory_mb))
        self.peak_mb = max(self.peak_mb, used)
        return used

    def kernel_peak_mb(self) -> float:
        """The peak so far, with the most that any one process held by the kernel's own book.

        Where a group holds the limit, what was seen: the kernel lets nothing exceed the limit.
        """
        used = self.memory_mb()
        if self._tree is None or (self._group is not None and "memory" in self._group.folders):
            return used
        self.peak_mb = max(self.peak_mb, self._tree.kernel_peak_mb())
        return self.peak_mb

    def excess_tasks(self) -> int:
        """How many processes and threads there are, if that is more than allowed and nothing but looking holds it."""
        if self._tree is None or not self._machine.watches_tasks:
            return 0
        tasks = self._tree.count_tasks()
        return tasks if tasks > MAX_PROCESSES else 0

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended a process because there was no memory left in the cell."""
        return self._group is not None and self._group.ran_out_of_memory()

    def reach_limit(self) -> float:
        """Take the limit for the peak: what the kernel ended was there, between two looks of ours. Returns the peak."""
        self.peak_mb = max(self.peak_mb, float(self._limits.memory_mb))
        return self.peak_mb

    def exit_status(self) -> int | None:
        """How the agent's process ended (minus a signal's number, if one killed it), without reaping; None if it lives.

        Raises OSError if the cell could not be set up.
        """
        assert self._tree is not None
        if self._ended is None:
            status = processes.exit_status(self._tree.root)
            self._ended = status if status is None or self._status_fd is None else self._status_inside(status)
        return self._ended

    @property
    def tells_signals(self) -> bool:
        """Whether `exit_status` tells a signal from a program's own exit status of 128 more: bubblewrap does not."""
        return self._status_fd is None

    def _status_inside(self, status: int) -> int:
        """How the program inside ended, when bubblewrap has ended with a status."""
        code = bubblewrap.exit_code(self._told())
        if code is None and not self.ran_out_of_memory():
            raise OSError(f"bubblewrap ended with status {status} before the agent began, or was killed")
        return status if code is None else _as_signal(code)

    def _told(self) -> bytes:
        """What bubblewrap has told of itself so far."""
        if self._status_fd is not None:
            with suppress(BlockingIOError):
                self._status += os.read(self._status_fd, 1 << 12)
        return self._status

    # --- Turns ---

    def stop(self) -> bool:
        """Stop all processes until `resume`; whether every thread of theirs stands still now.

        That is waited for, some seconds at most.
        """
        assert self._tree is not None
        self._is_frozen = self._group is not None and self._group.can_freeze
        if self._is_frozen and self._group is not None:
            is_still = self._group.freeze(STOP_SECONDS)
        else:
            is_still = self._tree.stop()
        self._busy_when_stopped = self.busy_seconds()
        return is_still

    def resume(self) -> float:
        """Let all go on; returns the processor time that they used while they were stopped, which should be none."""
        assert self._tree is not None
        before, self._busy_when_stopped = self._busy_when_stopped, None
        used = self.busy_seconds() - before if before is not None else 0.0
        if self._is_frozen and self._group is not None:
            self._group.thaw()
        else:
            self._tree.resume()
        self._is_frozen = False
        return max(0.0, used)

    def busy_seconds(self) -> float:
        """Processor time that all processes have used so far."""
        assert self._tree is not None
        counted = None if self._group is None else self._group.busy_seconds()
        return self._tree.busy_seconds() if counted is None else counted

    def show_stacks(self) -> None:
        """Ask the agent's own process to write to its stderr where each of its threads stands, see `worker`."""
        assert self._tree is not None
        pid = self._tree.root
        for _ in range(WRAPPERS if self._machine.bubblewrap else 0):
            pid = next(iter(proc.children(pid)), pid)
        with suppress(ProcessLookupError):
            os.kill(pid, STACKS_SIGNAL)

    def end_reads(self) -> Path | None:
        """Take what the agent brought along away from it, where it has a file tree of its own; call it when stopped.

        Returns a file or folder of it that a process still holds open, works in or runs, None if there is none; so no
        process begins where the referee works, which may be the agent's own folder. Mapped files stay mapped. Raises
        OSError if the machine fails.
        """
        assert self._tree is not None
        inside = self._tree.children_of_root() if self._machine.bubblewrap and self._view.own else []
        if not inside:
            return None
        if held := self._tree.open_below(self._view.own, self._view.program, but=(self._tree.root, inside[0])):
            return held
        script, folders = str(Path(detach.__file__)), map(str, self._view.own)
        command = [sys.executable, "-I", "-S", script, str(inside[0]), *folders]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_DETACH_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise OSError(f"reads cannot be ended within {_DETACH_SECONDS:g} s") from error
        if done.returncode != 0 and self.exit_status() is None:
            raise OSError(f"reads cannot be ended: {done.stderr.decode(errors='replace').strip()}")
        return None

    # --- End ---

    def kill(self) -> bool:
        """Kill all processes and reap all but the root, which is left to its parent's `wait`; whether none is left."""
        if self._tree is not None:
            self._tree.include(bubblewrap.child_pid(self._told()))  # it may have ended unseen, and is to be reaped
        if self._group is not None:
            self._group.kill()
            if self._is_frozen:
                self._group.thaw()
        return self._tree is None or self._tree.kill()

    def close(self) -> None:
        """Remove what held the processes, when they are gone. Raises OSError if the machine fails."""
        if self._status_fd is not None:
            os.close(self._status_fd)
            self._status_fd = None
        if self._group is not None:
            group, self._group = self._group, None
            group.remove()


def _close(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _as_signal(code: int) -> int:
    """A shell's way to say that a signal ended a process, 128 more than its number, as `Popen.returncode` says it."""
    return -(code - 128) if code - 128 in {number.value for number in signal.Signals} else code
