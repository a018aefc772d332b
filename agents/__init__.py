"""Agents. Each plays any game through `game.py` and knows nothing of the simulator.

Begin reading at `agent.py` (the base class, the limits, how agents are found), then `student_agent.py` (the template),
then `uct_agent.py` and `uct/` (the search).
"""

from agents.agent import Agent, AgentError, load_agent, register_agent
from agents.limits import Clock, Limits

__all__ = ["Agent", "AgentError", "Clock", "Limits", "load_agent", "register_agent"]
