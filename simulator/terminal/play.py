"""A person against an agent, in a terminal, over a pipe, or in a dumb terminal.

The agent sits in a seat, as in a match: a process of its own, held to its memory limit and ended if it does not answer
(`opponent.py`). Unlike in a match, an answer that is only a little late is played as it is.

Begin reading at `play`, then `Session.run`; `COMMANDS` at the end lists what can be typed besides moves.
"""

import os
import re
import select
import shlex
import sys
import termios
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from agents.agent import Limits
from agents.human_agent import read_move
from game import FIRST, Game, IllegalMove, NotationError, game_class
from options import option_text
from simulator.player.compile_ahead import compile_ahead
from simulator.player.interactive import Answer, Fault, Opponent
from simulator.player.lookup import find_agents
from simulator.records.saved_game import (
    FORFEITS,
    SavedGame,
    forfeit_in,
    game_of,
    replay,
    save_game,
    saved_game,
    write_file,
)
from simulator.records.sgf import sgf_of_moves
from simulator.records.sgf_folder import GAMES
from simulator.sandbox.isolation import IsolationLevel

WIDTH = 78
PERSON = "a person"  # in SGF files
FORCE = "--force"  # at the end of `save FILE`: write over a file of that name
LINE_SHOWN = 8  # moves of an expected line; later ones are guesses


def play(
    saved: SavedGame,
    limits: Limits,
    *,
    hints: str = "uct_agent",
    seed: int = 0,
    always_analyze: bool = False,
    isolation: IsolationLevel = "best",
) -> None:
    """Play a game that is new or was saved, until the person leaves.

    Args:
        hints: the agent that is asked for hints.
        always_analyze: show the opponent's own view after each of its moves.
        isolation: what holds the agents to their limits, see `referee.play_game`; "required" is the caller's to check.

    Raises AgentError and NotationError if the game cannot be set up as asked, Fault if the opponent cannot be started,
    and KeyboardInterrupt after having said how to go on.
    """
    game = game_of(saved)
    positions = replay(game, saved)
    flags = flags_of(limits, hints, seed, always_analyze, isolation)
    side = side_of(game, saved.side)
    specs = find_agents((saved.agent, hints), game)
    compile_ahead(game.name, specs[:1], lambda text: print(text, flush=True))
    seated = [Opponent(game, spec, limits, seed, isolation) for spec in specs]
    with seated[0] as opponent, seated[1] as adviser:
        session = Session(
            game, positions, side, opponent=opponent, adviser=adviser, always_analyze=always_analyze, flags=flags
        )
        session.recall(saved.result)
        session.start()
        try:
            session.run()
        except KeyboardInterrupt:
            session.screen.say()
            raise
        finally:
            if not session.is_over and len(session.positions) > 1:
                session.screen.say("To go on with this game:\n  " + resume_command(session.saved(), flags))


def side_of(game: Game, name: str) -> int:
    """The player of that name; the one who moves first if it is empty. Raises NotationError."""
    if name and name not in game.players:
        raise NotationError(f"{name!r} is no side of {game.name}; choose {' or '.join(game.players)}")
    return game.players.index(name) if name else FIRST


def flags_of(
    limits: Limits, hints: str, seed: int, always_analyze: bool, isolation: IsolationLevel = "best"
) -> tuple[str, ...]:
    """The arguments of `runner.py play` that say these, where they are not the defaults.

    >>> flags_of(Limits(move_seconds=0.5), "uct_agent", 3, True)
    ('--move-time=0.5', '--seed=3', '--analysis')
    """
    usual = Limits()
    settings: dict[str, tuple[Any, Any]] = {
        "move-time": (limits.move_seconds, usual.move_seconds),
        "first-move-time": (limits.first_move_seconds, usual.first_move_seconds),
        "cushion": (limits.cushion_seconds, usual.cushion_seconds),
        "memory": (limits.memory_mb, usual.memory_mb),
        "isolation": (isolation, "best"),
        "seed": (seed, 0),
        "hints": (hints, "uct_agent"),
    }
    told = [f"--{name}={value}" for name, (value, default) in settings.items() if value != default]
    return (*told, "--analysis") if always_analyze else tuple(told)


def resume_command(saved: SavedGame, flags: Sequence[str] = ()) -> str:
    """What to type in a shell to go on with a game; `flags` is what `flags_of` returns."""
    options = {"agent": saved.agent, "side": saved.side, "position": saved.position, "moves": " ".join(saved.moves)}
    if saved.game != SavedGame.game:
        options["game"] = saved.game
    for name, value in saved.options.items():
        if not (saved.position and game_class(saved.game).option(name).in_position):
            options[name] = option_text(value)
    told = [f"--{name}={text}" for name, text in options.items() if text]
    return shlex.join(["python", "runner.py", "play", *told, *flags])


class Screen:
    """Where a person reads and types.

    Attributes:
        colour: the output is a terminal that shows colours, and `NO_COLOR` is not set.
    """

    def __init__(self) -> None:
        plain_terminal = os.environ.get("TERM", "dumb") == "dumb"
        self._live = sys.stdout.isatty() and not plain_terminal
        self.is_interactive = sys.stdin.isatty()
        self.colour = self._live and not os.environ.get("NO_COLOR")
        if self.is_interactive and not plain_terminal:
            with suppress(ImportError):  # not every Python has it; typing works without
                import_module("readline")  # gives `input` a history and editing keys

    def say(self, text: str = "") -> None:
        """Print lines."""
        print(text, flush=True)

    def say_wrapped(self, text: str, indent: str = "") -> None:
        """Print a paragraph that fits 80 columns."""
        self.say(textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))

    def ask(self, prompt: str) -> str | None:
        """A line that the person typed, or None when the input has ended. Over a pipe, the line is printed too."""
        try:
            line = input(prompt)
        except EOFError:
            self.say()
            return None
        if not self.is_interactive:
            self.say(line)
        return line.strip()

    def confirms(self, question: str) -> bool:
        """Whether the person says yes; the end of the input is a no."""
        return (self.ask(f"{question} (y/n) ") or "").lower() in ("y", "yes")

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Say what is being waited for, where the line can be taken back afterwards.

        What is typed meanwhile on a terminal was not meant for what is shown then: it is thrown away. From a pipe
        nothing is.
        """
        if self._live:
            print(text, end="", flush=True)
        try:
            yield
        finally:
            if self._live:
                print("\r\x1b[K", end="", flush=True)
            self._forget_what_was_typed()

    def _forget_what_was_typed(self) -> None:
        if not self.is_interactive:
            return
        has_lines = bool(select.select([sys.stdin], [], [], 0)[0])
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
        if has_lines:
            self.say("(what you typed meanwhile was thrown away)")


class Session:
    """One game between a person and an agent.

    Attributes:
        positions: from the start to the present one; taking back a move drops the last ones.
        side: the player that the person is.
        ending: why the game is over although its position is open (somebody resigned or failed), else None.
        forfeit: the result of such a game as SGF says it: the winner and R or F, as in "W+R"; else empty.
        flags: the arguments of `runner.py play` that the game was begun with and going on needs again.
        left: the person has gone.
    """

    def __init__(
        self,
        game: Game,
        positions: list[Any],
        side: int,
        *,
        opponent: Opponent,
        adviser: Opponent,
        always_analyze: bool = False,
        flags: Sequence[str] = (),
        screen: Screen | None = None,
    ) -> None:
        self.game = game
        self.positions = positions
        self.side = side
        self.opponent = opponent
        self.adviser = adviser
        self.always_analyze = always_analyze
        self.flags = flags
        self.screen = screen or Screen()
        self.ending: str | None = None
        self.forfeit = ""
        self.left = False
        self._last_answer: Answer | None = None

    @property
    def position(self) -> Any:
        """The present position."""
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        """By the rules, by resignation, or because the agent failed."""
        return self.ending is not None or self.position.result is not None

    def recall(self, result: str) -> None:
        """Take it that the game ended like this, as a file says of it; nothing unless it is a forfeit."""
        self.forfeit = forfeit_in(self.game, result) if self.position.result is None else ""
        if self.forfeit:
            self.ending = f"this game was ended by {FORFEITS[self.forfeit[-1]]}: {self.forfeit}"

    def start(self) -> None:
        """Start the opponent before anything is shown. Raises Fault if it cannot be."""
        with self.screen.waiting(f"starting {self.opponent.name} ... (Ctrl-C to leave)"):
            self.opponent.start(self.position)

    def run(self) -> None:
        """Play until the person leaves."""
        self._greet()
        self.show()
        while not self.left:
            if self.is_over or self.position.to_move == self.side:
                self._person_turn()
            else:
                self._agent_turn()

    def show(self) -> None:
        """Draw the board and, once the game is over, say how it ended."""
        self.screen.say("\n" + self.game.draw(self.position, colour=self.screen.colour) + "\n")
        if self.is_over:
            self._show_area()
            self._say_ending()

    def _show_area(self) -> None:
        """Whose each point is, in a game that is decided by points."""
        draw_area = getattr(self.game, "draw_area", None)
        if draw_area is not None and self.position.result is not None:
            self.screen.say(draw_area(self.position, colour=self.screen.colour) + "\n")

    def saved(self) -> SavedGame:
        """The game as it stands, to be written to a file."""
        saved = saved_game(self.game, self.opponent.spec.text, self.side, self.positions)
        return replace(saved, result=self.forfeit) if self.forfeit else saved

    def _greet(self) -> None:
        me, other = self.game.players[self.side], self.game.players[1 - self.side]
        self.screen.say(f"You are {me}, {self.opponent.name} is {other}.")
        self._say_move_help()
        self.screen.say(f"Or type one of: {' '.join(COMMANDS)}")

    def _say_move_help(self) -> None:
        """The game's own words for how a move is written, which it has for those who do it wrong."""
        try:
            self.game.parse_move("?", self.position)
        except NotationError as error:
            self.screen.say_wrapped("A move: " + str(error).partition(": ")[2], "  ")

    def _result_text(self) -> str:
        result = self.position.result
        if result.winner is None:
            return "a draw"
        who = "you win" if result.winner == self.side else f"{self.opponent.name} wins"
        return who if result.margin is None else f"{who} by {result.margin:g}"

    # --- The person's turn ------------------------------------------------------------------------------------------

    def _person_turn(self) -> None:
        """One line of input: a command or a move."""
        line = self.screen.ask("over> " if self.is_over else f"{self.game.players[self.side]}> ")
        if line is None:
            self.left = True
        elif line:
            word, _, argument = line.partition(" ")
            name = ALIASES.get(word.lower(), word.lower())
            if name in COMMANDS:
                self._command(name, argument.strip())
            else:
                self._play(line)

    def _command(self, name: str, argument: str) -> None:
        command = COMMANDS[name]
        if argument and not command.argument:
            self.screen.say_wrapped(f"Not done: {name} takes nothing after it, and there was {argument!r:.40}.")
        else:
            command.run(self, argument)

    def _play(self, text: str) -> None:
        if self.is_over:
            self.screen.say("The game is over. Type undo, save FILE or quit.")
            return
        try:
            move = read_move(self.game, self.position, text)
        except NotationError as error:
            self.screen.say_wrapped(f"{error}. Or type help.")
        except IllegalMove as error:
            self.screen.say_wrapped(f"Not legal: {error}. Type moves to list what is.")
        else:
            self.positions.append(self.position.play(move))
            self.show()

    # --- The agent's turn -------------------------------------------------------------------------------------------

    def _agent_turn(self) -> None:
        try:
            with self.screen.waiting(f"{self.opponent.name} is thinking ... (Ctrl-C to leave)"):
                answer = self.opponent.answer(self.positions)
        except Fault as fault:
            self._quote(fault)
            self._end(f"{fault}; you win", self.side, "F")
            return
        self._last_answer = answer
        if answer.move is None:
            self._end(f"{self.opponent.name} resigns; you win", self.side, "R")
            return
        self.screen.say(f"{self.opponent.name} plays {self.game.format_move(answer.move)}   ({answer.seconds:.1f} s)")
        self.positions.append(self.position.play(answer.move))
        if self.always_analyze:
            self.analyze()
        self.show()

    def _quote(self, fault: Fault) -> None:
        for line in fault.quoted():
            self.screen.say(line)

    def _end(self, text: str, winner: int, how: str) -> None:
        self.ending = text
        self.forfeit = f"{self.game.players[winner].upper()}+{how}"
        self._say_ending()

    def _say_ending(self) -> None:
        self.screen.say_wrapped(f"Game over: {self.ending or self._result_text()}. Type undo, save FILE or quit.")

    # --- Commands ---------------------------------------------------------------------------------------------------

    def undo(self, argument: str = "") -> None:
        """Back by so many of the person's turns; where the game was given up in one of them, that is the first."""
        number = _count(argument or "1")
        if number is None:
            self.screen.say_wrapped(f"Not done: undo takes a number of moves from 1 on, not {argument!r:.40}.")
            return
        mine = [i for i, position in enumerate(self.positions) if position.to_move == self.side]
        if self.ending is None and mine[-1:] == [len(self.positions) - 1]:
            del mine[-1]
        if number > len(mine):
            there = f"only {len(mine)}" if mine else "no"
            self.screen.say(f"You have {there} move{'s' if len(mine) > 1 else ''} to take back.")
            return
        del self.positions[mine[-number] + 1 :]
        self.ending = self._last_answer = None
        self.forfeit = ""
        self.show()

    def hint(self, _argument: str = "") -> None:
        """What the adviser would play."""
        if self.is_over:
            self.screen.say("The game is over.")
            return
        try:
            with self.screen.waiting(f"{self.adviser.name} is thinking ..."):
                answer = self.adviser.answer(self.positions)
        except Fault as fault:
            self._quote(fault)
            self.screen.say_wrapped(f"No hint: {fault}.")
            return
        move = "resign" if answer.move is None else self.game.format_move(answer.move)
        self.screen.say_wrapped(f"{self.adviser.name} would play {move}. {view(answer.analysis)}", "  ")

    def moves(self, _argument: str = "") -> None:
        """Every legal move."""
        self.screen.say(moves_text([self.game.format_move(move) for move in self.position.legal_moves()]))

    def analyze(self, _argument: str = "") -> None:
        """The agent's own view of the game, at its last move."""
        if self._last_answer is None:
            self.screen.say(f"{self.opponent.name} has not moved yet.")
        else:
            said = view(self._last_answer.analysis) or "It does not say what it thinks."
            self.screen.say_wrapped(f"{self.opponent.name}: {said}", "  ")

    def save(self, argument: str) -> None:
        """Write the game to a file; over one of that name only if the person wants that."""
        name, over = _name_and_force(argument)
        if not name:
            self.screen.say("Save where? As in: save game.json")
            return
        as_sgf = Path(name).suffix.lower() == ".sgf"
        try:
            path = Path(name).expanduser()
            if path.is_file() and not over:
                over = self._may_write_over(name)
                if not over:
                    return
            if as_sgf:
                write_file(path, self._sgf(), over)
            else:
                save_game(path, self.saved(), over)
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: ~ of a person who is not known
            self.screen.say_wrapped(f"Not saved: {error}")
            return
        # SGF has no place for who a person was, and against whom.
        more = ["--agent", self.opponent.spec.text, "--side", self.game.players[self.side]] if as_sgf else []
        command = shlex.join(["python", "runner.py", "play", "--load", str(path), *more, *self.flags])
        self.screen.say(f"Saved as {'SGF' if as_sgf else 'JSON'}. To go on: {command}")

    def _may_write_over(self, name: str) -> bool:
        """Whether the person, if there is one to be asked, wants a file replaced; says so if not."""
        if self.screen.is_interactive and self.screen.confirms(f"There is a file {name}. Write over it?"):
            return True
        self.screen.say_wrapped(f"Not saved: there is a file {name}. To write over it: save {name} {FORCE}")
        return False

    def _sgf(self) -> bytes:
        """The game as SGF. Raises ValueError if SGF cannot say it."""
        if self.game.name not in GAMES:
            raise ValueError(f"{self.game.name} is not written as SGF; save as .json")
        names = (PERSON, self.opponent.name) if self.side == FIRST else (self.opponent.name, PERSON)
        today = date.today().isoformat()
        return sgf_of_moves(
            self.game, self.positions, names, result=self.forfeit, date=today, comment=self.ending or ""
        )

    def board(self, _argument: str = "") -> None:
        """Draw the board again."""
        self.show()

    def resign(self, _argument: str = "") -> None:
        """Give the game up."""
        if self.is_over:
            self.screen.say("The game is over.")
        else:
            self._end(f"you resign; {self.opponent.name} wins", 1 - self.side, "R")

    def quit(self, _argument: str = "") -> None:
        """Leave."""
        self.left = True

    def help(self, _argument: str = "") -> None:
        """What can be typed."""
        self._say_move_help()
        for name, command in COMMANDS.items():
            self.screen.say(f"  {name + command.argument:<10} {command.help}")


class Command(NamedTuple):
    """A word that can be typed instead of a move."""

    run: Callable[[Session, str], None]
    help: str
    argument: str = ""


COMMANDS = {
    "undo": Command(Session.undo, "take back your last move, or N, with the answers; or your resignation", " [N]"),
    "hint": Command(Session.hint, "ask an agent what it would play for you"),
    "moves": Command(Session.moves, "list every legal move"),
    "analyze": Command(Session.analyze, "what your opponent thought at its last move"),
    "board": Command(Session.board, "draw the board again"),
    "save": Command(Session.save, f"write the game to FILE, Go to .sgf too; add {FORCE} to write over one", " FILE"),
    "resign": Command(Session.resign, "give up"),
    "quit": Command(Session.quit, "leave"),
    "help": Command(Session.help, "show this"),
}
ALIASES = {"?": "help", "exit": "quit", "q": "quit", "analyse": "analyze"}


# --- Texts ----------------------------------------------------------------------------------------------------------


def moves_text(moves: list[str]) -> str:
    """Legal moves in few lines: where every cell takes the same turns, the cells and the turns.

    >>> print(moves_text(["a1/0r", "a1/0f", "b1/0r", "b1/0f"]))
    a1 b1
    each with /0r /0f
    >>> print(moves_text(["D4", "pass"]))
    D4 pass
    """
    endings: dict[str, list[str]] = {}
    for move in moves:
        cell, slash, turn = move.partition("/")
        endings.setdefault(cell, []).append(slash + turn)
    shared = next(iter(endings.values()), [])
    if len(shared) > 1 and all(turns == shared for turns in endings.values()):
        return f"{_wrapped(endings)}\neach with {' '.join(shared)}"
    return _wrapped(moves) or "none"


def _wrapped(words: Any) -> str:
    return textwrap.fill(" ".join(words), WIDTH, break_on_hyphens=False)


def _count(text: str) -> int | None:
    """The positive number that was typed, None if it is none; nobody has made a million moves."""
    return int(text) if re.fullmatch(r"0*[1-9][0-9]{0,5}", text) else None


def _name_and_force(argument: str) -> tuple[str, bool]:
    """The name of a file, and whether `--force` comes after it.

    >>> _name_and_force("my game.json --force"), _name_and_force("game.json")
    (('my game.json', True), ('game.json', False))
    """
    name, _, last = f" {argument}".rpartition(" ")
    return (name.strip(), True) if last == FORCE else (argument, False)


def view(analysis: dict[str, Any]) -> str:
    """What an agent said of its move (see `Agent.analysis`), in sentences; empty if it said nothing.

    >>> view({"value": 0.625, "proven": None, "pv": ["c3/0r", "d4/1f"], "simulations": 1234567})
    'It expects to score 62.5 %. Expected line: c3/0r d4/1f. 1,234,567 simulations.'
    >>> view({"value": 1.0, "proven": "win"})
    'It has proved a win.'
    """
    sentences = []
    if analysis.get("proven"):
        sentences.append(f"It has proved a {analysis['proven']}.")
    elif isinstance(analysis.get("value"), int | float):
        sentences.append(f"It expects to score {analysis['value']:.1%}.".replace("%", " %"))
    line, simulations = analysis.get("pv"), analysis.get("simulations")
    if line and isinstance(line, list | tuple):
        more = " ..." if len(line) > LINE_SHOWN else ""
        sentences.append(f"Expected line: {' '.join(map(str, line[:LINE_SHOWN]))}{more}.")
    if simulations and isinstance(simulations, int | float):
        sentences.append(f"{simulations:,.0f} simulations.")
    return " ".join(sentences)
