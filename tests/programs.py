"""New Python processes, for what a test's own process cannot do or undo."""

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS = 60.0


def environment_of(folder: Path, **changes: str) -> dict[str, str]:
    """The variables of a process that finds the modules of a folder, and those of the project.

    It writes no bytecode: Python takes a source that is as long as before, and was edited in the same second, for the
    one that it has bytecode of.
    """
    path = os.pathsep.join(dict.fromkeys((str(folder), str(PROJECT))))
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": path, **changes}


def run(code: str, folder: Path = PROJECT, **environment: str) -> str:
    """What a program prints that runs in a folder. Fails with what it says on stderr if it does not end well."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=folder,
        env=environment_of(folder, **environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def started(code: str, folder: Path = PROJECT, **environment: str) -> subprocess.Popen[str]:
    """A program that is spoken with."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment_of(folder, **environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
