"""`runner.py tournament`: many agents, several formats and processes; run again, it continues."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from commands.errors import INTERRUPTED, NOT_PLAYED, errors_for_people
from commands.full_screen import observer_on
from commands.parameters import AGENT_HELP, GameCommand, field_options, given, json_option, stdout_for_json
from commands.playing import COMMON, GAMES_OF_TEST, executor_for, planned, planned_before, say_how_to_go_on, take_test
from options import InputError

if TYPE_CHECKING:
    from simulator.statistics.sprt import Sprt
    from simulator.tournament.events import Observer
    from simulator.tournament.plan import Plan
    from simulator.tournament.toml_file import TomlFile

DEFAULT_RECORDS = "league.db"


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@click.argument("agents", nargs=-1, required=True, metavar="LEAGUE.toml | RECORDS.db | AGENT...")
@field_options("format", "rounds", "pairs", "champion")
@COMMON
@json_option("Print each event as JSON, one a line on stdout.")
def tournament(*, agents: tuple[str, ...], game_options: dict[str, str], as_json: bool, **flags: Any) -> None:
    """Play a tournament between agents, or the one that a TOML file describes.

    Games come in pairs, one opening played from both sides, and all pairings get the same openings. Everything goes
    into one file of records (league.db, or LEAGUE.db), pair by pair. If a tournament was stopped or its machine
    failed, run the same command again, or name only that file, and it continues. Ctrl-C finishes the pairs in play; a
    second Ctrl-C stops at once. --extend adds rounds, agents or repaired agents to a finished tournament.

    On a terminal, Tab shows the board of a game in play instead of the standings, s the standings again.

    Each agent is started once before the first round. An agent that cannot be started is absent, and so is a zip file
    that cannot be unpacked: the reason is shown, the others play, and the exit status at the end is 1.

    \b
    Formats:
      round-robin   all against all, N times
      gauntlet      one against all others, N times
      swiss         N rounds; neighbours in the table meet, nobody twice
      course        N random opponents each, then the top tenth all against all

    \b
    Examples:
      python runner.py tournament uct_agent submissions/*.zip --rounds 5
      python runner.py tournament submissions/*.zip --format course --workers 2
      python runner.py tournament league.toml
      python runner.py tournament league.db
      python runner.py tournament league.toml --cluster tcp://host:8786
      python runner.py tournament my_agent.py "uct_agent@move_time=0.5" --pairs 20
    """
    from simulator.records.database import store_for
    from simulator.tournament.coordinator import Coordinator

    with errors_for_people(), stdout_for_json(as_json) as stdout:
        plan = plan_of(agents, take_test(flags), given(flags) | game_options)
        with (
            executor_for(plan, lambda line: click.echo(line, err=as_json)) as executor,
            store_for(plan.records) as store,
            observer_for(stdout, as_json) as observer,
        ):
            ended = Coordinator(store, plan, executor, [observer]).run()
        if ended.failure:
            raise ended.failure
    if ended.interrupted:
        how = [f"--{key}={value}" for key in ("workers", "cluster") if (value := getattr(plan, key))]
        say_how_to_go_on("tournament", str(plan.records), *how, *["--force"] * plan.force, *["--json"] * as_json)
        sys.exit(INTERRUPTED)
    if ended.absent:
        names = ", ".join(agent.name for agent in ended.absent)
        can_grow = ended.settings.make_format(len(ended.names)).can_grow
        hint = "; the same command with --extend tries again" if can_grow else ""
        click.echo(f"absent, because they could not play: {names}{hint}", err=True)
    if ended.absent or ended.void:
        sys.exit(NOT_PLAYED)


def plan_of(agents: tuple[str, ...], test: "Sprt | None", values: dict[str, Any]) -> "Plan":
    """The plan for what was named: records to continue, or else agents or a TOML file."""
    from agents.agent import AgentError
    from simulator.records.file_errors import is_database

    if len(agents) == 1 and (is_database(Path(agents[0])) or agents[0].endswith(".db")):
        return planned_before(Path(agents[0]), values | ({"sprt": test} if test else {}))
    asked = what_is_asked(agents, values)
    pairs: dict[str, Any] = {"pairs": GAMES_OF_TEST // 2} if test and "pairs" not in asked.values else {}
    try:
        return planned(asked.agents, asked.values, names=asked.names, may_be_absent=True, sprt=test, **pairs)
    except (AgentError, InputError, click.UsageError) as error:
        if len(agents) == 1 and agents[0].endswith(".toml"):  # else the fault may be in the command line
            raise click.UsageError(f"{agents[0]}: {error}") from error
        raise


def what_is_asked(agents: tuple[str, ...], values: dict[str, Any]) -> "TomlFile":
    """Agents and settings from the command line and, if one is named, a TOML file; the command line wins."""
    from game import game_title, options_by_name
    from simulator.tournament.fields import BY_KEY
    from simulator.tournament.toml_file import TomlFile, read_toml

    if not agents[0].endswith(".toml"):
        return TomlFile([*agents], [], {"records": DEFAULT_RECORDS, **values})
    path = Path(agents[0])
    file = read_toml(path)
    if "game" in values and (idle := file.values.keys() - {*BY_KEY, *options_by_name(values["game"])}):
        game = game_title(values["game"])
        raise click.UsageError(f"{path}: {min(idle)} is no option of {game}: leave it out, or leave out --game")
    everyone = [*file.agents, *agents[1:]]
    if not everyone:
        raise click.UsageError(f'{path} names no agents: agents = ["uct_agent", "submissions/*.zip"]')
    return TomlFile(everyone, file.names, {"records": str(path.with_suffix(".db")), **file.values, **values})


def observer_for(stdout: TextIO, as_json: bool) -> "AbstractContextManager[Observer]":
    """An observer that writes JSON, or one that suits the terminal or pipe."""
    from simulator.terminal.events import JsonObserver
    from simulator.terminal.lines import plain_console

    return nullcontext(JsonObserver(stdout)) if as_json else observer_on(plain_console())
