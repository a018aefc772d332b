"""Who plays whom, under which limits, and what happened; a package for each part of the work.

The way of a move: a command asks `tournament` for games, that asks `referee` for one, and the referee asks a `player`
for a move. The player writes GTP (`gtp`) to the agent's process, which is held in a `sandbox`, and times the answer;
the referee replays the answer on its own position, which is the one that counts. What happened is kept by `records`,
counted by `statistics`, and shown by `terminal` and `report`. Games at the course's own server, where another
referee decides, are in `course`. Begin reading at `referee/game_record.py`, then `referee/referee.py`.
"""

NAME, VERSION = "Unforced", "0.1.0"
