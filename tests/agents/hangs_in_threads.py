"""Waits for a thread of its own that waits for ever."""

import threading

from agents.agent import Agent, register_agent


def wait_for_ever():
    threading.Event().wait()


@register_agent("hangs_in_threads_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            thread = threading.Thread(target=wait_for_ever, daemon=True)
            thread.start()
            thread.join()
        return self.rng.choice(position.legal_moves())
