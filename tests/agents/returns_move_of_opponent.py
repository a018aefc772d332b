"""Answers with a move for the other side."""

from agents.agent import Agent, register_agent


@register_agent("returns_move_of_opponent_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        colour = self.game.players[1 - position.to_move]
        return f"{colour} {self.game.format_move(position.legal_moves()[0])}"
