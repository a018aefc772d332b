"""Best-first minimax growth with playouts, for any game.

The tree is in arrays, and the children of a node lie side by side. Every node counts the playouts below it. The next
leaf to expand is at the end of the line in which both players take the child with the best mean. Flags mark proved
results, and the search does not enter a proved node again.

Begin reading at `tree.py`, then `search.py` (`run`), and `searcher.py` for what a finished search reports. `flat.py` is
Monte Carlo search of the root's moves alone.
"""
