"""`runner.py tune`: numbers of an agent, tuned by games."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import errors_for_people, goes_on_from
from commands.parameters import (
    AGENT_HELP,
    COUNT,
    FILE,
    FIXED_SEED,
    POSITIVE,
    GameCommand,
    field_options,
    given,
    json_option,
    option,
)
from commands.playing import FORCE, executor_for, planned
from options import DeclaredOption, Failure

if TYPE_CHECKING:
    from agents.agent import Agent, AgentSpec
    from game import Game
    from learning.parameters import Method, Parameter
    from learning.tuning import Tuner

COLUMNS = 40  # of a curve, in characters
_NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d{1,2})?"
_PARAMETER = re.compile(rf"(\w+)(?:=(-?{_NUMBER})\.\.(-?{_NUMBER}))?(?:/({_NUMBER}))?")


@click.command(cls=GameCommand, epilog=AGENT_HELP)
@click.argument("agent")
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    required=True,
    metavar="NAME[=LEAST..MOST][/STEP]",
    help="A numeric option of the agent, repeatable. It begins at the agent's value. Without LEAST..MOST, its bounds "
    "are those that the agent declares; STEP is how far SPSA moves it up and down.  [default: a 10th of the range]",
)
@field_options("game")
@option("--records", type=FILE, required=True, help="A file for all pairs of games; run again to continue.")
@option("--method", type=click.Choice(["spsa", "tpe"]), default="spsa", help="How values are chosen, see above.")
@option("--pairs", type=COUNT, default=500, metavar="N", help="Pairs of games to learn from.")
@option(
    "--final", type=COUNT, default=100, metavar="N", help="Pairs of games in the match at the end, tuned against start."
)
@option("--batch", type=COUNT, default=4, metavar="N", help="Pairs of games that are played with the same values.")
@option("--gain", type=POSITIVE, metavar="X", help="How far SPSA moves values for a pair, in steps.  [default: 0.1]")
@field_options("move-time", "first-move-time", "memory", "isolation", "openings", "opening-plies", "opening-balance")
@FIXED_SEED
@field_options("workers")
@FORCE
@json_option("Print values and match as JSON, the last line of stdout; progress goes to stderr.")
def tune(
    *,
    agent: str,
    parameters: tuple[str, ...],
    records: Path,
    method: str,
    pairs: int,
    final: int,
    batch: int,
    gain: float | None,
    game_options: dict[str, str],
    as_json: bool,
    **flags: Any,
) -> None:
    """Tune numbers of an agent by games under the referee.

    SPSA: in each pair of games from one opening, every value is moved up or down at random; the agent with these
    changes plays against the agent with the opposite changes, and the values then move to where games were won.

    TPE, by Optuna: values anywhere in the ranges play a batch of pairs against those at the start; more are tried near
    those that did well, and the mean of the best quarter is chosen. For a few numbers, best perhaps far from the start.

    At the end, a match of the tuned values against those at the start shows what they are worth. See docs/tuning.md.

    Every pair is kept in FILE at once: the same command goes on where it was stopped, and plays the same games with any
    number of workers.

    \b
    Examples:
      python runner.py tune uct_agent --parameter puct=0.05..1 \\
          --records puct.jsonl --opening-plies 4 --opening-balance 3000
      python runner.py tune uct_agent --game go --parameter c=0..0.5 \\
          --parameter equivalence=100..20000 --records go.jsonl --workers 2
      python runner.py tune uct_agent --parameter puct=0.05..1 --method tpe \\
          --records tpe.jsonl
      python runner.py tune ann/agent.py:c=0.5 --parameter c=0..2/0.1 \\
          --records ann.jsonl
    """
    from learning.spsa import RATE
    from learning.tuning import MINUS, PLUS, Tuner, Tuning, opened
    from simulator.player.source_hashes import sources_of

    with errors_for_people():
        if agent.startswith("gtp:"):
            raise click.UsageError(f"{agent} is another program: it has no options to tune")
        if method != "spsa" and (gain or any("/" in text for text in parameters)):
            raise click.UsageError("--gain and a parameter's /STEP are for --method spsa")
        plan = planned([agent, agent], given(flags) | game_options, names=[PLUS, MINUS], pairs=pairs)
        spec = plan.specs[PLUS]
        chosen = chosen_parameters(parameters, spec, plan.game)
        sources = sources_of(spec, plan.game)
        learned = chosen_method(method, chosen, pairs, plan.settings.known_seed, gain or RATE)
        settings = plan.settings.to_json()
        tuning = Tuning(spec.text, chosen, settings, pairs, final, batch, gain or RATE, learned.name, sources)
        compiled = replace(plan, specs={spec.name: spec})  # compiled once, before the games
        say = partial(click.echo, err=True)
        with opened(records, tuning), executor_for(compiled, say) as executor, goes_on_from(records) as progress:
            tuner = Tuner(records, spec, executor, learned, lambda tuner: progress(state_of(tuner)))
            tuner.run()
        show(tuner, as_json)


def chosen_method(name: str, parameters: "Sequence[Parameter]", pairs: int, seed: int, rate: float) -> "Method":
    """The method of this name, which has learned nothing yet. Raises UsageError without Optuna."""
    if name == "spsa":
        from learning.spsa import Spsa

        return Spsa(parameters, pairs, seed, rate)
    try:
        from learning.tpe import Tpe
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"--method {name} needs Optuna, and there is no {error.name}: "
            'pip install -e ".[tuning]" in the project\'s folder, or pip install optuna'
        ) from error
    return Tpe(parameters, seed)


def chosen_parameters(texts: Sequence[str], spec: "AgentSpec", game: "Game") -> "tuple[Parameter, ...]":
    """The parameters that these texts name. Raises UsageError; AgentError if the agent does not take them."""
    chosen = tuple(parameter_of(text, spec, game) for text in texts)
    if len({parameter.name for parameter in chosen}) < len(chosen):
        raise click.UsageError("a --parameter is named twice")
    if (agent := registered_class(spec, game)) is not None:  # an agent in a file checks its options in the first game
        for end in ("start", "least", "most"):
            agent(game, options=spec.options | {one.name: one.text(getattr(one, end)) for one in chosen})
    return chosen


def registered_class(spec: "AgentSpec", game: "Game") -> "type[Agent] | None":
    """The class of an agent of this project for a game; None for an agent in a file and for a GTP program."""
    from agents.agent import agent_names
    from agents.loading import load_agent

    return load_agent(spec.source).for_game(game) if spec.source in agent_names() else None


def parameter_of(text: str, spec: "AgentSpec", game: "Game") -> "Parameter":
    """The parameter that a text names. Raises UsageError."""
    from learning.parameters import Parameter
    from learning.spsa import STEPS

    if (match := _PARAMETER.fullmatch(text)) is None:
        raise click.UsageError(
            f"--parameter {text}: write NAME, NAME=LEAST..MOST or NAME=LEAST..MOST/STEP, as in c=0..2"
        )
    name, *bounds, step = match.groups()
    start, declared, is_whole = declared_number(name, spec, game)
    least, most = declared if bounds[0] is None else (float(bounds[0]), float(bounds[1]))
    if least is None or most is None:
        raise click.UsageError(f"--parameter {name}: the agent declares no bounds for it: write {name}=LEAST..MOST")
    if math.isinf(most - least):
        raise click.UsageError(f"--parameter {name}: its bounds are too far apart")
    if is_whole:
        least, most = math.ceil(least), math.floor(most)
    if not least < most or not least <= start <= most:
        raise click.UsageError(f"--parameter {name}: {least:g} to {most:g} has to be a range around {start:g}")
    width = float(step) if step else (most - least) / STEPS
    if not 0 < width <= most - least:
        raise click.UsageError(
            f"--parameter {name}: the step has to be above 0 and at most {most - least:g}, not {width:g}"
        )
    return Parameter(name, start, least, most, width, is_whole)


def declared_number(
    name: str, spec: "AgentSpec", game: "Game"
) -> tuple[float, tuple[float | None, float | None], bool]:
    """The value of an agent's option, its declared bounds, and whether it is a whole number.

    Raises UsageError if the value is no number. Options that an agent's file declares are not known here; its text has
    to give the value.
    """
    declared, given = None, dict[str, Any](spec.options)
    if (agent := registered_class(spec, game)) is not None:
        declared, given = agent.option_defaults(game).get(name), agent(game, options=spec.options).options
        if declared is None:
            raise click.UsageError(f"--parameter {name}: {spec.source} has no such option")
    default = declared.default if isinstance(declared, DeclaredOption) else declared
    text = given.get(name, default)
    if text is None:
        raise click.UsageError(f"--parameter {name}: give the value at which it begins: {spec.source}:{name}=VALUE")
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if isinstance(default, bool | str) or math.isnan(value):
        raise click.UsageError(f"--parameter {name}: its value is {text!r}, not a number")
    bounds = (declared.least, declared.most) if isinstance(declared, DeclaredOption) else (None, None)
    is_whole = isinstance(default, int)
    if declared is None:  # for an agent in a file: the number is whole if it is written so
        is_whole = re.fullmatch("-?[0-9]+", str(text)) is not None
    return value, bounds, is_whole


def state_of(tuner: "Tuner") -> str:
    """How many pairs were played, and the values now."""
    values = ", ".join(f"{name} {value}" for name, value in tuner.tuned.items())
    played = sum(tuner.final_counts)
    match = f", match {played} of {tuner.tuning.final}" if played else ""
    return f"{tuner.played} of {tuner.tuning.pairs} pairs{match}: {values}"


def show(tuner: "Tuner", as_json: bool) -> None:
    """Print the values at the start and now, their curves, and the result of the match."""
    from simulator.statistics.elo import elo_estimate, elo_text, share_estimate

    counts = tuner.final_counts
    for line in table(tuner):
        click.echo(line, err=as_json)
    if not any(counts):
        raise Failure("no pair of the match counts, so it is not known whether the tuned values are better")
    share, elo = share_estimate(counts), elo_estimate(counts)
    click.echo(
        f"tuned against start: {share.value:.1%} ({share.low:.1%} .. {share.high:.1%}) of {2 * sum(counts)} games, "
        f"Elo {elo_text(elo.value)} ({elo_text(elo.low)} .. {elo_text(elo.high)})",
        err=as_json,
    )
    click.echo(f"play it as: {tuner.agent_with(tuner.tuned).text}", err=as_json)
    if as_json:
        found = {"start": tuner.start, "tuned": tuner.tuned, "pairs": tuner.played, "final_pairs": counts}
        click.echo(json.dumps(found | {"share": share._asdict(), "elo": elo._asdict()}))


def table(tuner: "Tuner") -> list[str]:
    """A line for each parameter: its value at the start and now, its bounds, and its curve between the bounds."""
    rows = [("", "start", "tuned", "least", "most", "way")]
    for i, parameter in enumerate(tuner.tuning.parameters):
        start, tuned = tuner.start[parameter.name], tuner.tuned[parameter.name]
        way = curve([(values[i] - parameter.least) / (parameter.most - parameter.least) for values in tuner.curve])
        rows.append((parameter.name, start, tuned, f"{parameter.least:g}", f"{parameter.most:g}", way))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5)), row[5]]) for row in rows
    ]


def curve(shares: Sequence[float]) -> str:
    """Numbers from 0 to 1 as a line of bars, COLUMNS at most, the newest at the right."""
    bars = min(len(shares), COLUMNS)
    picked = [shares[i * (len(shares) - 1) // max(1, bars - 1)] for i in range(bars)]
    return "".join("▁▂▃▄▅▆▇█"[min(7, int(8 * share))] for share in picked)
