"""GTP, the Go Text Protocol, at both ends: our engine for any game, and the client of anybody's engine.

Requests and answers are lines of text (`syntax.py`), sent by `client.py`, answered by `server.py`. `engine.py` is a
board with the commands of `commands/`; its agent is in `agent_host.py`. Begin reading at `syntax.py`, then `engine.py`.
"""
