"""Prints lines with indentation, tabs and what cannot be printed, and plays honestly."""

import sys

from agents.agent import Agent, register_agent


@register_agent("prints_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        print("depth  value")
        print("    4   0.25\t|\x1b[2J\u202e")
        print("x" * 1000, "of", position.ply, file=sys.stderr)
        return self.rng.choice(position.legal_moves())
