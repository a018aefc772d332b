"""Games outside the project: the rules in one file, named by its path; docs/games.md says how to write one.

`load.py` finds the file and makes a class of `Game` from it; begin reading there. `plain.py` has games whose rules are
plain Python: a state is whatever the file's `play` returns, and no compiled code knows it; `compiled.py` has games with
compiled rules. `texts.py` writes and reads positions and moves, `grid.py` draws a board of rows and columns, with cells
to click.
"""
