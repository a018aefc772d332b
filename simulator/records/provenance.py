"""The machine on which games were played: their figures mean little without it."""

import os
import platform
import subprocess
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import psutil

from jit import PROJECT
from simulator.records.schema import Session

GIT_SECONDS = 5.0
MEASURED = ("studies/results", "docs/figures", "docs/clocks.md", "REPORT.md")


def session_now() -> Session:
    """A start of the program at this moment."""
    return Session(datetime.now().astimezone().isoformat(timespec="seconds"), describe_machine())


def describe_machine() -> dict[str, str]:
    """Processor, cores, memory, kernel, versions, and the commit of this project where git knows one."""
    return {
        "host": platform.node(),
        "processor": processor_name(),
        "cores": f"{os.cpu_count()}",
        "memory": f"{psutil.virtual_memory().total / (1 << 30):.1f} GB",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "psutil")},
        "commit": commit(),
    }


def processor_name() -> str:
    """The kernel's name of the processor, or the kind of processor if the kernel gives no name."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(errors="replace").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def commit() -> str:
    """The project's version in git, with `-dirty` for files that were changed since; empty without git.

    Changed results of measurements (tables of studies, the figures of REPORT.md) do not count: they change no program.
    """
    described = _git("describe", "--always", "--abbrev=12", "--exclude=*")
    measured = [f":(exclude){path}" for path in MEASURED]
    changes = _git("diff", "--quiet", "HEAD", "--", ".", *measured)
    if described is None or changes is None or described.returncode != 0:
        return ""
    return described.stdout.strip() + ("-dirty" if changes.returncode != 0 else "")


def _git(*arguments: str) -> subprocess.CompletedProcess[str] | None:
    """The result of a git command in the project's folder; None if git is missing or too slow."""
    command = ["git", "-C", str(PROJECT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
