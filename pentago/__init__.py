"""Pentago Twist.

Represented by two bitboards of 36 bits, one a player: bit 9 q + 3 r + c is row r, column c of quadrant q (0 top left,
1 top right, 2 bottom left, 3 bottom right), so that a quadrant is nine neighbouring bits and a turn is one table
look-up. A move is a number below 288: 8 cell + 2 quadrant + turn, turn 0 = rotate 90 degrees clockwise, 1 = mirror left
to right. Begin reading at `tables.py`, then `rules.py` with `foresight.py`, then `game.py` (text, drawing,
errors).
"""
