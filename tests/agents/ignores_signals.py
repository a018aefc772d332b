"""Asks not to be disturbed, and sleeps."""

import signal
import time

from agents.agent import Agent, register_agent


@register_agent("ignores_signals_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCONT):
                signal.signal(number, signal.SIG_IGN)
            while True:
                time.sleep(60)
        return self.rng.choice(position.legal_moves())
