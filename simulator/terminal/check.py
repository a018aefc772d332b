"""A check as a terminal shows it: steps one by one, or a line for each of many submissions."""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import PurePath
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from options import counted
from simulator.gtp.syntax import printable
from simulator.records.csv_table import write_rows
from simulator.submission.findings import CheckReport, Finding, Level, Step

_SIGNS = {Level.GOOD: ("ok", "green"), Level.REMARK: ("note", "yellow"), Level.FAULT: ("FAULT", "bold red")}
_INDENT, _WIDTH = 4, 5  # of the column with the signs


def print_step(console: Console, step: Step) -> None:
    """Print a step with what it found, but not a step that was not done: `print_verdict` names that."""
    if not step.findings:
        return
    sign, style = _SIGNS[step.level]
    console.print(Text.assemble(f"{step.number:2}. {step.name}: ", (sign, style)))
    for finding in step.findings:
        _print_finding(console, finding)


def _print_finding(console: Console, finding: Finding) -> None:
    sign, style = _SIGNS[finding.level]
    grid = Table.grid(padding=(0, 1))
    grid.add_column(min_width=_INDENT + _WIDTH, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(" " * _INDENT + sign, style), Text(finding.text))
    for line in finding.quoted:
        grid.add_row("", Text(f"| {printable(line)}"))
    if finding.advice:
        grid.add_row("", Text(f"-> {finding.advice}", "italic"))
    console.print(grid)


def print_verdict(console: Console, report: CheckReport) -> None:
    """Print the last line of a check, after a line with the steps that were not done."""
    left = [step for step in report.steps if not step.findings]
    if left:
        numbers = "-".join(dict.fromkeys((f"{left[0].number:2}.", f"{left[-1].number:2}.")))
        names = "; ".join(step.name for step in left)
        console.print(Text(f"{numbers} not done, because of the faults above: {names}", "dim"))
    if report.passed:
        console.print(Text(f"{report.path} can be submitted", "bold green"))
    else:
        console.print(Text(f"{report.path} cannot be submitted yet: {_word(report)}", "bold red"))


def print_reports(console: Console, reports: Sequence[CheckReport], left: Sequence[PurePath] = ()) -> None:
    """Print a line for each submission, without the folder that all share; then those that were `left` unchecked."""
    table = Table(pad_edge=False)
    for column in ("submission", "agent", "check", "first fault"):
        table.add_column(column, overflow="fold")
    for path, report in zip(_without_shared_folder([report.path for report in reports]), reports, strict=True):
        first = report.faults[0].text if report.faults else ""
        table.add_row(*(Text(text) for text in (path, report.agent, _word(report), first)))
    if reports:
        console.print(table)
        console.print(f"{sum(report.passed for report in reports)} of {len(reports)} passed.")
    if left:
        names = ", ".join(printable(str(path)) for path in left)
        console.print(Text(f"{len(left)} of {len(reports) + len(left)} were not checked: {names}"))


def _without_shared_folder(paths: Sequence[str]) -> list[str]:
    """Paths below the folder that they have in common.

    >>> _without_shared_folder(["hw/ann.zip", "hw/late/bob.zip"])
    ['ann.zip', 'late/bob.zip']
    """
    parts = [PurePath(path).parts for path in paths]
    levels = zip(*(place[:-1] for place in parts), strict=False)
    shared = len(list(takewhile(lambda names: len({*names}) == 1, levels)))
    return [str(PurePath(*place[shared:])) for place in parts]


def _word(report: CheckReport) -> str:
    return "passed" if report.passed else counted(len(report.faults), "fault")


def write_reports(reports: Sequence[CheckReport], stream: TextIO) -> None:
    """Write comma-separated values, a line for each submission."""
    rows = [_row(report) for report in reports]
    columns = dict.fromkeys((name for row in rows for name in row), "")
    write_rows((columns | row for row in rows), stream)


def _row(report: CheckReport) -> dict[str, Any]:
    faults = report.faults
    return {
        "submission": report.path,
        "agent": report.agent,
        "authors": ", ".join(report.authors),
        "passed": "yes" if report.passed else "no",
        "faults": len(faults),
        "first_fault": faults[0].text if faults else "",
        "advice": faults[0].advice if faults else "",
        "all_faults": " / ".join(finding.text for finding in faults),
        **report.figures,
    }
