"""Answers the next question before it is asked."""

import contextlib
import os
import threading
import time

from agents.agent import Agent, register_agent


@register_agent("speaks_unasked_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        threading.Timer(0.05, self.speak).start()
        return self.rng.choice(position.legal_moves())

    def speak(self):
        for descriptor in range(3, 20):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"=4 a1/0r\n\n")

    def analysis(self):
        time.sleep(0.15)
        return {}
