"""Takes 1 GB at once."""

import time

from agents.agent import Agent, register_agent


@register_agent("allocates_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            self.hoard = b"x" * (1 << 30)
            time.sleep(60)
        return self.rng.choice(position.legal_moves())
