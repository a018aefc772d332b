"""Text that a terminal's or pipe's encoding has no characters for: it is written as escapes, and ends no command."""

import io
import sys


def tolerate_any_text() -> None:
    """From now on nothing that is printed or typed raises UnicodeError: `\\xbd` is shown where there is no one half."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test's may be another
            stream.reconfigure(errors="backslashreplace")
