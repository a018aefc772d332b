"""Has a child that never rests, and says by its seconds how much processor time that had between two turns."""

import os

import psutil

from agents.agent import Agent, register_agent


@register_agent("ponders_in_child_agent")
class Scoundrel(Agent):
    def setup(self):
        self.used = self.before = 0.0
        child = os.fork()
        if child == 0:
            while True:
                pass
        self.child = psutil.Process(child)

    def childs_time(self):
        times = self.child.cpu_times()
        return times.user + times.system

    def step(self, position, clock):
        self.used = self.childs_time() - self.before
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.before = self.childs_time()
        return {"seconds": self.used}
