"""What a check finds: the findings of each step, and the report with all steps."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    """How bad a finding is."""

    GOOD = "good"
    REMARK = "remark"  # worth knowing; costs nothing
    FAULT = "fault"  # it loses games, or the submission is refused


@dataclass(frozen=True)
class Finding:
    """One thing that a step found.

    Attributes:
        text: a sentence with its figure.
        advice: how to correct it; empty if there is nothing to correct.
        quoted: lines that show it, for instance of a traceback.
    """

    level: Level
    text: str
    advice: str = ""
    quoted: tuple[str, ...] = ()


def good(text: str) -> Finding:
    """Something that is as it should be."""
    return Finding(Level.GOOD, text)


def remark(text: str, advice: str = "") -> Finding:
    """Something to know."""
    return Finding(Level.REMARK, text, advice)


def fault(text: str, advice: str, quoted: Sequence[str] = ()) -> Finding:
    """Something that has to be corrected."""
    return Finding(Level.FAULT, text, advice, tuple(quoted))


@dataclass(frozen=True)
class Step:
    """A step of a check.

    Attributes:
        number: the step's number, from 1.
        findings: empty if the step could not be done because of an earlier fault.
    """

    number: int
    name: str
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether the step was done and found no fault."""
        return bool(self.findings) and self.level is not Level.FAULT

    @property
    def level(self) -> Level:
        """The level of the worst finding; GOOD if there are none."""
        return max((finding.level for finding in self.findings), key=list(Level).index, default=Level.GOOD)


@dataclass
class CheckReport:
    """The report on a submission; during the check, it has the steps so far.

    Attributes:
        agent: the name that the agent registers; empty if that is not known.
        figures: numbers by name, such as `slowest_move_seconds`; only those that were measured.
        authors: the submission's authors, if its manifest names them.
    """

    path: str
    name: str = ""
    agent: str = ""
    steps: list[Step] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    authors: tuple[str, ...] = ()

    @property
    def faults(self) -> list[Finding]:
        """All faults, in order."""
        return [finding for step in self.steps for finding in step.findings if finding.level is Level.FAULT]

    @property
    def passed(self) -> bool:
        """Whether every step was done and found no fault."""
        return bool(self.steps) and all(step.passed for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        """The report as plain dictionaries, lists, texts and numbers."""
        steps = [asdict(step) | {"passed": step.passed} for step in self.steps]
        return asdict(self) | {"steps": steps, "passed": self.passed}
