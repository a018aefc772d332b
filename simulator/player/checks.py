"""Faults that the sandbox sees in an agent's processes."""

import time

from simulator.player import faults
from simulator.player.contract import LOAD_FAILED, RAISED_BETWEEN_MOVES
from simulator.player.faults import AGENT_FAILED, Fault
from simulator.player.log import AgentLog
from simulator.sandbox.confine import STACKS_SIGNAL
from simulator.sandbox.isolation import MAX_PROCESSES
from simulator.sandbox.sandbox import EXIT_SECONDS, Sandbox

STACKS_SECONDS = 0.3  # for a hung agent's process to write where its threads stand
STACKS_PAUSE_SECONDS = 0.03  # if nothing new is written for so long, all stacks have been written
STACKS_LOOK_SECONDS = 0.002


def check_limits(sandbox: Sandbox, used_mb: float) -> None:
    """Raises Fault if `used_mb` of memory, or the number of processes and threads, is above the limit."""
    limit = sandbox.limits.memory_mb
    if used_mb > limit:
        raise faults.too_much_memory(used_mb, limit)
    _check_out_of_memory(sandbox)
    if tasks := sandbox.excess_tasks():
        raise faults.too_many_tasks(tasks, MAX_PROCESSES)


def _check_out_of_memory(sandbox: Sandbox) -> None:
    if sandbox.ran_out_of_memory():
        raise faults.out_of_memory(sandbox.peak_mb, sandbox.limits.memory_mb)


def how_it_ended(sandbox: Sandbox, log: AgentLog, *, is_loading: bool) -> Fault:
    """The fault of a process that closed its output. Raises another Fault if the kernel ended it for its memory."""
    deadline = time.monotonic() + EXIT_SECONDS
    while (status := sandbox.exit_status()) is None and time.monotonic() < deadline:
        time.sleep(0.005)
    _check_out_of_memory(sandbox)
    log.read()
    last = next(reversed(log.last_lines()), "")
    if status == LOAD_FAILED and is_loading:
        return faults.not_loaded(last)
    if status == RAISED_BETWEEN_MOVES and last.startswith(AGENT_FAILED):
        return faults.raised_between_moves(last.removeprefix(AGENT_FAILED))
    return faults.ended(status, tells_signals=sandbox.tells_signals)


def write_stacks(sandbox: Sandbox, log: AgentLog) -> None:
    """Have an agent's process write to its log where its threads stand; to be called before it is killed."""
    log.read()
    before = log.received
    sandbox.signal_agent(STACKS_SIGNAL)
    deadline = time.monotonic() + STACKS_SECONDS
    is_done = False
    while not is_done and time.monotonic() < deadline:
        received, pause_ends = log.received, time.monotonic() + STACKS_PAUSE_SECONDS
        while time.monotonic() < pause_ends:  # they are many small writes, for which a socket has little room
            time.sleep(STACKS_LOOK_SECONDS)
            log.read()
        is_done = before < received == log.received
