"""The folder above is submitted."""

from agents import Agent, register_agent


@register_agent("folder_too_high_agent")
class FolderTooHigh(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
