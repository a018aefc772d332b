"""Agents for games in plain Python, which have no compiled rules: they call only the methods of a position.

Begin reading at `uct.py`, the search; `uct_agent.py` makes an agent of it. `montecarlo.py` and `alphabeta.py` are the
other searches, `greedy.py` looks two moves ahead, and `ticker.py` ends each of them in time.
"""

# The classes that play such a game under the names of agents that need compiled rules.
PLAIN_AGENTS = {
    "greedy_agent": "agents.plain.greedy:PlainGreedyAgent",
    "montecarlo_agent": "agents.plain.montecarlo:PlainMonteCarloAgent",
    "minimax_agent": "agents.plain.alphabeta:PlainMinimaxAgent",
    "uct_agent": "agents.plain.uct_agent:PlainUctAgent",
}
