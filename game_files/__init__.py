"""Games that are not the project's: the rules in one file, named by its path; docs/games.md says how to write one.

`load.py` finds the file and makes a class of `Game` of it; begin reading there. `plain.py` is a game whose rules are
plain Python: a state is whatever the file's `play` returns, and no compiled code knows it. `texts.py` are its positions
and moves as text, `grid.py` the picture of a board of rows and columns, with cells to click.
"""
