"""Compiling ahead: the first game after a change of the code would else be played by agents that compile on its clock.

Compiling takes seconds of the first move's 30, more on a slow machine, and leaves less memory to a tree. So the agents
of this project that need it are set up once, each in a process of its own with no clock, before the first game of a
match and before a game with a person.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from agents.agent import AgentSpec, agent_names
from jit import CACHE_FOLDER, PROJECT


def _mark(game: str, agent: str) -> Path | None:
    """The file beside the compiled code that says it is there, None where no compiled code can be kept."""
    return CACHE_FOLDER / f"{game}-{agent}.compiled" if CACHE_FOLDER is not None else None


def compile_ahead(game: str, specs: Iterable[AgentSpec], say: Callable[[str], None]) -> None:
    """Set up each agent of this project once in a process of its own, unless that was done before.

    `say` is told before the first that takes long. An agent that fails is left for the referee to judge. Files of
    others are not touched: they are run under limits only.
    """
    for name in sorted({spec.source for spec in specs} & set(agent_names())):
        mark = _mark(game, name)
        if mark is None or mark.exists():
            continue
        say(f"preparing {name} (what it needs is compiled, once)")
        command = [sys.executable, "-P", "-m", "simulator.worker", f"--game={game}", f"--agent={name}"]
        environment = os.environ | {"PYTHONPATH": str(PROJECT)}
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False)
        if done.returncode == 0:
            mark.touch()
