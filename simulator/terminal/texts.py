"""What `runner.py play` says: names of sides, lists of moves, an agent's analysis, commands that continue a game."""

import textwrap
from collections.abc import Iterable, Sequence

from game import Game, NotationError, game_class
from options import option_text
from simulator import command_line
from simulator.gtp.analysis import Analysis
from simulator.play.chances import chance_text, how_found, told_chance, visits_text
from simulator.play.names import capitalized
from simulator.player.lookup import PERSON
from simulator.player.study import RankedMove
from simulator.records.saved_game import SavedGame
from simulator.terminal.screen import WIDTH

MOVES_SHOWN = 12  # of a ranking
LINE_SHOWN = 8  # moves of an expected line; later ones are guesses


def how_to_continue(saved: SavedGame, flags: Sequence[str]) -> str:
    """What is said when a person leaves an open game; `flags` is what `PlaySettings.flags` returns."""
    options = {"position": saved.position, "moves": " ".join(saved.moves)}
    if saved.game != SavedGame.game:
        options["game"] = saved.game
    for name, value in saved.options.items():
        if not (saved.position and game_class(saved.game).option(name).in_position):
            options[name] = option_text(value)
    given = [f"--{name}={text}" for name, text in options.items() if text]
    command = command_line("play", *resume_options(saved), *given, *flags)
    return f"To continue this game:\n  {command}"


def resume_options(saved: SavedGame) -> list[str]:
    """The options of `runner.py play` that say who plays a saved game.

    >>> resume_options(SavedGame(side="b")), resume_options(SavedGame(players=("random_agent", "uct_agent")))
    (['--agent=uct_agent', '--side=b'], ['--agent=random_agent', '--against=uct_agent', '--side=none'])
    """
    agent, side, against = saved.agent, saved.side, ""
    if saved.players:
        agent, against = saved.players
        side = "" if PERSON in saved.players else "none"
    options = {"agent": agent, "against": against if side == "none" else "", "side": side}
    return [f"--{name}={text}" for name, text in options.items() if text]


def move_help(game: Game) -> str:
    """How a move is typed, as the game's error message explains it."""
    try:
        game.parse_move("?", game.initial())
    except NotationError as error:
        return str(error).partition(". ")[2] or str(error)
    return ""


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


def played_text(moves: Sequence[str]) -> str:
    """The moves of a game with their numbers, two in a line; empty if there are none.

    >>> print(played_text(["c3/1r", "d4/0f", "a1/2r"]))
      1. c3/1r      2. d4/0f
      3. a1/2r
    """
    entries = [f"{number:>3}. {move:<9}" for number, move in enumerate(moves, 1)]
    return "\n".join("".join(entries[i : i + 2]).rstrip() for i in range(0, len(entries), 2))


def ranked_text(ranked: Sequence[RankedMove]) -> str:
    """Moves as an agent ranks them, a line each; moves after the first `MOVES_SHOWN` are only counted."""
    lines = [f"  {'move':<8}{'chance':>7}  {'visits':>9}  expected line"]
    for move in ranked[:MOVES_SHOWN]:
        chance = move.proven or chance_text(move.value, move.visits)
        line = f"  {move.text:<8}{chance:>7}  {visits_text(move.visits):>9}  {' '.join(move.pv[:LINE_SHOWN])}"
        lines.append(line[:WIDTH].rstrip())
    more = len(ranked) - MOVES_SHOWN
    return "\n".join([*lines, *([f"  and {more} more"] if more > 0 else [])])


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
    elif (chance := told_chance(analysis)) is not None:
        sentences.append(f"It expects to score {chance:.1%}.")
    if line := analysis.pv:
        more = " ..." if len(line) > LINE_SHOWN else ""
        sentences.append(f"Expected line: {' '.join(line[:LINE_SHOWN])}{more}.")
    sentences += [f"{capitalized(words)}." for words in how_found(analysis)]
    if analysis.note:
        sentences.append(f"({capitalized(analysis.note)}.)")
    return " ".join(sentences)
