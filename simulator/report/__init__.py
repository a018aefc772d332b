"""A tournament as one static web page: standings, settings, what went wrong, and every game to be stepped through.

`page_data.py` makes one JSON object of a tournament's records, with `tables.py`, and of each game another, with
`boards.py` (every board, from the game's own rules). `page.py` puts the first into `template.html`, with the styles and
scripts of this folder; `game_files.py` writes the others beside it. The page needs no network and asks for none. The
scripts draw what Python has worked out: they know no rule of any game.
Begin reading at `page_data.report_json`, then `script/main.js`.

What one student is shown, of a check or of a tournament, is `student.py`, as HTML or text by `document.py`; the same
for Gradescope is `gradescope.py`.
"""
