"""Leaves a grandchild in a session of its own, and plays on."""

import os
import time

from agents.agent import Agent, register_agent


@register_agent("leaves_grandchild_agent")
class Scoundrel(Agent):
    def setup(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(0)

    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())
