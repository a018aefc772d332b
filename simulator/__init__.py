"""Who plays whom, under which limits, and what happened.

The way of a move: `match` asks `referee` for a game; `referee` asks a `seat` for a move; the seat writes GTP to the
agent's process (`worker`, or any other engine) and times the answer; the referee replays the answer on its own
position, which is the trusted one. Begin reading at `records.py` (what a game leaves behind), then `referee.py`.
"""

NAME, VERSION = "Unforced", "0.1.0"
