"""What is kept of games: a tournament's records, one SQLite file, and files for other programs and for people.

A game is a `GameRecord` of the referee everywhere here; the database keeps it as JSON, and beside it in columns what is
asked for often. Begin reading at `database.Store`; `reader.read_games` reads games from any file that has some.
"""
