"""Best-first minimax growth with playouts, for any game.

The tree is in arrays, the children of a node side by side. Every node keeps the playouts made below it; the next leaf
to expand is at the end of the line in which both players take the child with the best mean. Results that are certain
are kept as flags, and a node whose result is known is not entered again.

Begin reading at `tree.py`, then `search.py` (`run`), and `searcher.py` for what a finished search says. `flat.py` is
Monte Carlo search of the root's moves alone.
"""
