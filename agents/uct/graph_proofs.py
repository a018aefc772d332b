"""What is proved of a node: by its edges, and by the game's own exact search for forced wins.

The *solver* is asked about nodes that many visits reach: for a win within 3 plies first, after 16 times as many visits
within 5, then within 7. Each takes some hundred times as long as the one before. The solver may look at a number of
positions in proportion to the node's visits, so that it takes a fixed share of the search at most.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import least_known, outcome_for_chooser
from agents.uct.graph import (
    NOBODY,
    TRUNCATED,
    edge_count,
    from_fixed,
    is_resolved,
    mean_of,
    to_fixed,
    visits_of,
)
from game import IMPLIED, LOST, OPEN, SAME_MOVER, WON

ASKED_SHIFT = 12  # of a node's `count`: two bits say how often the solver was asked
MOST_ASKED = 3
ASKED = MOST_ASKED << ASKED_SHIFT
SOLVER_FACTOR_BITS = 4
# Which move wins, the solver does not say: it is asked about each move, with so many positions, then with more. It
# remembers most of what it has just found out, so the winning move takes few: of 24 wins within 7 plies of Pentago, 50
# at most and once 154. The others take as many as they may: with thousands, up to 0.8 s in all.
SHOWING_POSITIONS = (16, 64, 256)


# --- By edges -------------------------------------------------------------------------------------------------------


@jit
def outcome_of_edges(graph, node):
    """What the edges of a node prove of it: WON, LOST, DRAWN, or OPEN if they do not prove anything yet."""
    best = OPEN if np.int64(node.count) & TRUNCATED != 0 else LOST
    first = np.int64(node.first)
    for i in range(first, first + edge_count(node)):
        result = outcome_for_chooser(U64(graph.edges[i].stats))
        if result == WON:
            return WON
        best = least_known(best, result)
    return best


@jit
def resolve(graph, node):
    """Resolve a node if its edges prove it."""
    result = outcome_of_edges(graph, node)
    if result != OPEN:
        node.stats = np.uint32(U64(node.stats) | result | IMPLIED)


@jit
def minimax_of(graph, node):
    """The minimax value of a node for the player to move in it: of its edges as they are known now."""
    if is_resolved(node.stats):
        return game.value_of_outcome(U64(node.stats))
    if node.first == NOBODY:
        return mean_of(node)
    best, first = np.uint16(0), np.int64(node.first)
    for i in range(first, first + min(np.int64(node.tried) + 1, edge_count(node))):
        best = max(best, graph.edges[i].minimax)
    return from_fixed(best)


# --- By the solver --------------------------------------------------------------------------------------------------


@jit(inline="always")
def _visits_when_due(policy, asked):
    """After how many visits the solver is asked about a node, if it was asked so often before."""
    return np.int64(policy.solve_at) << SOLVER_FACTOR_BITS * asked


@jit(inline="always")
def is_solver_due(policy, node):
    """Whether an open node with edges was visited often enough for the solver's next question."""
    asked = np.int64(node.count) >> ASKED_SHIFT & MOST_ASKED
    is_wanted = policy.solve_at > 0 and asked < MOST_ASKED
    return is_wanted and visits_of(node.stats) >= _visits_when_due(policy, asked)


@jit(inline="always")
def ask_solver(kernel, policy, graph, work, index):
    """Ask for a forced win in a node; resolves it if there is one, the root only together with a move that wins."""
    node = graph.nodes[index]
    asked = np.int64(node.count) >> ASKED_SHIFT & MOST_ASKED
    node.count = np.uint16(np.int64(node.count) + (1 << ASKED_SHIFT))
    plies = 2 * asked + 3
    # A node that has lost its edges, and what was asked, may have any number of visits; the clock is not read here.
    visits = min(visits_of(node.stats), 2 * _visits_when_due(policy, asked))
    work.state[0], work.state[1] = node.payload0, node.payload1
    if not game.forced_win(work.solver, kernel, work.state, plies, np.int64(np.float32(visits) * policy.effort) + 1):
        return
    if index != graph.root[0] or _mark_winning_move(kernel, graph, work, node, plies):
        node.stats = np.uint32(U64(node.stats) | WON | IMPLIED)


@jit(inline="always")
def _mark_winning_move(kernel, graph, work, node, plies):
    """Resolve an edge of a node that wins within so many plies, for a solver that has just found that there is one.

    Returns whether it was found.
    """
    first = np.int64(node.first)
    for positions in SHOWING_POSITIONS:
        for i in range(first, first + edge_count(node)):
            edge = graph.edges[i]
            if is_resolved(edge.stats) or U64(edge.stats) & SAME_MOVER != U64(0):
                continue
            work.state[0], work.state[1] = node.payload0, node.payload1
            game.step(kernel, work.state, edge.payload0, edge.payload1)
            if game.forced_win(work.solver, kernel, work.state, plies - 1, positions):
                edge.stats = np.uint32(U64(edge.stats) | LOST | IMPLIED)
                edge.mean = edge.minimax = to_fixed(np.float32(1))
                return True
    return False
