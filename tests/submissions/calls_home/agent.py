"""It asks a server."""

import socket
from contextlib import suppress

from agents import Agent, register_agent


@register_agent("calls_home_agent")
class CallsHome(Agent):
    def step(self, position, clock):
        with suppress(OSError):
            socket.create_connection(("192.0.2.1", 80), timeout=0.1)
        return position.legal_moves()[0]
