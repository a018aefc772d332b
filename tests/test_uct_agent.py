"""`uct_agent`: its options, its moves, its analysis of them, when it resigns, and its memory."""

import random
from contextlib import closing

import psutil
import pytest

from agents import process_memory
from agents.agent import RESIGN, AgentError
from agents.limits import Clock
from agents.process_memory import RESERVE_BYTES, held_bytes, peak_bytes, resident_bytes
from agents.uct.graph import BYTES_A_NODE
from agents.uct.memory import capacity_within, repeatable_capacity
from agents.uct.searcher import Searcher
from agents.uct.tree import MAX_NODES, NODE_BYTES
from game import load_game
from tests.graphs import ATTACK
from tests.programs import finished
from tests.searches import NEARLY_WON, NEVER, agent_of, played

ON_A_GRAPH = f"uct_agent:search=graph,solve={NEVER},book=no"
PENTAGO = load_game("pentago")
MB = 1_000_000


def test_options_are_read_from_the_text():
    agent = agent_of("uct_agent:search=tree,c=0.4,simulations=100,reuse=yes,memory=recycle,final=value,foresight=off")
    settings = agent._settings
    assert (settings.c, settings.reuse, settings.switches["foresight"]) == (0.4, True, False)
    assert (settings.memory, settings.final) == ("recycle", "value")
    assert agent.options["simulations"] == 100


# --- Moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [0, 1])
def test_it_plays_whole_games_and_does_not_lose_to_random_moves(colour):
    agent, rng, position = (
        agent_of(f"{ON_A_GRAPH},simulations=300,capacity=4000,reuse=yes"),
        random.Random(colour),
        PENTAGO.initial(),
    )
    while position.result is None:
        if position.to_move == colour:
            move = agent.step(position, Clock(2.0))
            assert agent.analysis()["pv"][0] == PENTAGO.format_move(move)
        else:
            move = rng.choice(position.legal_moves())
        position = position.play(move)
    assert position.result.winner == colour


# --- What it says ----------------------------------------------------------------------------------------------------


def test_analysis_says_what_is_true_of_an_open_position():
    agent = agent_of("uct_agent:simulations=2000,capacity=100000")  # the agent sets itself up
    agent.step(PENTAGO.initial(), Clock(30.0))
    found = agent.analysis()
    assert (found["capacity"], found["node_bytes"]) == (100_000, BYTES_A_NODE)
    assert 36 < found["nodes"] <= 100_000
    assert (found["simulations"], found["playouts"]) == (2000, 0)
    assert 1 <= found["depth_mean"] <= found["depth_max"]
    assert found["peak_rss_mb"] >= 0.9 * held_bytes() / 2**20
    agent.close()
    assert agent._searcher is None


def test_a_forced_move_is_studied_for_its_value():
    kalah = load_game("kalah")
    position = kalah.parse_position("8 3 0 6 10 0 7 0 0 0 0 8 0 6 w")
    with closing(agent_of("uct_agent:search=tree", kalah)) as agent:  # other tests compile it anyway
        (move,) = position.legal_moves()
        agent.step(position, Clock(30.0))
        assert agent.analysis()["simulations"] == 0  # the move is known
        (report,) = agent.study(position, 0.3)
        assert (report.move, report.proven) == (move, "loss") and report.value == 0


def test_analysis_of_a_proved_win_says_so_and_how():
    agent = agent_of(f"{ON_A_GRAPH},simulations=3000,capacity=6000")
    agent.step(ATTACK, Clock(2.0))
    found = agent.analysis()
    assert (found["proven"], found["value"]) == ("win", 1.0)
    assert played(PENTAGO, " ".join(found["pv"]), ATTACK).result.winner == ATTACK.to_move


# --- Resigning -------------------------------------------------------------------------------------------------------

LOST, HOPEFUL = 0.1, 0.9
NIM = load_game("extra_turn_nim")  # who takes two stones moves again


def asked(monkeypatch, *questions):
    """An agent's answers to questions: (position of Nim, the move that its search finds best, the value found)."""
    agent = agent_of("uct_agent:simulations=10,capacity=1000,resign=0.2", NIM)
    answers = []
    for position, move, value in questions:
        monkeypatch.setattr(Searcher, "best_move", lambda searcher, move=move: move)
        monkeypatch.setattr(Searcher, "value", value)
        answers.append(agent.step(position, Clock(2.0)))
    return answers


def each_turn(moves, turns=3):
    """The positions at an agent's turns; between two turns these moves are made, the agent's own first."""
    return [played(NIM, f"{moves} " * i) for i in range(turns)]


@pytest.mark.parametrize(
    ("positions", "move", "values"),
    [
        (each_turn("1 1"), 1, [LOST] * 3),
        (each_turn("2"), 2, [LOST] * 3),  # an extra turn
        (each_turn("1 2 1"), 1, [LOST] * 3),  # the opponent moves several times
        (each_turn("1 2 2 3"), 1, [LOST] * 3),
        (each_turn("1 1", turns=6), 1, [LOST, LOST, HOPEFUL, LOST, LOST, LOST]),  # hope ends the row
        ([each_turn("1 1")[i] for i in (0, 1, 1, 0, 1, 2)], 1, [LOST] * 6),  # moves that are taken back do not count
    ],
)
def test_three_own_moves_in_a_row_that_look_lost_are_resigned(monkeypatch, positions, move, values):
    answers = asked(monkeypatch, *((position, move, value) for position, value in zip(positions, values, strict=True)))
    assert answers == [move] * (len(positions) - 1) + [RESIGN]


@pytest.mark.parametrize(
    "other",
    [
        played(NIM, "3 1 1 1"),  # after another first move
        played(NIM, "1 1 1 1 1"),  # the opponent's to answer
        played(NIM, "1 1 1 1", NIM.parse_position("9 first")),  # of another game
        played(NIM, "1 1 1 1 1 1"),  # after an own move that was not asked for
        NIM.parse_position("17 first"),
    ],
)
def test_moves_of_another_game_do_not_count(monkeypatch, other):
    questions = [(NIM.initial(), 1, LOST), (played(NIM, "1 1"), 1, LOST), (other, 1, LOST)]
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
    agent = agent_of(name)
    monkeypatch.setattr(psutil, "Process", WithoutFigures)
    with pytest.raises(AgentError, match=r"does not say how much memory this process holds: .*AccessDenied"):
        agent.setup()


def test_setup_takes_what_the_memory_limit_leaves():
    agent_of("uct_agent:simulations=2000,capacity=100000").setup()  # kernels loaded by now do not count as growth
    megabytes = held_bytes() // MB + 20 + RESERVE_BYTES // MB
    agent = agent_of("uct_agent", memory_mb=megabytes, move_seconds=0.1)
    agent.setup()
    agent.step(agent.game.initial(), Clock(30.0))
    capacity = agent.analysis()["capacity"]
    assert 10 * MB < capacity * BYTES_A_NODE < 30 * MB
    assert sum(array.nbytes for array in agent._searcher.graph[:2]) <= capacity * BYTES_A_NODE


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
        "WON": NEARLY_WON,
        "START": "....../....../....../....../....../...... w",
    }
    script = "".join(f"{name} = {text!r}\n" for name, text in texts.items()) + NOTHING_COMPILES
    done = finished("-c", script)
    assert (done.stdout, done.stderr) == ("[]\n", "")
