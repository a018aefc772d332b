"""Many games: who plays whom, played by several processes, kept in one file of records. A match is one of two agents.

What is played is a `TournamentSettings`; `fields.py` declares every setting once, for command lines and TOML files. The
`Coordinator` has pairs of games planned, gives them as tasks to the processes of `workers/`, saves what comes back, and
tells observers. Begin reading at `coordinator.py`, then `planner.py` and `tasks.py`.
"""
