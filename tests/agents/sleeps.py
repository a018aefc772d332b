"""Never answers its second question, and uses no processor meanwhile."""

import time

from agents.agent import Agent, register_agent


@register_agent("sleeps_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            time.sleep(3600)
        return self.rng.choice(position.legal_moves())
