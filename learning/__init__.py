"""Learning an evaluation from self-play: games by the search, a network trained on them, a match, and again.

A game can be learned if it has features (`game.features`) and an evaluation that reads a file of weights
(`Game.kernel_with`), and if its positions fit into the nodes of a graph or it has a table of symmetries
(`positions.records_features`). No agent imports anything from here: it needs only the file of weights. Begin reading
at `network.py` (what is learned), then `generations.py` (the loop).
"""
