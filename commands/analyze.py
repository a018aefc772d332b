"""`runner.py analyze`: what a search finds in a position."""

import json
import math
import sys
import time
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from commands.errors import INTERRUPTED, ctrl_c_at_once, errors_for_people
from commands.parameters import (
    COUNT,
    FILE,
    FIXED_SEED,
    GAME,
    POSITIVE,
    SIMULATIONS,
    GameCommand,
    chosen_game,
    json_option,
    option,
    refuse_idle_options,
    stdout_for_json,
)

if TYPE_CHECKING:
    from agents.book import BookEntry
    from agents.uct.analysis import SearchReport
    from game import Game

SECONDS = 2.0
LOG_SECONDS = 0.2  # for each move


@click.command(cls=GameCommand)
@GAME
@option("--position", metavar="TEXT", default="", help="The position to search.  [default: the start of the game]")
@option("--moves", metavar="TEXT", default="", help="Moves to play from there first, separated by spaces.")
@option("--sgf", type=FILE, help="Search the last position of a game of Go.")
@option("--move", "move_number", type=COUNT, metavar="N", help="With --sgf: search the position before move N.")
@option("--log", type=FILE, help="Judge each move in a log of the course's server.")
@option(
    "--move-time", type=POSITIVE, metavar="S", help="Seconds to search.  [default: 2; with --log 0.2 for each move]"
)
@SIMULATIONS
@FIXED_SEED
@option("--memory", type=COUNT, default=500, metavar="MB", help="Memory for the whole process.")
@option("--top", type=COUNT, metavar="N", help="Show the best N moves only.")
@option("--ownership", is_flag=True, help="In Go: show who is likely to own each point.")
@json_option("Print the result as one JSON object.")
def analyze(
    *, log: Path | None, move_time: float | None, top: int | None, ownership: bool, as_json: bool, **flags: Any
) -> None:
    """Search a position and show what was found about each move.

    The table has a row for each distinct move: wins (the sum of the values of its visits), visits, the mean value for
    the side to move, how many of its children are resolved, and below "why" what is proved of the move itself
    (implied: by its children, not by the board). Then come the principal variation, the size and shape of the tree,
    and what the opening book says, if it has the position. Ctrl-C ends the search and shows what it has found so far.

    With --log, each move in a log of the course's server is compared with the move that the search would play; moves
    that lose by force and missed forced wins are named. Ctrl-C ends this after the moves that have been judged.

    \b
    Examples:
      python runner.py analyze --moves "c3/0r d4/1f" --top 10
      python runner.py analyze --move-time 0.5 \\
          --position "wwww../bbb.../....../....../....../b..... w"
      python runner.py analyze --game go --sgf game.sgf --move 30 --ownership
      python runner.py analyze --simulations 100000 --seed 1 --json
      python runner.py analyze --log logs/game00001.log
    """
    from simulator.play.names import side_name

    search = {name: flags.pop(name) for name in ("simulations", "seed", "memory")}
    if search["simulations"]:
        refuse_idle_options("with --simulations", "move_time")
    with errors_for_people(), stdout_for_json(as_json) as stdout:
        if log is not None:
            why = "with --log, which has its own moves and shows all of them"
            refuse_idle_options(why, "top", "ownership", *flags)
            analyze_log(log, move_time=move_time or LOG_SECONDS, stdout=stdout, as_json=as_json, **search)
            return
        board, root = position_asked(**flags)
        if root.result is not None:
            raise click.UsageError("the game is over in this position: there is nothing to search")
        with ctrl_c_at_once():
            owners = owners_of(board, root, search["seed"]) if ownership else None
        if board.kernel is not None:
            nodes_within(search["memory"], board, search["simulations"])  # raises before compiling, not after it
        theory = book_entry(board, root)
        compile_search(board, as_json)
        if not as_json:
            mover = side_name(board, root.to_move)
            click.echo(f"{board.draw(root)}\n\n{mover} to move; values are for {mover}\n")
        analysis, interrupted = search_position(board, root, move_time=move_time or SECONDS, **search)
        show(analysis, top, owners, theory, stdout, as_json=as_json, interrupted=interrupted)
        if interrupted:
            sys.exit(INTERRUPTED)


def position_asked(
    game: str, game_options: dict[str, str], position: str, moves: str, sgf: Path | None, move_number: int | None
) -> tuple["Game", Any]:
    """The game and the position to search. Raises UsageError, InputError."""
    from game import game_title
    from simulator.records.saved_game import SavedGame, game_of, replay
    from simulator.records.sgf_folder import GAMES
    from simulator.records.sgf_reader import read_sgf

    if sgf is None:
        if move_number is not None:
            raise click.UsageError("--move needs --sgf; to play moves, use --moves")
        chosen = chosen_game(game, game_options, position)
        saved = SavedGame(game, position=position, moves=tuple(moves.split()), options=chosen.options)
        board = game_of(saved)
        return board, replay(board, saved)[-1]
    if position or moves or game_options:
        raise click.UsageError("the --sgf file has position, moves, size and komi: leave their options out")
    if game not in GAMES:
        raise click.UsageError(f"{game_title(game)} has no SGF files: add --game {' or '.join(sorted(GAMES))}")
    read = read_sgf(sgf, move_number)
    return read.game, read.positions[-1]


def book_entry(game: "Game", position: Any) -> "BookEntry | None":
    """What the game's opening book says of a position; None if it says nothing. Raises BookError."""
    from agents.book import Book
    from game import BookGame

    return Book.read(game, game.book).find(position) if isinstance(game, BookGame) else None


def show(
    analysis: "SearchReport",
    top: int | None,
    owners: Any,
    theory: "BookEntry | None",
    stdout: TextIO,
    *,
    as_json: bool,
    interrupted: bool,
) -> None:
    """Print what a search has found, and if they are known the owners of the points and what the book says."""
    from agents.uct.analysis import render
    from simulator.terminal.ownership import ownership_text

    if as_json:
        found = analysis.to_json(top)
        if owners is not None:
            found["ownership"] = owners.astype(float).round(4).tolist()
        if theory is not None:
            found["book"] = {"value": round(theory.value, 4), "seconds": round(theory.seconds, 1)}
        click.echo(json.dumps(found | {"interrupted": interrupted}), file=stdout)
        return
    click.echo(render(analysis, top) + ("" if owners is None else "\n\n" + ownership_text(owners)))
    if theory is not None:
        click.echo(f"\nin the opening book: worth {theory.value:.3f} after {theory.seconds:,.0f} s of search")


def compile_search(game: Any, as_json: bool) -> None:
    """Compile what `uct_agent` needs for a game, unless it is compiled already, and say so."""
    from agents.agent import parse_agent
    from agents.limits import Limits
    from simulator.terminal.elapsed import compile_agent
    from simulator.terminal.screen import is_smart_terminal

    with ctrl_c_at_once():
        compile_agent(is_smart_terminal() and not as_json, Limits(), game, parse_agent("uct_agent"))


def owners_of(game: Any, position: Any, seed: int) -> Any:
    """Who owns each point after playouts, see `Go.ownership`. Raises UsageError for a game without ownership."""
    if not hasattr(game, "ownership"):
        raise click.UsageError(f"--ownership is not for {game.title}, where nobody owns points")
    return game.ownership(position, seed=seed)


def nodes_within(memory: int, game: "Game", simulations: int | None) -> int:
    """How many nodes fit if this process may use so many MB. Raises MemoryError if a search does not fit."""
    from agents.uct.memory import capacity_within, repeatable_capacity
    from agents.uct.settings import Settings

    fitting = repeatable_capacity if simulations else capacity_within
    return fitting(memory * 1_000_000, Settings.for_game(game).node_bytes(game))


def search_position(
    game: "Game", position: Any, *, move_time: float, simulations: int | None, seed: int, memory: int
) -> tuple["SearchReport", bool]:
    """Search with a fresh tree, after a short search that loads the compiled code and is not timed.

    Returns what was found, and whether Ctrl-C ended the search. Raises KeyboardInterrupt if nothing was found before.
    """
    from agents.uct.analysis import analyse
    from agents.uct.searchers import make_searcher, warm_up
    from agents.uct.settings import Settings

    if game.kernel is None:
        return search_in_python(game, position, move_time, simulations, seed, memory)
    settings = Settings.for_game(game)
    with ctrl_c_at_once():
        warm_up(game, position, settings).shape()
    searcher = make_searcher(game, nodes_within(memory, game, simulations), seed, settings)
    searcher.begin(position)
    start, interrupted = time.monotonic(), False
    try:
        searcher.search(seconds=None if simulations else move_time, simulations=simulations)
    except KeyboardInterrupt:
        # The last simulations are in the tree, but may not have been counted.
        searcher.simulations = sum(child.visits for child in searcher.children())
        searcher.seconds, interrupted = time.monotonic() - start, True
        if not searcher.simulations:
            raise
    return analyse(searcher), interrupted


def search_in_python(
    game: "Game", position: Any, move_time: float, simulations: int | None, seed: int, memory: int
) -> tuple["SearchReport", bool]:
    """The same as `search_position`, for a game without compiled rules."""
    from agents.plain.analysis import analyse
    from agents.plain.heap import Heap
    from agents.plain.ticker import Ticker
    from agents.plain.uct_agent import Searcher
    from agents.time_control import Pacer

    searcher, interrupted = Searcher(game, seed), False
    searcher.heap = Heap(memory * 1_000_000)
    searcher.most_simulations, start = simulations or math.inf, time.monotonic()
    deadline = math.inf if simulations else start + move_time
    try:
        searcher.search(position, Ticker(Pacer().chunks(deadline, lambda: searcher.work, smallest=1), searcher.on_look))
    except KeyboardInterrupt:
        if not searcher.root.children:
            raise
        searcher.seconds, interrupted = time.monotonic() - start, True
    if not searcher.root.children:
        raise click.UsageError("there was no time to try each move once: give a longer --move-time")
    return analyse(searcher), interrupted


# --- A log of the course's server ---


def analyze_log(
    path: Path, *, move_time: float, simulations: int | None, seed: int, memory: int, stdout: TextIO, as_json: bool
) -> None:
    """Print how our search and solver judge each move of a log. Raises InputError, OSError."""
    from agents.uct.searchers import make_searcher
    from agents.uct.settings import Settings
    from simulator.course.log_file import read_log
    from simulator.course.review import ReviewedMove, review
    from simulator.records.file_errors import check_can_read
    from simulator.terminal.review import HEADER, review_line, review_summary

    check_can_read(path)
    record = read_log(path)
    game = record.load_game()
    if not as_json:
        click.echo(f"{record.agents[0]} against {record.agents[1]}; values are for the player of the move\n\n{HEADER}")
    compile_search(game, as_json)
    by_time = None if simulations else move_time
    with ctrl_c_at_once():  # the first move compiles what is not compiled yet
        searcher = make_searcher(game, nodes_within(memory, game, simulations), seed, Settings.for_game(game))
        reviewed = review(game, record.positions, searcher, seconds=by_time, simulations=simulations)
        first = next(reviewed, None)
    moves, interrupted = list[ReviewedMove](), False
    try:
        for move in chain([first] if first else [], reviewed):
            moves.append(move)
            if not as_json:
                click.echo(review_line(game, record, move))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        content = {"agents": record.agents, "result": record.result, "verdict": record.verdict.text}
        found = {"moves": [asdict(move) for move in moves], "interrupted": interrupted}
        click.echo(json.dumps(content | found), file=stdout)
    else:
        click.echo(f"\n{review_summary(record, moves)}")
    if interrupted:
        sys.exit(INTERRUPTED)
