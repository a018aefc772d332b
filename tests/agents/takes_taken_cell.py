"""Plays on the cell on which it played before."""

from agents.agent import Agent, register_agent


@register_agent("takes_taken_cell_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        self.move = getattr(self, "move", None) or position.legal_moves()[0]
        return self.move
