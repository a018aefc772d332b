"""Unforced from Python, for scripts and notebooks: `unforced.play("ann", "greedy_agent")` plays a game and shows it.

Begin reading at `play`; docs/api.md has examples.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import Agent, Clock, Limits, load_agent, register_agent
from agents.agent import AgentSpec
from commands.wrong_rules import refuse_wrong_rules
from game import load_game
from options import InputError
from simulator.player.compile_ahead import compile_ahead
from simulator.player.lookup import unique_names
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord
from simulator.referee.in_process import agent_here, play_in_process
from simulator.referee.referee import play_game
from simulator.referee.seeds import derived_seed, game_seed
from simulator.submission.named_agents import file_of, find_named
from simulator.tournament.fields import limits_from

_looked_at: set[str] = set()  # games in files that were checked already

__all__ = ["Agent", "Clock", "GameRecord", "Limits", "load_agent", "load_game", "play", "register_agent"]


class _Played(GameRecord):
    """A game's record, of which a prompt shows one line: its moves and logs would fill the screen."""

    def __repr__(self) -> str:
        return f"<GameRecord: {self.verdict.text}>"


def play(
    first: str | Path | type[Agent],
    second: str | Path | type[Agent],
    game: str | Path = "pentago",
    *,
    referee: bool = True,
    limits: Limits | None = None,
    seed: int | None = None,
    opening: Sequence[str] = (),
    **options: Any,
) -> GameRecord:
    """Play one game and return its record, which a notebook shows as boards to step through.

    Args:
        first: who moves first: an agent as on the command line, or a path; without a referee it may also be a class.
        second: the other agent.
        game: as on the command line, or a path; `options` are its options, such as `size=9`.
        referee: whether each agent runs in a sandboxed process of its own, under its limits, and loses by a fault.
            Without a referee both play in this process: there is no clock, and exceptions of agents are raised here.
        limits: what each agent may use; by default the course's. Without a referee, the default memory is added to
            what this process holds already.
        seed: makes the game repeatable; by default a new one.
        opening: texts of moves that are played before the agents take over.

    Raises InputError or AgentError for wrong names and options, Failure for a game with a mistake, ValueError for an
    illegal opening.
    """
    if not (limits is None or isinstance(limits, Limits)):
        raise InputError(f"limits must be unforced.Limits(move_seconds=..., memory_mb=...), not {limits!r}")
    agents = [str(agent) if isinstance(agent, Path) else agent for agent in (first, second)]
    loaded = load_game(str(game), **options)
    if loaded.files and (key := f"{loaded.name} {loaded.settled_options}") not in _looked_at:  # the name has a hash
        refuse_wrong_rules(loaded)
        _looked_at.add(key)
    seed = game_seed(None, 1) if seed is None else seed
    if not referee:
        one, other = (
            agent_here(file_of(agent) if isinstance(agent, str) else agent, loaded, limits, derived_seed(seed, which))
            for agent, which in zip(agents, ("player 0", "player 1"), strict=True)
        )
        here = unique_names([AgentSpec(agent.name, agent.name, {}) for agent in (one, other)])
        return _Played(**vars(play_in_process((one, other), (here[0], here[1]), seed=seed, opening=opening)))
    limits = limits or Limits()
    for agent in agents:
        if not isinstance(agent, str):
            name = getattr(agent, "__name__", repr(agent))
            raise InputError(f"the referee starts agents from files: name the file of {name}, or set referee=False")
    found, own = find_named([str(agent) for agent in agents], loaded)
    limits_of = {name: limits_from(values) for name, values in own.items()}
    (name, spec), (other_name, other_spec) = found.items()
    compile_ahead(loaded, found.values(), print, limits)
    record = play_game(
        (spec, other_spec),
        Conditions(loaded.name, options, limits, limits_of),
        seed=seed,
        opening=opening,
        names=(name, other_name),
    )
    return _Played(**vars(record))
