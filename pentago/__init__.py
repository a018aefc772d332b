"""Pentago Twist.

Each player has a bitboard of 36 bits: bit 9 q + 3 r + c is row r, column c of quadrant q (0 top left, 1 top right, 2
bottom left, 3 bottom right). So a quadrant is nine neighbouring bits, and a turn is one look-up in a table. A move is a
number below 288: 8 cell + 2 quadrant + turn, where turn 0 rotates by 90 degrees clockwise and turn 1 mirrors left to
right. Begin reading at `tables.py`, then `rules.py` with `foresight.py`, then `game.py` (text, drawing,
errors).
"""
