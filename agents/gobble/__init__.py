"""Gobble: "all moves as first", with an ordered list of moves for each player and a temperature that falls.

Bruegmann, "Monte Carlo Go", 1993, the first program of its kind. Each player has a list of all moves, sorted by the
average score of the games in which that player was the first to play the move. Before a game both lists are disordered
at random, less and less as the temperature falls. The game is played by these lists, and its result changes the
averages. There is no tree.

Begin reading at `order.py`, then `games.py` (`play`), and `searcher.py`.
"""
