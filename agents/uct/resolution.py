"""No unforced loss: which nodes are won, lost or drawn for certain, and how a proof climbs to the root.

A node is resolved for the player to move in it:
    won   if its position is won, or one child is lost for the opponent who moves there;
    lost  if its position is lost, or every child is won for the opponent;
    drawn if its position is drawn, or every child is resolved and the best of them is a draw.
A resolved node is never visited again. Winands, Bjornsson & Saito, "Monte-Carlo Tree Search Solver", 2008, extended to
draws as the rules of Pentago need it. Where the same player moves again (SAME_MOVER), won and lost trade places.

A proof is one for the children that the game gives. In Go that is less than the truth in two ways: moves that a switch
leaves out (own eyes filled) are not looked at, and below the root the superko rule is not known.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.tree import SCORE_OF_WIN, child_count_of, first_child_of
from game import DRAWN, IMPLIED, LOST, OPEN, RESOLVED, SAME_MOVER, WON


@jit(inline="always")
def outcome_for_chooser(word):
    """WON, LOST, DRAWN or OPEN of a node, seen by the player who chose it."""
    result = word & RESOLVED
    if result == DRAWN or word & SAME_MOVER != U64(0):
        return result
    if result == WON:
        return LOST
    return WON if result == LOST else OPEN


@jit(inline="always")
def score_of_outcome(result):
    """A resolved outcome in sixteenths of a win, for the player whose outcome it is."""
    if result == WON:
        return np.int64(SCORE_OF_WIN)
    return np.int64(0) if result == LOST else np.int64(SCORE_OF_WIN // 2)


@jit(inline="always")
def least_known(best, result):
    """What two moves prove together, each proving LOST, DRAWN or nothing: OPEN, else the better of both."""
    if result == OPEN:
        return OPEN
    return DRAWN if result == DRAWN and best == LOST else best


@jit
def outcome_of_children(stats, first, count):
    """What the children prove of their parent: WON, LOST, DRAWN, or OPEN if they do not prove anything yet."""
    best = LOST
    for i in range(first, first + count):
        result = outcome_for_chooser(stats[i])
        if result == WON:
            return WON
        best = least_known(best, result)
    return best


@jit
def count_not_lost(tree, node):
    """How many children of a node are not proved to lose for the player who chooses there."""
    links = tree.links[node]
    first = first_child_of(links)
    count = 0
    for i in range(first, first + child_count_of(links)):
        count += outcome_for_chooser(tree.stats[i]) != LOST
    return count


@jit
def resolve_upwards(tree, path, depth):
    """Given that path[depth] has been resolved, resolve its ancestors on the path as far as the proof goes."""
    for i in range(depth - 1, -1, -1):
        node = path[i]
        result = outcome_for_chooser(tree.stats[path[i + 1]])
        if result != WON:
            links = tree.links[node]
            result = outcome_of_children(tree.stats, first_child_of(links), child_count_of(links))
        if result == OPEN:
            return
        tree.stats[node] |= result | IMPLIED
