"""`python -m simulator`: one game or many, under the flags of the McGill course's simulators."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import click

from commands.errors import INTERRUPTED, NOT_PLAYED, errors_for_people, exit_as, opponents_fault, program
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    COUNT,
    NOT_NEGATIVE,
    SEED,
    GameCommand,
    conditions_for,
    field_options,
    option,
)
from options import counted

if TYPE_CHECKING:
    from simulator.referee.conditions import Conditions

RUNS = 100


class Program(GameCommand):
    """A command that is a whole program."""

    flags: ClassVar = {"size": "board_size"}

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        with program():
            return super().invoke(ctx)


@click.command(
    cls=Program,
    epilog=AGENT_HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@option("--player_1", type=AGENT, default="random_agent", help="Who moves first.")
@option("--player_2", type=AGENT, default="random_agent", help="Who moves second.")
@field_options("game")
@option("--display", is_flag=True, help="Show the board after every move.")
@option("--display_delay", type=NOT_NEGATIVE, default=0.4, metavar="S", help="Seconds between two boards.")
@option("--autoplay", is_flag=True, help="Play many games; the players swap colours every other game.")
@option("--autoplay_runs", type=COUNT, metavar="N", help=f"How many games.  [default: {RUNS}]")
@SEED
@field_options("move-time", "first-move-time", "memory", "isolation", underscores=True)
def course_simulator(
    *,
    player_1: str,
    player_2: str,
    game_options: dict[str, str],
    display: bool,
    display_delay: float,
    autoplay: bool,
    autoplay_runs: int | None,
    seed: int | None,
    **flags: Any,
) -> None:
    """Play one game between two agents, or many, with the flags of the course's simulators.

    The referee is that of runner.py match: each agent is a process of its own, with limits on its time and memory. If a
    game does not end on the board, the reason is shown. Ctrl-C stops and shows what was played. If an agent cannot be
    loaded, nothing is played and the exit code is 1.

    One player may be human_agent: you, in the terminal.

    \b
    Examples:
      python -m simulator --player_1 uct_agent --player_2 random_agent --display
      python -m simulator --player_1 my_agent.py --autoplay
      python -m simulator --autoplay --autoplay_runs 10 --move_time 0.5
      python -m simulator --player_1 human_agent --player_2 uct_agent
    """
    players = (player_1, player_2)
    with errors_for_people():
        conditions = conditions_for(flags, game_options)
        if autoplay_runs is not None and not autoplay:
            click.echo("--autoplay_runs counts only with --autoplay: one game is played", err=True)
        if any(map(is_person, players)):
            play_a_person(conditions, players, autoplay, seed)
        elif autoplay:
            if display:
                click.echo("Since running autoplay mode, display will be disabled", err=True)
            play_many(conditions, players, autoplay_runs or RUNS, seed)
        else:
            play_one(conditions, players, display_delay if display else None, seed)


def is_person(text: str) -> bool:
    """Whether a player is the person at the keyboard. Raises AgentError for a text that is no agent."""
    from agents.agent import parse_agent
    from simulator.player.lookup import PERSON

    return parse_agent(text).source == PERSON


def play_a_person(conditions: "Conditions", players: tuple[str, str], autoplay: bool, seed: int | None) -> None:
    """A game of the person against the other player, in the terminal. Raises UsageError if there is no such game."""
    from simulator.play.settings import PlaySettings
    from simulator.player.lookup import PERSON
    from simulator.records.saved_game import SavedGame
    from simulator.terminal.play import play

    if autoplay:
        raise click.UsageError(f"{PERSON} cannot autoplay: leave --autoplay out")
    if all(map(is_person, players)):
        raise click.UsageError(f"{PERSON} can be only one of the players")
    side = 0 if is_person(players[0]) else 1
    sides, options = conditions.load_game().players, dict(conditions.game_options)
    saved = SavedGame(conditions.game, players[1 - side], sides[side], options=options)
    with opponents_fault():
        play(saved, PlaySettings(conditions.limits, seed=seed, isolation=conditions.isolation))


def play_one(conditions: "Conditions", players: tuple[str, str], delay: float | None, seed: int | None) -> None:
    """One game, shown move by move; with a delay, the boards as well."""
    from simulator.player.compile_ahead import compile_ahead
    from simulator.referee.game_record import Reason
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
    if record.absent is not None or record.verdict.reason is Reason.VOID:
        sys.exit(NOT_PLAYED)


def play_many(conditions: "Conditions", players: tuple[str, str], runs: int, seed: int | None) -> None:
    """Many games from the start of the game, and what they add up to."""
    from commands.playing import played_match
    from simulator.terminal.course_simulator import AutoplayObserver, autoplay_lines, say
    from simulator.terminal.lines import plain_console
    from simulator.tournament.plan import Plan
    from simulator.tournament.settings import TournamentSettings

    console = plain_console()
    settings = TournamentSettings(conditions, pairs=(runs + 1) // 2, games=runs, opening_plies=0, seed=seed)
    specs, names = two_agents(conditions, players)
    plan = Plan(settings, dict(zip(names, specs, strict=True)))
    with AutoplayObserver(console, has_tables=False) as observer:
        played = played_match(plan, [observer], partial(say, console))
    for line in autoplay_lines(played):
        say(console, line)
    exit_as(played)


def two_agents(conditions: "Conditions", players: tuple[str, str]) -> tuple[Any, Any]:
    """The agents and what to call them. Raises AgentError."""
    from simulator.player.lookup import find_agent, unique_names

    specs = tuple(find_agent(text, conditions.load_game()) for text in players)
    return specs, unique_names(specs)
