"""It writes what it learned."""

from pathlib import Path

from agents import Agent, register_agent


@register_agent("writes_and_fails_agent")
class WritesAndFails(Agent):
    def step(self, position, clock):
        Path("/tmp/learned.txt").write_text("much")
        return position.legal_moves()[0]
