"""It asks another program."""

import subprocess
from contextlib import suppress

from agents import Agent, register_agent


@register_agent("begins_programs_agent")
class BeginsPrograms(Agent):
    def step(self, position, clock):
        with suppress(OSError):
            subprocess.run(["/bin/true"], check=False)
        return position.legal_moves()[0]
