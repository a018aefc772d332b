"""Runs the units of a study, on several processors if wanted."""

import os
import sys
import time
from collections.abc import Iterator

from learning.workers import Workers
from studies.journal import Journal
from studies.study import Extent, Finished, Result, Unit, load_study


def run_study(name: str, extent: Extent, journal: Journal, workers: int = 1) -> list[Finished]:
    """Do all units of a study that are not in the journal; returns all units with results, in the order of the plan.

    Each finished unit is written to the journal at once, so that Ctrl-C loses none. On a terminal, progress is shown
    on stderr.
    """
    plan = load_study(name).plan(extent)
    missing = [unit for unit in plan if journal.result_of(unit) is None]
    start = time.monotonic()
    for done, (unit, (result, seconds)) in enumerate(_results(name, missing, workers), 1):
        journal.add(unit, result, seconds)
        _show_progress(done, len(missing), time.monotonic() - start)
    return finished_units(plan, journal)


def finished_units(plan: list[Unit], journal: Journal) -> list[Finished]:
    """The units of a plan that are in the journal, in the order of the plan."""
    results = [(unit, journal.result_of(unit)) for unit in plan]
    return [Finished(unit, result) for unit, result in results if result is not None]


def _results(name: str, units: list[Unit], workers: int) -> Iterator[tuple[Unit, tuple[Result, float]]]:
    """Yield the units with the results of `work`, as they are finished."""
    first, others = units[:1], units[1:]
    yield from ((unit, work(name, unit)) for unit in first)  # alone, so that its code is compiled for the others
    with Workers(min(workers, len(others))) as processes:
        for (_, unit), found in processes.results(work, ((name, unit) for unit in others)):
            yield unit, found


def work(name: str, unit: Unit) -> tuple[Result, float]:
    """Do a unit of a study; returns its result, and processor seconds of this process and its ended children."""
    study, before = load_study(name), os.times()
    result = study.work(unit)
    return result, sum(os.times()[:4]) - sum(before[:4])


def _show_progress(done: int, total: int, seconds: float) -> None:
    if sys.stderr.isatty():
        left = seconds / done * (total - done)
        end = "\n" if done == total else ""
        print(f"\r{done} of {total}, {left / 60:.1f} minutes left ", end=end, file=sys.stderr, flush=True)
