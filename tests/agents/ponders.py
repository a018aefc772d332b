"""Thinks on in a thread, and says by its seconds how much processor time it had between two turns.

`ponders.py:in_child=1`: in a child that never rests.
"""

import os
import threading
import time
from typing import ClassVar

import psutil

from agents.agent import Agent, register_agent


def spin():
    while True:
        pass


@register_agent("ponders_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"in_child": 0}
    used = before = 0.0
    child = None

    def setup(self):
        if not self.options["in_child"]:
            threading.Thread(target=spin, daemon=True).start()
        elif (child := os.fork()) == 0:
            spin()
        else:
            self.child = psutil.Process(child)

    def busy(self):
        if self.child is None:
            return time.process_time()
        times = self.child.cpu_times()
        return times.user + times.system

    def step(self, position, clock):
        self.used = self.busy() - self.before
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.before = self.busy()
        return {"seconds": self.used}
