"""A tournament as one static web page: standings, settings, what went wrong, and every game, board by board.

`page_data.py` makes one JSON object from a tournament's records, with `tables.py`, and another from each game, with
`boards.py` (every board, by the game's own rules). `page.py` puts the first object into `template.html`, with the
styles and scripts of this folder; `game_files.py` writes the others beside it. The page does not use the network. The
scripts draw what Python has computed: they do not know the rules of any game.
Begin reading at `page_data.report_json`, then `script/main.js`.

`student.py` makes the report of a check or a tournament for one student; `document.py` writes it as HTML or text, and
`gradescope.py` for Gradescope.
"""
