"""The keys of the commands on the screen, and those that are worth showing now."""

from typing import NamedTuple

from simulator.play.controller import Controller


class Key(NamedTuple):
    """How a command is asked for without typing.

    Attributes:
        keys: as Textual names them; the first is shown.
        shown: the first key as people know it.
        short: in the line of keys at the bottom.
    """

    keys: str
    shown: str
    short: str


KEYS = {
    "type": Key("m,slash,colon", "m", "type a move"),
    "undo": Key("u", "u", "undo"),
    "redo": Key("U,ctrl+r", "U", "redo"),
    "hint": Key("h", "h", "hint"),
    "analyze": Key("a", "a", "analyze"),
    "now": Key("space", "Space", "move now"),
    "pause": Key("P,z", "P", "pause"),
    "view": Key("v", "v", "agent's view"),
    "line": Key("d", "d", "its line"),
    "coach": Key("c", "c", "coach"),
    "summary": Key("C", "C", "summary"),
    "back": Key("pageup,comma", "PgUp", "look back"),
    "forward": Key("pagedown,full_stop", "PgDn", "forward"),
    "first": Key("home", "Home", "first move"),
    "end": Key("end", "End", "to the game"),
    "new": Key("n", "n", "new game"),
    "sides": Key("s", "s", "change sides"),
    "agent": Key("o", "o", "players"),
    "setup": Key("e", "e", "set up"),
    "save": Key("w", "w", "save"),
    "load": Key("l", "l", "load"),
    "resign": Key("R", "R", "resign"),
    "theme": Key("t", "t", "colours"),
    "help": Key("question_mark,f1", "?", "all keys"),
    "quit": Key("q,ctrl+q", "q", "leave"),
}


def useful_now(controller: Controller) -> str:
    """The names of the commands that are most useful now, the first first."""
    if controller.played.is_looking_back:
        return "end back forward first help analyze hint undo quit"
    if controller.played.is_over:
        return "new help undo quit summary back save sides agent"
    if controller.thinking is not None:
        return "now help undo pause resign quit view line back"
    return "help type undo hint quit new analyze coach view back agent save"
