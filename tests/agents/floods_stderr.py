"""Prints 30 MB to stderr before each move, then plays honestly."""

import sys

from agents.agent import Agent, register_agent


@register_agent("floods_stderr_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        for _ in range(300):
            sys.stderr.write("y" * 99_999 + "\n")
        print("done", file=sys.stderr)
        return self.rng.choice(position.legal_moves())
