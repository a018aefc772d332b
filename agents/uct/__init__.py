"""UCT on static arrays, with proofs of wins, losses and draws: a tree with playouts, a graph with an evaluation.

**Tree.** Four arrays of 64-bit words, one node an index (`tree.py`); a simulation is select, expand, simulate, backup
(`search.py`), with the formulas of selection in `selection.py` and `rave.py`, and the proofs of wins, losses and draws
in `resolution.py`. `recycling.py` moves the subtrees that are worth keeping together when the array is full or the game
goes on; `searcher.py` owns it all, and finds the next position in the tree. `studies/literature` extends it.

**Graph.** Records of 256 bits for positions and for moves, and a hash table (`graph.py`); what a position is worth and
which of its moves are stored (`graph_expansion.py`); what is proved of it (`graph_proofs.py`); a simulation
(`graph_search.py`), its numbers and working space (`graph_policy.py`); making room (`graph_recycling.py`); and
`graph_searcher.py`, which owns it all.

These are compiled and know a game only through the verbs of `game.py`. In plain Python, for both: `settings.py` says
how to search, `base.py` watches the clock, `memory.py` makes room, `choice.py` chooses the move, `analysis.py` looks at
a finished search, `searchers.py` makes the searcher that settings ask for, `compiling.py` moves in time while that is
compiled. Begin reading at `tree.py` or `graph.py`.
"""
