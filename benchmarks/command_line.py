"""What the command lines of benchmarks and experiments have in common: numbers in bounds, and errors in words."""

import argparse
import math
import sys
from collections.abc import Callable

from agents.agent import AgentError
from options import Failure, InputError


def natural(text: str) -> int:
    """A whole number from 0 on."""
    return _whole(text, 0)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return _whole(text, 1)


def duration(text: str) -> float:
    """A time above 0."""
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
    """Call it; an unknown agent, a value that is out of bounds, or a file that cannot be read ends it in one line."""
    try:
        main()
    except (InputError, AgentError, Failure, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
