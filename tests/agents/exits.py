"""Ends its process at its second move: `exits.py` with status 0, `exits.py:status=1` with status 1."""

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
