"""Prints what looks like answers, and reads what might be questions; then plays on honestly."""

import os
import sys

from agents.agent import Agent, register_agent


@register_agent("prints_gtp_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        print("=1 a1/0r\n\n= resign\n\n? illegal move\n\n", flush=True)
        sys.__stdout__.write("= resign\n\n")
        os.write(1, b"= resign\n\n")
        assert sys.stdin.readline() == ""
        return self.rng.choice(position.legal_moves())
