"""Every method plays every game through the wire: it keeps to the clock, and its analysis of each move can be read."""

import json

import pytest

from agents.limits import Limits
from agents.loading import load_agent
from agents.process_memory import held_bytes
from game import AmafGame, game_class, load_game
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.analysis import Analysis
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from tests.gtp_engines import run, say

METHODS = {
    "uct_agent": {"capacity": "20000", "book": "no"},
    "montecarlo_agent": {},
    "mcts_basic_agent": {"capacity": "20000"},
    "gobble_agent": {},
    "minimax_agent": {"depth": "0"},
    "studies/hybrid_agent.py": {"simulations": "100", "depth": "2"},
}
GAMES = {"tictactoe": {}, "extra_turn_nim": {}, "pentago": {}, "go": {"size": 5}}
# Each method is compiled for each game, which takes up to 20 s: all others are in the slow set.
QUICK = {
    ("pentago", "uct_agent"),
    ("tictactoe", "montecarlo_agent"),
    ("tictactoe", "minimax_agent"),
    ("extra_turn_nim", "mcts_basic_agent"),
}
CASES = [
    pytest.param(game, agent, marks=[] if (game, agent) in QUICK else pytest.mark.slow)
    for game in GAMES
    for agent in METHODS
]
MOVES = 12  # small games are over earlier


def engine_of(game, agent):
    agent_class, options = load_agent(agent), METHODS[agent]
    if agent == "studies/hybrid_agent.py" and game == "extra_turn_nim":  # it has no evaluation for UCTMAX_H
        options = options | {"preset": "playouts"}
    limits = Limits(30, 0.05, memory_mb=held_bytes() // 1_000_000 + 300)

    if agent == "uct_agent":  # it would move without its search until that is compiled
        agent_class(load_game(game, **GAMES[game]), limits, 1, options).setup()

    def make(the_game, limits, seed):
        return agent_class(the_game, limits, seed, options)

    return Engine(game, AgentHost(make, limits=limits, seed=1), command_sets(game), GAMES[game])


@pytest.mark.parametrize(("game", "agent"), CASES)
def test_every_method_plays_every_game_and_says_what_it_thought(game, agent):
    if agent == "gobble_agent" and not issubclass(game_class(game), AmafGame):
        pytest.skip(f"the moves of {game} have no numbers")
    engine, lines = engine_of(game, agent), []
    for _ in range(MOVES):
        if say(engine, "unforced-result") != "= none":
            break
        to_move = engine.position.to_move
        move = say(engine, f"genmove {engine.game.players[to_move]}")
        assert move.startswith("= ")
        found = json.loads(say(engine, "unforced-search_stats").removeprefix("= "))
        analysis = Analysis.from_json(found)
        assert analysis.note == ""
        assert analysis.pv[:1] in ((move.removeprefix("= "),), ())  # on a busy machine there may be no time to search
        lines.append(analysis.pv)
        assert 0 <= analysis.value <= 1
        assert analysis.seconds < 5
    assert any(lines)
    assert all(answer.startswith("=") for answer in run(engine, "undo", f"genmove {engine.game.players[to_move]}"))
