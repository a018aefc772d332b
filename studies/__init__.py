"""Claims of the literature about this method, as programs: each study names a claim and its source, and measures it.

    python -m studies                     lists the studies
    python -m studies exploration         runs one; Ctrl-C and the same command continue it
    python -m studies all --quick         runs each of them in a few seconds, to see that it works

A study is a module, see `study.py`: a plan of units of work, a function that does a unit, a table and a picture, and
what is asked. `journal.py` keeps finished units, `running.py` runs units on several processors, `shares.py` and
`plots.py` have what several tables and pictures need, `results.py` writes them into `results/`, and `matches.py` plays
agents against each other in one process. Matches have fixed numbers of simulations or nodes, so a busy machine changes
nothing (`transpositions` also uses a clock, `knowledge` the processor time of each side). Begin reading at `study.py`,
then at `random_play.py`, a short study.
"""

STUDIES = (
    "ladder",
    "uctmax",
    "backups",
    "playouts_a_leaf",
    "selectivity",
    "formulas",
    "knowledge",
    "density",
    "exploration",
    "synthetic_trees",
    "convergence",
    "bandits",
    "pathology",
    "traps",
    "trap_values",
    "chess_traps",
    "chess_trap_values",
    "minimax_order",
    "chess_minimax_order",
    "proofs",
    "rave",
    "random_play",
    "transpositions",
    "tree_shape",
    "plain_go",
)
