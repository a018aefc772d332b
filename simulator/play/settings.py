"""How agents play against people: their limits, a handicap, who gives advice."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple, Self

from agents.limits import Limits
from options import InputError
from simulator.sandbox.isolation import IsolationLevel
from simulator.tournament.fields import LIMITS

LEAST_MEMORY_MB = 250  # enough to load our agents, with a small tree
LEAST_SECONDS = 0.05  # for a move
FLAGS = {LIMITS[key]: key for key in ("move-time", "first-move-time", "cushion", "memory")}
FLAGS |= {name: name for name in ("handicap", "isolation", "seed", "hints")}


class Handicap(NamedTuple):
    """The numbers by which the time and the memory of the agents are divided.

    >>> print(Handicap.read("time=4,memory=2"), Handicap.read("10"), Handicap())
    time=4,memory=2 time=10 none
    """

    time: float = 1.0
    memory: float = 1.0

    @classmethod
    def read(cls, text: str) -> Self:
        """The handicap of a text: `time=4`, `memory=2`, both with a comma, `4` for the time alone, or `none`."""
        if text in ("", "none"):
            return cls()
        found: dict[str, float] = {}
        for part in text.split(","):
            match = re.fullmatch(r"(?:(time|memory)=)?([0-9]{1,4}(?:\.[0-9]{1,3})?)", part.strip())
            if match is None or float(match[2]) < 1 or (match[1] or "time") in found:
                raise InputError(
                    f"{text!r:.60} is no handicap. time=4,memory=2 divides the agent's time by 4 and its memory by 2; "
                    "4 alone divides the time. Numbers are 1 or more"
                )
            found[match[1] or "time"] = float(match[2])
        return cls(**found)

    def __str__(self) -> str:
        parts = [f"{name}={value:g}" for name, value in self._asdict().items() if value != 1]
        return ",".join(parts) or "none"

    def of(self, limits: Limits) -> Limits:
        """The limits with this handicap: the time of every move after the first, and the memory.

        The first move keeps its time, in which an agent is loaded.
        """
        memory = max(min(LEAST_MEMORY_MB, limits.memory_mb), int(limits.memory_mb / self.memory))
        seconds = max(min(LEAST_SECONDS, limits.move_seconds), limits.move_seconds / self.time)
        return replace(limits, move_seconds=seconds, memory_mb=memory)


NO_HANDICAP = Handicap()


@dataclass(frozen=True)
class PlaySettings:
    """How agents play against people.

    Attributes:
        limits: what an agent may use, without the handicap.
        hints: the agent that is asked for hints, and by the coach.
        seed: the agents' seeds follow from it; None: each gets a new one.
        show_analysis: show what an agent thinks after each of its moves.
        isolation: what holds the agents to their limits.
        handicap: the numbers by which the limits of agents that play are divided; the adviser has the full limits.
        coach: say after a person's move whether it was a mistake.
    """

    limits: Limits = field(default_factory=Limits)
    hints: str = "uct_agent"
    seed: int | None = None
    show_analysis: bool = False
    isolation: IsolationLevel = "best"
    handicap: Handicap = NO_HANDICAP
    coach: bool = False

    def flags(self) -> tuple[str, ...]:
        """The options of `runner.py play` that give these settings, without those that are the defaults.

        >>> PlaySettings(Limits(move_seconds=0.5), seed=3, show_analysis=True, handicap=Handicap(2)).flags()
        ('--move-time=0.5', '--handicap=time=2', '--seed=3', '--analysis')
        """
        mine, usual = (vars(settings.limits) | vars(settings) for settings in (self, PlaySettings()))
        given = [f"--{flag}={mine[name]}" for name, flag in FLAGS.items() if mine[name] != usual[name]]
        return (*given, *(["--analysis"] if self.show_analysis else []), *(["--coach"] if self.coach else []))

    def to_json(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self) | {"limits": self.limits.to_json(), "handicap": str(self.handicap)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """The settings that `to_json` wrote; unknown ones, as of another version, are left out."""
        known = {one.name: content[one.name] for one in fields(cls) if one.name in content}
        if "limits" in known:
            known["limits"] = Limits.from_json(known["limits"])
        if "handicap" in known:
            known["handicap"] = Handicap.read(known["handicap"])
        return cls(**known)
