"""Shared by commands that draw on the whole terminal: whether that is possible, and options for the look."""

import os
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

import click

from commands.parameters import option, options

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.terminal.live import LineObserver

LOOK = options(
    option(
        "--theme",
        type=click.Choice(["auto", "dark", "light", "ansi"]),
        default="auto",
        help="Colours of the full screen; ansi: the terminal's own.",
    ),
    option("--ascii", "is_ascii", is_flag=True, help="Draw boards with ASCII characters only."),
    option("--no-animation", is_flag=True, help="Do not animate moves."),
)


def is_full_screen_possible(otherwise: str) -> bool:
    """Whether stdin, stdout and stderr are a terminal that is large enough, and on which a screen can be drawn.

    Args:
        otherwise: what the command does instead, as in "playing in lines"; it is printed if the terminal is too small.
    """
    if not _are_terminals(sys.stdin, sys.stdout, sys.__stderr__) or os.environ.get("TERM", "dumb") == "dumb":
        return False
    from simulator.fullscreen.board_app import LEAST_HEIGHT, LEAST_WIDTH  # loads Textual, which few commands need

    width, height = shutil.get_terminal_size()
    if width >= LEAST_WIDTH and height >= LEAST_HEIGHT:
        return True
    least = f"{LEAST_WIDTH}x{LEAST_HEIGHT}"
    said = f"This terminal has {width}x{height} characters, and the full screen needs {least}: {otherwise}."
    click.echo(textwrap.fill(said, max(width, 1)))
    return False


def _are_terminals(*streams: TextIO | None) -> bool:
    """Whether these are terminals with the characters of full screens; Textual draws on `sys.__stderr__`."""
    try:
        return all(stream is not None and stream.isatty() and "─●".encode(stream.encoding) for stream in streams)
    except UnicodeEncodeError:
        return False


def observer_on(console: "Console", has_tables: bool = True) -> "LineObserver":
    """An observer that shows a match or tournament: a full screen on a terminal whose keys can be read, else lines."""
    from simulator.terminal.live import LineObserver

    is_smart = console.is_terminal and not console.is_dumb_terminal
    if is_smart and _are_terminals(sys.__stdin__, sys.__stderr__):
        from simulator.fullscreen.board_app import LEAST_HEIGHT, LEAST_WIDTH  # loads Textual
        from simulator.fullscreen.live import LiveObserver, is_ours

        if is_ours() and console.width >= LEAST_WIDTH and console.height >= LEAST_HEIGHT:
            return LiveObserver(console, has_tables)
    return LineObserver(console, has_tables)
