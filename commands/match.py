"""`runner.py match`: games between two agents under the referee."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import INTERRUPTED, NOT_PLAYED, errors_for_people
from commands.parameters import (
    AGENT_HELP,
    GAME,
    ISOLATION,
    LIMITS,
    SEED,
    ChosenGame,
    Finite,
    FiniteRange,
    chosen_game,
    insist_on_isolation,
    limits_of,
    option,
    options,
    two_agents,
)

if TYPE_CHECKING:
    from game import Game
    from simulator.statistics.sprt import Sprt

GAMES, GAMES_OF_TEST = 2, 20_000  # a test that is not decided by then was asked for too small a difference

ERROR_RATE = FiniteRange(min=0, max=1, min_open=True, max_open=True)
TEST = options(
    option(
        "--sprt",
        type=(Finite(), Finite()),
        metavar="ELO0 ELO1",
        help="Play pairs of games until it is decided whether A is ELO0 or ELO1 stronger than B.",
    ),
    option("--alpha", type=ERROR_RATE, metavar="P", help="How often ELO1 may be accepted wrongly.  [default: 0.05]"),
    option("--beta", type=ERROR_RATE, metavar="P", help="How often ELO0 may be accepted wrongly.  [default: 0.05]"),
    option(
        "--elo-model",
        type=click.Choice(["logistic", "normalized"]),
        help="What ELO0 and ELO1 are, Elo or normalized Elo; that is for agents that are close: where one wins almost "
        "all games, the test goes on for far too long.  [default: logistic]",
    ),
)


@click.command(epilog=AGENT_HELP)
@click.argument("agent_1", metavar="A")
@click.argument("agent_2", metavar="B")
@option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"How many; an even number is fair.  [default: {GAMES}; with --sprt at most {GAMES_OF_TEST}]",
)
@TEST
@GAME
@LIMITS
@option("--rules", type=click.Choice(["course", "strict"]), default="course", help="What a late answer costs.")
@ISOLATION
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
    shows what was played. An agent that cannot be loaded ends it, with its reason and exit status 1.

    With --sprt the match is a sequential probability ratio test: it ends as soon as the finished pairs of games say
    whether A is rather ELO1 stronger than B (H1) or ELO0 (H0).

    \b
    Examples:
      python runner.py match uct_agent random_agent
      python runner.py match uct_agent greedy_agent --games 20 --move-time 0.5
      python runner.py match my_agent.py uct_agent --json --save games.jsonl
      python runner.py match uct_agent "gtp:gnugo --mode gtp" --game go --size 9
      python runner.py match my_agent.py uct_agent --sprt 0 50
    """
    from rich.console import Console

    from simulator.player.compile_ahead import compile_ahead
    from simulator.terminal.match_screen import progress_on
    from simulator.terminal.match_summary import match_json, print_summary
    from simulator.tournament.match import play_match

    console = Console(stderr=as_json, highlight=False)
    with errors_for_people():
        chosen = chosen_game(game, size, komi)
        specs, names = two_agents(chosen.game, agent_1, agent_2)
        folder = None if no_sgf else sgf_parent(chosen.game, sgf)
        agreed = match_settings(chosen, **settings)
        insist_on_isolation(agreed.isolation, agreed.limits)
        compile_ahead(chosen.game.name, specs, console.print)
        played = play_match(specs, names, agreed, progress_on(console), save, folder)
        print_summary(console, played)
        if as_json:
            click.echo(json.dumps(match_json(played)))
        if played.failure:
            raise played.failure
        if played.interrupted:
            sys.exit(INTERRUPTED)
        if not played.could_be_played:
            sys.exit(NOT_PLAYED)


def sgf_parent(game: "Game", given: Path | None) -> Path | None:
    """Where the folder with a match's SGF files goes, None for a game that SGF does not know."""
    from simulator.records.sgf_folder import DEFAULT_FOLDER, GAMES

    if game.name in GAMES:
        return given or DEFAULT_FOLDER
    if given is not None:
        raise click.UsageError(f"{game.name} is not written as SGF: leave --sgf out; --save writes JSON")
    return None


def match_settings(
    chosen: ChosenGame,
    *,
    games: int | None,
    rules: Any,
    opening_plies: int | None,
    seed: int,
    sprt: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    elo_model: Any,
    isolation: Any,
    **limits: Any,
) -> Any:
    """The settings that the options of `match` say.

    Raises UsageError where no opening has so many plies, or for a test that is none.
    """
    from simulator.tournament.match import MatchSettings
    from simulator.tournament.openings import plies_for, random_openings

    plies = plies_for(chosen.game) if opening_plies is None else opening_plies
    try:
        next(random_openings(chosen.game, plies, seed))
    except ValueError as error:
        raise click.UsageError(f"{error}: take fewer --opening-plies") from error
    test = test_of(sprt, alpha=alpha, beta=beta, model=elo_model)
    games = games or (GAMES_OF_TEST if test else GAMES)
    return MatchSettings(
        chosen.game.name, games, limits_of(**limits), rules, seed, plies, chosen.options, test, isolation
    )


def test_of(elos: tuple[float, float] | None, **details: Any) -> "Sprt | None":
    """The test that the options of `TEST` say, None without --sprt. Raises UsageError for one that is none."""
    from simulator.statistics.sprt import Sprt

    given = {name: value for name, value in details.items() if value is not None}
    if elos is None:
        if given:
            raise click.UsageError("--alpha, --beta and --elo-model are of a test: add --sprt ELO0 ELO1")
        return None
    try:
        return Sprt(*elos, **given)
    except ValueError as error:
        raise click.UsageError(f"--sprt: {error}") from error
