"""Reads what an agent's process reports in its log. The agent can write to that log, too, so nothing is trusted."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from simulator.gtp.syntax import one_line
from simulator.player.self_report import ATTEMPT, LOADED, MOVED, PREFIX

MOST_MODULES = 200
LARGEST = 1e9  # larger numbers are not believed
_CUT = re.compile(r"\[\d+ bytes left out\]")  # a line that `BoundedText.text` puts in the place of what it left out


@dataclass(frozen=True)
class Attempt:
    """An attempt to do something that the sandbox refuses.

    Attributes:
        kind: WRITE, NETWORK, PROCESS or READ of `self_report.py`.
        what: the path, address or program.
        place: `file:line` of the agent's code; empty if that is not known.
    """

    kind: str
    what: str
    place: str


@dataclass
class Reports:
    """What an agent's process has reported in one game.

    Attributes:
        agent: the name that the agent registers.
        load_seconds: from the start of the clock until the agent's file was imported.
        modules: the top-level modules that the agent's file imported, without those of the standard library.
        threads: the most threads that there were after a move.
        attempts: what the agent tried to do, each kind once per line of code.
        rest: the log without the reports.
        is_cut: whether a part of the log is missing, perhaps with reports.
    """

    agent: str = ""
    load_seconds: float | None = None
    modules: list[str] = field(default_factory=list)
    threads: int = 0
    attempts: list[Attempt] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    is_cut: bool = False


def read_reports(log: str) -> Reports:
    """The reports in a log."""
    reports = Reports()
    for line in log.splitlines():
        printed, sign, report = line.partition(PREFIX)  # the agent may have printed something without a line break
        if printed or not sign:
            reports.rest.append(printed)
            reports.is_cut |= _CUT.fullmatch(printed) is not None
        with suppress(ValueError, RecursionError):  # what is no JSON is ignored
            if isinstance(content := json.loads(report), dict):
                _take(reports, content)
    return reports


def _take(reports: Reports, content: dict[str, Any]) -> None:
    kind = content.get("kind")
    if kind == LOADED:
        reports.agent = one_line(str(content.get("name", "")), 80)
        reports.load_seconds = _number(content, "seconds")
        modules = content.get("modules")
        reports.modules = (
            [one_line(str(name), 80) for name in modules[:MOST_MODULES]] if isinstance(modules, list) else []
        )
    elif kind == MOVED:
        reports.threads = max(reports.threads, int(_number(content, "threads") or 0))
    elif kind == ATTEMPT:
        words = [one_line(str(content.get(key, "")), 200) for key in ("attempt", "what", "place")]
        reports.attempts.append(Attempt(*words))


def _number(content: dict[str, Any], key: str) -> float | None:
    value = content.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value < LARGEST else None
