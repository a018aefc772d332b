"""One game between two players that nobody trusts: its clocks, its verdict, its record.

The conditions of a game are a `Conditions`, what it leaves behind is a `GameRecord`; while it is played, an
observer is told of it (`events.py`). Begin reading at `game_record.py`, then `referee.py`.
"""
