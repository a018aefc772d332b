"""What another machine has to agree with before it plays, and an order to play, which it looks at by these terms first.

Each order is carried out by a process of its own there, so what it looks at is what it plays with.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents.agent import AgentSpec
from game import load_game
from simulator.player.compile_ahead import compile_ahead
from simulator.player.source_hashes import SourcesError
from simulator.referee.conditions import Conditions
from simulator.sandbox.isolation import IsolationError, survey
from simulator.tournament.workers.fingerprint import Likeness, differences, likeness_of


@dataclass(frozen=True)
class Terms:
    """What all machines have to agree with.

    Attributes:
        conditions: of the games.
        specs: all agents.
        likeness: what the coordinator's machine has.
    """

    conditions: Conditions
    specs: tuple[AgentSpec, ...]
    likeness: Likeness

    def objection(self, cores: tuple[int, ...]) -> str:
        """Why this process cannot play by them, on these cores; empty if it can."""
        conditions = self.conditions
        game = load_game(conditions.game, **conditions.game_options)
        try:
            found = differences(self.likeness, likeness_of(self.specs, game))
        except SourcesError as error:
            return f"an agent that can be read there cannot be read here: {error}"
        if found:
            return "not all is there as it is here:\n" + "\n".join(f"  {line}" for line in found)
        try:
            if conditions.isolation == "required":
                survey("required").require(conditions.limits, cores)
        except IsolationError as error:
            return str(error)
        return ""


@dataclass(frozen=True)
class Refusal:
    """The result of an order where the terms are not met."""

    why: str


@dataclass(frozen=True)
class Order:
    """A task to be run by some terms; without one, what all agents need is compiled, so that later ones begin quickly.

    A task itself (see `executor.Task`).
    """

    terms: Terms
    task: Any = None

    def run(self, tell: Callable[[Any], None], cores: tuple[int, ...]) -> Any:
        """The task's result, or a Refusal."""
        objection = self.terms.objection(cores)
        if objection:
            return Refusal(objection)
        if self.task is not None:
            return self.task.run(tell, cores)
        compile_ahead(self.terms.conditions.game, self.terms.specs)
        return None
