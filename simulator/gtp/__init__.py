"""GTP, the Go Text Protocol, at both ends: our engine for any game, and a client for any engine.

Requests and answers are lines of text (`syntax.py`); `client.py` sends requests, and `server.py` answers them.
`engine.py` is a board with the commands of `commands/`; `agent_host.py` has its agent. Begin reading at `syntax.py`,
then `engine.py`.
"""
