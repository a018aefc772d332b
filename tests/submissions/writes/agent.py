"""It writes a log, and does not mind that it cannot."""

from contextlib import suppress

from agents import Agent, register_agent


@register_agent("writes_agent")
class Writes(Agent):
    def step(self, position, clock):
        with suppress(OSError), open("/tmp/my.log", "a") as file:
            file.write("thinking\n")
        return position.legal_moves()[0]
