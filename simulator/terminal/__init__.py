"""What people see in a terminal, and type there, in lines: a game against an agent, a match, tables, a finished game.

This package decides nothing: observers (`live.py`, `events.py`) get events, and tables are functions of records.
Begin reading at `live.LineObserver` for matches and tournaments, at `play.LineFrontEnd` for a person's game, whose
commands are in `simulator.play.commands`.
"""
