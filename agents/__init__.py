"""Agents. Each plays any game through `game/` and knows nothing of the simulator.

Begin reading at `agent.py` (the base class, the limits, how agents are found), then `student_agent.py` (the template),
then `plain/uct.py` (the search in plain Python), `uct_agent.py` and `uct/` (the same in compiled code).
"""

from agents.agent import Agent, AgentError, register_agent
from agents.limits import Clock, Limits
from agents.loading import load_agent

__all__ = ["Agent", "AgentError", "Clock", "Limits", "load_agent", "register_agent"]
