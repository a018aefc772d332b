"""Learning an evaluation from self-play: games by the search, a network trained on them, a match, and again.

Any game can be learned that has features (`game.features`), positions that fit into the nodes of a graph, and an
evaluation that reads a file of weights (`Game.kernel_with`). No agent imports anything from here: what an agent needs
is the file. Begin reading at `network.py` (what is learned), then `generations.py` (the loop).
"""
