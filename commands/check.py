"""`runner.py check`: what a tournament will do to a submission."""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import FAILURE, errors_for_people
from commands.parameters import COUNT, FILE, POSITIVE, GameCommand, conditions_for, field_options, json_option, option

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.referee.conditions import Conditions
    from simulator.submission.findings import CheckReport

CONDITIONS = field_options("game", "move-time", "first-move-time", "cushion", "memory", "isolation")
POINTS = 100.0


@click.command(cls=GameCommand)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@CONDITIONS
@json_option("Print the report as JSON, a line for each submission.")
@option("--jobs", type=COUNT, default=1, metavar="N", help="How many submissions are checked at the same time.")
@option("-o", "--output", type=FILE, help="A file for the results, as CSV; of one submission also as .html or .txt.")
@option("--gradescope", type=FILE, help="A file for the results of one submission, for Gradescope's autograder.")
@option("--points", type=POSITIVE, metavar="X", help="With --gradescope: points for all steps.  [default: 100]")
def check(
    *,
    paths: tuple[str, ...],
    game_options: dict[str, str],
    as_json: bool,
    jobs: int,
    output: Path | None,
    gradescope: Path | None,
    points: float | None,
    **flags: Any,
) -> None:
    """Check a submission: what will a tournament do to it?

    PATH is a folder with agent.py, a Python file, or a zip file of `pack`. A copy of its files, and of nothing else,
    is started and plays whole games in the sandbox, under the limits of a tournament. Each step says what it found,
    with its figure and, for a fault, what to do. It takes a minute or two for each submission.

    For several submissions a table is printed, with a line for each.

    \b
    Exit code 0 if all passed, 1 if not.

    \b
    Examples:
      python runner.py check ann
      python runner.py check my_agent.py --game go --move-time 1
      python runner.py check ann --json
      python runner.py check submissions/*.zip --jobs 2 -o report.csv
      python runner.py check ann -o ann.html
      python runner.py check ann --gradescope results.json --points 20
    """
    from simulator import command_line
    from simulator.terminal.lines import plain_console

    began = time.monotonic()
    with errors_for_people():
        if points is not None and gradescope is None:
            raise click.UsageError("--points has no effect alone: add --gradescope FILE")
        _refuse_before_work(paths, output, gradescope)
        reports = check_submissions(
            [Path(os.path.expanduser(path)) for path in paths],
            conditions_for(flags, game_options),
            plain_console(stderr=as_json),
            jobs,
            lambda reports: _hand_out(reports, as_json, output, gradescope, points or POINTS, time.monotonic() - began),
        )
    if not all(report.passed for report in reports):
        sys.exit(FAILURE)
    if len(reports) == 1 and not paths[0].endswith(".zip"):
        click.echo(f"`{command_line('pack')}` makes the zip file, with the same options", err=as_json)


def _refuse_before_work(paths: Sequence[str], output: Path | None, gradescope: Path | None) -> None:
    """Raises UsageError if a path is missing or a file does not fit, OSError if a file cannot be written."""
    from simulator.records.file_errors import check_can_write
    from simulator.report.document import SUFFIXES

    if missing := [path for path in paths if not os.path.lexists(os.path.expanduser(path))]:
        raise click.UsageError(f"there is no {', '.join(missing)}: name an agent's folder, its .py file, or a .zip")
    if len(paths) > 1 and (gradescope or (output is not None and output.suffix in SUFFIXES)):
        raise click.UsageError(
            f"{gradescope or output} is for one submission: check one at a time, or write a table with -o FILE.csv"
        )
    if output is not None and output.suffix not in ("", ".csv", *SUFFIXES):
        known = f".csv, {' or '.join(SUFFIXES)}"
        raise click.UsageError(f"no report is written to {output}: end its name with {known}; --json prints JSON")
    if gradescope is not None and gradescope.suffix not in ("", ".json"):
        raise click.UsageError(f"no results are written to {gradescope}: end its name with .json")
    for file in filter(None, (output, gradescope)):
        check_can_write(file)


def check_submissions(
    paths: Sequence[Path],
    conditions: "Conditions",
    console: "Console",
    jobs: int = 1,
    hand_out: "Callable[[Sequence[CheckReport]], None]" = lambda reports: None,
) -> "list[CheckReport]":
    """Check submissions in processes of their own, and print what is found: each step of one, a table of several.

    `hand_out` is called with all reports; if something ended the checks early, with the finished ones.
    """
    from simulator.sandbox.cores import available_cores
    from simulator.submission.check import CheckTask, given_up
    from simulator.submission.findings import CheckReport
    from simulator.terminal.check import print_reports, print_step, print_verdict
    from simulator.terminal.lines import print_line
    from simulator.tournament.workers.local import LocalExecutor
    from simulator.tournament.workers.protocol import TaskDied, TaskDone, TaskGivenUp

    wanted, cores = jobs * conditions.limits.processors, len(available_cores())
    if jobs > 1 and wanted > cores:
        click.echo(
            f"{jobs} jobs need {wanted} cores and share {cores}: an agent may be late for that reason alone", err=True
        )
    tasks, reports = [CheckTask(path, conditions) for path in paths], dict[int, CheckReport]()
    try:
        for task, event in LocalExecutor(jobs, conditions.limits.processors).run(tasks):
            if isinstance(event, TaskDone | TaskGivenUp):
                report = event.result if isinstance(event, TaskDone) else given_up(task.path, event.why)
                reports[id(task)] = report
                if len(tasks) > 1:
                    print_line(console, f"{len(reports)} of {len(tasks)}: {report.path}")
            elif len(tasks) == 1 and not isinstance(event, TaskDied):
                print_step(console, event)
    finally:
        in_order = [reports[id(task)] for task in tasks if id(task) in reports]
        try:
            hand_out(in_order)  # before anything is printed, since whoever reads it may have gone
        finally:
            if len(tasks) > 1:
                print_reports(console, in_order, [task.path for task in tasks if id(task) not in reports])
            elif in_order:
                print_verdict(console, in_order[0])
    return in_order


def _hand_out(
    reports: "Sequence[CheckReport]",
    as_json: bool,
    output: Path | None,
    gradescope: Path | None,
    points: float,
    seconds: float,
) -> None:
    from simulator.records.file_errors import replacing
    from simulator.report.document import SUFFIXES, write_document
    from simulator.report.gradescope import gradescope_json
    from simulator.report.student import check_blocks
    from simulator.terminal.check import write_reports

    if gradescope is not None and reports:
        with replacing(gradescope) as file:
            json.dump(gradescope_json(reports[0], points, seconds), file, indent=1)
    if output is not None and reports:  # else an older report stays
        if output.suffix in SUFFIXES:
            write_document((block for report in reports for block in check_blocks(report)), output)
        else:
            with replacing(output) as file:
                write_reports(reports, file)
    if as_json:
        for report in reports:
            click.echo(json.dumps(report.to_json()))
