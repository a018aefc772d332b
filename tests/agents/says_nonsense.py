"""Plays random moves and says of each what no file and no screen should get; then passes."""

from agents.agent import Agent, register_agent

NESTED = 1
for _ in range(300):  # as deep as the agent's own process can say
    NESTED = [NESTED]

SAID = (
    {"value": NESTED, "pv": NESTED, "proven": NESTED, "nodes": {"a": NESTED}},
    {"proven": "\ud800", "pv": ["\udfff", "D4"], "value": "\ud800"},
    {"proven": "\x1b[2J", "pv": ["\u202eD4"], "value": "\x07", "simulations": 10**30},
)


@register_agent("says_nonsense_agent")
class Scoundrel(Agent):
    def setup(self):
        self.left = list(SAID)
        self.said = {}

    def step(self, position, clock):
        if not self.left:
            return "pass"
        self.said = self.left.pop(0)
        return next(move for move in position.legal_moves() if self.game.format_move(move) != "pass")

    def analysis(self):
        return self.said
