"""Games that are nothing but trees: the right move is known at every node, and depth, width and traps can be chosen.

A node is a number that follows from its path, and everything else follows from that number, so no tree is ever stored.
`rules.py` has both kinds of tree in compiled code, `game.py` makes them games that every search can play, and
`minimax.py` is full-width minimax of a fixed depth, with which the searches are compared. Begin reading at `rules.py`.
"""
