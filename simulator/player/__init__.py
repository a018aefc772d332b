"""One agent as a player of one game: how it starts, what the referee asks it, and what it does wrong.

A player is either a Python agent behind our GTP engine (`agent_process.py`) or another program that speaks GTP. Both
run in a sandbox and are asked over sockets. `lookup.py`, `compile_ahead.py` and `source_hashes.py` are used before a
game. Begin reading at `player.py`; `launch_for` in `launch.py` says how an agent is started.
"""
