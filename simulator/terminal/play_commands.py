"""What can be typed in a game instead of a move; `COMMANDS` at the end lists it."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from simulator.terminal.advice_commands import analyze, coach, hint, listing, moves, summary, thoughts
from simulator.terminal.game_commands import FORCE, load, resign, save, setup
from simulator.terminal.player_commands import agent, level, new, sides
from simulator.terminal.texts import move_help

if TYPE_CHECKING:
    from simulator.terminal.play import Session


def obey(session: "Session", line: str) -> bool:
    """Run the command in a line, or say why not; False if there is none in it."""
    word, _, argument = line.partition(" ")
    name = ALIASES.get(word.lower(), word.lower())
    command = COMMANDS.get(name)
    if command is None:
        return False
    argument = argument.strip()
    if argument and not command.argument:
        session.screen.say_wrapped(f"Not done: type {name} alone, without {argument!r:.40}.")
    else:
        command.run(session, argument)
    return True


def _number(session: "Session", argument: str, example: str) -> int | None:
    """The number behind a command, 1 if there is none; None after saying what was expected."""
    if re.fullmatch(r"0*[1-9][0-9]{0,5}", argument or "1"):
        return int(argument or "1")
    session.screen.say_wrapped(f"Type a number from 1 on, as in {example}, not {argument!r:.40}.")
    return None


# --- Back and forth -------------------------------------------------------------------------------------------------


def undo(session: "Session", argument: str = "") -> None:
    """Take back so many of the person's turns, one if no number is typed."""
    turns = _number(session, argument, "undo 2")
    if turns is None:
        return
    there = len(session.played.turns_to_undo())
    if turns > there:
        found = f"only {there}" if there else "no"
        session.screen.say(f"You have {found} move{'s' if there > 1 else ''} to take back.")
        return
    session.call_off()
    session.played.undo(turns)
    session.answers.clear()
    session.changed()


def redo(session: "Session", argument: str = "") -> None:
    """Play again what was taken back."""
    turns = _number(session, argument, "redo 2")
    if turns is None:
        return
    there = len(session.played.turns_to_redo())
    if turns > there:
        session.screen.say(f"There {'are only' if there > 1 else 'is'} {there or 'nothing'} to play again.")
        return
    session.call_off()
    session.played.redo(turns)
    session.changed()


def back(session: "Session", argument: str = "") -> None:
    """Look at an earlier position; the game stays as it is."""
    steps = _number(session, argument, "back 3")
    if steps is not None:
        session.played.look_at(session.played.shown - steps)
        session.show()


def forward(session: "Session", argument: str = "") -> None:
    """Look at a later position."""
    steps = _number(session, argument, "forward 3")
    if steps is not None:
        session.played.look_at(session.played.shown + steps)
        session.show()


def look(session: "Session", argument: str = "") -> None:
    """Look at the position after a move of that number."""
    most = session.played.present
    if not re.fullmatch("[0-9]{1,6}", argument) or int(argument) > most:
        session.screen.say_wrapped(f"Type look and the number of a move, 0 to {most}, as in look {most}.")
        return
    session.played.look_at(int(argument))
    session.show()


def look_at_end(session: "Session", _argument: str = "") -> None:
    """Look at the present position again."""
    session.played.look_at_present()
    session.show()


def here(session: "Session", _argument: str = "") -> None:
    """Go on from the position that is looked at."""
    played = session.played
    if not played.is_looking_back:
        session.screen.say("You look at the present position already: play on.")
        return
    session.call_off()
    played.take_back_to(played.shown)
    session.answers.clear()
    session.changed()


# --- Agents that think ----------------------------------------------------------------------------------------------


def pause(session: "Session", _argument: str = "") -> None:
    """Stop the agents until `go`."""
    session.is_paused = True
    session.screen.say("Paused. Type go to let the agents play on.")


def go_on(session: "Session", _argument: str = "") -> None:
    """Let the agents go on."""
    if not session.is_paused and not session.played.is_looking_back:
        session.screen.say("The game is not paused.")
    session.played.look_at_present()
    session.is_paused = False
    if session.task is not None:
        session.task.resume()


def now(session: "Session", _argument: str = "") -> None:
    """Have a paused agent move at once."""
    if session.task is None:
        session.screen.say("Nobody is thinking. While an agent thinks, type now to have its move at once.")
    elif not session.task.move_now():
        session.screen.say(f"{session.task.name} cannot be told to hurry.")
    else:
        session.is_paused = False


# --- All of them ---------------------------------------------------------------------------------------------------


def leave(session: "Session", _argument: str = "") -> None:
    """Leave."""
    session.call_off()
    session.left = True


def show_help(session: "Session", _argument: str = "") -> None:
    """Show what can be typed."""
    session.screen.say_wrapped(move_help(session.played.game), "  ")
    for name, command in COMMANDS.items():
        session.screen.say(f"  {name + command.argument:<20}{command.help}")


class Command(NamedTuple):
    """A word that can be typed instead of a move; `argument` is what may follow it, for the help."""

    run: Callable[["Session", str], None]
    help: str
    argument: str = ""


COMMANDS = {
    "undo": Command(undo, "take back your last move, or N, with the answers", " [N]"),
    "redo": Command(redo, "play again what you took back", " [N]"),
    "hint": Command(hint, "see what an agent would play in your place"),
    "analyze": Command(analyze, "see all moves ranked"),
    "thoughts": Command(thoughts, "see what the agent thought at its last move"),
    "coach": Command(coach, "be told after each move whether it was a mistake", " [on|off]"),
    "summary": Command(summary, "see the turning points of the game"),
    "moves": Command(moves, "list the legal moves"),
    "list": Command(listing, "list the moves that were played"),
    "board": Command(lambda session, _: session.show(), "draw the board again"),
    "back": Command(back, "look at the position one move earlier, or N", " [N]"),
    "forward": Command(forward, "look one move later, or N", " [N]"),
    "look": Command(look, "look at the position after move N", " N"),
    "end": Command(look_at_end, "look at the present position again"),
    "here": Command(here, "play on from the position that you look at"),
    "new": Command(new, "begin a new game; new sides, new level 3: with others", " [PLAYERS]"),
    "sides": Command(sides, "change sides"),
    "level": Command(level, "play against a level, 1 to 9", " N"),
    "agent": Command(agent, "play against another agent; agent b me: a person", " [SIDE] [NAME]"),
    "pause": Command(pause, "stop the agents, also while one thinks"),
    "go": Command(go_on, "let them go on"),
    "now": Command(now, "while an agent thinks: have its move at once"),
    "setup": Command(setup, "begin from a position; alone: show this one's text", " [POSITION]"),
    "save": Command(save, f"save as JSON, Go in a FILE.sgf as SGF; {FORCE} overwrites", " FILE"),
    "load": Command(load, "go on with a game in a file", " FILE"),
    "resign": Command(resign, "give up"),
    "quit": Command(leave, "leave"),
    "help": Command(show_help, "show this"),
}
ALIASES = {"?": "help", "exit": "quit", "q": "quit", "analyse": "analyze", "resume": "go"}
