"""What the referee and an agent's process have agreed on: what the process is told, and its exit statuses."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from agents.agent import AgentSpec
from agents.limits import Limits
from simulator.sandbox.confine import Confinement, this_python

SEED_VARIABLE = "UNFORCED_SEED"  # in the environment of an agent's process, which its opponent cannot read

LOAD_FAILED = 3  # exit status: the agent could not be loaded or set up; the reason is on stderr
RAISED_BETWEEN_MOVES = 4  # exit status: a signal handler of the agent raised an exception, which is on stderr
INTERRUPTED = 130  # exit status after Ctrl-C, as shells report it


@dataclass(frozen=True)
class Order:
    """What an agent's process is told, as one argument of its command line, in JSON.

    Attributes:
        agent: a registered name or a .py file.
        agent_options: the agent's options, as texts.
        started: when the clock of the first move began (`time.monotonic`); None if it began with the process.
        cache: the folder of the agent's own compiled code, see `agent_cache.py`; empty if there is none.
        fills_cache: whether the process also writes compiled code there.
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
        """The agent; its path is taken as it is, and not searched for options."""
        return AgentSpec(self.agent, self.agent, dict(self.agent_options))

    def command(self) -> list[str]:
        """The command that starts the process."""
        # -P: a file game.py in the user's current folder must not hide ours.
        return [this_python(), "-P", "-m", "simulator.player.agent_process", json.dumps(asdict(self))]

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The order that a command carries; missing entries get their defaults. Raises TypeError for unknown ones."""
        kinds = {"limits": Limits, "confinement": Confinement}
        return cls(**{**values, **{key: kind(**values[key]) for key, kind in kinds.items() if key in values}})
