"""Iterative deepening alpha-beta for any game with a static evaluation.

A search is a stack of frames, one for each ply, in arrays that are allocated once. It does not recurse, so it can stop
after any number of nodes and go on later; in between, plain Python reads the clock. Values are whole numbers for the
player to move, see `values.py`. In some games a player may move twice in a row, so each child says whether the turn
passes.

Begin reading at `values.py`, then `table.py`, `frames.py`, `search.py` (`run`), and `searcher.py` for iterative
deepening.
"""
