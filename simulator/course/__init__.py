"""The course's own server for Pentago Twist: its protocol, a client and a server that speak it, and its log files.

The protocol has lines of text over TCP (`protocol.py`); docs/course-server.md describes it. Client, server and log
files share the `CourseScoresheet`: it takes the moves of a game as they come and makes its `GameRecord` at the end.
Begin reading at `protocol.py`, then `client_game.py` (our agent on another server) and `server_game.py` (the referee's
rules for other clients). These know nothing of sockets, which are in `connection.py` and `server.py`.
"""
