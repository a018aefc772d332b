"""Reads what an agent's process reports in its log. The agent can write to that log, too, so nothing is trusted."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from simulator.gtp.syntax import one_line
from simulator.player.self_report import ATTEMPT, LOADED, MOVED, PREFIX

MOST_MODULES = 200
LARGEST = 1e9  # of a number that is believed


@dataclass(frozen=True)
class Attempt:
    """Something that the sandbox refuses.

    Attributes:
        kind: WRITE, NETWORK, PROCESS or READ of `self_report.py`.
        what: the path, address or program.
        place: `file:line` of the agent's code, empty where that is not known.
    """

    kind: str
    what: str
    place: str


@dataclass
class Reports:
    """What a process said in one game.

    Attributes:
        load_seconds: from the start of the clock until its file was imported.
        modules: top-level modules beside the standard library's that importing its file imported.
        threads: the most that there were after a move.
        attempts: each once.
        rest: the log without the reports.
    """

    agent: str = ""
    load_seconds: float | None = None
    modules: list[str] = field(default_factory=list)
    threads: int = 0
    attempts: list[Attempt] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)


def read_reports(log: str) -> Reports:
    """What a log says."""
    reports = Reports()
    for line in log.splitlines():
        if not line.startswith(PREFIX):
            reports.rest.append(line)
            continue
        with suppress(ValueError, RecursionError):  # what is no JSON says nothing
            if isinstance(content := json.loads(line.removeprefix(PREFIX)), dict):
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
