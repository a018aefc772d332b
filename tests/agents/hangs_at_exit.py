"""Plays honestly, but does not end: `close`, a thread and an exit handler sleep for an hour."""

import atexit
import threading
import time

from agents.agent import Agent, register_agent


@register_agent("hangs_at_exit_agent")
class Scoundrel(Agent):
    def setup(self):
        atexit.register(time.sleep, 3600)
        threading.Thread(target=time.sleep, args=(3600,)).start()

    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())

    def close(self):
        time.sleep(3600)
