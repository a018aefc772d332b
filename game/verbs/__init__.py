"""All of a game's contract that is compiled: an edit here compiles every search anew, one beside this folder none.

`flags.py` has what a search keeps of results, `search.py` the verbs of every game; `amaf.py`, `learning.py` and
`solver.py` have those of some games. `bodies.py` has what follows from the rules, and `implement`. Begin reading at
`search.py`.
"""
