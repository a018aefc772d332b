"""Agents in plain Python: proofs are true, limits of time and memory are kept, and nothing is compiled for them.

`tests/test_baselines.py` tests what holds for every agent, `tests/test_search.py` that the tree is compiled code's.
"""

from types import SimpleNamespace

import pytest

from agents import limits, time_control
from agents.agent import AgentError
from agents.limits import Clock
from agents.plain import PLAIN_AGENTS, baseline, heap, ticker
from agents.plain.pcg32 import Pcg32
from agents.plain.ticker import OutOfTime
from agents.plain.uct import Search
from agents.plain.uct_agent import with_depths
from game import load_game
from jit import new_rng, random_below
from tests.extra_turn_nim import mover_wins
from tests.programs import run
from tests.searches import agent_of, played

FOUR, PLAIN = (load_game(f"examples/games/{name}.py") for name in ("connect_four", "tic_tac_toe"))
TICTACTOE = load_game("tictactoe")  # the same rules as PLAIN, compiled, and faster on positions too


def searched(game, position, simulations=10_000, seed=1):
    search = Search(game, seed)
    search.begin(position)
    search.run(simulations)
    return search


def test_random_numbers_are_those_of_compiled_code():
    compiled, plain = new_rng(7), Pcg32(7)
    assert [int(random_below(compiled, n)) for n in range(1, 500)] == [plain.below(n) for n in range(1, 500)]


# --- Proofs ---------------------------------------------------------------------------------------------------------


def test_noughts_and_crosses_are_proved_a_draw():
    search = searched(TICTACTOE, played(TICTACTOE, "b2 a1"), 60_000)
    assert search.root.result == (None, None)
    assert search.best_child(search.root).outcome == "draw"


def test_a_game_that_may_not_go_on_is_a_draw_for_searches_too(monkeypatch):
    monkeypatch.setattr(type(PLAIN), "longest_game", 5)
    position = played(PLAIN, "b2 b1 a1 c3")  # White could win at the seventh move
    search = searched(PLAIN, position)
    assert search.root.result == (None, None)
    agent = agent_of("minimax_agent", PLAIN)
    agent.step(position, Clock(5.0))
    assert agent._searcher.proven == "draw"


@pytest.mark.parametrize("misere", [False, True])
def test_proofs_are_right_where_a_player_may_move_again(misere):
    nim = load_game("extra_turn_nim", misere=misere)
    for heap_size in range(1, 14):
        position = nim.parse_position(f"{heap_size} second")
        search = searched(nim, position)
        assert search.is_settled
        for _ in range(10_000):  # a search may end when one move is left, without a proof of its result
            if search.root.result is None:
                search.simulate()
        assert (search.root.result.winner == position.to_move) == mover_wins(heap_size, misere)


@pytest.mark.parametrize("agent", ["uct_agent", "minimax_agent:depth=6"])
@pytest.mark.parametrize(
    ("line", "good"),
    [
        ("x../.o./..x o", {"a2", "b1", "b3", "c2"}),  # a corner loses to a fork
        ("x../.../... o", {"b2"}),  # all but the centre lose
        ("xx./oo./... o", {"c2"}),  # wins at once; other moves would only stop a win
        ("xx./o../..o x", {"c1"}),
    ],
)
def test_no_move_that_loses_for_certain_is_played_while_there_is_another(agent, line, good):
    playing, position = agent_of(agent, PLAIN), PLAIN.parse_position(line)
    move = PLAIN.format_move(playing.step(position, Clock(60.0)))
    assert move in good


def test_a_search_that_is_interrupted_anywhere_has_a_tree_that_holds():
    def end_after(moves):
        tries = iter(range(moves))

        def tick():
            if next(tries, None) is None:
                raise OutOfTime

        return tick

    for moves in range(0, 400, 7):
        search = Search(TICTACTOE, 1)
        search.begin(TICTACTOE.initial())
        search.tick = end_after(moves)
        search.run()
        nodes = [node for node, _ in with_depths(search.root)]
        assert len(nodes) == search.nodes
        assert search.root.visits == search.simulations == sum(child.visits for child in search.root.children)
        assert all(0 <= node.score <= node.visits for node in nodes)


# --- Time -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def clockwork(monkeypatch):
    """A function that makes the rules of FOUR take so many seconds a move, on a clock that otherwise stands still."""
    now = [100.0]
    for clocked in (limits, time_control, ticker, baseline):
        monkeypatch.setattr(clocked, "time", SimpleNamespace(monotonic=lambda: now[0]))
    play = FOUR.rules.play

    def take(seconds):
        def slow(state, move):
            now[0] += seconds
            return play(state, move)

        monkeypatch.setattr(FOUR.rules, "play", slow)

    return take


@pytest.mark.parametrize("seconds", [0.002, 0.02, 0.05])  # a playout takes some twenty times as long
@pytest.mark.parametrize("agent", [*PLAIN_AGENTS, "level_agent:level=8"])
def test_no_answer_is_late_however_slow_the_rules_are(agent, seconds, clockwork):
    clockwork(seconds)
    playing, position = agent_of(agent, FOUR, move_seconds=1.0), FOUR.initial()
    playing.setup()
    for _ in range(4):
        clock = Clock(1.0)
        position = position.play(playing.step(position, clock))
        assert clock.remaining > 0  # even after the rules have played the move, on this clock
    assert agent != "uct_agent" or clock.remaining < 0.5


def test_the_tree_is_kept_for_the_next_move_and_a_study_without_time_names_a_move_all_the_same():
    agent, position = agent_of("uct_agent:simulations=200", FOUR), FOUR.initial()
    (report,) = agent.study(position, 0.0)
    assert report.move in position.legal_moves()
    assert (report.visits, report.value, report.proven) == (0, 0.5, None)
    for _ in range(2):
        position = position.play(agent.step(position, Clock(60.0)))
        position = position.play(3)
    assert agent.analysis()["simulations"] == 200
    assert agent._searcher.root.visits > 200
    agent.study(position, 0.0)
    assert agent._searcher.position is position


# --- Memory ---------------------------------------------------------------------------------------------------------


def test_the_tree_grows_no_further_when_memory_is_short(monkeypatch):
    held = [0]
    monkeypatch.setattr(heap, "resident_bytes", lambda: held[0])
    monkeypatch.setattr(heap, "LOOKS", 1)
    agent = agent_of("uct_agent:simulations=100", PLAIN, memory_mb=100)
    agent.step(PLAIN.initial(), Clock(60.0))
    assert agent._searcher.capacity == float("inf")
    held[0] = 80_000_000
    agent.step(PLAIN.initial(), Clock(60.0))
    nodes = agent.analysis()["nodes"]
    held[0] = 0
    agent.step(PLAIN.initial(), Clock(60.0))
    assert agent.analysis()["nodes"] <= nodes + 9
    agent.close()


# --- What they do without -------------------------------------------------------------------------------------------

PLAYED_IN_A_NEW_PROCESS = f"""
from agents.loading import load_agent
from agents.limits import Clock, Limits
from game import load_game
game = load_game("examples/games/tic_tac_toe.py")
for name in {[*PLAIN_AGENTS, "level_agent", "random_agent"]}:
    agent = load_agent(name).for_game(game)(game, Limits(first_move_seconds=0.5, move_seconds=0.1))
    agent.setup()
    agent.step(game.initial(), Clock(0.1))
"""


def test_nothing_is_compiled_for_a_game_in_plain_python(tmp_path):
    run(PLAYED_IN_A_NEW_PROCESS, UNFORCED_CACHE=str(tmp_path))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("agent", "wanted"),
    [
        ("uct_agent:book=1", "book is for games with compiled rules; for a game in plain Python there are c, "),
        ("minimax_agent:table=0", "table is for games with compiled rules; .* there are depth, nodes"),
        ("montecarlo_agent:tree=1", "has no option 'tree'"),
        ("mcts_basic_agent", "mcts_basic_agent needs compiled rules; random_agent, .* and uct_agent play tic_tac_toe"),
    ],
)
def test_what_needs_compiled_rules_is_refused_in_words(agent, wanted):
    with pytest.raises(AgentError, match=wanted):
        agent_of(agent, PLAIN)
