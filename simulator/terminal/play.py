"""A person against an agent, in a terminal or over a pipe.

The agent is a process of its own, held to its memory limit, and ended if it does not answer
(`simulator/player/interactive.py`). Unlike in a match, an answer that is only a little late is played as it is.

Begin reading at `play`, then `Session.run`; `COMMANDS` at the end lists what can be typed besides moves.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from agents.human_agent import read_move
from game import IllegalMove, NotationError
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import capitalized, side_name
from simulator.play.settings import PlaySettings
from simulator.player.compile_ahead import compile_ahead
from simulator.player.interactive import AgentFailed, AgentMove, Opponent
from simulator.player.lookup import find_agents
from simulator.records.saved_game import SavedGame, is_sgf
from simulator.terminal.screen import Screen
from simulator.terminal.texts import (
    analysis_text,
    move_help,
    moves_text,
    resume_command,
)

FORCE = "--force"  # at the end of `save FILE`: overwrite a file of that name
AFTER_THE_GAME = "Type undo, save FILE or quit."


def play(saved: SavedGame, settings: PlaySettings) -> None:
    """Play a game that is new or was saved, until the person leaves.

    Whether `settings.isolation` "required" can be met is not checked here.

    Raises AgentError and NotationError if the game cannot be set up as asked, AgentFailed if the opponent cannot be
    started, and KeyboardInterrupt, after printing how to continue.
    """
    played = GameInProgress.continued(saved)
    specs = find_agents((saved.agent, settings.hints), played.game)
    options = played.game.settled_options
    compile_ahead(played.game.name, specs[:1], lambda text: print(text, flush=True), options, settings.limits)
    agents = [Opponent(played.game, spec, settings.limits, settings.seed, settings.isolation) for spec in specs]
    with agents[0] as opponent, agents[1] as adviser:
        session = Session(played, opponent, adviser, settings)
        session.start()
        try:
            session.run()
        except KeyboardInterrupt:
            session.screen.say()
            raise
        finally:
            session.say_how_to_continue()


class Session:
    """A person at the screen, the game in progress, and the agents that play against it and give it hints.

    Attributes:
        left: the person has gone.
    """

    def __init__(
        self,
        played: GameInProgress,
        opponent: Opponent,
        adviser: Opponent,
        settings: PlaySettings | None = None,
        screen: Screen | None = None,
    ) -> None:
        self.played, self.opponent, self.adviser = played, opponent, adviser
        self.settings = settings or PlaySettings()
        self.screen = screen or Screen()
        self.left = False
        self.last_answer: AgentMove | None = None

    def start(self) -> None:
        """Start the opponent before anything is shown. Raises AgentFailed if it cannot be."""
        with self.screen.waiting(f"starting {self.opponent.name} ... (Ctrl-C to leave)"):
            self.opponent.start(self.played.position)

    def run(self) -> None:
        """Play until the person leaves."""
        played = self.played
        self.screen.say(f"You play {side_name(played.game, played.side)} against {self.opponent.name}.")
        self.screen.say_wrapped(move_help(played.game), "  ")
        self.screen.say(f"Or type a command: {' '.join(COMMANDS)}")
        self.show()
        while not self.left:
            if played.is_over or played.position.to_move == played.side:
                self._persons_turn()
            else:
                self._agents_turn()

    def show(self) -> None:
        """Draw the board and, once the game is over, how it ended."""
        played, colour = self.played, self.screen.colour
        self.screen.say("\n" + played.game.draw(played.position, colour=colour) + "\n")
        if not played.is_over:
            return
        draw_area = getattr(played.game, "draw_area", None)  # of games that are decided by points
        if draw_area is not None and played.position.result is not None:
            self.screen.say(draw_area(played.position, colour=colour) + "\n")
        self._say_ending()

    def say_how_to_continue(self) -> None:
        """Print the command that continues this game, unless it is over or has not begun."""
        if not self.played.is_over and len(self.played.positions) > 1:
            command = resume_command(self.played.saved(self.opponent.spec.text), self.settings.flags())
            self.screen.say("To continue this game:\n  " + command)

    def end(self, text: str, winner: int, letter: str) -> None:
        """End the game though its board is open, see `GameInProgress.end`."""
        self.played.end(text, winner, letter)
        self._say_ending()

    def _say_ending(self) -> None:
        self.screen.say_wrapped(f"Game over: {self.played.ending(self.opponent.name)}. {AFTER_THE_GAME}")

    def _persons_turn(self) -> None:
        """Read one line: a command or a move."""
        played = self.played
        line = self.screen.ask("over> " if played.is_over else f"{played.game.players[played.side]}> ")
        if line is None:
            self.left = True
        elif line:
            word, _, argument = line.partition(" ")
            name = ALIASES.get(word.lower(), word.lower())
            if name in COMMANDS:
                self._obey(name, argument.strip())
            else:
                self._play(line)

    def _obey(self, name: str, argument: str) -> None:
        command = COMMANDS[name]
        if argument and not command.argument:
            self.screen.say_wrapped(f"Not done: type {name} alone, without {argument!r:.40}.")
        else:
            command.run(self, argument)

    def _play(self, text: str) -> None:
        played = self.played
        if played.is_over:
            self.screen.say(f"The game is over. {AFTER_THE_GAME}")
            return
        try:
            move = read_move(played.game, played.position, text)
        except NotationError as error:
            self.screen.say_wrapped(f"{capitalized(str(error))}. Or type help.")
        except IllegalMove as error:
            self.screen.say_wrapped(f"Not legal: {error}. Type moves to see the legal moves.")
        else:
            played.play(move)
            self.show()

    def _agents_turn(self) -> None:
        name, played = self.opponent.name, self.played
        try:
            answer = self.ask(self.opponent)
        except AgentFailed as fault:
            self.end(f"{fault}; you win", played.side, "F")
            return
        self.last_answer = answer
        if answer.move is None:
            self.end(f"{name} resigns; you win", played.side, "R")
            return
        self.screen.say(f"{name} plays {played.game.format_move(answer.move)}   ({answer.seconds:.1f} s)")
        played.play(answer.move)
        if self.settings.show_analysis:
            analyze(self)
        self.show()

    def ask(self, agent: Opponent) -> AgentMove:
        """What an agent would play. Raises AgentFailed, after showing what the agent wrote last."""
        try:
            with self.screen.waiting(f"{agent.name} is thinking ... (Ctrl-C to leave)"):
                return agent.answer(self.played.positions)
        except AgentFailed as fault:
            for line in fault.quoted():
                self.screen.say(line)
            raise


# --- What can be typed instead of a move ----------------------------------------------------------------------------


def undo(session: Session, argument: str = "") -> None:
    """Take back so many of the person's turns, one if no number is typed."""
    if not re.fullmatch(r"0*[1-9][0-9]{0,5}", argument or "1"):
        session.screen.say_wrapped(f"Type a number from 1 on, as in undo 2, not {argument!r:.40}.")
        return
    turns, there = int(argument or "1"), len(session.played.turns_to_undo())
    if turns > there:
        found = f"only {there}" if there else "no"
        session.screen.say(f"You have {found} move{'s' if there > 1 else ''} to take back.")
        return
    session.played.undo(turns)
    session.last_answer = None
    session.show()


def hint(session: Session, _argument: str = "") -> None:
    """Show what the adviser would play."""
    played, adviser = session.played, session.adviser
    if played.is_over:
        session.screen.say("The game is over.")
        return
    try:
        answer = session.ask(adviser)
    except AgentFailed as fault:
        session.screen.say_wrapped(f"No hint: {fault}.")
        return
    what = "resign" if answer.move is None else f"play {played.game.format_move(answer.move)}"
    session.screen.say_wrapped(f"{adviser.name} would {what}. {analysis_text(answer.analysis)}", "  ")


def moves(session: Session, _argument: str = "") -> None:
    """List every legal move."""
    played = session.played
    session.screen.say(moves_text([played.game.format_move(move) for move in played.position.legal_moves()]))


def analyze(session: Session, _argument: str = "") -> None:
    """Show what the opponent thought at its last move."""
    name = session.opponent.name
    if session.last_answer is None:
        session.screen.say(f"{name} has not moved yet.")
    else:
        text = analysis_text(session.last_answer.analysis) or "it gives no analysis."
        session.screen.say_wrapped(f"{name}: {text}", "  ")


def save(session: Session, argument: str) -> None:
    """Write the game to a file; over an existing one only if the person wants that."""
    name, over = _name_and_force(argument)
    if not name:
        session.screen.say("Save where? As in: save game.json")
        return
    opponent, played = session.opponent, session.played
    try:
        path = Path(name).expanduser()
        if path.is_file() and not over:
            over = _may_overwrite(session.screen, name)
            if not over:
                return
        played.save(path, opponent.name, opponent.spec.text, over)
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: ~ of a person who is not known
        session.screen.say_wrapped(f"Not saved: {error}")
        return
    # SGF has no place for who a person was, and against whom.
    more = ["--agent", opponent.spec.text, "--side", played.game.players[played.side]] if is_sgf(path) else []
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


def resign(session: Session, _argument: str = "") -> None:
    """Give the game up."""
    if session.played.is_over:
        session.screen.say("The game is over.")
    else:
        session.end(f"you resign; {session.opponent.name} wins", 1 - session.played.side, "R")


def leave(session: Session, _argument: str = "") -> None:
    """Leave."""
    session.left = True


def show_help(session: Session, _argument: str = "") -> None:
    """Show what can be typed."""
    session.screen.say_wrapped(move_help(session.played.game), "  ")
    for name, command in COMMANDS.items():
        session.screen.say(f"  {name + command.argument:<10} {command.help}")


class Command(NamedTuple):
    """A word that can be typed instead of a move; `argument` is what may follow it, for the help."""

    run: Callable[[Session, str], None]
    help: str
    argument: str = ""


COMMANDS = {
    "undo": Command(undo, "take back your last move, or N moves, with the answers; or your resignation", " [N]"),
    "hint": Command(hint, "see what an agent would play in your place"),
    "moves": Command(moves, "list the legal moves"),
    "analyze": Command(analyze, "see what your opponent thought at its last move"),
    "board": Command(lambda session, _: session.show(), "draw the board again"),
    "save": Command(save, f"save the game as JSON, or Go in a FILE.sgf as SGF; {FORCE} overwrites", " FILE"),
    "resign": Command(resign, "give up"),
    "quit": Command(leave, "leave"),
    "help": Command(show_help, "show this"),
}
ALIASES = {"?": "help", "exit": "quit", "q": "quit", "analyse": "analyze"}
