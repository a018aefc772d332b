"""It leaves when a check of its own fails."""

import sys

from agents import Agent, register_agent


@register_agent("exits_in_import_agent")
class ExitsInImport(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]


sys.exit("this machine has no GPU")
