"""Refusing games whose files have mistakes in their rules, before a match begins; and how a mistake is shown."""

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from options import Failure, option_text
from simulator import command_line

if TYPE_CHECKING:
    from game import Game
    from game_files.findings import Finding

MOMENT_GAMES, MOMENT_SECONDS = 10, 0.5  # played before a match
MOVES_SHOWN = 30  # at most, of those that lead to a mistake


def refuse_wrong_rules(game: "Game") -> None:
    """Play a game from a file for a moment. Raises Failure if it has a mistake, so that no agent loses by it."""
    if not game.files:
        return
    from game_files.check import Check

    check = Check(game, command := command_for(game))
    with redirect_stdout(sys.stderr):  # rules may print, and stdout may be JSON
        any(check.faults for _ in check.run(MOMENT_GAMES, MOMENT_SECONDS))  # until there is one
        if not check.plies and not check.faults:
            check.play_on()
    for fault in check.faults.values():
        lines = "\n".join(fault_lines(fault))
        raise Failure(f"{game.title} has a mistake; {command} looks for more\n{lines}")


def command_for(game: "Game") -> str:
    """The command that checks this game."""
    options = (f"--{name}={option_text(value)}" for name, value in game.settled_options.items())
    return command_line("check-game", str(game.files[0]), *options)


def fault_lines(fault: "Finding") -> list[str]:
    """What is wrong, in which position, after which moves, and what to do."""
    moves = fault.moves[-MOVES_SHOWN:]
    dots = "... " if len(fault.moves) > len(moves) else ""
    first, *more = fault.text.splitlines()
    lines = [f"fault  {first}", *(f"       {line}" for line in more)]
    lines += [f"       in the position {fault.position}"]
    lines += [f"       after the moves {dots}{' '.join(moves)}"] if moves else ["       at the start"]
    return lines + ([f"    -> {fault.advice}"] if fault.advice else [])
