"""The bodies that Go gives to the verbs of `game/`. A state is described in `layout.py`."""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import DRAWN, LOST, OPEN, WON
from go import chains, rules, scoring
from go.evaluation import knows, value_by_network
from go.layout import (
    BANNED_COUNT,
    BLACK,
    BOTH,
    EMPTY,
    PASS,
    PASSES,
    TO_MOVE,
    TWO,
    ZERO,
)
from go.playouts import play_out, value_for
from go.priors import prior_of_pass, write_priors
from go.rules import is_banned, is_legal, is_own_eye
from go.tables import GoKernel


@jit
def outcome_for(kernel, state, colour):
    """WON, LOST or DRAWN for a colour, by area as the board stands."""
    score = scoring.area_score(kernel, state) - scoring.komi_of(state)
    if score == 0:
        return DRAWN
    return WON if (score > 0) == (colour == BLACK) else LOST


@jit
def write_children(kernel, state, payload0, payload1, stats, first):
    """Every legal move except own eyes, if the kernel keeps them, and a pass; see `game.children`."""
    n = first
    colour = state[TO_MOVE]
    banning = state[BANNED_COUNT] > ZERO
    # Where a pass is forbidden, filling an eye may be all that is left.
    keep_eyes = kernel.keep_eyes and not (banning and is_banned(state, PASS))
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        if state[p] != EMPTY or not is_legal(state, p) or (keep_eyes and is_own_eye(state, p, colour)):
            continue
        if banning and is_banned(state, p):
            continue
        payload0[n], payload1[n], stats[n] = p, ZERO, OPEN
        n += 1
    if kernel.priors:
        write_priors(kernel, state, payload0, payload1, first, n)
    if not (banning and is_banned(state, PASS)):
        payload0[n], payload1[n], stats[n] = PASS, ZERO, OPEN
        if kernel.priors:
            payload0[n] |= prior_of_pass()
        if state[PASSES] > ZERO:
            stats[n] = outcome_for(kernel, state, BOTH - colour)
        n += 1
    return n - first


@jit
def evaluation_by_points(kernel, state):
    """A value from a count of stones (less if in atari), of points that touch one player only, and of komi."""
    balance = np.float32(0)
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        in_atari = state[p] != EMPTY and chains.is_atari(chains.liberties_at(state, p))
        share_of_point = np.float32(0.25) if in_atari else np.float32(1)
        balance += share_of_point * np.float32(scoring.points_for_black(scoring.owner_of(state, p)))
    share = (balance - np.float32(scoring.komi_of(state))) / np.float32(2 * kernel.size * kernel.size)
    if state[TO_MOVE] != BLACK:
        share = -share
    return min(np.float32(1), max(np.float32(0), np.float32(0.5) + share))


@jit
def add_owners(kernel, state, owners):
    """Add 1 for black and -1 for white to each point by its owner at the end of a playout."""
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        owners[p] += scoring.points_for_black(scoring.owner_of(state, p))


@jit
def playout_value(kernel, state, rng, trace):
    """See `game.traced_playout`."""
    player = state[TO_MOVE]
    play_out(kernel, state, rng, trace)
    return value_for(kernel, state, player)


# --- The verbs ------------------------------------------------------------------------------------------------------


@jit
def _outcome(kernel, state):
    return outcome_for(kernel, state, state[TO_MOVE]) if state[PASSES] >= TWO else OPEN


@jit
def _evaluation(kernel, state):
    return value_by_network(kernel, state) if knows(kernel, state) else evaluation_by_points(kernel, state)


@jit
def _playout(kernel, state, rng):
    return playout_value(kernel, state, rng, kernel.spare)


game.implement(
    GoKernel,
    begin=rules.copy,
    max_children=lambda kernel: kernel.size * kernel.size + 1,
    to_move=lambda kernel, state: state[TO_MOVE] - BLACK,
    apply=lambda kernel, state, move: rules.play(state, U64(move)),
    outcome=_outcome,
    children=write_children,
    playout=_playout,
    traced_playout=playout_value,
    tally=add_owners,
    evaluate=_evaluation,
)
