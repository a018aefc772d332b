"""UCT on a static array that never loses unless every move loses.

The tree is four arrays of 64-bit words, one node an index (`tree.py`); a simulation is select, expand, simulate, backup
(`search.py`), with the formula of selection in `selection.py` and the proofs of wins, losses and draws in
`resolution.py`. `recycling.py` moves the subtrees that are worth keeping together when the array is full or the game
goes on. These are compiled and know a game only through the verbs of `game.py`.

Above them, in plain Python: `settings.py` says how to search, `searcher.py` holds the arrays and watches the clock,
`memory.py` makes room, `reuse.py` finds the next position in the tree, `choice.py` chooses the move, `analysis.py`
looks at a finished tree. Begin reading at `tree.py`.
"""
