"""What the referee and an agent's process have agreed on: what the process is told, and how it ends."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from agents.agent import AgentSpec
from agents.limits import Limits
from simulator.sandbox.confine import Confinement, this_python

SEED_VARIABLE = "UNFORCED_SEED"  # in the environment of an agent's process, which its opponent cannot read

LOAD_FAILED = 3  # exit status: the agent could not be loaded or set up, the reason is on stderr
RAISED_BETWEEN_MOVES = 4  # exit status: a signal's handler of the agent raised an exception, which is on stderr
INTERRUPTED = 130  # exit status after Ctrl-C, as shells report it


@dataclass(frozen=True)
class Order:
    """What an agent's process is told, as one argument of its command line, in JSON.

    Attributes:
        agent: a registered name or a .py file.
        agent_options: its options, as texts.
        started: when the clock of the first move began (`time.monotonic`); None for when the process did.
        cache: where compiled code of the agent's own is, see `agent_cache.py`; empty where there is none.
        fills_cache: whether it is written there, too.
        reports: whether the process reports on stderr what it does, see `self_report.py`.
    """

    game: str
    agent: str
    agent_options: Mapping[str, str] = field(default_factory=dict)
    game_options: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    name: str = ""
    started: float | None = None
    cache: str = ""
    fills_cache: bool = False
    reports: bool = False
    confinement: Confinement = field(default_factory=Confinement)

    @property
    def spec(self) -> AgentSpec:
        """The agent; what its path looks like says nothing of options."""
        return AgentSpec(self.agent, self.agent, dict(self.agent_options))

    def command(self) -> list[str]:
        """The command that starts the process."""
        # -P: a file game.py in the folder where the user happens to stand must not go before ours.
        return [this_python(), "-P", "-m", "simulator.player.agent_process", json.dumps(asdict(self))]

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The order that is in a command; what it does not say has its default. Raises TypeError."""
        kinds = {"limits": Limits, "confinement": Confinement}
        return cls(**{**values, **{key: kind(**values[key]) for key, kind in kinds.items() if key in values}})
