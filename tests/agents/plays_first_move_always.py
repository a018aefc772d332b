"""Plays a1/0r whatever the position."""

from agents.agent import Agent, register_agent
from pentago.game import PentagoMove


@register_agent("plays_first_move_always_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return PentagoMove(0, 0, 0, 0)
