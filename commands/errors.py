"""How a command ends when it cannot go on: exit codes, messages for people, Ctrl-C."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

FAILURE, USAGE, INTERRUPTED = 1, 2, 130  # exit codes; 130 is what a shell reports for Ctrl-C
NOT_PLAYED = FAILURE  # an agent could not be loaded, or no game could be played


@contextmanager
def errors_for_people() -> Iterator[None]:
    """Wrong input becomes a message and exit code 2, a failure a message and 1; bugs show a traceback."""
    from agents.agent import AgentError
    from options import InputError

    try:
        yield
    except (AgentError, InputError) as error:
        raise click.UsageError(str(error)) from error
    except (OSError, MemoryError) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def opponents_fault() -> Iterator[None]:
    """An opponent that cannot be started becomes a message, its last lines below, and exit code NOT_PLAYED."""
    from simulator.player.interactive import AgentFailed

    try:
        yield
    except AgentFailed as fault:
        click.echo("\n".join([f"Error: {fault}", *fault.quoted()]), err=True)
        sys.exit(NOT_PLAYED)


@contextmanager
def ctrl_c_at_once() -> Iterator[None]:
    """Ctrl-C ends the process where compiled code is loaded: LLVM's callbacks swallow KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
