#!/usr/bin/env python3
"""Unforced from the command line: matches between agents, a game against one, and the tools around them.

Each command parses, calls and prints; the work is done in `simulator/` and `agents/`. What is heavy to import is
imported inside the commands, so that `--help` answers at once.
"""
# ruff: noqa: PLC0415  (imports inside functions: see above)

import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from agents.agent import Limits
    from agents.uct.analysis import Analysis
    from game import Game

FAILURE, USAGE, INTERRUPTED = 1, 2, 130  # exit codes; 130 is what a shell reports for Ctrl-C

AGENT_HELP = """\b
An agent is
  a registered name                  random_agent, uct_agent, ...
  a path to a Python file            submissions/my_agent.py
  either with options                uct_agent:c=0.5
  another program that speaks GTP    "gtp:gnugo --mode gtp"
"""


class Commands(click.Group):
    """Commands that Ctrl-C ends at once and without a word, also while they start: exit code 130."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
def main() -> None:
    """Unforced: a game-playing agent, and the referee it plays under.

    \b
    Watch two agents play   python runner.py match uct_agent random_agent
    Play against one        python runner.py play
    Play Go against one     python runner.py play --game go --size 9
    Look into a position    python runner.py analyze --moves "c3/0r"

    Each command has its own --help, with examples.
    """


# --- Parameters -----------------------------------------------------------------------------------------------------


class Finite(click.types.FloatParamType):
    """A number that is neither infinity nor none: clocks and scores cannot be set to them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class FiniteRange(click.FloatRange, Finite):
    """A `Finite` in a range."""


def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
    """A click option whose default is shown in the help."""
    return click.option(*names, show_default=settings.get("default") not in (None, ""), **settings)


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order in which the help lists them."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


POSITIVE = FiniteRange(min=0, min_open=True)
SIZE = option("--size", type=int, metavar="N", help="Of the board: Go from 2 to 19.  [default: 9]")
KOMI = option(
    "--komi", type=Finite(), metavar="X", help="White's points for moving second, in Go.  [default: 7; 19x19: 7.5]"
)
GAME = options(option("--game", default="pentago", metavar="NAME", help="Which game."), SIZE, KOMI)
SEED = option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="All chance follows from it.")
MOVE_TIME = option("--move-time", type=POSITIVE, default=2.0, metavar="S", help="Seconds for each later move.")
MEMORY = option(
    "--memory", type=click.IntRange(min=1), default=500, metavar="MB", help="For all of an agent's processes."
)
FIRST_MOVE_TIME = option(
    "--first-move-time", type=POSITIVE, default=30.0, metavar="S", help="Seconds for the first move, set-up included."
)
CUSHION = option(
    "--cushion", type=FiniteRange(min=0), default=1.0, metavar="S", help="How late an answer may come at all."
)
LIMITS = options(MOVE_TIME, FIRST_MOVE_TIME, CUSHION, MEMORY)


class ChosenGame(NamedTuple):
    """A game with the options that the command line gave."""

    game: "Game"
    options: dict[str, Any]


def chosen_game(name: str, size: int | None, komi: float | None) -> ChosenGame:
    """The game that the options of `GAME` say. Raises NotationError for one that is not to be had."""
    from simulator.game_options import load_with

    given = given_options(size, komi)
    return ChosenGame(load_with(name, given), given)


def given_options(size: int | None, komi: float | None) -> dict[str, Any]:
    """A game's options, those that were given."""
    return {name: value for name, value in (("size", size), ("komi", komi)) if value is not None}


def refuse_second_komi(position: str | None, komi: float | None) -> None:
    """Raises UsageError where both a position and an option say komi."""
    if position and komi is not None:
        raise click.UsageError("--position says its komi: leave --komi out, or change it in the position")


def limits_of(move_time: float, first_move_time: float, cushion: float, memory: int) -> "Limits":
    """The limits that the options of `LIMITS` say."""
    from agents.agent import Limits

    return Limits(first_move_time, move_time, cushion, memory)


@contextmanager
def errors_for_people() -> Iterator[None]:
    """Wrong input becomes a message and exit code 2, a failure a message and 1; bugs show a traceback."""
    from agents.agent import AgentError
    from game import NotationError

    try:
        yield
    except (AgentError, NotationError) as error:
        raise click.UsageError(str(error) + other_game(error)) from error
    except (OSError, MemoryError) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def ctrl_c_at_once() -> Iterator[None]:
    """Ctrl-C ends the process where compiled code is loaded: LLVM's callbacks swallow KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def other_game(error: Exception) -> str:
    """A question that names the games that have an option, if the error is that one has not; else empty."""
    from simulator.game_options import UnknownOption, games_with

    takers = games_with(error.option) if isinstance(error, UnknownOption) else []
    return f"; did you mean --game {' or '.join(takers)}?" if takers else ""


# --- match ----------------------------------------------------------------------------------------------------------


@main.command(epilog=AGENT_HELP)
@click.argument("agent_1", metavar="A")
@click.argument("agent_2", metavar="B")
@option("--games", type=click.IntRange(min=1), default=2, metavar="N", help="How many; an even number is fair.")
@GAME
@LIMITS
@option("--rules", type=click.Choice(["course", "strict"]), default="course", help="What a late answer costs.")
@option(
    "--opening-plies",
    type=click.IntRange(min=0),
    metavar="K",
    help="Random moves before each pair of games.  [default: what the game says; Pentago 2, Go 0]",
)
@SEED
@option("--json", "as_json", is_flag=True, help="Last line of stdout: the match as JSON; progress goes to stderr.")
@option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Add each game to a JSONL file."
)
@option(
    "--sgf",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where a match of Go leaves its games as SGF.  [default: games]",
)
@option("--no-sgf", is_flag=True, help="Leave no SGF.")
def match(
    *,
    agent_1: str,
    agent_2: str,
    game: str,
    size: int | None,
    komi: float | None,
    as_json: bool,
    save: Path | None,
    sgf: Path | None,
    no_sgf: bool,
    **settings: Any,
) -> None:
    """Play games between two agents, A and B, under the referee.

    Each agent is a process of its own. Colours alternate, and each random opening is played twice, once from either
    side. An answer that comes late but within the cushion is replaced by a random move (--rules strict: the game is
    lost); no answer by then, an illegal move, a crash or too much memory loses the game. Ctrl-C stops the match and
    shows what was played.

    \b
    Examples:
      python runner.py match uct_agent random_agent
      python runner.py match uct_agent greedy_agent --games 20 --move-time 0.5
      python runner.py match my_agent.py uct_agent --json --save games.jsonl
      python runner.py match uct_agent "gtp:gnugo --mode gtp" --game go --size 9
    """
    from rich.console import Console

    from simulator.match import play_match
    from simulator.progress import progress_on
    from simulator.summary import match_json, print_summary
    from simulator.warmup import compile_ahead

    console = Console(stderr=as_json, highlight=False)
    with errors_for_people():
        chosen = chosen_game(game, size, komi)
        specs, names = two_agents(chosen.game, agent_1, agent_2)
        folder = None if no_sgf else sgf_parent(chosen.game, sgf)
        agreed = match_settings(chosen, **settings)
        compile_ahead(chosen.game.name, specs, console.print)
        played = play_match(specs, names, agreed, progress_on(console), save, folder)
        print_summary(console, played)
        if as_json:
            click.echo(json.dumps(match_json(played)))
        if played.interrupted:
            sys.exit(INTERRUPTED)


def two_agents(game: "Game", *texts: str) -> tuple[Any, Any]:
    """The agents of a match and what to call them."""
    from simulator.roster import find_agents, unique_names

    specs = find_agents(texts, game)
    return specs, unique_names(specs)


def sgf_parent(game: "Game", given: Path | None) -> Path | None:
    """Where the folder with a match's SGF files goes, None for a game that SGF does not know."""
    from simulator.sgf_folder import DEFAULT_FOLDER, GAMES

    if game.name in GAMES:
        return given or DEFAULT_FOLDER
    if given is not None:
        raise click.UsageError(f"{game.name} is not written as SGF: leave --sgf out; --save writes JSON")
    return None


def match_settings(
    chosen: ChosenGame, *, games: int, rules: Any, opening_plies: int | None, seed: int, **limits: Any
) -> Any:
    """The settings that the options of `match` say. Raises UsageError where no opening has so many plies."""
    from simulator.match import MatchSettings
    from simulator.openings import plies_for, random_openings

    plies = plies_for(chosen.game) if opening_plies is None else opening_plies
    try:
        next(random_openings(chosen.game, plies, seed))
    except ValueError as error:
        raise click.UsageError(f"{error}: take fewer --opening-plies") from error
    return MatchSettings(chosen.game.name, games, limits_of(**limits), rules, seed, plies, chosen.options)


# --- play -----------------------------------------------------------------------------------------------------------


@main.command("play", epilog=AGENT_HELP)
@option("--agent", metavar="AGENT", help="Who plays against you.  [default: uct_agent]")
@option("--game", metavar="NAME", help="Which game.  [default: pentago]")
@SIZE
@KOMI
@option("--side", metavar="SIDE", help="Yours, w or b.  [default: the one that moves first]")
@LIMITS
@SEED
@option("--analysis", is_flag=True, help="Show what the agent thinks after each of its moves.")
@option("--hints", metavar="AGENT", default="uct_agent", help="Who is asked for hints.")
@option("--position", metavar="TEXT", help="Begin from this position.")
@option("--moves", metavar="TEXT", help="Begin after these moves, separated by spaces.")
@option("--load", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE", help="Go on with FILE.")
def play_command(
    *,
    agent: str | None,
    game: str | None,
    size: int | None,
    komi: float | None,
    side: str | None,
    seed: int,
    analysis: bool,
    hints: str,
    position: str | None,
    moves: str | None,
    load: Path | None,
    **limits: Any,
) -> None:
    """Play against an agent, in the terminal or over a pipe.

    Type a move, as the board names its cells, or one of: undo, hint, moves, analyze, board, save FILE, resign, quit,
    help. The agent is held to its limits as in a match, except that an answer that is a little late still counts. It
    does not think while you do.

    \b
    Examples:
      python runner.py play
      python runner.py play --side b --move-time 0.5 --analysis
      python runner.py play --game go --size 9 --komi 7
      python runner.py play --agent my_agent.py --load game.json
      printf 'c3/0r\\nquit\\n' | python runner.py play --agent random_agent
    """
    from dataclasses import replace

    from simulator.saved_game import SavedGame, load_game_file
    from simulator.terminal import play

    game_options = given_options(size, komi)
    if load and (position or moves):
        raise click.UsageError("--load brings its own position and moves: leave --position and --moves out")
    if load and game_options:
        raise click.UsageError("--load brings its own board: leave --size and --komi out")
    refuse_second_komi(position, komi)
    texts = {"agent": agent, "game": game, "side": side, "position": position}
    given: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if moves is not None:
        given["moves"] = tuple(moves.split())
    with errors_for_people():
        saved = replace(load_game_file(load) if load else SavedGame(options=game_options), **given)
        play(saved, limits_of(**limits), hints=hints, seed=seed, always_analyze=analysis)


# --- analyze --------------------------------------------------------------------------------------------------------


@main.command()
@GAME
@option("--position", metavar="TEXT", default="", help="The position.  [default: the start of the game]")
@option("--moves", metavar="TEXT", default="", help="Moves to play from there first, separated by spaces.")
@option("--sgf", type=click.Path(path_type=Path), metavar="FILE", help="A game of Go: the position at its end.")
@option("--move", "move_number", type=click.IntRange(min=1), metavar="N", help="Of --sgf, the position before move N.")
@option("--move-time", type=POSITIVE, default=2.0, metavar="S", help="Seconds to search.")
@option("--simulations", type=click.IntRange(min=1), metavar="N", help="A fixed number, instead of the time.")
@SEED
@option("--memory", type=click.IntRange(min=1), default=500, metavar="MB", help="For the whole process.")
@option("--top", type=click.IntRange(min=1), metavar="N", help="Show the best N moves only.")
@option("--ownership", is_flag=True, help="Show who is likely to own which point, too, in Go.")
@option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def analyze(
    *,
    game: str,
    size: int | None,
    komi: float | None,
    position: str,
    moves: str,
    sgf: Path | None,
    move_number: int | None,
    top: int | None,
    ownership: bool,
    as_json: bool,
    **search: Any,
) -> None:
    """Search a position and show what the search knows of each move.

    For each distinct move: the sum of the values of its visits, visits, mean value for the side to move, how many of
    its children are resolved, and whether the move itself is proved (implied: by its children, not by the board).
    Then the line that both sides would play, and the size and shape of the tree. Ctrl-C ends the search and shows what
    it has found by then.

    \b
    Examples:
      python runner.py analyze --moves "c3/0r d4/1f" --top 10
      python runner.py analyze --move-time 0.5 \\
          --position "wwww../bbb.../....../....../....../b..... w"
      python runner.py analyze --game go --sgf game.sgf --move 30 --ownership
      python runner.py analyze --simulations 100000 --seed 1 --json
    """
    from agents.uct.analysis import render
    from simulator.ownership import ownership_text
    from simulator.saved_game import SavedGame, game_of, replay

    with errors_for_people():
        if sgf is None:
            if move_number is not None:
                raise click.UsageError("--move belongs to --sgf; --moves says which moves to play")
            refuse_second_komi(position, komi)
            saved = SavedGame(game, position=position, moves=tuple(moves.split()), options=given_options(size, komi))
            board = game_of(saved)
            root = replay(board, saved)[-1]
        else:
            if position or moves or given_options(size, komi):
                raise click.UsageError("--sgf brings position, size and komi: leave out what else says them")
            board, root = position_in_sgf(game, sgf, move_number)
        if root.result is not None:
            raise click.UsageError("the game is over in this position: there is nothing to search")
        with ctrl_c_at_once():
            owners = owners_of(board, root, search["seed"]) if ownership else None
        if not as_json:
            click.echo(board_and_mover(board, root))
        analysis, interrupted = search_position(board, root, **search)
        if as_json:
            points = {} if owners is None else {"ownership": owners.astype(float).round(4).tolist()}
            click.echo(json.dumps(analysis.to_json(top) | points | {"interrupted": interrupted}))
        else:
            click.echo(render(analysis, top) + ("" if owners is None else "\n\n" + ownership_text(owners)))
        if interrupted:
            sys.exit(INTERRUPTED)


def board_and_mover(game: "Game", position: Any) -> str:
    """The board, and whose move and values it is."""
    player = game.players[position.to_move]
    colour = {"b": "black", "w": "white"}.get(player)
    who = f"{colour} ({player})" if colour else player
    return f"{game.draw(position)}\n\n{who} to move; values are {colour or player}'s\n"


def position_in_sgf(game: str, path: Path, move_number: int | None) -> tuple["Game", Any]:
    """The game of an SGF file, and its position before that move or at its end."""
    from simulator.sgf import read_sgf
    from simulator.sgf_folder import GAMES

    if game not in GAMES:
        raise click.UsageError(f"{game} has no SGF files: add --game {' or '.join(sorted(GAMES))}")
    read = read_sgf(path, move_number)
    return read.game, read.positions[-1]


def owners_of(game: Any, position: Any, seed: int) -> Any:
    """Who owns which point after playouts, see `Go.ownership`. Raises UsageError for a game without that."""
    if not hasattr(game, "ownership"):
        raise click.UsageError(f"nobody owns points in {game.name}: leave --ownership out")
    return game.ownership(position, seed=seed)


def search_position(
    game: "Game", position: Any, *, move_time: float, simulations: int | None, seed: int, memory: int
) -> tuple["Analysis", bool]:
    """Search with a fresh tree, once a first search has loaded the compiled code off the clock.

    Returns what was found, and whether Ctrl-C ended the search. Raises KeyboardInterrupt if nothing was found by then.
    """
    from agents.uct.analysis import analyse, shape_of
    from agents.uct.memory import capacity_within, repeatable_capacity
    from agents.uct.searcher import Searcher, Settings, warm_up

    with ctrl_c_at_once():
        shape_of(warm_up(game, position, Settings.for_game(game)))
    fitting = repeatable_capacity if simulations else capacity_within
    searcher = Searcher(game, fitting(memory * 1_000_000), seed)
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


# --- bench ----------------------------------------------------------------------------------------------------------


@main.command()
@option("--rounds", type=click.IntRange(min=1), default=5, metavar="N", help="Measurements of each, in turns.")
@option("--signature", "signature_only", is_flag=True, help="Print the signature of fixed searches only.")
@option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(rounds: int, signature_only: bool, as_json: bool) -> None:
    """Measure the agent beside a C++ twin of its algorithms, compiled on the spot with g++.

    Playouts and simulations a second from the empty board, the two languages in turns; seconds from the start of a
    process to its first move, with and without compiled code kept; nodes and memory. The signature is a hash of the
    trees of fixed searches: it changes only when the search is meant to change. Takes about a minute; let nothing
    else run meanwhile.

    \b
    Examples:
      python runner.py bench
      python runner.py bench --signature
    """
    from benchmarks import bench as measurements
    from benchmarks.twin import TwinError

    with errors_for_people():
        if signature_only:
            click.echo(measurements.signature())
            return
        try:
            found = measurements.run(rounds)
        except TwinError as error:
            raise click.ClickException(str(error)) from error
        click.echo(json.dumps(found) if as_json else measurements.render(found))


# --- gtp ------------------------------------------------------------------------------------------------------------


@main.command(epilog=AGENT_HELP)
@GAME
@option("--agent", metavar="AGENT", default="uct_agent", help="Who answers genmove.")
@SEED
@option("--simulations", type=click.IntRange(min=1), metavar="N", help="A fixed number a move, instead of the clock.")
@MOVE_TIME
@FIRST_MOVE_TIME
@MEMORY
def gtp(
    *,
    game: str,
    size: int | None,
    komi: float | None,
    agent: str,
    seed: int,
    simulations: int | None,
    move_time: float,
    first_move_time: float,
    memory: int,
) -> None:
    """Serve an agent as a GTP 2 engine on stdin and stdout.

    For graphical front ends, match programs and scripts. All that GTP requires is there, and commands that begin with
    unforced-, which list_commands names. Whatever the agent prints goes to stderr.

    \b
    Examples:
      python runner.py gtp --agent uct_agent --move-time 1
      printf 'play w c3/0r\\ngenmove b\\nshowboard\\n' | python runner.py gtp
    """
    from simulator.roster import find_agent
    from simulator.sgf import sgf_commands
    from simulator.worker import LOAD_FAILED, serve

    with errors_for_people():
        chosen = chosen_game(game, size, komi)
        find_agent(agent, chosen.game)
        limits = limits_of(move_time, first_move_time, 0.0, memory)
        status = serve(
            chosen.game.name,
            agent,
            seed=seed,
            simulations=simulations,
            limits=limits,
            game_options=chosen.options,
            extra_commands=sgf_commands,
        )
        sys.exit(FAILURE if status == LOAD_FAILED else status)


if __name__ == "__main__":
    main()
