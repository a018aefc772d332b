"""Is asked what it thought, and thinks: in the thread that is asked, or in another one.

`thinks_in_analysis.py:in_thread=1,seconds=0.15`. By its nodes it says how often it was asked.
"""

import threading
import time
from typing import ClassVar

from agents.agent import Agent, register_agent


def think(seconds):
    """Use so much processor time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@register_agent("thinks_in_analysis_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"in_thread": 0, "seconds": 0.15}
    asked = 0

    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.asked += 1
        seconds = self.options["seconds"]
        if self.options["in_thread"]:
            thread = threading.Thread(target=think, args=(seconds,), daemon=True)
            thread.start()
            thread.join()
        else:
            think(seconds)
        return {"nodes": self.asked}
