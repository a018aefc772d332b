"""Shared by the command lines of benchmarks and experiments: numbers within bounds, and errors as messages."""

import argparse
import math
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agents.agent import AgentError
from options import Failure, InputError
from simulator.records.file_errors import in_words


def natural(text: str) -> int:
    """A whole number, at least 0."""
    return _whole(text, 0)


def positive(text: str) -> int:
    """A whole number, at least 1."""
    return _whole(text, 1)


def duration(text: str) -> float:
    """A number of seconds above 0."""
    found = float(text)
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a time above 0")
    return found


def _whole(text: str, least: int) -> int:
    found = int(text)
    if found < least:
        raise argparse.ArgumentTypeError(f"{text} is less than {least}")
    return found


def run_script(main: Callable[[], None]) -> None:
    """Call `main`; an unknown agent, a value out of bounds or an unreadable file ends the script with a message.

    Ctrl-C and SIGTERM end it and its workers, with exit code 130.
    """
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        main()
    except (InputError, AgentError, Failure) as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        sys.exit(f"error: {in_words(error)}")
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def as_input() -> Iterator[None]:
    """For what is made from a script's arguments: a ValueError, which says what is wrong, becomes an InputError."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error)) from error
