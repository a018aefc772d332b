"""Why a game ends, and what an agent did wrong in the words of a verdict."""

import signal
from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from simulator.gtp.syntax import one_line

LONGEST_FAULT = 600  # characters; an illegal move with the reason why it is illegal has 400 at most
AGENT_FAILED = "agent failed: "  # how our engine's answers begin when the agent raised an exception


class Reason(StrEnum):
    """Why a game ended."""

    NORMAL = "normal"  # the game came to its end on the board
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"  # no answer within the limit and the cushion (or, under strict rules, within the limit)
    ILLEGAL = "illegal"  # a move that is not legal, or an answer that is no move
    CRASH = "crash"  # the agent's process ended, failed, or broke the protocol
    MEMORY = "memory"
    FILES = "files"  # the agent still held a file of its own open when reading had to end
    PROCESSOR = "processor"  # the agent was busy while its opponent was to move, or had too many processes and threads
    VOID = "void"  # the referee's own machine failed; nobody wins

    @property
    def is_fault(self) -> bool:
        """Whether somebody lost by breaking a rule."""
        return self not in (Reason.NORMAL, Reason.RESIGNATION, Reason.VOID)

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        """Older versions wrote "rules" for a normal end."""
        return cls("normal") if value == "rules" else None


class Fault(Exception):
    """Something that an agent did wrong, by which it loses the game.

    Attributes:
        reason: one of TIMEOUT, ILLEGAL, CRASH, MEMORY, FILES, PROCESSOR.
        action: a predicate, "crashed" for instance.
        details: what follows after a colon; perhaps empty.
        measured, limit: the figure that broke the limit, and the limit; None if there is no figure.
    """

    def __init__(
        self, reason: Reason, action: str, details: str = "", measured: float | None = None, limit: float | None = None
    ) -> None:
        # Both texts may quote what the agent wrote, or the names of its files.
        self.reason, self.action, self.details = reason, one_line(action), one_line(details, LONGEST_FAULT - 300)
        self.measured, self.limit = measured, limit
        super().__init__(self._sentence(self.action))

    def at_move(self, number: int) -> str:
        """The predicate of a verdict: "crashed at move 5: IndexError: list index out of range"."""
        return self._sentence(f"{self.action} at move {number}")

    def _sentence(self, action: str) -> str:
        return f"{action}: {self.details}" if self.details else action


class AgentFailed(Exception):
    """An agent failed outside of a game with a verdict; the agent may be asked again.

    Attributes:
        stderr: the last lines of the agent's log, oldest first.
    """

    def __init__(self, message: str, stderr: tuple[str, ...]) -> None:
        super().__init__(message)
        self.stderr = stderr

    def quoted(self) -> list[str]:
        """The last lines of the agent's log, indented and marked as a quotation."""
        return [f"    | {line}" for line in self.stderr]


def last_words(stderr: Sequence[str], count: int) -> Sequence[str]:
    """At most `count` lines of a log: the main thread's stack, innermost frame first; without one, the last lines."""
    stacks = [number for number, line in enumerate(stderr, 1) if "Current thread 0x" in line]
    begin = stacks[-1] if stacks else max(0, len(stderr) - count)
    return stderr[begin : begin + count]


def no_answer(allowed: str, seconds: float, limit: float, *, printed_mb: int, has_stacks: bool) -> Fault:
    """The agent did not answer within `allowed` (a text) and was killed after `seconds`; `limit` is in seconds, too.

    It printed `printed_mb` meanwhile. With `has_stacks`, its log says where its threads stood.
    """
    stacks = " (its log says where its threads stood)" if has_stacks else ""
    printed = f"; it printed {printed_mb} MB at this move" if printed_mb else ""
    details = f"no answer within {allowed}, killed after {seconds:.3f} s{printed}{stacks}"
    return Fault(Reason.TIMEOUT, "lost on time", details, seconds, limit)


def late(seconds: float, limit: float, limit_name: str) -> Fault:
    """The agent answered after a limit that allows no lateness."""
    return Fault(Reason.TIMEOUT, "lost on time", f"it answered after {seconds:.3f} s, {limit_name}", seconds, limit)


def illegal(answer: str, why: str) -> Fault:
    """The agent answered with something other than a legal move."""
    shown, why = one_line(answer, 80), one_line(why, 200)
    is_said = repr(shown) in why or f" {shown} " in f" {why} "
    return Fault(Reason.ILLEGAL, "made an illegal move", why if is_said else f"{shown!r} ({why})")


def refused(command: str, error: str) -> Fault:
    """The engine answered a command with an error."""
    name, _, argument = command.partition(" ")
    if error.startswith(AGENT_FAILED):
        return Fault(Reason.CRASH, "crashed", error.removeprefix(AGENT_FAILED))
    deeds = {"play": f"refused the legal move `{command}`", "boardsize": f"refused a board of size {argument}"}
    deeds["unforced-study"] = "could not say what moves are worth"
    return Fault(Reason.CRASH, deeds.get(name, f"answered `{command}` with an error"), error)


def malformed(what: str) -> Fault:
    """The engine sent bytes that are no GTP answer, or an answer that nobody asked for."""
    return Fault(Reason.CRASH, "broke the protocol", f"it sent {what}")


def not_started() -> Fault:
    """The GTP program does not exist."""
    return Fault(Reason.CRASH, "could not be started", "there is no such program")


def not_loaded(last_line: str) -> Fault:
    """A Python agent's process gave up before the first command; the last line of its log has the error."""
    return Fault(Reason.CRASH, "could not be loaded", last_line.removeprefix(AGENT_FAILED) or "it did not say why")


def raised_between_moves(error: str) -> Fault:
    """A signal handler of a Python agent raised an exception between two moves."""
    return Fault(Reason.CRASH, "crashed", f"{error} (raised between its moves, by a timer or signal of its own)")


def ended(status: int | None, *, tells_signals: bool) -> Fault:
    """The process ended, or closed its output (status None); -n means that signal n killed it.

    Without `tells_signals`, signal n cannot be told apart from the exit status 128 + n.
    """
    if status is None:
        return Fault(Reason.CRASH, "crashed", "it closed its output")
    if status >= 0:
        return Fault(Reason.CRASH, "crashed", f"its process ended with exit status {status}")
    doubt = "" if tells_signals else f", or ended by itself with exit status {128 - status}"
    return Fault(Reason.CRASH, "crashed", f"its process was killed by {_signal_name(-status)}{doubt}")


def too_much_memory(used_mb: float, limit_mb: float) -> Fault:
    """The agent's processes were seen with more memory than allowed."""
    return Fault(
        Reason.MEMORY, "used too much memory", f"{used_mb:.1f} MB, the limit is {limit_mb} MB", used_mb, limit_mb
    )


def out_of_memory(peak_mb: float, limit_mb: float) -> Fault:
    """The kernel killed a process that asked for more than the limit, so no more than that was ever measured."""
    details = f"it wanted more than {limit_mb} MB, so the kernel killed one of its processes"
    return Fault(Reason.MEMORY, "used too much memory", details, peak_mb, limit_mb)


def too_many_tasks(tasks: int, limit: int) -> Fault:
    """The agent was seen with more processes and threads than allowed."""
    return Fault(Reason.PROCESSOR, "had too many processes and threads", f"{tasks}, the limit is {limit}", tasks, limit)


def not_stopped(seconds: float) -> Fault:
    """The agent's processes could not be stopped for so many seconds after its answer."""
    details = f"it had not stopped {seconds:.0f} s after its answer"
    return Fault(Reason.PROCESSOR, "could not be stopped", details, seconds, 0.0)


def busy_while_stopped(seconds: float) -> Fault:
    """The agent used processor time between two of its turns."""
    details = f"{seconds:.2f} s of processor time while its opponent was to move"
    return Fault(Reason.PROCESSOR, "used the processor out of turn", details, seconds, 0.0)


def still_held(by: str, path: object) -> Fault:
    """The agent still uses one of its own files when reading has to end; for `by` see `ProcessTree.open_below`."""
    deeds = {"cwd": "stayed in its own folder", "exe": "still ran a program of its own"}
    deed = deeds.get(by, "kept a file open")
    return Fault(Reason.FILES, deed, f"{path}, although reading files ends with the first move")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
