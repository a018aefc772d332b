"""Proofs on a tree: which nodes are won, lost or drawn for certain, and how a proof climbs to the root.

A node is resolved for the player to move in it:
    won   if its position is won, or one child is lost for the opponent who moves there;
    lost  if its position is lost, or every child is won for the opponent;
    drawn if its position is drawn, or every child is resolved and the best of them is a draw.
A resolved node is never visited again. Winands, Bjornsson & Saito, "Monte-Carlo Tree Search Solver", 2008, extended to
draws as the rules of Pentago need it. Where the same player moves again (SAME_MOVER), won and lost trade places.

A proof holds for the children that the game gives. In Go they may differ from the legal moves in two ways: a switch may
leave out moves that fill own eyes, and below the root the superko rule is not known.
"""

from agents.outcomes import outcome_for_chooser, outcome_of_children
from agents.uct.tree import child_count_of, first_child_of
from game import IMPLIED, OPEN, WON
from jit import jit  # first: it decides where compiled code is kept


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
