"""The commands of a game in lines of text that begin, save, load and end a game."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from agents.agent import AgentError
from options import InputError
from simulator.play.game_in_progress import GameInProgress, compile_rules
from simulator.play.thinker import AgentFailed
from simulator.records.saved_game import is_sgf, load_game_file
from simulator.terminal.advice_commands import OVER
from simulator.terminal.elapsed import preparing_rules
from simulator.terminal.screen import Screen
from simulator.terminal.texts import resume_options

if TYPE_CHECKING:
    from simulator.terminal.play import Session

FORCE = "--force"  # at the end of `save FILE`: overwrite a file of that name


def setup(session: "Session", argument: str = "") -> None:
    """Begin from a position."""
    played = session.played
    if not argument:
        text = played.game.format_position(played.shown_position)
        session.screen.say(f"Type setup and a position, in one line. This one is:\n  {text}")
        return
    try:
        played.game.parse_position(argument)
    except InputError as error:
        session.screen.say_wrapped(f"Not set up: {error}")
        return
    if gives_up(session):
        session.call_off()
        played.set_up(argument)
        begun(session)


def load(session: "Session", argument: str = "") -> None:
    """Go on with a game in a file."""
    if not argument:
        session.screen.say("Load what? As in: load game.json")
        return
    try:
        with preparing_rules(session.screen.can_erase):
            loaded = GameInProgress.continued(load_game_file(Path(argument).expanduser()))
            compile_rules(loaded.game)
    except (OSError, InputError, RuntimeError) as error:
        session.screen.say_wrapped(f"Not loaded: {error}")
        return
    if not gives_up(session):
        return
    session.call_off()
    before = list(session.played.players)
    session.played.take_over(loaded, with_players=not is_sgf(Path(argument)))
    try:
        session.start()
    except (AgentFailed, AgentError) as error:
        session.screen.say_wrapped(f"Its agent cannot play: {error}.")
        if not session.played.is_over:
            session.screen.say("The players stay as they were.")
            session.played.let_play(before)
    session.screen.say_wrapped(session.who_plays())
    begun(session)


def gives_up(session: "Session") -> bool:
    """Whether the running game may go; a person at a terminal is asked."""
    played = session.played
    if played.is_over or not played.present or not session.screen.is_interactive:
        return True
    return session.screen.confirms("This game is not over. Give it up?")


def begun(session: "Session") -> None:
    """After another game has begun: forget what agents said in the one before, and go on."""
    session.answers.clear()
    session.changed()


def save(session: "Session", argument: str) -> None:
    """Write the game to a file; over an existing one only if the person wants that."""
    name, over = _name_and_force(argument)
    if not name:
        session.screen.say("Save where? As in: save game.json")
        return
    try:
        path = Path(name).expanduser()
        if path.is_file() and not over:
            over = _may_overwrite(session.screen, name)
            if not over:
                return
        session.played.save(path, over)
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: ~ of a person who is not known
        session.screen.say_wrapped(f"Not saved: {error}")
        return
    # SGF has no place for who a person was, and against whom.
    more = resume_options(session.played.saved()) if is_sgf(path) else []
    command = shlex.join(["python", "runner.py", "play", "--load", str(path), *more, *session.settings.flags()])
    session.screen.say(f"Saved as {'SGF' if is_sgf(path) else 'JSON'}. To continue: {command}")


def _may_overwrite(screen: Screen, name: str) -> bool:
    if screen.is_interactive and screen.confirms(f"{name} exists. Overwrite it?"):
        return True
    screen.say_wrapped(f"Not saved: {name} exists. To overwrite it: save {name} {FORCE}")
    return False


def _name_and_force(argument: str) -> tuple[str, bool]:
    """The name of a file, and whether `--force` comes after it.

    >>> _name_and_force("my game.json --force"), _name_and_force("game.json")
    (('my game.json', True), ('game.json', False))
    """
    name, _, last = f" {argument}".rpartition(" ")
    return (name.strip(), True) if last == FORCE else (argument, False)


def resign(session: "Session", _argument: str = "") -> None:
    """Give the game up, for the person who is to move or the only one who plays."""
    played = session.played
    if played.is_over:
        session.screen.say(OVER)
        return
    if not played.persons:
        session.screen.say("No person plays this game.")
        return
    session.call_off()
    played.look_at_present()
    played.resign(played.position.to_move if played.side is None else played.side)
    session.changed()
