"""Who plays whom, under which limits, and what happened; a package for each part of the work.

The way of a move: a command asks `tournament` for games, `tournament` asks `referee` for one game, and the referee asks
a `player` for a move. The player writes GTP (`gtp`) to the agent's process in its `sandbox`, and measures the time of
the answer. The referee plays the answer on its own position, which is the one that counts. `records` keeps what
happened, `statistics` counts it, and `terminal` and `report` show it. `course` is for games on the course's own server,
where another referee decides. Begin reading at `referee/game_record.py`, then `referee/referee.py`.
"""

NAME, VERSION = "Unforced", "0.1.0"
