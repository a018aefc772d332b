"""It waits for something that never comes."""

import time

from agents import Agent, register_agent


@register_agent("hangs_in_import_agent")
class HangsInImport(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]


while True:
    time.sleep(0.01)
