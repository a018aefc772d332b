"""It asks its author."""

from agents import Agent, register_agent


@register_agent("asks_the_keyboard_agent")
class AsksTheKeyboard(Agent):
    def step(self, position, clock):
        return self.game.parse_move(input("Your move: "), position)
