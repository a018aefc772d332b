"""Gives verbs their bodies: a game's own, and for its other verbs bodies that follow from its rules."""

from collections.abc import Callable
from typing import Any

from jit import U64, give_body, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game.verbs import search
from game.verbs.amaf import AMAF_MOVE_BITS, move_number, tally, traced_playout
from game.verbs.flags import OPEN, SAME_MOVER, value_for_chooser, value_of_outcome
from game.verbs.learning import features, mirror


def _copy(kernel, state, root):
    for i in range(len(root)):
        state[i] = root[i]


def _values_one_by_one(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    for i in range(count):
        search.begin(kernel, scratch, state)
        search.step(kernel, scratch, payload0[first + i], payload1[first + i])
        values[i] = value_for_chooser(stats[first + i], search.evaluate(kernel, scratch))


@jit(allocates=True)
def _distinct_successors(kernel, state, payload0, payload1, stats, first):
    """`children` by `moves`, `apply` and `outcome`: the payload is the move's number; each state is written once."""
    found = np.empty(search.max_children(kernel), np.int64)
    after = np.empty((len(found), len(state)), state.dtype)
    player, n = search.to_move(kernel, state), 0
    for i in range(search.moves(kernel, state, found)):
        search.begin(kernel, after[n], state)
        search.apply(kernel, after[n], found[i])
        if _is_new(after, n):
            flags = search.outcome(kernel, after[n])
            payload0[first + n], payload1[first + n] = U64(found[i]), U64(0)
            stats[first + n] = flags | SAME_MOVER if search.to_move(kernel, after[n]) == player else flags
            n += 1
    return n


@jit
def _is_new(states, n):
    """Whether states[n] differs from each of the first n states."""
    for i in range(n):
        k = 0
        while k < states.shape[1] and states[i, k] == states[n, k]:
            k += 1
        if k == states.shape[1]:
            return False
    return True


@jit(allocates=True)
def random_playout(kernel, state, rng, trace, longest):
    """`playout` by `moves`, `apply` and `outcome`; it is a draw if the game is still open after `longest` moves.

    `trace` is that of `traced_playout`, or None.
    """
    found = np.empty(search.max_children(kernel), np.int64)
    player, flags = search.to_move(kernel, state), OPEN
    while flags == OPEN:
        if longest == 0:
            return np.float32(0.5)
        longest -= 1
        move = found[random_below(rng, search.moves(kernel, state, found))]
        if trace is not None and trace[move] == 0:
            trace[move] = 1 if search.to_move(kernel, state) == player else 2
        search.apply(kernel, state, move)
        flags = search.outcome(kernel, state)
    value = value_of_outcome(flags)
    return value if search.to_move(kernel, state) == player else np.float32(1) - value


ENDLESS = 1 << 62  # moves: no limit
_MOVE_MASK = U64((1 << AMAF_MOVE_BITS) - 1)
_NEEDED = (search.max_children, search.moves, search.apply, search.outcome)
_DEFAULTS: dict[Callable[..., Any], Callable[..., Any]] = {
    search.children: _distinct_successors,
    search.step: lambda kernel, state, word0, word1: search.apply(kernel, state, np.int64(word0 & _MOVE_MASK)),
    search.playout: lambda kernel, state, rng: random_playout(kernel, state, rng, None, ENDLESS),
    traced_playout: lambda kernel, state, rng, trace: random_playout(kernel, state, rng, trace, ENDLESS),
    search.begin: _copy,
    search.to_move: lambda kernel, state: state[len(state) - 1],
    search.payload_is_position: lambda kernel: False,
    search.child_move: lambda kernel, state, i, word0, word1: move_number(kernel, word0, word1),
    search.implied_plies: lambda kernel: 1,
    search.evaluate: lambda kernel, state: np.float32(0.5),
    search.values: _values_one_by_one,
    mirror: lambda kernel, state: None,
    move_number: lambda kernel, word0, word1: word0 & _MOVE_MASK,
    tally: lambda kernel, state, owners: None,
}
_VERBS = {verb.__name__: verb for verb in (*_NEEDED, *_DEFAULTS, features)}
_own_bodies: set[tuple[Callable[..., Any], type]] = set()  # (verb, class of kernels), without those of _DEFAULTS


def offers(kernel: Any, *verbs: Callable[..., Any]) -> bool:
    """Whether the game of a kernel has a body of its own for one of these verbs."""
    return any((verb, type(kernel)) in _own_bodies for verb in verbs)


def implement(kernel: type, **bodies: Callable[..., Any]) -> None:
    """Give the verbs their bodies for games whose kernel is of that class: compiled functions, or short plain ones.

    `max_children`, `moves`, `apply` and `outcome` are a game. The other verbs follow from them, but slowly, and a
    search then replays moves from the root. A game that has `children` and `playout` needs no `moves`. By default
    `begin` copies the array, `to_move` is its last word, `payload_is_position` is false, `implied_plies` is 1,
    `evaluate` has no opinion (0.5), `values` asks `evaluate` for each child, `mirror` leaves the state as it is,
    `move_number` is the lowest bits of word 0, `child_move` asks `move_number`, and `tally` adds nothing. Raises
    TypeError for a missing or unknown verb, and for a body whose parameters are not those of its verb.
    """
    for name in sorted(set(bodies) - set(_VERBS)):
        raise TypeError(f"{kernel.__name__}: there is no verb {name}")
    own = {_VERBS[name]: body for name, body in bodies.items()}
    for verb in _NEEDED:
        if verb not in own and not (verb is search.moves and {search.children, search.playout} <= set(own)):
            raise TypeError(f"{kernel.__name__}: {verb.__name__} lacks its body")
    _own_bodies.update((verb, kernel) for verb in own)
    for verb, body in (_DEFAULTS | own).items():
        give_body(verb, kernel, body)
