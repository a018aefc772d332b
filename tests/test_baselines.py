"""All searching agents repeat their play with a seed, keep budgets, take wins, and analyse what they did."""

import json
import random
from pathlib import Path

import pytest

import game
from agents.agent import AgentError
from agents.limits import Clock
from agents.time_control import Pacer
from tests.extra_turn_nim import mover_wins
from tests.searches import NEARLY_WON, agent_of, good_ends, tactics

TICTACTOE, PENTAGO = game.load_game("tictactoe"), game.load_game("pentago")
FOUR, PLAIN = (game.load_game(f"examples/games/{name}.py") for name in ("connect_four", "tic_tac_toe"))  # plain Python
LONG_NIM = game.load_game("extra_turn_nim", heap=300)  # nothing is proved for a long time

PLAYED, EXPANDED = {"simulations", "playouts"}, {"nodes", "expanded", "depth_max"}
USUAL = {"seconds", "value", "proven", "pv", "depth_pv"}
SHAPE = {"depth_max", "depth_mean", "branching_mean"}
# A text for an agent that ignores the clock, one for an agent that uses it, a game, and further keys of `analysis`.
AGENTS = {
    "alphabeta": ("alphabeta_agent:depth=2", "alphabeta_agent", PENTAGO, EXPANDED),
    "minimax": ("minimax_agent:depth=0,nodes=40", "minimax_agent:depth=20", PENTAGO, EXPANDED),
    "montecarlo": ("montecarlo_agent:simulations=2000", "montecarlo_agent", PENTAGO, PLAYED),
    "mcts_basic": (
        "mcts_basic_agent:simulations=150,capacity=20000",
        "mcts_basic_agent:capacity=20000",
        TICTACTOE,
        PLAYED | {"nodes", "expanded", "capacity", "node_bytes"},
    ),
    "gobble": ("gobble_agent:simulations=300", "gobble_agent", TICTACTOE, PLAYED),
    "uct": (
        "uct_agent:preset=playouts,evaluation=lines,simulations=2000,capacity=100000",
        "uct_agent:preset=playouts,evaluation=lines,capacity=100000",
        PENTAGO,
        PLAYED | {"expanded", "nodes", "capacity", "node_bytes", "peak_rss_mb"} | SHAPE,
    ),
    "plain uct": ("uct_agent:simulations=30", "uct_agent", FOUR, PLAYED | {"expanded", "nodes"} | SHAPE),
    "plain montecarlo": ("montecarlo_agent:simulations=50,x=2", "montecarlo_agent", FOUR, PLAYED),
    "plain minimax": ("minimax_agent:depth=0,nodes=40", "minimax_agent:depth=20", FOUR, EXPANDED),
}
every_agent = pytest.mark.parametrize("name", AGENTS)


def analysis_of(text, the_game, position, seconds=0.0):
    agent = agent_of(text, the_game)
    move = agent.step(the_game.parse_position(position), Clock(seconds))
    return the_game.format_move(move), agent.analysis()


@every_agent
def test_a_position_that_is_over_or_of_another_board_is_refused_in_words(name):
    text, _, the_game, _ = AGENTS[name]
    agent, position, rng = agent_of(text, the_game), the_game.initial(), random.Random(1)
    while position.result is None:
        position = position.play(rng.choice(position.legal_moves()))
    with pytest.raises(ValueError, match="the game is over in this position"):
        agent.step(position, Clock(0.0))
    with pytest.raises(ValueError, match="this is a position of go"):
        agent.step(game.load_game("go", size=19).initial(), Clock(0.0))


@every_agent
def test_the_same_seed_gives_the_same_game_and_others_give_another(name):
    text, _, the_game, _ = AGENTS[name]
    games = []
    for seed in (5, 5, 6, 7):
        agent, position, values = agent_of(text, the_game, seed), the_game.initial(), []
        for _ in range(4):
            position = position.play(agent.step(position, Clock(0.0)))
            values.append(agent.analysis()["value"])
        games.append((str(position), *values))
    assert games[0] == games[1]
    assert len(set(games)) > 1


@every_agent
def test_analysis_says_what_was_done_until_the_agent_is_closed(name):
    text, _, the_game, more = AGENTS[name]
    agent = agent_of(text, the_game)
    assert agent.analysis() == {}
    agent.setup()
    assert agent.analysis() == {}
    move = agent.step(the_game.initial(), Clock(0.0))
    found = agent.analysis()
    assert json.loads(json.dumps(found)) == found == agent.analysis()
    assert set(found) == USUAL | more
    assert found["pv"][0] == the_game.format_move(move)
    assert found["depth_pv"] == len(found["pv"])
    assert 0 < found["value"] < 1
    assert found["proven"] is None
    agent.close()
    assert agent.analysis() == {}


def noted(method, calls):
    """A method that does the same, and adds its name to `calls` when it is called."""

    def note(*arguments, **named):
        calls.append(method.__name__)
        return method(*arguments, **named)

    return note


@every_agent
def test_without_a_budget_the_clock_ends_the_search_by_the_pacer(name, monkeypatch):
    _, text, the_game, _ = AGENTS[name]
    agent, calls = agent_of(text, the_game, move_seconds=0.2), []
    agent.setup()
    for method in (Pacer.deadline, Pacer.chunks, Pacer.answered):
        monkeypatch.setattr(Pacer, method.__name__, noted(method, calls))
    assert agent.step(the_game.initial(), Clock(0.2)) in the_game.initial().legal_moves()
    found = agent.analysis()
    assert found.get("playouts", found.get("nodes")) > 0
    assert found.get("depth_max", 1) < 20
    if not name.startswith("plain"):  # the plain ones also look at the clock within the rules
        assert calls == ["deadline", "chunks", "answered"]
        assert agent._pacer.longest_interval > 0


@pytest.mark.parametrize(
    ("text", "the_game", "position"),
    [
        ("minimax_agent", TICTACTOE, "xx./oo./... x"),
        *((text, PLAIN, "xx./oo./... x") for text in ("uct_agent", "minimax_agent", "montecarlo_agent")),
        ("mcts_basic_agent:simulations=100,capacity=20000", TICTACTOE, "xx./oo./... x"),
        ("studies/hybrid_agent.py:preset=playouts,simulations=100,capacity=20000", TICTACTOE, "xx./oo./... x"),
        ("alphabeta_agent:depth=2", PENTAGO, NEARLY_WON),
        ("montecarlo_agent:simulations=2000", PENTAGO, NEARLY_WON),
        ("uct_agent:simulations=2000,capacity=100000", PENTAGO, NEARLY_WON),
        ("gobble_agent:simulations=300", TICTACTOE, "xx./oo./... x"),
        # to compile it for these takes 12 s and more
        pytest.param("gobble_agent:simulations=150", PENTAGO, NEARLY_WON, marks=pytest.mark.slow),
        pytest.param(
            "gobble_agent:simulations=300",
            game.load_game("go", size=5, komi=-10.0),
            "...../...../..b../...../..... b - -10 1",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_win_at_once_is_played_without_a_playout(text, the_game, position):
    move, found = analysis_of(text, the_game, position, seconds=60.0)
    start = the_game.parse_position(position)
    after = start.play(the_game.parse_move(move, start))
    assert after.result.winner == game.FIRST
    assert (found["proven"], found["value"], found.get("playouts", 0), found["depth_pv"]) == ("win", 1.0, 0, 1)


@pytest.mark.parametrize(
    ("text", "kind", "plies", "every"),
    [
        ("greedy_agent", "win", 1, 1),
        ("greedy_agent", "safe", 1, 1),
        *(
            (f"montecarlo_agent:policy={p},simulations=500", kind, 1, 4)
            for p in ("pure", "ucb")
            for kind in ("win", "safe")
        ),
        ("alphabeta_agent:depth=1", "win", 1, 3),
        ("alphabeta_agent:depth=2", "safe", 1, 3),
        ("alphabeta_agent:depth=3", "win", 3, 3),
        ("alphabeta_agent:depth=4", "safe", 3, 3),
        *(
            ("uct_agent:simulations=30000,capacity=100000", kind, plies, 4)
            for kind in ("win", "safe")
            for plies in (1, 3)
        ),
    ],
)
def test_wins_of_a_few_plies_are_taken_and_losses_avoided(text, kind, plies, every):
    agent, cases = agent_of(text), tactics(kind, plies)[::every]
    agent.setup()
    assert len(cases) >= 10
    for entry in cases:
        position = PENTAGO.parse_position(entry["position"])
        is_good = position.play(agent.step(position, Clock(0.0))) in good_ends(position, entry)
        # A slower win that UCT has proved is a win, too.
        assert is_good or (text.startswith("uct") and agent.analysis()["proven"] == kind), entry["position"]


@pytest.mark.parametrize("agent", ["minimax_agent:depth=30", "mcts_basic_agent:simulations=2000,capacity=20000"])
@pytest.mark.parametrize("misere", [False, True])
def test_small_games_with_extra_turns_are_proved(agent, misere):
    nim = game.load_game("extra_turn_nim", misere=misere)
    searching = agent_of(agent, nim)
    for heap in range(1, 8):
        searching.step(nim.parse_position(f"{heap} second"), Clock(60.0))
        assert searching.analysis()["proven"] == ("win" if mover_wins(heap, misere) else "loss"), heap


@pytest.mark.parametrize(
    ("text", "the_game", "expected"),
    [
        *((f"minimax_agent:depth=0,nodes={n}", PENTAGO, {"expanded": n}) for n in (1, 2, 10, 137, 1000)),
        *((f"minimax_agent:depth=0,nodes={n}", FOUR, {"expanded": n}) for n in (1, 2, 50)),
        *((f"uct_agent:nodes={n}", FOUR, {"expanded": n}) for n in (1, 20)),
        ("uct_agent:simulations=50,capacity=30", FOUR, {"simulations": 50, "nodes": 36}),
        ("montecarlo_agent:simulations=30", FOUR, {"simulations": 30, "playouts": 30}),
        *((f"mcts_basic_agent:simulations={n},capacity=20000", LONG_NIM, {"playouts": n}) for n in (1, 17, 250)),
        *(  # each new child gets two playouts, because no child is decided yet
            (
                f"mcts_basic_agent:simulations=100000,x=2,nodes={n},capacity=20000",
                LONG_NIM,
                {"expanded": n, "playouts": 2 * 3 * n},
            )
            for n in (1, 2, 9)
        ),
        *((f"gobble_agent:simulations={n}", TICTACTOE, {"simulations": n, "playouts": n}) for n in (1, 150)),
        ("montecarlo_agent:simulations=2000", PENTAGO, {"simulations": 2000, "playouts": 2000}),
        ("uct_agent:simulations=2000,capacity=100000", PENTAGO, {"simulations": 2000}),
        ("studies/literature_agent.py:preset=uct,nodes=70,capacity=5000", TICTACTOE, {"expanded": 70}),
    ],
)
def test_a_budget_is_kept_exactly_whatever_the_clock_says(text, the_game, expected):
    _, found = analysis_of(text, the_game, str(the_game.initial()))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("text", ["minimax_agent:depth=0,nodes=9", "mcts_basic_agent:nodes=9,x=2,capacity=20000"])
def test_a_budget_can_be_set_for_the_next_moves(text):
    agent = agent_of(text, LONG_NIM)
    agent.set_nodes(3)
    agent.step(LONG_NIM.initial(), Clock(60.0))
    assert agent.analysis()["expanded"] == 3


def test_a_budget_has_to_be_one():
    with pytest.raises(AgentError, match="nodes=0: a number from 1 on"):
        agent_of("minimax_agent:nodes=5").set_nodes(0)
    with pytest.raises(AgentError, match="random_agent has no option nodes"):
        agent_of("random_agent").set_nodes(5)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("alphabeta_agent:depth=65", "depth must be 0 to 64, not 65"),
        ("minimax_agent:depth=65", "depth must be 0 to 64, not 65"),
        ("minimax_agent:nodes=-1", "nodes must be a whole number from 0 on"),
        ("montecarlo_agent:policy=luck", "policy must be ucb or pure, not 'luck'"),
        ("montecarlo_agent:final=visits", "final must be wins or score, not 'visits'"),
        ("montecarlo_agent:simulations=-3", "simulations must be a whole number from 0 on, not -3"),
        ("montecarlo_agent:x=0", "x must be a whole number from 1 on, not 0"),
        ("montecarlo_agent:y=0.5", "y must be a whole number from 1 on, not '0.5'"),
        ("montecarlo_agent:c=-1", "c must be a number from 0 on, not -1"),
        ("mcts_basic_agent:x=0", "x must be a whole number from 1 on"),
        ("gobble_agent:order=luck", "order must be swap or interval, not 'luck'"),
        ("gobble_agent:temperature=-1", "temperature must be a number from 0 on"),
        ("gobble_agent:random=0", "random must be a whole number from 1 on"),
        ("level_agent:level=12", "level must be 1 to 9"),
        ("studies/hybrid_agent.py:preset=luck", "literature_agent: preset must be recommended, playouts, uct"),
        ("studies/literature_agent.py:puct=1", "literature_agent has no option 'puct'"),
        ("studies/literature_agent.py:preset=dailey,c_by_phase=1/2/3", "c_by_phase=1/2/3: formula=dailey has no c"),
        ("uct_agent:backup=minimax", "uct_agent has no option 'backup'"),
        ("uct_agent:simulations=-3", "simulations must be a whole number from 0 on"),
        ("uct_agent:capacity=-3", "capacity must be a whole number from 0 on"),
        ("uct_agent:reuse=perhaps", "reuse must be yes or no"),
        ("uct_agent:preset=luck", "preset must be recommended or playouts"),
        ("uct_agent:preset=playouts,solve=4", "solve=4 is for search=graph, not for search=tree"),
    ],
)
def test_wrong_options_are_refused_with_what_is_right(text, wanted):
    name = Path(text.partition(":")[0]).stem
    with pytest.raises(AgentError, match=wanted if "_agent" in wanted else f"{name}: {wanted}"):
        agent_of(text)
