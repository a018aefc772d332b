"""Many games: who plays whom, in several processes, with one file of records. A match is a tournament of two agents.

`TournamentSettings` say what is played; `fields.py` declares every setting once, for command lines and TOML files. The
`Coordinator` plans pairs of games, gives them as tasks to the processes of `workers/`, saves the results, and tells
observers. Begin reading at `coordinator.py`, then `planner.py` and `tasks.py`.
"""
