"""The agent on a graph: it plays a game, says what it has found, and gives its graph the memory that is left."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import runner
from agents.agent import load_agent, parse_agent
from agents.limits import Clock, Limits
from agents.process_memory import held_bytes
from agents.uct.graph import BYTES_A_NODE
from agents.uct_agent import UctAgent
from game import load_game
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from tests.gtp_engines import run, say

PENTAGO = load_game("pentago")
ON_A_GRAPH = "search=graph,evaluation=lines,solve=0,book=no,simulations=300,capacity=4000"
ATTACK = PENTAGO.parse_position(".w..../bbbbw./ww..../bw...w/bbbwww/...... b")  # a win in five plies or more
KEYS = {
    *("simulations", "playouts", "expanded", "nodes", "capacity", "node_bytes", "seconds", "peak_rss_mb"),
    *("value", "proven", "pv", "depth_max", "depth_mean", "depth_pv", "branching_mean"),
}


def agent_of(options=ON_A_GRAPH, seed=1, limits=None, game=PENTAGO):
    spec = parse_agent(f"uct_agent:{options}")
    return load_agent("uct_agent")(game, limits or Limits(), seed, spec.options)


@pytest.fixture(scope="module")
def agent():
    made = agent_of()
    made.setup()
    return made


# --- Moves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [0, 1])
def test_it_plays_whole_games_and_does_not_lose_to_random_moves(colour):
    agent, rng, position = agent_of(ON_A_GRAPH + ",reuse=yes"), random.Random(colour), PENTAGO.initial()
    while position.result is None:
        if position.to_move == colour:
            move = agent.step(position, Clock(2.0))
            found = agent.analysis()
            assert found["pv"][0] == PENTAGO.format_move(move)
            assert set(found) == KEYS
        else:
            move = rng.choice(position.legal_moves())
        position = position.play(move)
    assert position.result.winner == colour


# --- What it says ---------------------------------------------------------------------------------------------------


def test_analysis_of_a_proved_win_says_so_and_how():
    agent = agent_of("search=graph,evaluation=lines,solve=0,book=no,simulations=3000,capacity=6000")
    agent.step(ATTACK, Clock(2.0))
    found, position = agent.analysis(), ATTACK
    assert (found["proven"], found["value"]) == ("win", 1.0)
    for text in found["pv"]:
        position = position.play(PENTAGO.parse_move(text, position))
    assert position.result.winner == ATTACK.to_move


def test_gtp_says_what_the_search_has_found():
    def make(game, limits, seed):
        return UctAgent(game, limits, seed, parse_agent(f"uct_agent:{ON_A_GRAPH}").options)

    engine = Engine("pentago", AgentHost(make), command_sets("pentago"))
    assert say(engine, "genmove w").startswith("= ")
    found = json.loads(say(engine, "unforced-search_stats").removeprefix("= "))
    assert set(found) >= KEYS
    assert (found["simulations"], found["node_bytes"]) == (300, BYTES_A_NODE)
    assert all(answer.startswith("=") for answer in run(engine, "play b a1/0r", "genmove w", "undo", "genmove w"))


def analyze(*arguments):
    memory = str(held_bytes() // 1_000_000 + 300)
    return CliRunner().invoke(runner.main, ["analyze", "--memory", memory, *arguments])


def test_analyze_shows_a_table_of_moves_and_what_it_comes_to(monkeypatch):
    monkeypatch.setattr(type(PENTAGO), "search_defaults", {"search": "graph", "evaluation": "lines", "solve": 0})
    result = analyze("--simulations", "500", "--top", "4", "--moves", "c3/0r d4/1f")
    assert result.exit_code == 0, result.output
    for wanted in (
        "move ",
        "visits",
        "resolved",
        "best ",
        "variation ",
        "500 simulations",
        "recycled 0 times",
        "depth",
    ):
        assert wanted in result.output
    found = json.loads(analyze("--simulations", "500", "--json").output)
    assert (found["simulations"], found["node_bytes"], found["was_full"]) == (500, BYTES_A_NODE, False)
    assert sum(move["visits"] for move in found["moves"]) == 500


# --- Memory ---------------------------------------------------------------------------------------------------------


NOTHING_COMPILES = """
import gc
from numba.core.dispatcher import Dispatcher
from agents.limits import Clock, Limits
from agents.uct_agent import UctAgent
from game import load_game

def compiled():
    return {(d.py_func.__module__, d.py_func.__qualname__, *map(id, d.overloads.values())) for d in gc.get_objects()
            if issubclass(type(d), Dispatcher)}

agent = UctAgent(load_game("pentago"), Limits(move_seconds=0.3), 1, {"capacity": "20000", "book": "no"})
agent.setup()
before = compiled()
for text in (LOST, WON, START):
    position = agent.game.parse_position(text)
    position = position.play(agent.step(position, Clock(0.3)))
    agent.analysis()
print(sorted(compiled() - before))
"""


def test_nothing_is_compiled_or_loaded_within_a_move():
    texts = {
        "LOST": ".w..../.w..../.w.bb./....bb/wwb.../w..... b",
        "WON": "wwww../bbbb../....../....../....../...... w",
        "START": "....../....../....../....../....../...... w",
    }
    script = "".join(f"{name} = {text!r}\n" for name, text in texts.items()) + NOTHING_COMPILES
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1]
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
