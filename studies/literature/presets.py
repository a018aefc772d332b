"""Settings that belong together, by the names that the literature gives them."""

import agents.uct_agent
from agents.uct_agent import Preset

_TREE = {"memory": "recycle", "reuse": False, "book": False}
# The literature's searches do not use what a game recommends for new children and playouts; nor do they resign or end
# early (`_MEAN`). Proofs they do use, except with `proofs=no`.
_KNOWLEDGE = {"foresight": False, "heavy": False, "priors": False}
_MEAN = (
    _TREE
    | _KNOWLEDGE
    | {"formula": "ucb1", "c": 0.5, "backup": "mean", "final": "visits", "expand_at": 1, "stop": "proof", "resign": 0.0}
)
_SQRT_2 = 1.4142135623730951

PRESETS: dict[str, Preset] = agents.uct_agent.PRESETS | {
    "uct": Preset(
        "UCT: UCB1 with c = sqrt 2, one playout a leaf, means, the most visited move (Kocsis & Szepesvari, "
        "Bandit Based Monte-Carlo Planning, 2006)",
        _MEAN | {"c": _SQRT_2, "leaf": "playout", "playouts": 1},
    ),
    "uct_h": Preset(
        "UCT with the game's evaluation in place of playouts, and means (Ramanujan & Selman, Trade-Offs in "
        "Sampling-Based Adversarial Planning, 2011)",
        _MEAN | {"leaf": "evaluation"},
    ),
    "uctmax_h": Preset(
        "UCT with the game's evaluation in place of playouts, and minimax in place of means (Ramanujan & Selman 2011)",
        _MEAN | {"leaf": "evaluation", "backup": "minimax"},
    ),
    "valkyria": Preset(
        "UCB1 with c = 1 / sqrt 5, as in Valkyria, and the move with the best mean at the end (M. Persson; Sensei's "
        "Library, page UCT)",
        _MEAN | {"formula": "valkyria", "uctk": 1.0, "leaf": "playout", "playouts": 1, "final": "value"},
    ),
    "dailey": Preset(
        "every move is credited with wins that grow with the simulations of its parent (D. Dailey, list computer-go, "
        "September 2006)",
        _MEAN | {"formula": "dailey", "leaf": "playout", "playouts": 1},
    ),
    "ucb1_tuned": Preset(
        "UCB1-TUNED: less exploration where results vary less (Auer, Cesa-Bianchi & Fischer 2002; Gelly et al. 2006)",
        _MEAN | {"formula": "ucb1_tuned", "c": 1.0, "c1": _SQRT_2, "c2": 0.25, "leaf": "playout", "playouts": 1},
    ),
    "rave": Preset(
        "MC-RAVE: a first opinion of a move by what it was worth later on in playouts (Gelly & Silver 2007, 2011)",
        _MEAN | {"formula": "rave", "c": 0.0, "leaf": "playout", "playouts": 1},
    ),
    "mcts": Preset(
        "MCTS(x) with UCB: x playouts for each new child, here 4 (option playouts), which count as one visit; expanded "
        "when it is visited again",
        _MEAN | {"leaf": "playout", "playouts": 4, "expand_at": 1},
    ),
    "mean_to_minimax": Preset(
        "playouts, backed up as means at first and as minimax when visits grow (Bouzy 2004; Coulom 2006)",
        _MEAN | {"leaf": "playout", "playouts": 1, "backup": "mean_to_minimax"},
    ),
    "implicit": Preset(
        "means of playouts and the minimax of evaluations, weighed 0.6 to 0.4 (Lanctot, Winands, Pepels & Sturtevant, "
        "Implicit Minimax Backups, 2014)",
        _MEAN | {"leaf": "playout", "playouts": 1, "backup": "implicit", "minimax": 0.4},
    ),
}
