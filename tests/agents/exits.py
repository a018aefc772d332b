"""Ends its process: `exits.py` as if all were well, `exits.py:status=1` as if not."""

import os
from typing import ClassVar

from agents.agent import Agent, register_agent


@register_agent("exits_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"status": 0}

    def step(self, position, clock):
        if position.ply >= 2:
            os._exit(self.options["status"])
        return self.rng.choice(position.legal_moves())
