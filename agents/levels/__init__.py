"""Levels for people to play against: a search of few simulations, and at the low end a share of moves that are weaker.

`table.py` has the levels and their names, `choice.py` how a weaker move is drawn, `agents/level_agent.py` is the agent.
How strong each is was measured: docs/levels.md.
"""
