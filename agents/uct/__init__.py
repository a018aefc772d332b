"""UCT on static arrays, with proofs of wins, losses and draws: a tree with playouts, a graph with an evaluation.

**Tree.** A node is an index into four arrays of 64-bit words (`tree.py`). A simulation selects, expands, simulates and
backs up (`search.py`). The formulas of selection are in `selection.py` and `rave.py`, the proofs of wins, losses and
draws in `resolution.py`. When the array is full or the game goes on, `recycling.py` keeps the useful subtrees.
`searcher.py` owns the arrays and finds the next position in the tree. `studies/literature` extends this search.

**Graph.** Positions and moves are records of 256 bits, with a hash table (`graph.py`). `graph_expansion.py` values a
position and stores its moves, `graph_proofs.py` proves positions, and `graph_search.py` makes simulations; their
parameters and working space are in `graph_policy.py`. `graph_recycling.py` makes room, and `graph_searcher.py` owns
the arrays.

All this is compiled and knows a game only through the verbs of `game/`. Both searches share these modules in plain
Python: `settings.py` says how to search, `base.py` watches the clock, `memory.py` decides how many nodes there are,
`choice.py` chooses the move, `analysis.py` looks at a finished search, `searchers.py` makes the searcher for given
settings, and `compiling.py` finds moves while the search is still being compiled. Begin reading at `tree.py` or
`graph.py`.
"""
