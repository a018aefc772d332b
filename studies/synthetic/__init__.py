"""Games that are nothing but trees: the right move can be computed, and depth, width and traps can be chosen.

A node is two words that follow from those of its parent and the move, so no tree is ever stored. `rules.py` has both
kinds of tree in compiled code, `game.py` makes them games that every search can play, and `minimax.py` is full-width
minimax of a fixed depth, with which the searches are compared. Begin reading at `rules.py`.
"""
