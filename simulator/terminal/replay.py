"""A finished game in lines: its pages, and the commands that turn them.

A *page* shows the position after a number of moves, 0 for the start.
"""

import re
import textwrap
from collections.abc import Mapping

from options import InputError, counted
from simulator.play.replay import Replay
from simulator.terminal.screen import WIDTH

HELP = "Enter, right: next  b, left: back  f: first  l: last  number: move  q: quit"
KEYS: Mapping[str, tuple[str, ...]] = {  # command: what is typed for it
    "next": ("n", "next", "", "\r", "\n", " ", "\x1b[C", "\x1bOC"),
    "back": ("b", "back", "p", "\x7f", "\x1b[D", "\x1bOD"),
    "first": ("f", "first", "\x1b[H", "\x1bOH", "\x1b[1~"),
    "last": ("l", "last", "\x1b[F", "\x1bOF", "\x1b[4~"),
    "quit": ("q", "quit", "\x04"),
}
GO_TO = re.compile(r"\s*(?:g(?:oto)?\s+)?([0-9]{1,9})\s*")  # Python reads no number of 5,000 digits


def page(replay: Replay, ply: int, *, colour: bool = False, logs: bool = False, transcripts: bool = False) -> str:
    """The position after `ply` moves, and what is known of the last of them.

    At the end comes the verdict, with what both players wrote to stdout and stderr (`logs`), and the GTP between the
    referee and them, if it was kept (`transcripts`).
    """
    board = replay.game.draw(replay.positions[ply], colour)
    lines = [replay.headline(), replay.last_move(ply), "", board, "", *replay.usage(ply)]
    if ply == replay.last:
        lines += textwrap.wrap(replay.verdict(), WIDTH, break_on_hyphens=False)
        lines += replay.logs() if logs else replay.last_words()
        lines += replay.transcripts() if transcripts else ()
    return "\n".join(lines)


def obey(replay: Replay, typed: str) -> bool:
    """Obey what was typed; False means to leave. Raises InputError, which says what can be typed."""
    if number := GO_TO.fullmatch(typed):
        if int(number[1]) > replay.last:
            raise InputError(f"the game has {counted(replay.last, 'move')}")
        replay.go(int(number[1]))
        return True
    typed = typed.strip() or typed  # Enter or a space is a command, too
    command = next((command for command, keys in KEYS.items() if typed in keys or typed.lower() in keys), None)
    if command is None:
        raise InputError(HELP)
    if command != "quit":
        replay.step(command)
    return command != "quit"
