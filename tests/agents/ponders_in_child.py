"""Has a child that never rests, and says by its value how much processor time that had between two turns."""

import mmap
import os
import struct
import time

from agents.agent import Agent, register_agent


@register_agent("ponders_in_child_agent")
class Scoundrel(Agent):
    def setup(self):
        self.shared = mmap.mmap(-1, mmap.PAGESIZE)
        self.used = self.before = 0.0
        if os.fork() == 0:
            while True:
                struct.pack_into("d", self.shared, 0, time.process_time())

    def childs_time(self):
        return struct.unpack_from("d", self.shared, 0)[0]

    def step(self, position, clock):
        self.used = self.childs_time() - self.before
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.before = self.childs_time()
        return {"value": self.used}
