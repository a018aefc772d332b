"""The verbs of games for which an evaluation can be learned: `LearnedGame`, and `learning/`."""

from jit import dispatched  # first: it decides where compiled code is kept


@dispatched
def features(kernel, state, active):
    """Write the features that `state` has, as the player to move sees them, and return its bucket; for learning.

    `active` is int32[LearnedGame.active_features], each below `feature_count`; a bucket, below `feature_buckets`,
    says which kind of position it is: how full the board is, say. It selects the last weights of an evaluation.
    """


@dispatched
def mirror(kernel, state):
    """Change `state` to another position that is worth the same by a symmetry of the game, if it has one."""
