"""Levels for people to play against: a search with few simulations; the low levels also play some moves at random.

`table.py` has the levels and their names, `choice.py` finds the moves that a weak player would still avoid, and
`agents/level_agent.py` is the agent. docs/levels.md says how strong each level is.
"""
