"""How a command ends when it cannot go on: exit codes, messages for people, Ctrl-C."""

import errno
import io
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from simulator.tournament.events import Ended

FAILURE, USAGE, INTERRUPTED = 1, 2, 130  # exit codes; 130 is what a shell reports for Ctrl-C
NOT_PLAYED = FAILURE  # an agent could not be loaded, or no game could be played


@contextmanager
def errors_for_people() -> Iterator[None]:
    """Wrong input becomes a message and exit code 2, a failure a message and 1; bugs show a traceback.

    If the reader of stdout has gone, as `head` does, the program ends without a word.
    """
    from agents.agent import AgentError
    from options import Failure, InputError
    from simulator.records.file_errors import in_words

    try:
        yield
    except (AgentError, InputError) as error:
        context = click.get_current_context(silent=True)  # while options are read, click does not add it
        raise click.UsageError(str(error), context) from error
    except OSError as error:
        if isinstance(error, BrokenPipeError) and _has_lost_its_reader():
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to be flushed goes there
            sys.exit(FAILURE)
        raise click.ClickException(in_words(error)) from error
    except (Failure, MemoryError) as error:
        raise click.ClickException(str(error) or "no memory left") from error


def _has_lost_its_reader() -> bool:
    """Whether nobody reads stdout any more; other pipes of a program may break, too."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


@contextmanager
def records_errors() -> Iterator[None]:
    """As `errors_for_people`; a file without the games that are wanted becomes a message and exit code 2, too."""
    from simulator.records.store import StoreError

    with errors_for_people():
        try:
            yield
        except StoreError as error:
            raise click.UsageError(str(error)) from error


@contextmanager
def opponents_fault() -> Iterator[None]:
    """An opponent that cannot be started becomes a message with the end of its log, and exit code NOT_PLAYED."""
    from simulator.player.faults import AgentFailed

    try:
        yield
    except AgentFailed as fault:
        click.echo("\n".join([f"Error: {fault}", *fault.quoted()]), err=True)
        sys.exit(NOT_PLAYED)


def exit_as(ended: "Ended") -> None:
    """End the program as a match has ended: raises what made it fail, or SystemExit if it was stopped or not played."""
    if ended.failure:
        raise ended.failure
    if ended.interrupted:
        sys.exit(INTERRUPTED)
    if not ended.could_be_played:
        sys.exit(NOT_PLAYED)


@contextmanager
def goes_on_from(path: Path) -> Iterator[None]:
    """Around work that is kept in a file or folder: Ctrl-C ends it with what to do, exit code INTERRUPTED.

    So does SIGTERM: what a shell starts in the background is deaf to Ctrl-C. However it ends, its progress is erased.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        try:
            yield
        finally:
            show_progress("")
    except KeyboardInterrupt:
        click.echo(f"Stopped; the same command goes on from what is in {path}.", err=True)
        sys.exit(INTERRUPTED)


def show_progress(text: str) -> None:
    """A line on stderr in place of the one before, where that is a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


@contextmanager
def program() -> Iterator[None]:
    """Around a whole program: Ctrl-C ends it without a word, exit code INTERRUPTED; output to a full disk, a message.

    Characters that a terminal's or pipe's encoding does not have are printed as escapes.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test's may be another
            stream.reconfigure(errors="backslashreplace")
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.errno == errno.ENOSPC:  # while something is printed: `> /dev/full`, or a disk that is full
            raise click.ClickException("cannot write the output: the disk is full") from error
        raise
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # it has been said; else Python tries once more as it ends, and fails with a status of its own
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def ctrl_c_at_once() -> Iterator[None]:
    """Ctrl-C ends the process where KeyboardInterrupt would be swallowed: by LLVM's callbacks, by an agent's host."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
