"""The verbs of games for which an evaluation can be learned: see `LearnedGame`, and `learning/`."""

from jit import dispatched  # first: it decides where compiled code is kept


@dispatched
def features(kernel, state, active):
    """Write the features that `state` has, as the player to move sees them, and return its bucket; for learning.

    `active` is int32[LearnedGame.active_features], each below `feature_count`. The bucket, below `feature_buckets`, is
    a kind of position, by how full the board is, for example; it selects the bias and the output weights of a network.
    A game on a tree may say -1 for a position about which its evaluation is not asked, which is then not recorded.
    """


@dispatched
def mirror(kernel, state):
    """Change `state` to a position that is worth the same by a symmetry of the game, if the game has a symmetry."""
