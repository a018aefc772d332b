"""Runs the units of a study, on several processors if wanted."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

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
    if workers <= 1 or len(units) <= 1:
        yield from ((unit, work(name, unit)) for unit in units)
        return
    yield units[0], work(name, units[0])  # alone, so that its compiled code is in the cache for the others
    # Ctrl-C reaches all processes of a terminal; only this one reacts to it.
    with ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        jobs = {pool.submit(work, name, unit): unit for unit in units[1:]}
        try:
            for job in as_completed(jobs):
                yield jobs[job], job.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


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
