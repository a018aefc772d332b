"""Shared by `match` and `tournament`: from a command line to a plan, and to the games."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import show_progress
from commands.parameters import FiniteRange, chosen_game, field_options, given, insist_on_isolation, option, options
from commands.wrong_rules import refuse_wrong_rules
from options import InputError, option_text
from simulator import command_line

if TYPE_CHECKING:
    from agents.agent import AgentSpec
    from game import Game
    from simulator.records.schema import AgentEntry
    from simulator.referee.conditions import Conditions
    from simulator.statistics.sprt import Sprt
    from simulator.tournament.events import Ended, Observer
    from simulator.tournament.plan import Plan
    from simulator.tournament.settings import TournamentSettings
    from simulator.tournament.workers.dask import ClusterExecutor
    from simulator.tournament.workers.protocol import Executor

# Options that may be given with a file of records alone, to continue it.
GOING_ON = ("workers", "cluster", "rounds", "pairs", "force", "extend")
GAMES_OF_TEST = 20_000  # a test that is not decided by then asks for too small a difference
ERROR_RATE = FiniteRange(min=0, max=1, min_open=True, max_open=True)
FORCE = option("--force", is_flag=True, default=None, help="Allow more workers than cores; clocks are then unfair.")
COMMON = options(
    option(
        "--sprt",
        type=(FiniteRange(), FiniteRange()),
        metavar="ELO0 ELO1",
        help="With two agents: play pairs until a test decides whether the first is ELO0 or ELO1 stronger.",
    ),
    option("--alpha", type=ERROR_RATE, metavar="P", help="How often ELO1 may be accepted wrongly.  [default: 0.05]"),
    option("--beta", type=ERROR_RATE, metavar="P", help="How often ELO0 may be accepted wrongly.  [default: 0.05]"),
    field_options("game", "move-time", "first-move-time", "clock", "cushion", "memory", "rules", "isolation"),
    field_options("openings", "opening-plies", "opening-balance", "seed", "records", "workers"),
    FORCE,
    field_options("cluster"),
    option("--extend", is_flag=True, default=None, help="Add rounds, games, agents or changed agents to the records."),
    field_options("transcripts"),
)


def planned(
    agents: Sequence[str],
    values: Mapping[str, Any],
    *,
    names: Sequence[str] = (),
    may_be_absent: bool = False,
    **more: Any,
) -> "Plan":
    """The plan for agents and settings, which are given by key; `more` are fields of TournamentSettings without a key.

    `names` are the agents' names in tables, where these are not the usual ones. A folder stands for the agent's file
    in it, and zip files are unpacked. With `may_be_absent`, an agent whose files are not fit to play is marked absent.
    Raises UsageError, AgentError, NotationError, InputError.
    """
    from game import options_by_name
    from simulator.submission.named_agents import find_named
    from simulator.tournament.openings import read_openings
    from simulator.tournament.settings import refuse_idle, settings_from

    name = values.get("game", "pentago")
    chosen = chosen_game(name, {key: option_text(values[key]) for key in options_by_name(name) if key in values})
    specs, limits = find_named(agents, chosen.game, names=names, may_be_absent=may_be_absent)
    refuse_idle(values)
    openings = read_openings(Path(values["openings"]), chosen.game) if "openings" in values else ()
    settings = replace(settings_from(values, chosen.options, limits, openings), **more)
    return _plan(settings, specs, values)


def planned_before(records: Path, values: Mapping[str, Any]) -> "Plan":
    """The plan that continues a tournament from its records, which hold everything that the plan needs.

    `values`, by key, may only have the keys of `GOING_ON`. Raises UsageError, StoreError.
    """
    from agents.agent import AgentError
    from simulator.records.database import read_store
    from simulator.tournament.settings import TournamentSettings

    if other := sorted({*values} - {*GOING_ON}):
        known = ", ".join(f"--{key}" for key in GOING_ON)
        raise click.UsageError(f"{records} has its settings: leave --{other[0]} out; only {known} can be given")
    with read_store(records) as store:
        then = store.settings()
        agents = [agent for agent in store.agents() if not agent.replaced]
    if not then:
        raise click.UsageError(f"{records} holds no tournament yet: name its agents")
    grown = {key: values[key] for key in ("rounds", "pairs") if key in values}
    if "pairs" in grown and then.get("games"):  # a match says how many games it has
        grown["games"] = 2 * grown["pairs"]
    settings = replace(TournamentSettings.from_json(then), **grown)
    specs: dict[str, AgentSpec] = {}
    try:
        game = settings.conditions.load_game()
        for agent in agents:
            specs |= _recorded(agent, game, may_return="extend" in values)
    except (AgentError, InputError) as error:
        raise click.UsageError(
            f"{error}\n(run this in the folder in which {records} was begun: paths start there)"
        ) from error
    return _plan(settings, specs, {**values, "records": str(records)})


def _recorded(agent: "AgentEntry", game: "Game", *, may_return: bool) -> "dict[str, AgentSpec]":
    """An agent of records, by its name. Raises AgentError, InputError if its files are not there.

    An agent that was absent stays so without its files, unless it `may_return` and has a name that can be found.
    """
    from agents.agent import AgentError, AgentSpec
    from simulator.submission.named_agents import UNPRINTABLE, find_named

    try:
        return find_named([agent.text], game, names=[agent.name], may_be_absent=True)[0]
    except (AgentError, InputError):
        if agent.absence is None or (may_return and UNPRINTABLE not in agent.absence):
            raise
        return {agent.name: AgentSpec(agent.text, agent.text, {}, agent.absence)}


def _plan(settings: "TournamentSettings", specs: "Mapping[str, AgentSpec]", values: Mapping[str, Any]) -> "Plan":
    """The plan for settings, completed and checked for these agents. Raises InputError, IsolationError."""
    from simulator.tournament.plan import Plan
    from simulator.tournament.settings import settled

    refuse_wrong_rules(settings.conditions.load_game())
    settings = settled(settings, tuple(specs))
    if "cluster" not in values:
        insist_on_isolation(settings.conditions.isolation, settings.conditions.limits)
        _refuse_hidden_weights(settings.conditions, specs.values())
    records = Path(values["records"]) if "records" in values else None
    how = {key: values[key] for key in ("workers", "cluster", "force", "extend") if key in values}
    return Plan(settings, specs, records, **how)


def _refuse_hidden_weights(conditions: "Conditions", specs: "Iterable[AgentSpec]") -> None:
    """Raises UsageError for a file of weights that one of our agents could not read in its sandbox."""
    from jit import PROJECT
    from simulator.sandbox.isolation import available_mechanisms
    from simulator.sandbox.visible_files import files_visible_to

    if not available_mechanisms(conditions.isolation).bubblewrap:
        return
    for spec in specs:
        file = Path(spec.options.get("evaluation", ""))
        if spec.is_file or spec.is_gtp or not file.is_file():
            continue
        if not (file.is_absolute() and any(map(file.resolve().is_relative_to, files_visible_to(spec).shared))):
            place = PROJECT / conditions.game / file.name
            raise click.UsageError(
                f"{spec.text}: in a match, agents can read only files in the project's own folders, by absolute paths: "
                f"put the file there, as in evaluation={place}"
            )


def take_test(flags: dict[str, Any]) -> "Sprt | None":
    """Take the options of a test out of a command's flags; returns the test, None without --sprt.

    Raises UsageError for invalid parameters.
    """
    from simulator.statistics.sprt import Sprt

    elos, details = flags.pop("sprt"), given({name: flags.pop(name) for name in ("alpha", "beta")})
    if elos is None:
        if details:
            raise click.UsageError("--alpha and --beta are for a test: add --sprt ELO0 ELO1")
        return None
    try:
        return Sprt(*elos, **details)
    except ValueError as error:
        raise click.UsageError(f"--sprt: {error}") from error


@contextmanager
def executor_for(plan: "Plan", say: Callable[[str], None]) -> "Iterator[Executor]":
    """The executor that plays the pairs, on this machine or a cluster, once the code that agents need is compiled.

    Raises UsageError, InputError, ExecutorError, and OSError if the records cannot be written.
    """
    if plan.cluster:
        with _cluster(plan) as executor:
            yield executor
        return
    from simulator.records.file_errors import check_can_write
    from simulator.tournament.tasks import PrepareTask
    from simulator.tournament.workers.local import LocalExecutor
    from simulator.tournament.workers.protocol import ExecutorError, TaskGivenUp

    if plan.records is not None:
        check_can_write(plan.records)  # compiling may take many minutes
    conditions, workers = plan.settings.conditions, plan.workers or 1
    tasks = [PrepareTask(conditions, spec, name, plan.records_files) for name, spec in plan.present.items()]
    with LocalExecutor(workers, conditions.limits.processors, share_cores=plan.force) as executor:
        try:
            for number, task in enumerate(tasks, 1):
                show_progress(f"preparing agents: {number} of {len(tasks)}")
                for _, event in executor.run([task]):  # one task at a time, so that nothing is compiled twice
                    if isinstance(event, str):
                        show_progress("")
                        say(event)
                    elif isinstance(event, TaskGivenUp):
                        raise ExecutorError(event.why)
        finally:
            show_progress("")
        yield executor


def _cluster(plan: "Plan") -> "ClusterExecutor":
    """The workers of a Dask scheduler. Raises UsageError without dask.distributed."""
    try:
        from simulator.tournament.workers.dask import ClusterExecutor
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"--cluster needs dask.distributed, and there is no {error.name}: "
            'pip install -e ".[cluster]" in the project\'s folder, or pip install distributed'
        ) from error
    from simulator.tournament.workers.fingerprint import Handshake

    handshake = Handshake.of(plan.settings.conditions, plan.present, plan.records_files)
    return ClusterExecutor(plan.cluster, handshake, plan.workers, share_cores=plan.force)


def say_how_to_go_on(*arguments: str) -> None:
    """Print the command that continues what was stopped; without arguments, the command line of this program."""
    click.echo(f"go on with: {command_line(*(arguments or sys.argv[1:]))}", err=True)


def played_match(plan: "Plan", observers: "Sequence[Observer]", say: Callable[[str], None]) -> "Ended":
    """Play a match to its end, or until it is interrupted."""
    from simulator.records.database import store_for
    from simulator.tournament.agreement import TournamentError
    from simulator.tournament.coordinator import Coordinator

    with executor_for(plan, say) as executor, store_for(plan.records) as store:
        coordinator = Coordinator(store, plan, executor, observers, stops_at_once=True)
        try:
            ended = coordinator.run()
        except TournamentError:
            ended = coordinator.ended()
            if not ended.absent:
                raise
        return replace(ended, records=store.records_between(plan.names))
