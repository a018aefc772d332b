"""Thinks until its time is nearly over; its study reports the first two legal moves."""

import time
from typing import ClassVar

from agents.agent import Agent, MoveReport, register_agent


@register_agent("waits_agent")
class Waits(Agent):
    default_options: ClassVar = {"looks": True}

    def step(self, position, clock):
        while clock.remaining > 0.05 if self.options["looks"] else clock.elapsed < 1.0:
            time.sleep(0.01)
        return position.legal_moves()[0]

    def study(self, position, seconds):
        time.sleep(seconds)
        first, second = position.legal_moves()[:2]
        return [MoveReport(first, 9, 0.75, 0.5, (first, second), "win"), MoveReport(second, 1, 0.25, 0.5, (second,))]
