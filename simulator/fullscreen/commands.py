"""Every command of the screen, once: its key, the words that can be typed for it, and what it does."""

from typing import NamedTuple


class Command(NamedTuple):
    """Something that can be asked for by a key, by words, or from the list of all commands.

    Attributes:
        name: the word that is typed.
        keys: as Textual names them; the first is shown.
        shown: the first key as people know it.
        short: in the line of keys at the bottom.
        help: a sentence.
        argument: what may be typed after the name; empty if nothing.
    """

    name: str
    keys: str
    shown: str
    short: str
    help: str
    argument: str = ""

    @property
    def action(self) -> str:
        """The method of the application, without `action_`."""
        return self.name.replace("-", "_")


COMMANDS = (
    Command("type", "m,slash,colon", "m", "type a move", "type a move, or the name of a command"),
    Command("undo", "u", "u", "undo", "take your last move back, with the answer to it", " [N]"),
    Command("redo", "U,ctrl+r", "U", "redo", "play again what was taken back", " [N]"),
    Command("hint", "h", "h", "hint", "show on the board what an agent would play"),
    Command("analyze", "a", "a", "analyze", "rank all moves of the position that is shown"),
    Command("now", "space", "Space", "move now", "let the agent that is thinking move now"),
    Command("pause", "P,z", "P", "pause", "stop all clocks and agents, or let them go on"),
    Command("view", "v", "v", "agent's view", "show or hide what the agent thinks"),
    Command("line", "d", "d", "its line", "show or hide on the board what the agent expects"),
    Command("coach", "c", "c", "coach", "say or do not say what was wrong with your moves"),
    Command("summary", "C", "C", "summary", "go through the turning points of the game"),
    Command("back", "pageup,comma", "PgUp", "look back", "look at the move before; the game stays as it is", " [N]"),
    Command("forward", "pagedown,full_stop", "PgDn", "forward", "look at the move after", " [N]"),
    Command("first", "home", "Home", "first move", "look at the start of the game"),
    Command("last", "end", "End", "to the game", "go back to the game"),
    Command("new", "n", "n", "new game", "begin a new game"),
    Command("sides", "s", "s", "change sides", "each player takes the other side"),
    Command("players", "o", "o", "players", "choose who plays: a level, an agent, people, two agents"),
    Command("setup", "e", "e", "set up", "set up a position and begin there"),
    Command("save", "w", "w", "save", "save the game in a file", " FILE"),
    Command("load", "l", "l", "load", "load a game from a file", " FILE"),
    Command("resign", "R", "R", "resign", "give the game up"),
    Command("theme", "t", "t", "colours", "dark, light, or the terminal's own colours"),
    Command("help", "question_mark,f1", "?", "all keys", "show the rules and all commands"),
    Command("quit", "q,ctrl+q", "q", "leave", "leave; the game can be resumed"),
)
BY_NAME = {command.name: command for command in COMMANDS}
ALIASES = {"exit": "quit", "analyse": "analyze", "agent": "players", "level": "players", "rules": "help"}


def command_named(word: str) -> Command | None:
    """The command that was typed, None for any other word.

    >>> command_named("UNDO").shown
    'u'
    """
    name = word.lower()
    return BY_NAME.get(ALIASES.get(name, name))
