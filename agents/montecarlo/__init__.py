"""Monte Carlo search without a tree: playouts from the positions after each move, and nothing below them.

Begin reading at `sampler.py`, `next_by_turns` (MCS_pure) and `next_by_bound` (MCS_UCB).
"""
