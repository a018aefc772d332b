"""The keys of the commands on the screen, and those that are worth showing now."""

from textual.binding import Binding

from simulator.play.controller import Controller

_KEYS = (  # command, keys as Textual names them, the first key as people call it, what the line of keys says it does
    ("type", "m,slash,colon", "m", "type a move"),
    ("undo", "u", "u", "undo"),
    ("redo", "U,ctrl+r", "U", "redo"),
    ("hint", "h", "h", "hint"),
    ("analyze", "a", "a", "analyze"),
    ("now", "space", "Space", "move now"),
    ("pause", "P,z", "P", "pause"),
    ("view", "v", "v", "agent's view"),
    ("line", "d", "d", "its line"),
    ("coach", "c", "c", "coach"),
    ("summary", "C", "C", "summary"),
    ("back", "pageup,comma", "PgUp", "look back"),
    ("forward", "pagedown,full_stop", "PgDn", "forward"),
    ("first", "home", "Home", "first move"),
    ("end", "end", "End", "to the game"),
    ("new", "n", "n", "new game"),
    ("sides", "s", "s", "change sides"),
    ("agent", "o", "o", "players"),
    ("setup", "e", "e", "set up"),
    ("save", "w", "w", "save"),
    ("load", "l", "l", "load"),
    ("resign", "R", "R", "resign"),
    ("theme", "t", "t", "colours"),
    ("help", "question_mark,f1", "?", "all keys"),
    ("quit", "q,ctrl+q", "q", "leave"),
)
KEYS = {command: Binding(keys, f"do('{command}')", words, key_display=shown) for command, keys, shown, words in _KEYS}


def useful_now(controller: Controller) -> list[Binding]:
    """The keys of the commands that are most useful now, the most useful first."""
    if controller.played.is_looking_back:
        names = "end back forward first help analyze hint undo quit"
    elif controller.played.is_over:
        names = "new help undo quit summary back save sides agent"
    elif controller.thinking is not None:
        names = "now help undo pause resign quit view line back"
    else:
        names = "help type undo hint quit new analyze coach view back agent save"
    return [KEYS[name] for name in names.split()]
