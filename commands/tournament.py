"""`runner.py tournament`: many agents, under one of several formats, by several processes, resumed when run again."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import INTERRUPTED, NOT_PLAYED, errors_for_people
from commands.parameters import AGENT_HELP, POSITIVE, Finite, FiniteRange, insist_on_isolation, option
from simulator.tournament.format_names import FORMATS

if TYPE_CHECKING:
    from agents.agent import Limits
    from game import Game
    from simulator.referee.conditions import Conditions
    from simulator.tournament.observer import Observer
    from simulator.tournament.settings import TournamentSettings
    from simulator.tournament.workers.local import Executor

# Options have no defaults here: what a command line does not say, a file may.
DEFAULT_RECORDS = "league.db"
COUNT, NUMBER = click.IntRange(min=1), click.IntRange(min=0)


@click.command(epilog=AGENT_HELP)
@click.argument("agents", nargs=-1, required=True, metavar="LEAGUE.toml | AGENT...")
@option("--records", metavar="FILE", help="Where everything is kept.  [default: league.db, or LEAGUE.db]")
@option(
    "--workers",
    type=COUNT,
    metavar="N",
    help="Pairs played at the same time, each on a core.  [default: 1; all of a cluster's]",
)
@option("--force", is_flag=True, help="More workers than cores: clocks are then unfair.")
@option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler, as tcp://host:8786.")
@option(
    "--format",
    type=click.Choice(FORMATS),
    help="Who plays whom.  [default: round-robin]",
)
@option("--rounds", type=COUNT, metavar="N", help="How many; in the course's format, opponents in the first.")
@option("--pairs", type=COUNT, metavar="N", help="Pairs of games in each pairing.  [default: 1]")
@option("--champion", metavar="NAME", help="Who meets all others in a gauntlet.  [default: the first agent]")
@option("--game", metavar="NAME", help="Which game.  [default: pentago]")
@option("--size", type=int, metavar="N", help="Of the board: Go from 2 to 19.  [default: 9]")
@option("--komi", type=Finite(), metavar="X", help="White's points for moving second, in Go.")
@option("--openings", metavar="FILE", help="Openings, one a line, instead of random ones.")
@option("--opening-plies", type=NUMBER, metavar="K", help="Random moves of each opening.  [default: the game's]")
@option(
    "--opening-balance",
    type=NUMBER,
    metavar="N",
    help="Take the most even of 16 random openings, by a search of N simulations.",
)
@option("--move-time", type=POSITIVE, metavar="S", help="Seconds for each later move.  [default: 2]")
@option("--first-move-time", type=POSITIVE, metavar="S", help="Seconds for the first move.  [default: 30]")
@option("--cushion", type=FiniteRange(min=0), metavar="S", help="How late an answer may come at all.  [default: 1]")
@option("--memory", type=COUNT, metavar="MB", help="For all of an agent's processes.  [default: 500]")
@option("--rules", type=click.Choice(["course", "strict"]), help="What a late answer costs.  [default: course]")
@option(
    "--isolation",
    type=click.Choice(["best", "required", "none"]),
    help="What has to hold agents in their place.  [default: best]",
)
@option("--seed", type=NUMBER, metavar="N", help="All chance follows from it.  [default: 0]")
@option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout, for each event.")
def tournament(*, agents: tuple[str, ...], force: bool, as_json: bool, **flags: Any) -> None:
    """Play a tournament between agents, or the one that a TOML file describes.

    Games come in pairs, one opening played from both sides, and all pairings get the same openings. Everything goes
    into one file of records, pair by pair: run the same command again, and a tournament that was stopped, or whose
    machine failed, goes on where it was. Ctrl-C finishes the pairs in play; a second one stops at once.

    Each agent is started once before the first round. One that cannot be is absent: its reason is shown, the others
    play, and the exit status at the end is 1.

    \b
    Formats:
      round-robin   all against all, N times
      gauntlet      one against all others, N times
      swiss         N rounds; neighbours in the table meet, nobody twice
      course        N random opponents each, then the top tenth all against all

    \b
    Examples:
      python runner.py tournament uct_agent submissions/*.py --rounds 5
      python runner.py tournament submissions/*.py --format course --workers 2
      python runner.py tournament league.toml
      python runner.py tournament league.toml --cluster tcp://host:8786
    """
    from simulator.records.database import StoreError, write_store
    from simulator.tournament.coordinator import Tournament
    from simulator.tournament.settings import TournamentError
    from simulator.tournament.workers.local import ExecutorError

    with errors_for_people():
        texts, said = what_is_said(agents, flags)
        game, settings, specs = what_is_played(texts, said)
        start = cluster_executor if "cluster" in said else local_executor
        try:
            with (
                start(game, settings.conditions, specs, said, force, as_json) as executor,
                write_store(Path(said.get("records", DEFAULT_RECORDS))) as store,
            ):
                tournament = Tournament(store, settings, specs, executor, observer_for(as_json))
                complete, absent = tournament.run(), tournament.absent
        except (StoreError, TournamentError, ExecutorError) as error:
            raise click.ClickException(str(error)) from error
    if not complete:
        click.echo(f"go on with: {resume_command()}", err=True)
        sys.exit(INTERRUPTED)
    if absent:
        click.echo(f"not all could play, absent: {', '.join(absent)}", err=True)
        sys.exit(NOT_PLAYED)


def what_is_said(agents: tuple[str, ...], flags: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The agents, and everything else by key: from a league's file, if that is what is named, and from flags."""
    from simulator.tournament.toml_file import LeagueFileError, merged, read_league

    given = {name.replace("_", "-"): value for name, value in flags.items()}
    if not agents[0].endswith(".toml"):
        return list(agents), merged({}, given)
    path = Path(agents[0])
    try:
        said = merged({"records": str(path.with_suffix(".db")), **read_league(path)}, given)
    except LeagueFileError as error:
        raise click.UsageError(str(error)) from error
    texts = [*said.pop("agents", []), *agents[1:]]
    if not texts:
        raise click.UsageError(f'{path} names no agents: agents = ["uct_agent", "submissions/*.py"]')
    return texts, said


def what_is_played(texts: list[str], said: dict[str, Any]) -> "tuple[Game, TournamentSettings, dict[str, Any]]":
    """The game, the settings, and the agents by name. Raises UsageError, AgentError, NotationError."""
    from commands.parameters import chosen_game
    from simulator.player.lookup import find_agents, unique_names
    from simulator.tournament.opening_file import read_openings
    from simulator.tournament.settings import TournamentSettings

    refuse_idle(said)
    chosen = chosen_game(said.get("game", "pentago"), said.get("size"), said.get("komi"))
    specs = find_agents(texts, chosen.game, may_be_absent=True)
    names = unique_names(specs)
    settings = TournamentSettings(
        conditions_of(chosen.game.name, chosen.options, said),
        format=said.get("format", "round-robin"),
        rounds=said.get("rounds"),
        pairs=said.get("pairs", 1),
        champion=said.get("champion", ""),
        seed=said.get("seed", 0),
        opening_plies=said.get("opening-plies"),
        opening_balance=said.get("opening-balance", 0),
        openings=read_openings(Path(said["openings"]), chosen.game) if "openings" in said else (),
    )
    check(settings, chosen.game, names)
    if "cluster" not in said:
        insist_on_isolation(settings.conditions.isolation, settings.conditions.limits)
    return chosen.game, settings, dict(zip(names, specs, strict=True))


def refuse_idle(said: dict[str, Any]) -> None:
    """Raises UsageError for what would have no effect beside the rest."""
    if "champion" in said and said.get("format") != "gauntlet":
        raise click.UsageError("a champion is of a gauntlet: leave it out, or take the format gauntlet")
    for key in ("opening-plies", "opening-balance"):
        if "openings" in said and key in said:
            raise click.UsageError(f"{key} is of random openings, and openings are given: leave one of them out")


def conditions_of(game: str, options: dict[str, Any], said: dict[str, Any]) -> "Conditions":
    """What all games have in common."""
    from agents.agent import Limits
    from simulator.referee.conditions import Conditions

    keys = {
        "first-move-time": "first_move_seconds",
        "move-time": "move_seconds",
        "cushion": "cushion_seconds",
        "memory": "memory_mb",
    }
    limits = Limits(**{field: said[key] for key, field in keys.items() if key in said})
    return Conditions(game, options, limits, said.get("rules", "course"), said.get("isolation", "best"))


def check(settings: "TournamentSettings", game: "Game", names: tuple[str, ...]) -> None:
    """Raises UsageError for agents that cannot be paired, and openings that cannot be drawn."""
    from simulator.tournament.formats import make_format

    try:
        make_format(settings.format, settings.rounds, len(names), champion=settings.champion).check(names)
        next(settings.all_openings(game))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


# --- Who plays ------------------------------------------------------------------------------------------------------


@contextmanager
def local_executor(
    game: "Game", conditions: "Conditions", specs: dict[str, Any], said: dict[str, Any], force: bool, as_json: bool
) -> "Iterator[Executor]":
    """Processes of this machine, when what their agents need is compiled."""
    from simulator.tournament.workers.local import LocalExecutor

    workers = said.get("workers", 1)
    refuse_too_many(workers, conditions.limits, force)
    warm_up(game, specs, as_json)
    yield LocalExecutor(workers, conditions.limits.processors)


@contextmanager
def cluster_executor(
    game: "Game", conditions: "Conditions", specs: dict[str, Any], said: dict[str, Any], force: bool, as_json: bool
) -> "Iterator[Executor]":
    """The workers of a Dask scheduler; they compile what agents need. Raises UsageError without dask.distributed."""
    try:
        from simulator.tournament.workers.dask import ClusterExecutor
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"--cluster needs dask.distributed, and there is no {error.name}: "
            'pip install "unforced[cluster]", or pip install distributed'
        ) from error
    from simulator.player.source_hashes import can_be_read
    from simulator.tournament.workers.fingerprint import likeness_of
    from simulator.tournament.workers.handshake import Terms

    everyone = tuple(spec for spec in specs.values() if can_be_read(spec, game))
    terms = Terms(conditions, everyone, likeness_of(everyone, game))
    with ClusterExecutor(said["cluster"], terms, said.get("workers"), share_cores=force) as executor:
        yield executor


def refuse_too_many(workers: int, limits: "Limits", force: bool) -> None:
    """Raises UsageError for more workers than there are cores for their agents, unless they are wanted so."""
    from simulator.tournament.workers.local import available_cores

    cores = len(available_cores())
    if workers * limits.processors > cores and not force:
        raise click.UsageError(
            f"{workers} workers need {workers * limits.processors} cores, one for each game's agents, and there are "
            f"{cores}: agents would wait for each other on their clocks; --force if they may"
        )


def warm_up(game: "Game", specs: dict[str, Any], as_json: bool) -> None:
    """Compile what agents need once, before several processes would do it at the same time."""
    from simulator.player.compile_ahead import compile_ahead

    compile_ahead(game.name, specs.values(), lambda line: click.echo(line, err=as_json))


def observer_for(as_json: bool) -> "Observer":
    """JSON on stdout, or what suits the terminal or pipe."""
    from rich.console import Console

    from simulator.terminal.live import JsonObserver, observer_on

    return JsonObserver(sys.stdout) if as_json else observer_on(Console(highlight=False))


def resume_command() -> str:
    """The command line that this program was started with."""
    return shlex.join(["python", *sys.argv])
