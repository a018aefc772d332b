"""Says things of its move that no record can hold."""

from agents.agent import Agent, register_agent


@register_agent("lies_in_analysis_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        return {"value": float("nan"), "pv": [object(), {"a": float("inf")}], "nodes": 10**6000, "secret": 1}
