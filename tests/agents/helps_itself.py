"""Asks the kernel for more than its share at its second move: `helps_itself.py:deed=affinity`.

Where nobody forbids it, nothing happens to the machine: clocks are set to the time that it is, limits to what they are.
"""

import ctypes
import os
import resource
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
MS_MOVE = 8192
EINVAL = 22
IO_URING_SETUP = 425  # the same number on every machine
LIMITED = (resource.RLIMIT_DATA, resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC)


def call(name, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def clock(options):
    time.clock_settime_ns(time.CLOCK_REALTIME, time.time_ns())


def priority(options):
    os.setpriority(os.PRIO_PROCESS, 0, -5)


def real_time(options):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def affinity(options):
    """Succeeds if it may then use more processors than it was promised."""
    os.sched_setaffinity(0, range(os.cpu_count()))
    if (cores := len(os.sched_getaffinity(0))) <= options["processors"]:
        raise PermissionError(1, f"{cores} processors and no more")


def limits(options):
    """Raises every limit that there is; one that cannot be raised ends it."""
    for which in LIMITED:
        if resource.prlimit(0, which)[1] != resource.RLIM_INFINITY:
            resource.prlimit(0, which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def referees_limits(options):
    resource.prlimit(options["pid"], resource.RLIMIT_CORE, resource.prlimit(options["pid"], resource.RLIMIT_CORE))


def user_namespace(options):
    call("unshare", CLONE_NEWUSER)


def mount_namespace(options):
    call("unshare", CLONE_NEWNS)


def mount(options):
    """Moves a mount without a name: an error of the arguments is only found by those who may mount."""
    try:
        call("mount", None, b"/", None, MS_MOVE, None)
    except OSError as error:
        if error.errno != EINVAL:
            raise


def chroot(options):
    os.chroot("/")


def capabilities(options):
    """Looks whether it has any."""
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    if int(status["CapEff"], 16) == 0:
        raise PermissionError(1, "no capabilities")


def io_uring(options):
    """A ring for system calls that no filter sees."""
    os.close(call("syscall", IO_URING_SETUP, 2, ctypes.create_string_buffer(120)))


FUNCTIONS = (
    clock,
    priority,
    real_time,
    affinity,
    limits,
    referees_limits,
    user_namespace,
    mount_namespace,
    mount,
    chroot,
    capabilities,
    io_uring,
)
DEEDS = {deed.__name__: deed for deed in FUNCTIONS}


@register_agent("helps_itself_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "affinity", "pid": 0, "processors": 1}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            DEEDS[self.options["deed"]](self.options)
            return f"SUCCEEDED: {self.options['deed']}"
        return self.rng.choice(position.legal_moves())
