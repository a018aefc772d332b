"""New Python processes, for what a test cannot do or undo in its own process."""

import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PROJECT = Path(__file__).resolve().parents[1]
RUNNER = PROJECT / "runner.py"
AGENTS = PROJECT / "tests" / "agents"
# Programs that speak GTP, which start in a thirtieth of the time that an agent of this project takes.
RESIGNER = f"gtp:{sys.executable} -I -S {AGENTS / 'gtp_resigner.py'}"  # resigns at once
PASSES = f"gtp:{sys.executable} -I -S {AGENTS / 'gtp_player.py'}"
PYTHON = Path(sys.executable).name  # the name of these agents
PATIENCE_SECONDS = 60.0


def environment_of(folder: Path, **changes: str) -> dict[str, str]:
    """The variables of a process that finds the modules of a folder and those of the project.

    It writes no bytecode: if a source is edited within the same second and keeps its length, Python does not notice and
    runs the old bytecode.
    """
    path = os.pathsep.join(dict.fromkeys((str(folder), str(PROJECT))))
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": path, **changes}


def finished(
    *words: object, text: str = "", folder: Path = PROJECT, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run Python with these words to its end; return what it said and its status."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env={**os.environ, **environment},
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def run(code: str, folder: Path = PROJECT, **environment: str) -> str:
    """Run a program in a folder; return what it prints. Fails with its stderr if it does not end with status 0."""
    done = finished("-c", textwrap.dedent(code), folder=folder, **environment_of(folder, **environment))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def reap_adopted() -> None:
    """Reap the processes that referees lost when they ended: a process that has been a referee adopts orphans."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def started(code: str, folder: Path = PROJECT, **environment: str) -> subprocess.Popen[str]:
    """Start a program to which a test can write and from which it can read."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment_of(folder, **environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@contextmanager
def command(*words: object, folder: Path = PROJECT) -> Iterator[subprocess.Popen[str]]:
    """Start `runner.py` with these words, or `python -m simulator` if the first is `simulator`; kill it at the end.

    The process has a group of its own, to which Ctrl-C can be sent as a terminal does.
    """
    program = ["-m"] if words[0] == "simulator" else [RUNNER]
    line, pipe = [sys.executable, *map(str, [*program, *words])], subprocess.PIPE
    with subprocess.Popen(
        line, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupted(process: subprocess.Popen[str], sent: int = signal.SIGINT) -> tuple[str, str]:
    """Send Ctrl-C; return the rest of stdout and stderr. Fails if a process that it has begun is left."""
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(sent)
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    assert_ended(children)
    return out, err


def assert_ended(processes: list[psutil.Process]) -> None:
    """Check that all of them have ended after PATIENCE_SECONDS."""
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE_SECONDS)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []


def busy_ticks(pid: int) -> int:
    """The processor time of a process from /proc, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def read_terminal(terminal: int, words: str) -> str:
    """What a program writes to its terminal, up to these words at least."""
    text, end = "", time.monotonic() + PATIENCE_SECONDS
    while words not in text:
        assert select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0], text[-2000:]
        text += os.read(terminal, 1 << 16).decode(errors="replace")
    return text


def read_until(process: subprocess.Popen[str], stream: str, words: str) -> None:
    """Read the lines of `stdout` or `stderr` up to the first that contains these words."""
    for line in getattr(process, stream):
        if words in line:
            return
    raise AssertionError(f"nothing with {words}: {process.communicate()}")
