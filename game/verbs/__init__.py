"""The compiled part of a game's contract: after an edit here (or in `game/network.py`), every search is compiled anew.

`flags.py` has the flags by which a search knows results, `search.py` the verbs of every game; `amaf.py`, `learning.py`
and `solver.py` have the verbs of some games. `bodies.py` has `implement`, and the bodies that follow from the rules.
Begin reading at `search.py`.
"""
