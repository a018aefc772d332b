"""The agents named on a command line, checked before any game is started.

What can be refused without running an agent is refused here, and the message says what to write instead: a match of a
hundred games that are all lost at start-up helps nobody. What only running it can show (a student's file that fails
when it is imported) is left to the referee, whose verdict says so.
"""

import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from agents.agent import AgentError, AgentSpec, gtp_command, parse_agent
from agents.loading import load_agent
from game import Game
from simulator import command_line
from simulator.player.source_hashes import SourcesError, agent_file
from simulator.sandbox.visible_files import program_named

PERSON = "human_agent"


def find_agent(text: str, game: Game) -> AgentSpec:
    """The agent that a text names: a registered name, a .py file or `gtp:COMMAND`.

    Raises AgentError if it cannot play the game, as far as is known before it is started.
    """
    spec = parse_agent(text)
    check_agent(spec, game)
    return spec


def check_agent(spec: AgentSpec, game: Game, *, may_be_absent: bool = False) -> None:
    """Raises AgentError for an agent that cannot play, as far as is known before it is started.

    With `may_be_absent`, a .py file that exists but cannot be read passes: in a tournament its agent is absent, and the
    others play.
    """
    if not spec.text.isprintable():  # tables cannot show it, and records do not accept it
        raise AgentError(f"{spec.text!r} has characters in its name that cannot be printed: rename the file")
    if spec.is_gtp:
        if program_named(program := gtp_command(spec.source)[0]) is None:
            raise AgentError(f"there is no program {program!r} to run; give its full path, or install it")
    elif spec.is_file:
        _check_file(spec, may_be_absent)
    else:
        _check_registered(spec, game)


def _check_file(spec: AgentSpec, may_be_absent: bool) -> None:
    try:
        path = Path(spec.source).expanduser()
    except RuntimeError as error:  # "~name" of an unknown user
        raise AgentError(f"there is no file {spec.source}: {error}") from error
    if not os.path.lexists(path):
        raise AgentError(f"there is no file {path}")
    if path.suffix != ".py":
        raise AgentError(f'{path} is no agent: name a folder, a .py or .zip file, or "gtp:COMMAND"')
    if may_be_absent:
        return
    try:
        agent_file(spec)
    except SourcesError as error:
        raise AgentError(f"{spec.name} cannot play: {error}") from error


def _check_registered(spec: AgentSpec, game: Game) -> None:
    """Make the agent once, to see that the name and its options are valid; that is cheap, the work is in `setup`."""
    if spec.source == PERSON:
        raise AgentError(f"human_agent needs a person at the keyboard: use `{command_line('play')}`")
    load_agent(spec.source).for_game(game)(game, options=spec.options).close()


def unique_names(specs: Sequence[AgentSpec], given: Sequence[str] = ()) -> tuple[str, ...]:
    """What tables call the agents: the names given or their own; the second of the same name gets `#2`, then `#3`, ...

    An empty name stands for the agent's own.

    >>> unique_names([parse_agent("random_agent"), parse_agent("random_agent"), parse_agent("my_agent.py")])
    ('random_agent', 'random_agent#2', 'my_agent')
    >>> unique_names([parse_agent("a/x.py"), parse_agent("b/x.py"), parse_agent("x#2.py")], ["", "", "y"])
    ('x', 'x#2', 'y')
    """
    wanted = [name or spec.name for spec, name in zip(specs, given or [""] * len(specs), strict=True)]
    taken, names = set(wanted), list[str]()
    for name in wanted:
        others = (f"{name}#{number}" for number in count(2))
        names.append(next(other for other in others if other not in taken) if name in names else name)
        taken.add(names[-1])
    return tuple(names)
