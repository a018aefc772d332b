"""Iterative deepening alpha-beta for any game with a static evaluation.

A search is a stack of frames, one a ply, in arrays that are allocated once: no recursion, so that it can stop after any
number of nodes and go on later, while plain Python reads the clock in between. Values are whole numbers for the player
to move, see `values.py`. Whether the turn passes is read off each child, since in some games a player moves twice.

Begin reading at `values.py`, then `table.py`, `frames.py`, `search.py` (`run`), and `searcher.py` for iterative
deepening.
"""
