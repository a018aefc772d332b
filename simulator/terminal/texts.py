"""What `runner.py play` says: names of sides, lists of moves, an agent's analysis, commands that continue a game."""

import shlex
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents.limits import Limits
from game import Game, NotationError, game_class
from options import option_text
from simulator.gtp.analysis import Analysis
from simulator.records.saved_game import SavedGame
from simulator.sandbox.isolation import IsolationLevel
from simulator.terminal.screen import WIDTH

LINE_SHOWN = 8  # moves of an expected line; later ones are guesses
SIDES = {"w": "White", "b": "Black"}
FLAGS = {
    "move_seconds": "move-time",
    "first_move_seconds": "first-move-time",
    "cushion_seconds": "cushion",
    "memory_mb": "memory",
    "isolation": "isolation",
    "seed": "seed",
    "hints": "hints",
}


@dataclass(frozen=True)
class PlaySettings:
    """How an agent plays against a person.

    Attributes:
        limits: what the agent may use.
        hints: the agent that is asked for hints.
        show_analysis: show what the opponent thinks after each of its moves.
        isolation: what holds the agents to their limits.
    """

    limits: Limits = field(default_factory=Limits)
    hints: str = "uct_agent"
    seed: int = 0
    show_analysis: bool = False
    isolation: IsolationLevel = "best"

    def flags(self) -> tuple[str, ...]:
        """The options of `runner.py play` that say these settings, where they are not the defaults.

        >>> PlaySettings(Limits(move_seconds=0.5), seed=3, show_analysis=True).flags()
        ('--move-time=0.5', '--seed=3', '--analysis')
        """
        mine, usual = (vars(settings.limits) | vars(settings) for settings in (self, PlaySettings()))
        given = [f"--{flag}={mine[name]}" for name, flag in FLAGS.items() if mine[name] != usual[name]]
        return (*given, *(["--analysis"] if self.show_analysis else []))


def resume_command(saved: SavedGame, flags: Sequence[str] = ()) -> str:
    """What to type in a shell to continue a game; `flags` is what `PlaySettings.flags` returns."""
    options = {"agent": saved.agent, "side": saved.side, "position": saved.position, "moves": " ".join(saved.moves)}
    if saved.game != SavedGame.game:
        options["game"] = saved.game
    for name, value in saved.options.items():
        if not (saved.position and game_class(saved.game).option(name).in_position):
            options[name] = option_text(value)
    given = [f"--{name}={text}" for name, text in options.items() if text]
    return shlex.join(["python", "runner.py", "play", *given, *flags])


def side_name(game: Game, player: int) -> str:
    """What people call a player of a game, and what the wire does.

    >>> from game import FIRST, load_game
    >>> side_name(load_game("go"), FIRST), side_name(load_game("kalah"), FIRST)
    ('Black (B)', 'South (B)')
    """
    letter = game.players[player]
    name = game.player_names[player] if game.player_names else SIDES.get(letter)
    return f"{name} ({letter.upper()})" if name else letter


def move_help(game: Game) -> str:
    """How a move is typed, as the game explains it to who typed something else."""
    try:
        game.parse_move("?", game.initial())
    except NotationError as error:
        return str(error).partition(". ")[2] or str(error)
    return ""


def capitalized(sentence: str) -> str:
    """The sentence with its first letter as a capital, the others as they are."""
    return sentence[:1].upper() + sentence[1:]


def moves_text(moves: list[str]) -> str:
    """Legal moves in few lines: if every cell can be followed by the same turns, the cells and then the turns.

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


def _wrapped(words: Iterable[str]) -> str:
    return textwrap.fill(" ".join(words), WIDTH, break_on_hyphens=False)


def analysis_text(analysis: Analysis) -> str:
    """What an agent thinks of its move, in sentences; empty if it gives no analysis.

    >>> analysis_text(Analysis(value=0.625, pv=("c3/0r", "d4/1f"), simulations=1234567))
    'It expects to score 62.5%. Expected line: c3/0r d4/1f. 1,234,567 simulations.'
    >>> analysis_text(Analysis(value=1.0, proven="win"))
    'It has proved a win.'
    """
    sentences = []
    if analysis.proven:
        sentences.append(f"It has proved a {analysis.proven}.")
    elif analysis.value is not None:
        sentences.append(f"It expects to score {analysis.value:.1%}.")
    if line := analysis.pv:
        more = " ..." if len(line) > LINE_SHOWN else ""
        sentences.append(f"Expected line: {' '.join(line[:LINE_SHOWN])}{more}.")
    if analysis.book_seconds is not None:
        sentences.append("From its opening book.")
    if analysis.simulations:
        sentences.append(f"{analysis.simulations:,.0f} simulations.")
    if analysis.note:
        sentences.append(f"({capitalized(analysis.note)}.)")
    return " ".join(sentences)
