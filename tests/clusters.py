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

WAIT_SECONDS = 120.0  # for a busy machine: with six test processes at once, a game began after half a minute


class DeadlyHandshake(Handshake):
    """A handshake that kills the process that checks it."""

    def objection(self, cores):
        os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def started_cluster(folder, workers=2, *more):
    """Start a cluster, yield its scheduler's address and process, and end all of it; `more` goes to the workers."""
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
    # The locks on cores lie in this cluster's own folder, so that other programs on this machine do not matter.
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
    """The scheduler's address; None until the scheduler has written all of its file."""
    try:
        return json.loads(about.read_text())["address"]
    except (OSError, json.JSONDecodeError):
        return None


def _end(process):
    """Ask a process to end, as a nanny then ends its workers; kill what is left after 20 s."""
    family = [process, *psutil.Process(process.pid).children(recursive=True)] if process.poll() is None else []
    process.terminate()
    for member in family:
        try:
            member.wait(20)
        except (subprocess.TimeoutExpired, psutil.TimeoutExpired):
            member.kill()
    process.wait()
