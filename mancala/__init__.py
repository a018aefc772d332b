"""Kalah, the best known of the mancala games: `pits` pits a player, `stones` stones in each at the start.

The stones are sown counter-clockwise, one a pit, into the own store as well and never into the other's. A player's
pits are numbered in that order, from 0 in compiled code and from 1 for people, so that pit i lies opposite the other's
pit `pits` - 1 - i. In compiled code, the pits of a player and the store behind them are fields of one 64-bit word, of
two on large boards: moves add a row of a table to them, and the side to move is always the first of the two. Stones
that are left in the pits when the game is over count for their owner, and stay where they are.

    tables.py     the kernel: the layout of the words, what sowing adds to them, chances by the difference of stores
    rules.py      sowing, capturing, successors, playouts
    position.py   positions for people
    game.py       the game of one board: text and drawing, what a search asks

Begin reading at `tables.py`.
"""
