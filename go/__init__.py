"""Go on boards from 2x2 to 19x19: area scoring, no suicide, simple ko in search, positional superko in real games.

A point is a number: 20 times the row plus the column, both counted from 1. So neighbours are at the same distances (1
and 20) on every board size, and points off the board can be marked. Point 0 is off every board; as a move it is a pass.
A position in compiled code is one array of uint64; `layout.py` describes it.

    tables.py     the kernel: size, komi, numbers for hashing, the 3x3 patterns, the switches of the search
    layout.py     the words of that array
    chains.py     stones, chains, liberties, captures
    rules.py      moves, captures, ko, suicide, eyes; whole positions
    scoring.py    who owns what, and the score
    patterns.py   the 3x3 patterns of MoGo
    tactics.py    atari, escape, self-atari, eyes that can be spoiled
    ladders.py    chains that are caught by one atari after the other
    playouts.py   uniformly random games, and games by rules that know a little
    kinds.py      what is on each point, as the networks see it
    priors.py     which moves a search should try first
    surroundings.py  what that says of a move: what is around it, by a small network
    evaluation.py what a position on 9x9 is worth, by a small network
    learning.py   the features from which that network is learned
    vectors.py    the sums of these networks, in vector instructions
    verbs.py      the bodies of the verbs of `game/`
    position.py   positions and moves for people; superko
    game.py       the game of one size and komi: text, set-up positions, what a search asks
    board_view.py the board on a screen
    estimate.py   who owns what before a game is over

Begin reading at `layout.py`.
"""
