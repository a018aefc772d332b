"""A Dask cluster on this machine for tests: a scheduler and workers under their nannies, as people start them."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import psutil

from simulator.tournament.workers.fingerprint import Handshake
from tests.programs import PROJECT, wait_until

WAIT_SECONDS = 120.0  # for a busy machine: of six processes of tests at once a game has begun after half a minute


class DeadlyHandshake(Handshake):
    """A handshake over which the process ends that looks at it."""

    def objection(self, cores):
        os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def started_cluster(folder, workers=2, *more):
    """Yields the scheduler's address and process; nothing of it is left afterwards. `more` is said to the workers."""
    about = folder / "scheduler.json"
    where = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = _dask(folder, "scheduler", *where, "--port", 0, "--scheduler-file", about)
    try:
        wait_until(lambda: _address(about))
        file = ["--scheduler-file", about, "--local-directory", folder]
        keeper = _dask(folder, "worker", *where, *file, "--nthreads", 1, "--nworkers", workers, *more)
        try:
            yield _address(about), scheduler
        finally:
            _end(keeper)
    finally:
        _end(scheduler)


def _dask(folder, program, *arguments):
    # The locks on cores go to a folder of this cluster's own, so that others on this machine do not matter.
    environment = os.environ | {"TMPDIR": str(folder)}
    with (folder / f"{program}.log").open("w") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", program, *map(str, arguments)],
            cwd=PROJECT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def _address(about):
    """Where the scheduler is; None before it has written all of that."""
    try:
        return json.loads(about.read_text())["address"]
    except (OSError, json.JSONDecodeError):
        return None


def _end(process):
    """A nanny ends its workers when it is asked to; what is left after that is killed."""
    family = [process, *psutil.Process(process.pid).children(recursive=True)] if process.poll() is None else []
    process.terminate()
    for member in family:
        try:
            member.wait(20)
        except (subprocess.TimeoutExpired, psutil.TimeoutExpired):
            member.kill()
    process.wait()
