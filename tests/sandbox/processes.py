"""Processes in which a test does what cannot be undone."""

import subprocess
import sys
import textwrap
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def in_a_process(code: str, *arguments: object) -> list[str]:
    """What a Python program prints, line by line; it has to end well."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
