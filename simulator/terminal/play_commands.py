"""What can be typed in a game instead of a move; `COMMANDS` at the end lists it."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents.agent import AgentError
from agents.levels.table import level_text
from game import FIRST, SECOND
from options import InputError
from simulator.play.coach import Judgement
from simulator.play.names import agent_name, capitalized, side_name
from simulator.play.thinker import AgentFailed, CalledOff
from simulator.player.lookup import PERSON
from simulator.records.saved_game import is_sgf, load_game_file
from simulator.terminal.screen import Screen
from simulator.terminal.texts import analysis_text, move_help, moves_text, played_text, ranked_text, resume_options

if TYPE_CHECKING:
    from simulator.terminal.play import Session

FORCE = "--force"  # at the end of `save FILE`: overwrite a file of that name
ANALYSIS_SECONDS = 2.0
PEOPLE = ("me", "person", PERSON)  # what a person is called behind `agent`
OVER = "The game is over."


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


# --- Advice ---------------------------------------------------------------------------------------------------------


def hint(session: "Session", _argument: str = "") -> None:
    """Show what the adviser would play."""
    played = session.played
    if played.is_over:
        session.screen.say(OVER)
        return
    try:
        session.compile(session.settings.hints)
        adviser = session.agents.adviser
        answer = session.waited(adviser.move(played.positions), f"{adviser.name} is thinking ...")
    except (AgentFailed, AgentError) as fault:
        session.screen.say_wrapped(f"No hint: {fault}.")
        return
    what = "resign" if answer.move is None else f"play {played.game.format_move(answer.move)}"
    session.screen.say_wrapped(f"{adviser.name} would {what}. {analysis_text(answer.analysis)}", "  ")


def analyze(session: "Session", _argument: str = "") -> None:
    """Rank all moves of the position that is looked at."""
    played = session.played
    positions = played.line[: played.shown + 1]
    if positions[-1].result is not None or (played.is_over and not played.is_looking_back):
        session.screen.say(OVER)
        return
    try:
        session.compile(session.settings.hints)
        adviser = session.agents.adviser
        ranked = session.waited(adviser.study(positions, ANALYSIS_SECONDS), f"{adviser.name} looks at every move ...")
    except (AgentFailed, AgentError) as fault:
        session.screen.say_wrapped(f"No analysis: {fault}.")
        return
    mover = side_name(played.game, positions[-1].to_move)
    session.screen.say(f"{adviser.name}'s moves for {mover}, the best first:\n{ranked_text(ranked)}")


def thoughts(session: "Session", _argument: str = "") -> None:
    """Show what each agent thought at its last move."""
    for side in sorted(session.answers):
        session.say_thoughts(side)
    if not session.answers:
        session.screen.say("No agent has moved yet.")


def coach(session: "Session", argument: str = "") -> None:
    """Switch the coach on or off."""
    if argument.lower() not in ("", "on", "off"):
        session.screen.say_wrapped(f"Type coach on or coach off, not {argument!r:.40}.")
        return
    session.has_coach = argument.lower() == "on" if argument else not session.has_coach
    said = "says what was wrong with your moves" if session.has_coach else "is silent"
    session.screen.say(f"The coach {said}.")


def summary(session: "Session", _argument: str = "") -> None:
    """Say where the game was decided: the moves by which somebody threw something away."""
    positions = session.played.positions
    if len(positions) < 2:
        session.screen.say("No move has been played.")
        return
    judged = session.advice(lambda coach: coach.summary(positions, on_task=session.coach_waits), "the coach")
    if judged is None:
        return
    turning = [judgement for judgement in judged if judgement.is_mistake]
    session.screen.say(f"{len(judged)} moves, {len(turning)} turning point{'s' if len(turning) != 1 else ''}.")
    for judgement in turning:
        session.screen.say_wrapped(_turning_point(session, judgement), "       ")
    if turning:
        session.screen.say(f"Type look and a number to see the board after that move, as in look {turning[0].ply + 1}.")


def _turning_point(session: "Session", judgement: Judgement) -> str:
    who = session.played.name_of(judgement.player)
    return f"{judgement.ply + 1:>4}.  {who}: {judgement.sentence(who)}"


def moves(session: "Session", _argument: str = "") -> None:
    """List every legal move."""
    played = session.played
    texts = [played.game.format_move(move) for move in played.shown_position.legal_moves()]
    session.screen.say(moves_text(texts))


def listing(session: "Session", _argument: str = "") -> None:
    """List the moves that were played."""
    session.screen.say(played_text(session.played.moves) or "No move has been played.")


# --- Who plays ------------------------------------------------------------------------------------------------------


def sides(session: "Session", _argument: str = "") -> None:
    """Change sides."""
    session.call_off()
    session.played.change_sides()
    session.screen.say_wrapped(session.who_plays())
    session.changed()


def agent(session: "Session", argument: str = "") -> None:
    """Say who plays, or give a side to another agent, or to a person."""
    played = session.played
    words = argument.split(maxsplit=1)
    if not words:
        session.screen.say_wrapped(session.who_plays())
        return
    given = [words[0].lower()] if words[0].lower() in played.game.players and len(words) > 1 else []
    text = words[1] if given else argument
    agents_sides = [side for side in (FIRST, SECOND) if not played.is_person(side)]
    if given:
        side = played.game.players.index(given[0])
    elif len(agents_sides) == 1:
        side = agents_sides[0]
    else:
        letters = " or ".join(f"agent {letter} {text}" for letter in played.game.players)
        session.screen.say_wrapped(f"Which side? Type {letters}.")
        return
    _seat(session, side, PERSON if text.lower() in PEOPLE else text)


def level(session: "Session", argument: str = "") -> None:
    """Play against a level."""
    try:
        text = level_text(argument)
    except InputError as error:
        session.screen.say_wrapped(f"{capitalized(str(error))}.")
        return
    agent(session, text)


def _seat(session: "Session", side: int, text: str) -> None:
    """Give a side to another player, once it is known that it can play."""
    played, before = session.played, session.played.players[side]
    try:
        if text != PERSON:
            session.compile(text)
        session.call_off()
        played.players[side] = text
        if text != PERSON:
            task = session.agents.player(side).start(played.position)
            session.waited(task, f"starting {agent_name(text)} ...")
    except (AgentError, AgentFailed, CalledOff) as error:
        played.players[side] = before
        session.screen.say_wrapped(f"Not done: {error}.")
        return
    session.answers.pop(side, None)
    session.screen.say_wrapped(session.who_plays())
    session.changed()


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


# --- The game -------------------------------------------------------------------------------------------------------


def new(session: "Session", _argument: str = "") -> None:
    """Begin a new game with the same players."""
    if _gives_up(session):
        session.call_off()
        session.played.new_game()
        _begun(session)


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
    if _gives_up(session):
        session.call_off()
        played.set_up(argument)
        _begun(session)


def load(session: "Session", argument: str = "") -> None:
    """Go on with a game in a file."""
    if not argument:
        session.screen.say("Load what? As in: load game.json")
        return
    try:
        saved = load_game_file(Path(argument).expanduser())
        loaded = type(session.played).continued(saved)
    except (OSError, InputError, RuntimeError) as error:
        session.screen.say_wrapped(f"Not loaded: {error}")
        return
    if not _gives_up(session):
        return
    session.call_off()
    before = list(session.played.players)
    session.played.take_over(loaded, with_players=not is_sgf(Path(argument)))
    try:
        session.start()
    except (AgentFailed, AgentError) as error:
        session.screen.say_wrapped(f"Its agent cannot play: {error}. The players stay as they were.")
        session.played.players = before
    session.screen.say_wrapped(session.who_plays())
    _begun(session)


def _gives_up(session: "Session") -> bool:
    """Whether the running game may go; a person at a terminal is asked."""
    played = session.played
    if played.is_over or not played.present or not session.screen.is_interactive:
        return True
    return session.screen.confirms("This game is not over. Give it up?")


def _begun(session: "Session") -> None:
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
    "new": Command(new, "begin a new game"),
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
