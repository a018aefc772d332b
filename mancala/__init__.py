"""Kalah, the best known of the mancala games: `pits` pits a player, `stones` stones in each at the start.

Players sow stones counter-clockwise, one in each pit, also into their own store but never into the opponent's. A
player's pits are numbered in that order, from 0 in compiled code and from 1 for people. So pit i lies opposite the
opponent's pit `pits` - 1 - i. In compiled code a player's pits and store are fields of one 64-bit word, or of two on
large boards. A move adds a row of a table to these words, and the side to move always comes first. Stones left in
the pits when the game is over count for their owner and stay where they are.

    tables.py     the kernel: the layout of the words, what sowing adds to them, chances by the difference of stores
    rules.py      sowing, capturing, successors, playouts
    verbs.py      the bodies of the verbs of `game/`
    position.py   positions for people
    game.py       the game of one board: text and drawing, what a search asks
    board_view.py the board on a screen

Begin reading at `tables.py`.
"""
