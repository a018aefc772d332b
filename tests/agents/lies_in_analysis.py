"""Reports an analysis of each move that no record can hold, each time another one.

With a deed, such as `lies_in_analysis.py:deed=sleeps`, it takes its time for the analysis instead.
"""

import threading
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

SAYABLE = 300  # so deep that the agent's own process can still write it
SURROGATE = "\ud800"
ESCAPE = "\x1b[2J\x07\u202e"


def nested(depth=700):
    """A list in a list, and so on: Python can write it, but cannot always read it again."""
    inner = 1
    for _ in range(depth):
        inner = [inner]
    return inner


SAID = [
    {"value": float("nan"), "pv": [object(), {"a": float("inf")}], "nodes": 10**6000, "secret": 1},
    {"value": nested(), "pv": nested(), "nodes": nested(), "proven": nested()},
    {"pv": [{"a": nested()}], "depth_max": {"a": nested()}},
    {"value": 0.5, "pv": [SURROGATE, f"a1/0r {SURROGATE}"], "proven": SURROGATE},
    {"value": 0.5, "pv": [ESCAPE, f"a1/0r{ESCAPE}"], "proven": ESCAPE},
    {"value": 0.5, "pv": ["=1+1", "@SUM(1)", "<script>alert(1)</script>"], "proven": "=1+1"},
    {"value": True, "nodes": False, "pv": "a1/0r", "depth_max": "7", "seconds": -0.0},
    dict.fromkeys(("value", "pv", "proven", "nodes"), nested(SAYABLE)),
    {"value": SURROGATE, "pv": ["\udfff", "a1/0r"], "proven": SURROGATE},
    {"value": ESCAPE, "pv": ["\u202ea1/0r"], "proven": ESCAPE, "simulations": 10**30},
]


def thinks(agent):
    """Uses processor time; its `nodes` say how often it was asked."""
    agent.asked += 1
    until = time.thread_time() + 0.15
    while time.thread_time() < until:
        pass
    return {"nodes": agent.asked}


def thinks_in_thread(agent):
    thread = threading.Thread(target=thinks, args=(agent,), daemon=True)
    thread.start()
    thread.join()
    return {"nodes": agent.asked}


def sleeps(agent):
    time.sleep(0.5)
    return {"value": 1.0}


SLOW = {"thinks": thinks, "thinks_in_thread": thinks_in_thread, "sleeps": sleeps}


@register_agent("lies_in_analysis_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": ""}
    asked = 0

    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        if deed := self.options["deed"]:
            return SLOW[deed](self)
        self.asked += 1
        return SAID[self.asked % len(SAID)]
