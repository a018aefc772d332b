"""The commands of a person in a game: name, argument, a sentence of help, and what each does.

A front end adds its own commands to `COMMANDS`, and maps keys and dialogs to their names.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from agents.agent import AgentError
from options import InputError
from simulator.play.controller import Controller
from simulator.play.files import FORCE, load, save
from simulator.play.players import change, new


class Command(NamedTuple):
    """Something that a person may ask for.

    Attributes:
        help: a sentence, for a list of all commands.
        run: runs it with what was typed after its name; raises InputError or AgentError, which say what is wrong.
        argument: what may be typed after the name, for the list; empty if nothing.
    """

    help: str
    run: Callable[[Controller, str], Any]
    argument: str = ""


def obey(controller: Controller, line: str, commands: Mapping[str, Command]) -> bool:
    """Run the command in a line, or say why that is not possible; returns False if the line has no command."""
    name, argument = named(line)
    command = commands.get(name)
    if command is None:
        return False
    try:
        if argument and not command.argument:
            raise InputError(f"type {name} alone, without {argument!r:.40}")
        command.run(controller, argument)
    except (InputError, AgentError, OSError) as error:  # OSError: an agent's zip file is unpacked beside it
        controller.front_end.say(str(error))
    return True


def named(line: str) -> tuple[str, str]:
    """The name of the command in a line, whichever of its words was typed, and what follows it.

    >>> named("UNDO 2"), named("exit")
    (('undo', '2'), ('quit', ''))
    """
    word, _, argument = line.strip().partition(" ")
    return ALIASES.get(word.lower(), word.lower()), argument.strip()


def number_in(name: str, argument: str) -> int:
    """The number after a command, 1 if there is none. Raises InputError."""
    if not re.fullmatch(r"0*[1-9][0-9]{0,5}", argument or "1"):
        raise InputError(f"type a number from 1 on, as in {name} 2, not {argument!r:.40}")
    return int(argument or "1")


def undo(controller: Controller, argument: str) -> None:
    """Take back the last turns of the person, with the answers to them."""
    turns, there = number_in("undo", argument), controller.played.turns_to_undo()
    if turns > len(there):
        raise InputError(f"there {_only(len(there))} to take back")
    _go_on_from(controller, there[-turns])


def redo(controller: Controller, argument: str) -> None:
    """Play again turns that were taken back."""
    turns, there = number_in("redo", argument), controller.played.turns_to_redo()
    if turns > len(there):
        raise InputError(f"there {_only(len(there))} to play again")
    _go_on_from(controller, there[turns - 1])


def _only(moves: int) -> str:
    return f"are only {moves} moves" if moves > 1 else f"is {'only 1' if moves else 'no'} move"


def here(controller: Controller, _argument: str) -> None:
    """Go on from the position that is looked at."""
    if not controller.played.is_looking_back:
        raise InputError("you are looking at the present position already: play on")
    _go_on_from(controller, controller.played.shown)


def _go_on_from(controller: Controller, index: int) -> None:
    """Go on from another position; if no person plays, pause, because the agents would play on at once."""
    with controller.changed():
        controller.is_paused |= not controller.played.persons
        controller.played.go_on_from(index)
        controller.seat()  # if the game was over, its agents may not have been started


def step(by: int, controller: Controller, argument: str) -> None:
    """Look at the position some moves back or forward."""
    steps = number_in("back" if by < 0 else "forward", argument)
    controller.look_at(controller.played.shown + by * steps)


def look(controller: Controller, argument: str) -> None:
    """Look at the position after a move of that number."""
    most = controller.played.present
    if not re.fullmatch("[0-9]{1,6}", argument) or int(argument) > most:
        raise InputError(f"type look and the number of a move, 0 to {most}, as in look {most}")
    controller.look_at(int(argument))


def pause(controller: Controller, _argument: str) -> None:
    """Stop clocks and agents, or let them go on."""
    if controller.is_paused:
        controller.go_on()
    else:
        controller.pause()


def go_on(controller: Controller, _argument: str) -> None:
    """Look at the present position, and let the agents go on."""
    if not controller.is_paused and not controller.played.is_looking_back:
        raise InputError("the game is not paused")
    if controller.played.is_looking_back:
        controller.look_at(controller.played.present)
    controller.go_on()


def now(controller: Controller, _argument: str) -> None:
    """Let the agent that thinks move at once."""
    request = controller.thinking
    if request is None:
        raise InputError("no agent is thinking. While one thinks, now makes it move at once")
    if not request.move_now():
        raise InputError(f"{request.name} cannot be told to move now: wait for its answer")
    controller.is_paused = False
    controller.front_end.turn()


def coach(controller: Controller, argument: str) -> None:
    """Switch the coach on or off."""
    wanted = {"": not controller.advice.has_coach, "on": True, "off": False}.get(argument.lower())
    if wanted is None:
        raise InputError(f"type coach on or coach off, not {argument!r:.40}")
    controller.advice.has_coach = wanted
    controller.front_end.show_judgement(None)
    controller.front_end.say(f"the coach {'says what was wrong with your moves' if wanted else 'is off'}")


def resign(controller: Controller, _argument: str) -> None:
    """Give the game up, for the person who is to move or the only one who plays."""
    played = controller.played
    if played.is_over or not played.persons:
        raise InputError("the game is over" if played.is_over else "no person plays this game")
    side = played.position.to_move if played.is_persons_turn else played.persons[0]

    def give_up() -> None:
        if not played.is_over:  # an agent may have ended the game meanwhile
            with controller.changed():
                played.look_at(played.present)
                played.lose(side)

    who = played.name_of(side)
    controller.front_end.confirm(f"Resign? Then {who} {'lose' if who == 'you' else 'loses'} the game.", give_up)


def setup(controller: Controller, argument: str) -> None:
    """Begin from a position."""
    game, shown = controller.played.game, controller.played.shown_position
    if not argument:
        raise InputError(f"type setup and a position, in one line. The one shown is:\n  {game.format_position(shown)}")
    game.parse_position(argument)
    set_up = partial(controller.played.set_up, argument)
    controller.if_given_up(partial(controller.begin_with, set_up))


COMMANDS = {
    "undo": Command("take back your last move, or N, with the answers", undo, " [N]"),
    "redo": Command("play again what was taken back", redo, " [N]"),
    "hint": Command("see what an agent would play", lambda controller, _: controller.advice.hint()),
    "analyze": Command(
        "rank all moves of the position on the board", lambda controller, _: controller.advice.analyze()
    ),
    "now": Command("make the agent that is thinking move at once", now),
    "pause": Command("stop all clocks and agents, or let them go on", pause),
    "go": Command("let clocks and agents go on, and go back to the game", go_on),
    "coach": Command("switch the coach on or off; it names your mistakes", coach, " [on|off]"),
    "summary": Command("go through the turning points of the game", lambda controller, _: controller.advice.summary()),
    "back": Command("look one move back, or N; the game stays as it is", partial(step, -1), " [N]"),
    "forward": Command("look one move forward, or N", partial(step, 1), " [N]"),
    "look": Command("look at the position after move N", look, " N"),
    "first": Command("look at the start of the game", lambda controller, _: controller.look_at(0)),
    "end": Command("go back to the game", lambda controller, _: controller.look_at(controller.played.present)),
    "here": Command("play on from the position that you look at", here),
    "new": Command("begin a new game: new, new sides or new level 3", new, " [PLAYERS]"),
    "sides": Command("change sides", partial(change, "sides")),
    "level": Command("play against a level, 1 to 9", partial(change, "level"), " N"),
    "agent": Command(
        "choose who plays: agent NAME, or agent b me (a person)", partial(change, "agent"), " [SIDE] [NAME]"
    ),
    "setup": Command("set up a position and begin there", setup, " [POSITION]"),
    "save": Command(f"save as JSON, or Go as .sgf; {FORCE} overwrites", save, " FILE"),
    "load": Command("load a game from a file", load, " FILE"),
    "resign": Command("give the game up", resign),
    "help": Command("show how to play, and all commands", lambda controller, _: controller.front_end.help()),
    "quit": Command("leave; the game can be resumed", lambda controller, _: controller.front_end.leave()),
}
ALIASES = {"?": "help", "rules": "help", "q": "quit", "exit": "quit", "analyse": "analyze", "resume": "go"}
ALIASES |= {"players": "agent", "last": "end"}
