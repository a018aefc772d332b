"""Is asked what it thought, and sleeps."""

import time

from agents.agent import Agent, register_agent


@register_agent("slow_analysis_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        time.sleep(0.5)
        return {"value": 1.0}
