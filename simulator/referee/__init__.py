"""One game between two players whom nobody trusts: its clocks, its verdict, its record.

A game is played under `Conditions` and leaves a `GameRecord`. While it is played, observers get its events
(`events.py`). Begin reading at `game_record.py`, then `referee.py`.
"""
