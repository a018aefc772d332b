"""Shared by the command lines of benchmarks and experiments: numbers within bounds, and errors as messages."""

import argparse
import math
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from agents.agent import AgentError
from options import Failure, InputError
from simulator.records.file_errors import in_words

PATIENCE_SECONDS = 15.0  # for an interrupted script; a sandbox may take 12 to kill its processes


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
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
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


def _interrupt(*_: Any) -> None:
    """End the workers of a pool: else leaving its `with` waits until they have played all games.

    Python 3.11.2 can wait for ever for killed workers: so this process ends in any case.
    """
    if workers := multiprocessing.active_children():
        end = threading.Timer(PATIENCE_SECONDS, os._exit, (130,))
        end.daemon = True
        end.start()
    for worker in workers:
        worker.kill()
    raise KeyboardInterrupt
