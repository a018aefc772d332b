"""Gobble: all moves as first, with an order of moves for each player and a temperature that falls.

Bruegmann, "Monte Carlo Go", 1993, the first program of its kind. Both players keep a list of all moves, best first by
the average score of the games in which they were the first to play the move. A game is played by two such lists that
were disordered at random, the less the lower the temperature, and then changes the averages. There is no tree.

Begin reading at `order.py`, then `games.py` (`play`), and `searcher.py`.
"""
