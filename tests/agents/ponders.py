"""Thinks on in a thread; its `seconds` say how much processor time it had between two of its turns.

`ponders.py:in_child=1`: it thinks in a child process, which never rests.
"""

import os
import threading
import time
from pathlib import Path
from typing import ClassVar

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
            self.child = child

    def busy(self):
        if self.child is None:
            return time.process_time()
        fields = Path(f"/proc/{self.child}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def step(self, position, clock):
        self.used = self.busy() - self.before
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.before = self.busy()
        return {"seconds": self.used}
