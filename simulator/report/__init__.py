"""A tournament as one static web page: standings, settings, what went wrong, and every game to be stepped through.

`data.py` makes one JSON object of a tournament's records, with `strength.py`, `usage.py` and `boards.py` (every board
of every game, from the game's own rules). `page.py` puts it into `template.html`, with the styles and scripts of this
folder; the page needs no network and asks for none. The scripts draw what Python has worked out: they know no
rule of any game. Begin reading at `data.report_json`, then `script/main.js`.
"""
