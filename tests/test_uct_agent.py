"""The agent: its options, its memory, what it says of a move, and the tactics that it must not miss."""

import json
from pathlib import Path

import psutil
import pytest

from agents import process_memory
from agents.agent import RESIGN, AgentError, load_agent, parse_agent
from agents.limits import Clock, Limits
from agents.process_memory import RESERVE_BYTES, held_bytes, peak_bytes, resident_bytes
from agents.uct.graph import BYTES_A_NODE
from agents.uct.memory import capacity_within, repeatable_capacity
from agents.uct.searcher import Searcher
from agents.uct.tree import MAX_NODES, NODE_BYTES
from game import load_game

TACTICS = Path(__file__).parent / "data" / "pentago_twist_tactics.jsonl"
PLAYOUTS = "uct_agent:preset=playouts,simulations=2000,capacity=100000"
NEARLY_WON = "wwww../bbbb../....../....../....../...... w"
MB = 1_000_000


def agent_of(text, seed=1, limits=None):
    """The agent that a text on the command line names."""
    spec = parse_agent(text)
    return load_agent(text)(load_game("pentago"), limits or Limits(), seed, spec.options)


def ready(text="uct_agent:simulations=2000,capacity=100000", seed=1):
    agent = agent_of(text, seed)
    agent.setup()
    return agent


# --- Options ---------------------------------------------------------------------------------------------------------


def test_options_are_read_from_the_text():
    agent = agent_of("uct_agent:search=tree,c=0.4,simulations=100,reuse=yes,memory=recycle,final=value,foresight=off")
    settings = agent._settings
    assert (settings.c, settings.reuse, settings.switches["foresight"]) == (0.4, True, False)
    assert (settings.memory, settings.final) == ("recycle", "value")
    assert agent.options["simulations"] == 100


# --- Moves -----------------------------------------------------------------------------------------------------------


def test_same_seed_and_simulations_give_the_same_moves_and_values():
    games = []
    for seed in (5, 5, 6):
        agent, position, game = ready(PLAYOUTS, seed=seed), load_game("pentago").initial(), []
        for _ in range(3):
            move = agent.step(position, Clock(2.0))
            position = position.play(move)
            game.append((str(move), agent.analysis()["value"]))
        games.append(game)
    assert games[0] == games[1] != games[2]  # on a graph, there is nothing random


def test_simulations_are_those_asked_for_whatever_the_clock_says():
    agent = ready()
    agent.step(agent.game.initial(), Clock(0.0))
    assert agent.analysis()["simulations"] == 2000


def test_an_agent_that_was_not_set_up_sets_itself_up():
    agent = agent_of("uct_agent:simulations=100,capacity=10000")
    position = agent.game.initial()
    assert agent.step(position, Clock(30.0)) in position.legal_moves()


def cases():
    lines = [json.loads(line) for line in TACTICS.read_text().splitlines()]
    for kind, depth in (("win", 1), ("win", 3), ("safe", 1), ("safe", 3)):
        yield from [case for case in lines if (case["kind"], case["depth"]) == (kind, depth)][::4]


def test_no_tactic_within_three_plies_is_missed():
    agent = ready("uct_agent:simulations=30000,capacity=100000")
    missed, tried = [], 0
    for case in cases():
        position = agent.game.parse_position(case["position"])
        wanted = {str(position.play(agent.game.parse_move(text, position))) for text in case["moves"]}
        tried += 1
        found = str(position.play(agent.step(position, Clock(2.0)))) in wanted
        # A win that is proved, only slower, is a win.
        if not found and not (case["kind"] == "win" and agent.analysis()["proven"] == "win"):
            missed.append(case)
    assert tried == 40
    assert missed == []


# --- What it says ----------------------------------------------------------------------------------------------------


def test_analysis_says_what_is_true_of_an_open_position():
    agent = ready()
    assert agent.analysis() == {}
    move = agent.step(agent.game.initial(), Clock(2.0))
    found = agent.analysis()
    assert set(found) == {
        *("simulations", "playouts", "expanded", "nodes", "capacity", "node_bytes", "seconds", "peak_rss_mb"),
        *("value", "proven", "pv", "depth_max", "depth_mean", "depth_pv", "branching_mean"),
    }
    assert json.loads(json.dumps(found)) == found
    assert (found["pv"][0], found["depth_pv"]) == (agent.game.format_move(move), len(found["pv"]))
    assert 0 < found["value"] < 1 and found["proven"] is None
    assert (found["capacity"], found["node_bytes"]) == (100_000, BYTES_A_NODE)
    assert 36 < found["nodes"] <= 100_000
    assert (found["simulations"], found["playouts"]) == (2000, 0)
    assert 1 <= found["depth_mean"] <= found["depth_max"]
    assert found["peak_rss_mb"] >= 0.9 * held_bytes() / 2**20
    agent.close()
    assert agent._searcher is None
    assert agent.analysis() == {}


def test_analysis_of_a_win_says_win_with_value_one():
    agent = ready()
    agent.step(agent.game.parse_position(NEARLY_WON), Clock(2.0))
    found = agent.analysis()
    assert (found["proven"], found["value"], found["depth_pv"]) == ("win", 1.0, 1)


# --- Resigning -------------------------------------------------------------------------------------------------------

LOST, HOPEFUL = 0.1, 0.9
AGAIN = 2  # stones; whoever takes as many moves again


def asked(monkeypatch, *questions):
    """What an agent answers to questions: (position of Nim, the move that it finds best, the value that it finds)."""
    agent = load_agent("uct_agent")(NIM, Limits(), 1, {"simulations": "10", "capacity": "1000", "resign": "0.2"})
    answers = []
    for position, move, value in questions:
        monkeypatch.setattr(Searcher, "best_move", lambda searcher, move=move: move)
        monkeypatch.setattr(Searcher, "value", value)
        answers.append(agent.step(position, Clock(2.0)))
    return answers


def after(position, *moves):
    for move in moves:
        position = position.play(move)
    return position


NIM = load_game("extra_turn_nim")
START = NIM.initial()


def each_turn(*moves, turns=3):
    """The positions of as many own turns, between two of which these moves are made, the own one first."""
    return [after(START, *moves * i) for i in range(turns)]


@pytest.mark.parametrize(
    ("positions", "move", "values"),
    [
        (each_turn(1, 1), 1, [LOST] * 3),
        (each_turn(AGAIN), AGAIN, [LOST] * 3),  # an extra turn
        (each_turn(1, AGAIN, 1), 1, [LOST] * 3),  # the opponent moves several times
        (each_turn(1, AGAIN, AGAIN, 3), 1, [LOST] * 3),
        (each_turn(1, 1, turns=6), 1, [LOST, LOST, HOPEFUL, LOST, LOST, LOST]),  # hope begins a new row
        ([each_turn(1, 1)[i] for i in (0, 1, 1, 0, 1, 2)], 1, [LOST] * 6),  # moves that are taken back do not count
    ],
)
def test_three_own_moves_in_a_row_that_look_lost_are_resigned(monkeypatch, positions, move, values):
    answers = asked(monkeypatch, *((position, move, value) for position, value in zip(positions, values, strict=True)))
    assert answers == [move] * (len(positions) - 1) + [RESIGN]


@pytest.mark.parametrize(
    "other",
    [
        after(START, 3, 1, 1, 1),  # after another first move
        after(START, 1, 1, 1, 1, 1),  # the opponent's to answer
        after(NIM.parse_position("9 first"), 1, 1, 1, 1),  # of another game
        after(START, 1, 1, 1, 1, 1, 1),  # after an own move that was not asked for
        NIM.parse_position("17 first"),
    ],
)
def test_moves_of_another_game_do_not_count(monkeypatch, other):
    questions = [(START, 1, LOST), (after(START, 1, 1), 1, LOST), (other, 1, LOST)]
    assert asked(monkeypatch, *questions) == [1, 1, 1]


# --- Memory ----------------------------------------------------------------------------------------------------------


def test_capacity_is_what_the_limit_leaves_beside_what_is_held(monkeypatch):
    monkeypatch.setattr(process_memory, "held_bytes", lambda: 150 * MB)
    assert capacity_within(500 * MB) == (350 * MB - RESERVE_BYTES) // NODE_BYTES > 10_000_000
    assert capacity_within(100_000 * MB) < MAX_NODES - 1  # no more than links can address
    for limit in (0, 100 * MB, 150 * MB + RESERVE_BYTES):
        with pytest.raises(MemoryError, match=rf"{limit // MB} MB leave no room for a tree.*150 MB"):
            capacity_within(limit)


def test_a_search_that_is_to_be_repeated_has_the_same_capacity_whatever_the_process_holds(monkeypatch):
    found = set()
    for held in (100, 185, 250, 340, 430):
        monkeypatch.setattr(process_memory, "held_bytes", lambda held=held: held * MB)
        found.add(repeatable_capacity(500 * MB))
    assert len(found) == 1 and min(found) * NODE_BYTES > 40 * MB
    monkeypatch.setattr(process_memory, "held_bytes", lambda: 470 * MB)
    with pytest.raises(MemoryError, match=r"500 MB leave no room for a tree of 1,562,500 nodes.*holds 470 MB"):
        repeatable_capacity(500 * MB)


class WithoutList(psutil.Process):
    """A process in a sandbox that refuses to list /proc."""

    def children(self, recursive=False):
        raise PermissionError(13, "Permission denied", "/proc")


class WithoutFigures(psutil.Process):
    """A process of which the system says nothing."""

    @staticmethod
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "/proc/self/status")

    def memory_info(self):
        raise psutil.AccessDenied(self.pid)


def test_the_peak_is_no_less_than_what_is_held():
    assert 10 * MB < resident_bytes() <= peak_bytes()


def test_without_proc_the_peak_is_what_is_held(monkeypatch):
    monkeypatch.setattr(process_memory, "open", WithoutFigures.refuse, raising=False)
    monkeypatch.setattr(process_memory, "resident_bytes", lambda: 7 * MB)
    assert peak_bytes() == 7 * MB


def test_what_is_held_is_known_where_processes_may_not_be_listed(monkeypatch):
    monkeypatch.setattr(psutil, "Process", WithoutList)
    assert held_bytes() > 10 * MB


@pytest.mark.parametrize("name", ["uct_agent", "alphabeta_agent"])
def test_memory_that_cannot_be_measured_is_told(monkeypatch, name):
    agent = load_agent(name)(load_game("pentago"), Limits())
    monkeypatch.setattr(psutil, "Process", WithoutFigures)
    with pytest.raises(AgentError, match=r"does not say how much memory this process holds: .*AccessDenied"):
        agent.setup()


def test_setup_takes_what_the_memory_limit_leaves():
    ready()  # the kernels are loaded by now, so that they do not count as growth
    megabytes = held_bytes() // MB + 20 + RESERVE_BYTES // MB
    agent = agent_of("uct_agent", limits=Limits(memory_mb=megabytes, move_seconds=0.1))
    agent.setup()
    agent.step(agent.game.initial(), Clock(30.0))
    capacity = agent.analysis()["capacity"]
    assert 10 * MB < capacity * BYTES_A_NODE < 30 * MB
    assert sum(array.nbytes for array in agent._searcher.graph[:3]) <= capacity * BYTES_A_NODE
