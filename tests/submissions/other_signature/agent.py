"""`step` as other simulators call it."""

from agents import Agent, register_agent


@register_agent("other_signature_agent")
class OtherSignature(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return None
