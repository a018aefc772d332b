"""What is proved of a node: by its edges, and by the game's own exact search for forced wins.

The *solver* is asked about nodes that many visits reach: for a win within 3 plies first, after 16 times as many visits
within 5, then within 7. Each question takes some hundred times as long as the one before. The solver may look at a
number of positions in proportion to the node's visits, so that it takes a fixed share of the search at most. These can
be thousands: if a clock has to be read, a simulation waits in the middle of its path and goes on in the next chunk.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import least_known, outcome_for_chooser, outcome_of_children
from agents.uct.graph import (
    NOBODY,
    TRUNCATED,
    flags_of_move,
    from_fixed,
    is_resolved,
    mean_of,
    move_count,
    number_of_move,
    to_fixed,
    value_of_move,
    visits_of,
)
from agents.uct.graph_moves import first_edge, first_move, try_move
from game import DRAWN, IMPLIED, LOST, OPEN, SAME_MOVER, WON

ASKED_SHIFT = 12  # of a node's `count`: two bits say how often the solver was asked
MOST_ASKED = 3
ASKED = MOST_ASKED << ASKED_SHIFT
SOLVER_FACTOR_BITS = 4
# Places in `Workspace.asking`: what the solver is busy with; the depth at which a simulation waits for it, or NO_DEPTH;
# and how far the look for a winning move has come.
STAGE, DEPTH, ROUND, EDGE = 0, 1, 2, 3
NOTHING, SEEKING, SHOWING = 0, 1, 2
NO_DEPTH = -1
LONGEST_RESISTANCE = 5  # plies
# The solver does not say which move wins, so it is asked about each move, first with few positions, then with more. It
# remembers most of what it has just found out, so the winning move takes few positions: in 24 wins of Pentago within 7
# plies, 50 at most, and once 154. The other moves take all that they may: with thousands, up to 0.8 s together.
SHOWING_POSITIONS = (16, 64, 256)
SOONEST_POSITIONS = 30_000  # that the solver may look at for a sooner win than the one that is proved: 0.3 s
MISSED, WAITS, WINS = -1, -2, -3  # what a look for a win returns, if not the rank of a move


# --- By edges -------------------------------------------------------------------------------------------------------


@jit
def outcome_of_edges(graph, node):
    """What the edges of a node prove of it: WON, LOST, DRAWN, or OPEN if they do not prove anything yet.

    Moves without an edge count as open: of the stored ones, the best untried move is.
    """
    best = OPEN if np.int64(node.count) & TRUNCATED != 0 or np.int64(node.tried) < move_count(node) else LOST
    first = first_edge(node)
    for i in range(first, first + np.int64(node.tried)):
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
    if node.place == NOBODY:
        return mean_of(node)
    if np.int64(node.tried) == 0:
        return from_fixed(value_of_move(graph.moves[first_move(graph, node)]))
    header = np.int64(node.place)
    best = graph.edges[header].minimax
    for i in range(header + 1, header + 1 + np.int64(node.tried)):
        best = max(best, graph.edges[i].minimax)
    return from_fixed(best)


# --- By looking ahead -----------------------------------------------------------------------------------------------


@jit
def resistance(kernel, graph, work, index):
    """How many plies the player who has moved to an open node lasts there at least: 1, 3 or 5.

    1: the opponent wins at once. 3: the opponent has a move after which all replies lose at once. 5: neither.
    """
    node = graph.nodes[index]
    work.state[0], work.state[1] = node.payload0, node.payload1
    count = game.children(kernel, work.state, work.payload0, work.payload1, work.stats, 0)
    if outcome_of_children(work.stats, 0, count) == WON:
        return 1
    for i in range(count):
        if outcome_for_chooser(work.stats[i]) == OPEN:
            work.state[0], work.state[1] = node.payload0, node.payload1
            game.step(kernel, work.state, work.payload0[i], work.payload1[i])
            count_then = game.children(kernel, work.state, work.payload0, work.payload1, work.stats, count)
            if outcome_of_children(work.stats, count, count_then) == LOST:
                return 3
    return LONGEST_RESISTANCE


# --- By the solver --------------------------------------------------------------------------------------------------


@jit(inline="always")
def _visits_when_due(policy, asked):
    """After how many visits the solver is asked about a node, if it was asked `asked` times before."""
    return np.int64(policy.solve_at) << SOLVER_FACTOR_BITS * asked


@jit(inline="always")
def is_solver_due(policy, node):
    """Whether an open node with edges was visited often enough for the solver's next question."""
    asked = np.int64(node.count) >> ASKED_SHIFT & MOST_ASKED
    is_wanted = policy.solve_at > 0 and asked < MOST_ASKED
    return is_wanted and visits_of(node.stats) >= _visits_when_due(policy, asked)


@jit(inline="always")
def ask_solver(kernel, policy, graph, work, index):
    """Ask for a forced win in a node, or go on with that question; a win resolves the node.

    The root is resolved only together with a move that wins. Returns False if `work.left`, the number of positions that
    may be looked at now, is used up before there is an answer.
    """
    node = graph.nodes[index]
    if work.asking[STAGE] == NOTHING:
        node.count = np.uint16(np.int64(node.count) + (1 << ASKED_SHIFT))
    asked = np.int64(node.count) >> ASKED_SHIFT & MOST_ASKED
    # A node that has lost its edges, and with them how often it was asked about, may have any number of visits.
    visits = min(visits_of(node.stats), 2 * _visits_when_due(policy, asked - 1))
    found = _look_for_win(kernel, graph, work, index, 2 * asked + 1, np.int64(np.float32(visits) * policy.effort) + 1)
    if found == WAITS:
        return False
    if found >= 0:
        _mark_winning_move(graph, work, index, found)
    if found != MISSED:
        node.stats = np.uint32(U64(node.stats) | WON | IMPLIED)
    return True


@jit
def _look_for_win(kernel, graph, work, index, plies, positions):
    """Look for a win of a node within an odd number of plies, in so many positions at most, or go on with that.

    Returns MISSED if no win was found, WAITS if `work.left` is used up before there is an answer. If there is a win, it
    returns WINS; for the root instead the rank of a move that wins so soon, or MISSED if that move was not found.
    """
    node, asking = graph.nodes[index], work.asking
    if asking[STAGE] == NOTHING:
        work.state[0], work.state[1] = node.payload0, node.payload1
        game.begin_forced_win(work.solver, kernel, work.state, plies, positions)
        asking[STAGE], asking[ROUND], asking[EDGE] = SEEKING, 0, 0
    if asking[STAGE] == SEEKING:
        answer = game.go_on_with_forced_win(work.solver, kernel, work.left)
        if answer < 0:
            return WAITS
        asking[STAGE] = SHOWING if answer and index == graph.root[0] else NOTHING
        if asking[STAGE] == NOTHING:
            return WINS if answer else MISSED
    rank = _find_winning_move(kernel, graph, work, index, plies - 1)
    if rank != WAITS:
        asking[STAGE] = NOTHING
    return rank


@jit
def _find_winning_move(kernel, graph, work, index, plies):
    """The rank of a node's move that wins within `plies` after it; the solver has just found that there is one.

    Returns MISSED if the move was not found, WAITS if `work.left` is used up before.
    """
    asking, node = work.asking, graph.nodes[index]
    first, tried = first_edge(node), np.int64(node.tried)
    while asking[ROUND] < len(SHOWING_POSITIONS):
        positions = SHOWING_POSITIONS[asking[ROUND]]
        while asking[EDGE] < move_count(node):
            if work.left[0] <= 0:
                return WAITS
            rank = asking[EDGE]
            move = graph.moves[first_move(graph, node) + rank]
            flags = U64(graph.edges[first + rank].stats) if rank < tried else flags_of_move(move)
            asking[EDGE] += 1
            if outcome_for_chooser(flags) == LOST or flags & (DRAWN | SAME_MOVER) != U64(0):
                continue
            work.left[0] -= positions
            work.state[0], work.state[1] = node.payload0, node.payload1
            game.apply(kernel, work.state, number_of_move(move))
            if game.forced_win(work.solver, kernel, work.state, plies, positions):
                return rank
        asking[ROUND], asking[EDGE] = asking[ROUND] + 1, 0
    return MISSED


@jit(inline="always")
def _mark_winning_move(graph, work, index, rank):
    """Resolve the edge of a node's winning move, which has that rank; it is made if the move is untried."""
    node = graph.nodes[index]
    tried = np.int64(node.tried)
    if rank >= tried:
        try_move(graph, work, index, rank)
        rank = tried
    edge = graph.edges[first_edge(node) + rank]
    edge.stats = np.uint32(U64(edge.stats) | LOST | IMPLIED)
    edge.mean = edge.minimax = to_fixed(np.float32(1))


@jit(inline="always")
def seek_win(kernel, graph, work, plies):
    """Look for a win of the root within an odd number of plies, or go on with that.

    Returns the number of a move that wins so soon, MISSED if none was found, WAITS if `work.left` is used up before
    there is an answer.
    """
    index = graph.root[0]
    rank = _look_for_win(kernel, graph, work, index, plies, SOONEST_POSITIONS)
    return rank if rank < 0 else number_of_move(graph.moves[first_move(graph, graph.nodes[index]) + rank])
