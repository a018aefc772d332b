"""`runner.py agents`: every agent and its options."""

import json
import textwrap
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

import click

from commands.errors import errors_for_people
from commands.parameters import AGENT, GAME, GameCommand, chosen_game, json_option, stdout_for_json

if TYPE_CHECKING:
    from agents.describe import Description

WIDTH = 79  # characters of a line


@click.command(cls=GameCommand)
@click.argument("names", metavar="[AGENT]...", nargs=-1, type=AGENT)
@GAME
@json_option("Print the descriptions as JSON.")
def agents(*, names: tuple[str, ...], game: str, game_options: dict[str, str], as_json: bool) -> None:
    """Describe the agents and all their options.

    Without names: every agent of this project that plays the --game. With names (or
    folders and files): these agents in detail, with the source of the method and the
    values that each option takes. Defaults are those for the --game. Options follow
    a colon, as in uct_agent:puct=0.2,memory=stop.

    \b
    Examples:
      python runner.py agents
      python runner.py agents uct_agent --game go
      python runner.py agents gobble_agent minimax_agent
      python runner.py agents --json
    """
    from agents.agent import AgentError, agent_names, parse_agent
    from agents.describe import describe
    from agents.loading import load_agent

    with errors_for_people(), stdout_for_json(as_json):
        the_game, found = chosen_game(game, game_options).game, []
        for name in names or agent_names():
            if parse_agent(name).is_gtp:
                raise AgentError(f"{name}: only agents written in Python say what their options are")
            agent_class = load_agent(name)
            with nullcontext() if names else suppress(AgentError):  # leaves out agents that do not play this game
                found.append(describe(agent_class.for_game(the_game), the_game))
    if as_json:
        click.echo(json.dumps([description.to_json() for description in found]))
        return
    click.echo("\n\n".join(_text(description, in_detail=bool(names)) for description in found))


def _text(description: "Description", in_detail: bool) -> str:
    lines = [description.name, *wrapped(description.summary, "  ")]
    for paragraph in description.details if in_detail else ():
        lines += ["", *wrapped(paragraph, "  ")]
    lines += [""] if in_detail and description.options else []
    for one in description.options:
        values = f" ({one.values})" if in_detail else ""
        lines += wrapped(f"{one.name}={one.default}{values}: {one.help or 'see its documentation'}", "    ")
    if description.presets:
        lines += ["", "  Presets:"]
        lines += [line for name, text in description.presets.items() for line in wrapped(f"{name}: {text}", "    ")]
    return "\n".join(lines)


def wrapped(text: str, indent: str) -> list[str]:
    """A text as lines with an indent; the second and later lines are indented further."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False)
