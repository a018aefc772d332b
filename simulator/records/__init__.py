"""How games are kept: a tournament's records in one SQLite file, and files for other programs and for people.

A game is always a `GameRecord` of the referee. The database keeps it as JSON, with columns for what is asked for
often. Begin reading at `store.Store`; `reader.read_games` reads games from any file that has some.
"""
