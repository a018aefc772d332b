"""Leaves a child that holds the wire open, and ends."""

import os
import time

from agents.agent import Agent, register_agent


@register_agent("forks_and_exits_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(7)
        return self.rng.choice(position.legal_moves())
