"""Plays its first move honestly; later answers are late, and no moves at all."""

import time

from agents.agent import Agent, register_agent


@register_agent("late_and_illegal_agent")
class Scoundrel(Agent):
    has_moved = False

    def step(self, position, clock):
        if self.has_moved:
            time.sleep(0.5)
            return "never mind"
        self.has_moved = True
        return self.rng.choice(position.legal_moves())
