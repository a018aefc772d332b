"""How a command ends when it cannot go on: exit codes, messages for people, Ctrl-C."""

import errno
import io
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from simulator.tournament.events import Ended

FAILURE, INTERRUPTED = 1, 130  # exit codes; 130 is what a shell reports for Ctrl-C
NOT_PLAYED = FAILURE  # an agent could not be loaded, or no game could be played
LOG_SECONDS = 60.0  # between two lines of progress in a file, where a line cannot replace the last one


@contextmanager
def errors_for_people() -> Iterator[None]:
    """Wrong input becomes a message and exit code 2, a failure a message and exit code 1; bugs show a traceback.

    If the reader of stdout has gone, as `head` does, the program ends silently.
    """
    from agents.agent import AgentError
    from options import Failure, InputError
    from simulator.records.file_errors import in_words

    try:
        yield
    except (AgentError, InputError) as error:
        context = click.get_current_context(silent=True)  # while options are read, click does not add the context
        raise click.UsageError(str(error), context) from error
    except OSError as error:
        if isinstance(error, BrokenPipeError) and _has_lost_its_reader():
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for output that is still buffered
            sys.exit(FAILURE)
        raise click.ClickException(in_words(error)) from error
    except (Failure, MemoryError) as error:
        raise click.ClickException(str(error) or "no memory left") from error


def _has_lost_its_reader() -> bool:
    """Whether nobody reads stdout any more; a BrokenPipeError may come from other pipes of a program, too."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


@contextmanager
def records_errors() -> Iterator[None]:
    """The same as `errors_for_people`; a file without the wanted games also becomes a message and exit code 2."""
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
    """End the program as the match ended: raises its failure, or SystemExit if it was interrupted or not played."""
    if ended.failure:
        raise ended.failure
    if ended.interrupted:
        sys.exit(INTERRUPTED)
    if not ended.could_be_played:
        sys.exit(NOT_PLAYED)


@contextmanager
def goes_on_from(path: Path) -> Iterator[Callable[[str], None]]:
    """For work that is kept in a file or folder: Ctrl-C ends it with a hint how to go on, exit code INTERRUPTED.

    SIGTERM does the same, because processes in the background of a shell do not get Ctrl-C. Yields a function that
    shows progress as `show_progress` does, and where that shows nothing, prints a line every LOG_SECONDS. The line of
    progress is erased in any case.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    printed = time.monotonic()

    def show(text: str) -> None:
        """Show progress; at most once in LOG_SECONDS where each text is a line of its own."""
        nonlocal printed
        show_progress(text)
        if not replaces_lines() and time.monotonic() - printed >= LOG_SECONDS:
            click.echo(text, err=True)
            printed = time.monotonic()

    try:
        try:
            yield show
        finally:
            show_progress("")
    except KeyboardInterrupt:
        click.echo(f"Stopped; the same command goes on from what is in {path}.", err=True)
        sys.exit(INTERRUPTED)


def replaces_lines() -> bool:
    """Whether stderr is a terminal on which a line can replace the last one."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def show_progress(text: str) -> None:
    """Print a line on stderr in place of the last one, on a terminal that can do that."""
    if replaces_lines():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


@contextmanager
def program() -> Iterator[None]:
    """For a whole program: Ctrl-C ends it silently with exit code INTERRUPTED; a full disk becomes a message.

    Characters that the encoding of a terminal or pipe does not have are printed as escapes. A stream that is closed,
    as by `2>&-`, is opened as /dev/null, lest the next file takes its number.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "r+"))  # noqa: SIM115  (as long as the program runs)
        elif isinstance(stream, io.TextIOWrapper):  # in tests it may be another class
            stream.reconfigure(errors="backslashreplace")
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.errno == errno.ENOSPC:  # while something is printed: `> /dev/full`, or a full disk
            raise click.ClickException("cannot write the output: the disk is full") from error
        raise
    finally:
        try:
            sys.stdout.flush()
        except OSError:  # already reported; Python would try again at its end, and fail with a status of its own
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def ctrl_c_at_once() -> Iterator[None]:
    """Ctrl-C ends the process at once, where LLVM's callbacks or an agent's host would swallow KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
