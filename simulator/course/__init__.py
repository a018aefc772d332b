"""The course's own server for Pentago Twist: its protocol, a client and a server that speak it, and its log files.

The protocol is one of text lines over TCP, in `protocol.py`; docs/course-server.md describes it. A `CourseScoresheet`
is what client, server and log files have in common: the moves of a game as they come, and in the end its `GameRecord`.
Begin reading at `protocol.py`, then `client_game.py` (an agent of ours at somebody's server) and `server_game.py` (the
referee's rules for somebody's clients), which know no sockets' details: those are in `connection.py` and `server.py`.
"""
