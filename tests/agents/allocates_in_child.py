"""Lets a child take 600 MB."""

import subprocess
import sys

from agents.agent import Agent, register_agent


@register_agent("allocates_in_child_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            program = "import time; hoard = b'x' * (600 << 20); time.sleep(60)"
            subprocess.run([sys.executable, "-c", program], check=False)
        return self.rng.choice(position.legal_moves())
