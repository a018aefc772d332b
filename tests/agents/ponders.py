"""Thinks on in a thread, and says by its seconds how much processor time it had between two turns."""

import threading
import time

from agents.agent import Agent, register_agent


@register_agent("ponders_agent")
class Scoundrel(Agent):
    def setup(self):
        self.used = self.before = 0.0
        threading.Thread(target=self.spin, daemon=True).start()

    def spin(self):
        while True:
            pass

    def step(self, position, clock):
        self.used = time.process_time() - self.before
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.before = time.process_time()
        return {"seconds": self.used}
