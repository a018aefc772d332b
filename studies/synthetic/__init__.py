"""Games that are nothing but trees: what is right is known at every node, and depth, width and traps are chosen.

A node is a number that its path gives it, from which everything else follows, so that no tree is ever stored.
`rules.py` has both kinds of tree in compiled code, `game.py` makes them games that every search plays, `minimax.py` is
full-width minimax of a fixed depth, beside which the searches are held. Begin reading at `rules.py`.
"""
