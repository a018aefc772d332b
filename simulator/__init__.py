"""Who plays whom, under which limits, and what happened; a package for each part of the work.

The way of a move: a command asks `tournament` for games, `tournament` asks `referee` for one game, and the referee asks
a `player` for a move. The player writes GTP (`gtp`) to the agent's process in its `sandbox`, and measures the time of
the answer. The referee plays the answer on its own position, which is the one that counts. `records` keeps what
happened, `statistics` counts it, and `terminal` and `report` show it. `course` is for games on the course's own server,
where another referee decides. Begin reading at `referee/game_record.py`, then `referee/referee.py`.
"""

import shlex
import sys
from pathlib import Path

NAME, VERSION = "Unforced", "0.1.0"
INSTALLED = "unforced"  # the command of an installed package


def command_line(*words: str) -> str:
    """What to type in a shell for these words: behind what started this program, or else what starts it here.

    The latter is for processes of workers and agents, and for Python sessions.
    """
    started, folder = (sys.argv or [""])[0], Path(__file__).resolve().parents[1]
    if Path(started).name == INSTALLED or folder.name in ("site-packages", "dist-packages"):
        return shlex.join([INSTALLED, *words])
    return shlex.join(["python", started if Path(started).name == "runner.py" else "runner.py", *words])
