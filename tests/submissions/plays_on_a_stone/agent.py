"""It remembers a move that was free once."""

from agents import Agent, register_agent


@register_agent("plays_on_a_stone_agent")
class PlaysOnAStone(Agent):
    def step(self, position, clock):
        self.move = getattr(self, "move", position.legal_moves()[0])
        return self.move
