"""`python -m simulator`: one game or many, under the flags of the McGill course's simulators."""

import random
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from commands.errors import INTERRUPTED, NOT_PLAYED, errors_for_people, exit_as, opponents_fault, program
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    COUNT,
    FILE,
    FOLDER,
    NOT_NEGATIVE,
    SEED,
    GameCommand,
    WholeNumber,
    conditions_for,
    field_options,
    option,
    refuse_idle_options,
)
from options import InputError, OptionError, counted

if TYPE_CHECKING:
    from simulator.referee.conditions import Conditions
    from simulator.tournament.events import Ended

RUNS = 100
OF_AUTOPLAY = ("autoplay_runs", "board_roster_dir", "board_size_min", "board_size_max")
SIZE = WholeNumber(1, 100)  # each of a range is tried once before the first game
SIZES = (6, 12)  # of boards if only one end of the range is given, unless that end is beyond: then the game's own
BOARDS = (".csv", ".board")  # endings of board files in a roster


class Program(GameCommand):
    """A command that is a program of its own."""

    flags: ClassVar = {"size": "board_size"}

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command as a program, see `program`."""
        with program():
            return super().invoke(ctx)


@click.command(
    cls=Program, epilog=AGENT_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80}
)
@option("--player_1", type=AGENT, default="random_agent", help="Who moves first.")
@option("--player_2", type=AGENT, default="random_agent", help="Who moves second.")
@field_options("game")
@option("--board_path", type=FILE, help="The board at the start: rows of numbers with commas between.")
@option("--display", is_flag=True, help="Show the board after every move.")
@option("--display_delay", type=NOT_NEGATIVE, default=0.4, metavar="S", help="Seconds between two boards.")
@option("--autoplay", is_flag=True, help="Play many games; the players swap colours every other game.")
@option("--autoplay_runs", type=COUNT, metavar="N", help=f"With --autoplay: how many games.  [default: {RUNS}]")
@option("--board_size_min", type=SIZE, metavar="N", help="With --autoplay: each pair of games has a size from N on.")
@option("--board_size_max", type=SIZE, metavar="N", help="The largest of these sizes, which are drawn at random.")
@option("--board_roster_dir", type=FOLDER, help="With --autoplay: draw a board file there for each pair of games.")
@SEED
@field_options("move-time", "first-move-time", "memory", "isolation", underscores=True)
def course_simulator(
    *,
    player_1: str,
    player_2: str,
    game_options: dict[str, str],
    board_path: Path | None,
    display: bool,
    display_delay: float,
    autoplay: bool,
    autoplay_runs: int | None,
    board_size_min: int | None,
    board_size_max: int | None,
    board_roster_dir: Path | None,
    seed: int | None,
    **flags: Any,
) -> None:
    """Play one game between two agents, or many, with the flags of the course's simulators.

    The referee is that of runner.py match: each agent is a process of its own, with limits on its time and memory. If a
    game does not end on the board, the reason is shown. Ctrl-C stops and shows what was played. If an agent cannot be
    loaded, nothing is played and the exit code is 1.

    Agents written for a framework of the course play its game: without --game, their files tell which game it is.

    One player may be human_agent: you, in the terminal.

    \b
    Examples:
      python -m simulator --player_1 uct_agent --player_2 random_agent --display
      python -m simulator --player_1 my_agent.py --autoplay
      python -m simulator --autoplay --autoplay_runs 10 --move_time 0.5
      python -m simulator --player_1 ann --board_path boards/plus1.csv
      python -m simulator --player_1 human_agent --player_2 uct_agent
    """
    players = (player_1, player_2)
    with errors_for_people():
        if board_path is not None:
            game_options["board"] = board_in(board_path)
        conditions = conditions_for(flags, game_options)
        if autoplay and board_roster_dir is not None:
            refuse_idle_options("beside --board_roster_dir", "board_path", "size", "board_size_min", "board_size_max")
        elif board_path is not None:
            refuse_idle_options("beside --board_path", "size", "board_size_min", "board_size_max")
        elif autoplay and "size" in game_options:
            refuse_idle_options("beside --board_size", "board_size_min", "board_size_max")
        for name in [] if autoplay else filter(click.get_current_context().params.get, OF_AUTOPLAY):
            click.echo(f"--{name} has no effect without --autoplay: one game is played", err=True)
        if any(map(is_person, players)):
            play_a_person(conditions, players, autoplay, seed)
        elif autoplay:
            if display:
                click.echo("Since running autoplay mode, display will be disabled", err=True)
            chosen = boards(conditions, board_size_min, board_size_max, board_roster_dir)
            play_many(chosen, players, autoplay_runs or RUNS, seed)
        else:
            play_one(conditions, players, display_delay if display else None, seed)


def board_in(file: Path) -> str:
    """The board in a file of rows of numbers with commas between, as text. Raises InputError, OSError."""
    from simulator.records.file_errors import content_of

    text = content_of(file).decode("utf-8-sig", errors="replace")
    rows = [line.replace(" ", "").split(",") for line in text.splitlines() if line.strip()]
    if not rows or not all(value in ("0", "1", "2", "3") for row in rows for value in row):
        raise InputError(f"{file} is not a board: each line has to be a row of 0, 1, 2 and 3 with commas between")
    return "/".join("".join(row) for row in rows)


def boards(
    conditions: "Conditions", smallest: int | None, largest: int | None, roster: Path | None
) -> "list[Conditions]":
    """The conditions for each board that may be drawn. Raises InputError, OSError."""
    options = dict(conditions.game_options)
    if roster is not None:
        found = []
        for file in (file for file in sorted(roster.iterdir()) if file.suffix in BOARDS):
            found.append(replace(conditions, game_options={**options, "board": board_in(file)}))
            try:
                found[-1].load_game()
            except OptionError as error:
                raise InputError(f"{file} is not a board of this game: it {error.reason}") from error
    elif smallest or largest:
        size = conditions.load_game().option("size")
        smallest = smallest or (SIZES[0] if SIZES[0] <= (largest or SIZES[0]) else int(size.least or 1))
        largest = largest or (SIZES[1] if smallest <= SIZES[1] else int(size.most or smallest))
        found = []
        for n in range(smallest, largest + 1):
            changed = replace(conditions, game_options={**options, "size": n})
            with suppress(OptionError):  # for sizes that the game does not have, perhaps odd ones
                changed.load_game()
                found.append(changed)
    else:
        return [conditions]
    if not found:
        if roster:
            raise InputError(f"{roster} has no boards: no file in it ends with {' or '.join(BOARDS)}")
        raise InputError(f"the game has no boards of a size from {smallest} to {largest}")
    return found


def is_person(text: str) -> bool:
    """Whether a player is the person at the keyboard. Raises AgentError for a text that names no agent."""
    from agents.agent import parse_agent
    from simulator.player.lookup import PERSON

    return parse_agent(text).source == PERSON


def play_a_person(conditions: "Conditions", players: tuple[str, str], autoplay: bool, seed: int | None) -> None:
    """Play a game of the person against the other player, in the terminal. Raises UsageError if that is impossible."""
    from simulator.play.game_in_progress import GameInProgress
    from simulator.play.settings import PlaySettings
    from simulator.player.lookup import PERSON
    from simulator.terminal.play import play

    if autoplay:
        raise click.UsageError(f"{PERSON} cannot autoplay: leave --autoplay out")
    if all(map(is_person, players)):
        raise click.UsageError(f"{PERSON} can be only one of the players")
    played = GameInProgress(conditions.load_game(), players=[PERSON if is_person(text) else text for text in players])
    with opponents_fault():
        play(played, PlaySettings(conditions.limits, seed=seed, isolation=conditions.isolation))


def play_one(conditions: "Conditions", players: tuple[str, str], delay: float | None, seed: int | None) -> None:
    """Play one game and show it move by move; unless `delay` is None, with boards, so many seconds apart."""
    from simulator.player.compile_ahead import compile_ahead
    from simulator.referee.referee import play_game
    from simulator.terminal.course_simulator import MoveLines, finished_lines, say
    from simulator.terminal.lines import plain_console

    console = plain_console()
    (specs, names), observer = two_agents(conditions, players), MoveLines(console, conditions.load_game(), delay)
    try:
        compile_ahead(conditions.load_game(), specs, partial(say, console), conditions.limits)
        record = play_game(specs, conditions, names=names, observer=observer, seed=seed)
    except KeyboardInterrupt:
        say(console, f"Stopped after {counted(observer.moves, 'move')}: nobody wins.")
        sys.exit(INTERRUPTED)
    for line in finished_lines(record):
        say(console, line)
    if record.absent is not None or record.is_void:
        sys.exit(NOT_PLAYED)


def play_many(chosen: "list[Conditions]", players: tuple[str, str], runs: int, seed: int | None) -> None:
    """Play many games from the start of the game and print a summary; a board is drawn for each pair of games."""
    from commands.playing import played_match
    from simulator.referee.seeds import derived_seed
    from simulator.terminal.course_simulator import AutoplayObserver, autoplay_lines, say
    from simulator.terminal.lines import plain_console
    from simulator.tournament.plan import Plan
    from simulator.tournament.settings import TournamentSettings

    console = plain_console()
    specs, names = two_agents(chosen[0], players)
    chance = random.Random(seed)
    drawn = Counter({0: (runs + 1) // 2})
    if len(chosen) > 1:
        drawn = Counter(chance.randrange(len(chosen)) for _ in range((runs + 1) // 2))
    played: list[Ended] = []
    for which, pairs in drawn.items():
        games = min(2 * pairs, runs - sum(match.games for match in played))
        own_seed = seed if seed is None or not which else derived_seed(seed, f"board {which}")
        settings = TournamentSettings(chosen[which], pairs=pairs, games=games, opening_plies=0, seed=own_seed)
        plan = Plan(settings, dict(zip(names, specs, strict=True)))
        with AutoplayObserver(console) as observer:
            try:
                played.append(played_match(plan, [observer], partial(say, console)))
            except KeyboardInterrupt:  # while agents were prepared for another board
                if not played:
                    raise
                played[-1] = replace(played[-1], interrupted=True)
        if not played[-1].complete or played[-1].absent or played[-1].interrupted:
            break
    records = [record for match in played for record in match.records]
    whole = replace(played[-1], settings=replace(played[-1].settings, games=runs), records=records)
    for line in autoplay_lines(whole):
        say(console, line)
    exit_as(whole)


def two_agents(conditions: "Conditions", players: tuple[str, str]) -> tuple[Any, Any]:
    """The agents and their names in tables. Raises AgentError."""
    from simulator.player.lookup import find_agent, unique_names

    specs = tuple(find_agent(text, conditions.load_game()) for text in players)
    return specs, unique_names(specs)
