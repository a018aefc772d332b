"""Takes 4 MB every few milliseconds, for ever."""

import time

from agents.agent import Agent, register_agent


@register_agent("grows_agent")
class Scoundrel(Agent):
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        hoard = []
        while self.moves == 2:
            hoard.append(b"x" * (4 << 20))
            time.sleep(0.004)
        return self.rng.choice(position.legal_moves())
