"""`runner.py match`: games between two agents under the referee."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import errors_for_people, exit_as
from commands.full_screen import observer_on
from commands.parameters import (
    AGENT_HELP,
    COUNT,
    FILE,
    FOLDER,
    GameCommand,
    given,
    json_option,
    option,
    refuse_idle_options,
)
from commands.playing import COMMON, GAMES_OF_TEST, planned, played_match, say_how_to_go_on, take_test

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.records.schema import Pair
    from simulator.referee.game_record import GameRecord
    from simulator.tournament.events import Ended, Observer
    from simulator.tournament.plan import Plan

GAMES = 2


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@click.argument("agent_1", metavar="A")
@click.argument("agent_2", metavar="B")
@option(
    "--games",
    type=COUNT,
    metavar="N",
    help=f"How many games; an even number is fair.  [default: {GAMES}; with --sprt at most {GAMES_OF_TEST}]",
)
@COMMON
@json_option("Print the match as JSON, the last line of stdout; progress goes to stderr.")
@option("--save", type=FILE, help="Add each game to a JSONL file.")
@option("--sgf", type=FOLDER, help="The folder for the SGF files of a match of Go.  [default: games]")
@option("--no-sgf", is_flag=True, help="Write no SGF files.")
def match(
    *,
    agent_1: str,
    agent_2: str,
    games: int | None,
    game_options: dict[str, str],
    as_json: bool,
    save: Path | None,
    sgf: Path | None,
    no_sgf: bool,
    **flags: Any,
) -> None:
    """Play games between two agents, A and B, under the referee.

    Each agent is a process of its own. Colours alternate, and each opening is played twice, once from either side. If
    an answer comes late but within the cushion, a random move is played instead (--rules strict: the game is lost); no
    answer by then, an illegal move, a crash or too much memory loses the game. Ctrl-C stops the match and shows what
    was played. If an agent cannot be loaded, the match ends with the reason and exit status 1.

    A match is a tournament of two: with --records FILE, the same command continues a match that was stopped, and
    replay, report and export read the file.

    With --sprt the match is a sequential probability ratio test: it ends as soon as the finished pairs of games say
    whether A is stronger than B by ELO1 (H1) rather than by ELO0 (H0).

    \b
    Examples:
      python runner.py match uct_agent random_agent
      python runner.py match uct_agent greedy_agent --games 20 --move-time 0.5
      python runner.py match my_agent.py uct_agent --json --save games.jsonl
      python runner.py match uct_agent "gtp:gnugo --mode gtp" --game go --size 9
      python runner.py match my_agent.py uct_agent --sprt 0 50 --workers 2
      python runner.py match my_agent.py "uct_agent@move_time=0.5,memory=200"
    """
    from simulator.terminal.lines import plain_console
    from simulator.terminal.match_summary import match_json, print_summary

    console = plain_console(stderr=as_json)
    with errors_for_people():
        if no_sgf:
            refuse_idle_options("with --no-sgf", "sgf")
        if not (save or flags["records"]):
            refuse_idle_options("without --records or --save", "transcripts")
        test = take_test(flags)
        games = games or (GAMES_OF_TEST if test else GAMES)
        values = given(flags) | game_options
        plan = planned([agent_1, agent_2], values, pairs=(games + 1) // 2, games=games, sprt=test)
        result = play_match(plan, console, save, sgf_parent(plan, sgf, not no_sgf))
        print_summary(console, result)
        if as_json:
            click.echo(json.dumps(match_json(result)))
        if result.absent and plan.records:
            click.echo("the records keep why; the same command with --extend tries again", err=True)
        if result.interrupted and plan.records and not result.failure:
            say_how_to_go_on()
        exit_as(result)


def play_match(plan: "Plan", console: "Console", save: Path | None, parent: Path | None) -> "Ended":
    """Play a match; games are added to the file `save`, and SGF to a new folder in `parent`, unless these are None."""
    from simulator.records.json_lines import game_file
    from simulator.records.sgf_folder import match_folder, write_game
    from simulator.terminal.lines import print_line

    with ExitStack() as stack:
        writers = [] if save is None else [stack.enter_context(game_file(save, plan.records))]
        try:
            folder = None if parent is None else stack.enter_context(match_folder(parent, plan.names))
        except OSError as error:
            raise OSError(f"{error}; name another folder with --sgf, or add --no-sgf") from error
        writers += [] if folder is None else [lambda record, number, counts: write_game(folder, record, number)]
        screen = stack.enter_context(observer_on(console, False))
        ended = played_match(plan, [screen, saver(*writers)], partial(print_line, console))
    return replace(ended, sgf_folder=folder if folder and folder.is_dir() else None)


def saver(*writers: "Callable[[GameRecord, int, bool], None]") -> "Observer":
    """An observer that calls the writers with each game, its number and whether it counts, once its pair is saved.

    Raises NotKept if a writer raises OSError.
    """
    from simulator.statistics.pentanomial import is_void
    from simulator.tournament.events import Event, NotKept, PairSaved

    def keep(event: Event, pair: "Pair | None") -> None:
        """Write the games of a pair that is in the records. Raises NotKept."""
        if isinstance(event, PairSaved):
            try:
                for record, write in product(event.records, writers):
                    write(record, event.pair.game_number(record.agents), not is_void(event.records))
            except OSError as error:
                raise NotKept(str(error)) from error

    return keep


def sgf_parent(plan: "Plan", parent: Path | None, is_wanted: bool) -> Path | None:
    """The parent of a match's SGF folder; None if no SGF is wanted or the game has none. Raises UsageError."""
    from simulator.records.sgf_folder import DEFAULT_FOLDER, GAMES

    is_known = plan.game.name in GAMES
    if parent is not None and not is_known:
        raise click.UsageError(f"{plan.game.title} is not written as SGF: leave --sgf out; --save writes JSON")
    return parent or DEFAULT_FOLDER if is_known and is_wanted else None
