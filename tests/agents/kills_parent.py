"""Kills its parent process as soon as it is imported, if the parent is a worker of a tournament."""

import os
import signal
from pathlib import Path

from agents.agent import Agent, register_agent

if b"workers.child" in Path(f"/proc/{os.getppid()}/cmdline").read_bytes():
    os.kill(os.getppid(), signal.SIGKILL)


@register_agent("kills_parent_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())
