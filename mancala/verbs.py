"""The bodies that Kalah gives to the verbs of `game/`. A state is described in `rules.py`."""

import game
from mancala import rules
from mancala.tables import KalahKernel, WideKalahKernel


def _begin(kernel, state, root):
    state[0] = root[0]
    state[1] = root[1]


def _step(kernel, state, word0, word1):
    state[0] = word0
    state[1] = word1


def _values(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    rules.values_of_children(kernel, payload0, payload1, stats, first, count, values)


_BODIES = {
    "max_children": lambda kernel: kernel.pits,
    "apply": rules.sow_state,
    "outcome": rules.outcome,
    "to_move": rules.player_of,
    "children": rules.successors,
    "implied_plies": lambda kernel: 0,  # who has more than half of all stones has won, though others remain
    "playout": rules.random_playout,
    "evaluate": rules.evaluation,
}
IN_A_NODE = _BODIES | {  # for boards whose sides are one word
    "begin": _begin,
    "payload_is_position": lambda kernel: True,
    "step": _step,
    "child_move": lambda kernel, state, i, word0, word1: rules.sown_pit(kernel, state, i),
    "values": _values,
}
game.implement(KalahKernel, **IN_A_NODE)
game.implement(WideKalahKernel, **_BODIES)
