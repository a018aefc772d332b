"""The baselines do what they promise in every game; agents are found, and an error says why one cannot be loaded."""

import shutil
import sys
from collections import Counter
from functools import cache
from unittest.mock import patch

import pytest

import game
from agents import agent as agents
from agents import loading
from agents.agent import Agent, AgentError, gtp_command, parse_agent
from agents.limits import Clock
from agents.loading import load_agent
from tests import contract
from tests.searches import CountingClock, agent_of

GAMES = ["pentago", "tictactoe", "extra_turn_nim"]


def made(name, the_game, seed=0, **limits):
    agent = agent_of(name, the_game, seed, **limits)
    agent.setup()
    return agent


def play_out(the_game, *seats, clock=None):
    """The result of a game between two agents."""
    position = the_game.initial()
    while position.result is None:
        move = seats[position.to_move].step(position, clock() if clock else Clock(2.0))
        position = position.play(move)
    return position.result


# --- random_agent ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_random_agent_plays_every_legal_move_about_equally_often(name):
    the_game = game.load_game(name)
    agent, start = made("random_agent", the_game), the_game.initial()
    moves = start.legal_moves()
    played = Counter(agent.step(start, Clock(1.0)) for _ in range(50 * len(moves)))
    assert set(played) == set(moves)
    assert max(played.values()) < 100


def test_random_agent_repeats_itself_with_the_same_seed():
    the_game = game.load_game("pentago")

    def moves(seed):
        agent = made("random_agent", the_game, seed)
        return [agent.step(the_game.initial(), Clock(1.0)) for _ in range(10)]

    assert moves(1) == moves(1) != moves(2)


# --- greedy_agent ---------------------------------------------------------------------------------------------------

LOSES, OPPONENT_WINS_NEXT, QUIET, WINS_NEXT, WINS = range(5)


def winner_after(position, move):
    result = position.play(move).result
    return None if result is None else result.winner


def tier(position, move):
    """How greedy_agent must rank a move, from the rules alone."""
    me, after = position.to_move, position.play(move)
    if after.result is not None:
        return QUIET if after.result.winner is None else WINS if after.result.winner == me else LOSES
    if any(winner_after(after, reply) == after.to_move for reply in after.legal_moves()):
        return WINS_NEXT if after.to_move == me else OPPONENT_WINS_NEXT
    return QUIET


def value(the_game, position, move):
    """The static evaluation after a move, for the player who makes it."""
    after = position.play(move)
    if after.result is not None or the_game.kernel is None:  # without an evaluation, all moves are equal
        return 0.5
    evaluation = float(contract.evaluate(the_game.kernel, the_game.state(after)))
    return evaluation if after.to_move == position.to_move else 1 - evaluation


def positions_to_decide(name):
    """Open positions of every kind; those of Pentago are late, so that Python looks at all replies quickly."""
    for options in ({"misere": False}, {"misere": True}) if name == "extra_turn_nim" else ({},):
        the_game = game.load_game(name, **options)
        first_ply, positions = (26, 340) if name == "pentago" else (0, 20)
        for position in contract.sample(the_game, positions):
            if position.result is None and position.ply >= first_ply:
                yield the_game, position


@pytest.mark.parametrize("name", [*GAMES, "examples/games/tic_tac_toe.py"])
def test_greedy_agent_wins_avoids_losing_and_else_evaluates(name):
    tiers, greedy = set(), cache(lambda the_game: made("greedy_agent", the_game))
    for the_game, position in positions_to_decide(name):
        move = greedy(the_game).step(position, Clock(60.0))
        best = max((tier(position, m), value(the_game, position, m)) for m in position.legal_moves())
        assert tier(position, move) == best[0]
        if best[0] == QUIET:
            assert value(the_game, position, move) == pytest.approx(best[1], abs=1e-6)
        tiers.add(best[0])
    assert {QUIET, WINS} <= tiers
    assert (WINS_NEXT in tiers) == (name == "extra_turn_nim")  # thanks to an extra turn


def test_greedy_agent_breaks_ties_with_its_seed():
    the_game = game.load_game("extra_turn_nim")  # its evaluation has no opinion, so the first move is always a tie

    def first_move(seed):
        return made("greedy_agent", the_game, seed).step(the_game.initial(), Clock(1.0))

    found, again = ([first_move(seed) for seed in range(10)] for _ in range(2))
    assert found == again and set(found) == {1, 2, 3}


BETWEEN = pytest.approx(0.5, abs=0.49)


@pytest.mark.parametrize(
    ("agent", "name", "options", "position", "proven", "value"),
    [
        ("greedy_agent", "pentago", {}, "www.../bb..../b...../....../..w.../...... b", None, BETWEEN),
        ("greedy_agent", "pentago", {}, "wwww../bb..../bb..../....../....../...... w", "win", 1.0),
        # Taking 1 leaves the opponent the last stone; taking 2 gives another turn without a stone.
        ("greedy_agent", "extra_turn_nim", {}, "2 first", "loss", 0.0),
        ("montecarlo_agent", "tictactoe", {}, "xox/xoo/ox. x", "draw", 0.5),
        ("montecarlo_agent", "extra_turn_nim", {"misere": True}, "1 first", "loss", 0.0),
    ],
)
def test_a_baseline_says_when_the_game_is_decided(agent, name, options, position, proven, value):
    the_game = game.load_game(name, **options)
    deciding = made(agent, the_game)
    deciding.step(the_game.parse_position(position), Clock(0.5))
    assert (deciding.analysis()["proven"], deciding.analysis()["value"]) == (proven, value)


# --- student_agent --------------------------------------------------------------------------------------------------


def test_student_agent_takes_a_win():
    the_game = game.load_game("pentago")
    position = the_game.parse_position("wwww../bbb.../b...../....../....../...... w")
    agent, clock = made("student_agent", the_game), CountingClock(2.0, tick=0.1)
    assert winner_after(position, agent.step(position, clock)) == game.FIRST
    assert clock.reads == 0


@pytest.mark.parametrize(("seconds", "limit"), [(2.0, 2.0), (30.0, 2.0), (0.5, 2.0), (2.0, 10.0)])
def test_student_agent_uses_the_time_of_a_move_but_for_a_margin(seconds, limit):
    the_game = game.load_game("tictactoe")
    agent = made("student_agent", the_game, move_seconds=limit)
    clock = CountingClock(seconds, tick=0.01)
    agent.step(the_game.initial(), clock)
    time_for_the_move = min(seconds, limit)
    assert 0.7 * time_for_the_move < clock.reads * clock.tick < 0.9 * time_for_the_move


@pytest.mark.parametrize("name", GAMES)
def test_student_agent_plays_any_game_to_its_end(name):
    the_game = game.load_game(name)
    seats = made("student_agent", the_game, 1), made("student_agent", the_game, 2)
    assert play_out(the_game, *seats, clock=lambda: CountingClock(2.0, tick=0.5)) is not None


def test_student_agent_looks_at_the_clock_in_long_games():
    go = game.load_game("go", size=19)
    clock = CountingClock(2.0, tick=0.05)
    made("student_agent", go).step(go.initial(), clock)
    assert clock.reads <= 2.0 / clock.tick


def test_student_agent_beats_random_agent():
    the_game = game.load_game("tictactoe")
    wins = 0
    for seed in range(10):
        student, opponent = made("student_agent", the_game, seed), made("random_agent", the_game, seed)
        result = play_out(the_game, student, opponent, clock=lambda: CountingClock(2.0, tick=0.05))
        wins += result.winner == game.FIRST
    assert wins >= 9


def test_a_copy_of_the_template_loads_from_anywhere_even_under_its_own_name(tmp_path, registry):
    agents.registered.pop("student_agent", None)  # as in a worker's process, where nothing else was loaded
    copy = shutil.copy(agents.AGENTS_FOLDER / "student_agent.py", tmp_path / "mine.py")
    loaded = load_agent(str(copy))
    assert loaded.registered_name == "student_agent"
    assert loaded.__module__ != "agents.student_agent"


# --- Loading --------------------------------------------------------------------------------------------------------

AGENT_FILE = """
from agents.agent import Agent, register_agent

@register_agent("{name}")
class Mine(Agent):
    default_options = {{"depth": 3, "c": 0.5, "style": "calm", "book": False}}

    def step(self, position, clock):
        return position.legal_moves()[0]
"""


@pytest.fixture
def registry(monkeypatch):
    """Restore the registry of agents and sys.path after the test."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    with patch.dict(agents.registered):
        yield


@pytest.fixture
def file(tmp_path, registry):
    """A function that writes an agent's file and returns its path."""

    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def error_of(source):
    with pytest.raises(AgentError) as caught:
        load_agent(source)
    return str(caught.value)


def test_a_path_loads_the_one_agent_that_the_file_registers_as_often_as_asked(file):
    for _ in range(2):
        loaded = load_agent(file(AGENT_FILE.format(name="mine_agent")))
        assert issubclass(loaded, Agent)
        assert loaded.registered_name == "mine_agent"


def test_a_path_into_the_agents_folder_is_the_registered_agent():
    assert load_agent(str(agents.AGENTS_FOLDER / "random_agent.py")) is load_agent("random_agent")


def test_a_file_of_the_agents_folder_registers_the_agent_of_its_own_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "agents.other_agent", sys)  # a module that registers nothing
    monkeypatch.setattr(loading, "agent_names", lambda: ["other_agent"])
    for source in ("other_agent", str(agents.AGENTS_FOLDER / "other_agent.py")):
        with patch.object(loading.os.path, "isfile", return_value=True):
            assert error_of(source).startswith("agents/other_agent.py has to register other_agent")


def test_a_file_finds_its_neighbours(file):
    file("FIRST = 0\n", "neighbour_of_mine.py")
    path = file("import neighbour_of_mine\n" + AGENT_FILE.format(name="mine_agent"))
    assert load_agent(path).registered_name == "mine_agent"


def test_gtp_names_a_command_and_no_class():
    assert gtp_command("gtp:gnugo --mode gtp 'a b'") == ("gnugo", "--mode", "gtp", "a b")
    with pytest.raises(AgentError, match="speaks GTP by itself"):
        load_agent("gtp:gnugo --mode gtp")


FAILS = "import math\n\ndef f():\n    return math.sqrt(-1)  # the culprit\n\nf()\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (FAILS, ["{path} fails when it is imported", 'File "{path}", line 6', "the culprit", "ValueError: "]),
        ("x = 1\ndef step(:\n", ['File "{path}", line 2', "SyntaxError"]),
        ("import sys\nsys.exit(3)\n", ["SystemExit: 3"]),
        (AGENT_FILE.format(name="random_agent"), ["{path}", "the name 'random_agent' is taken"]),
        *(
            (AGENT_FILE.format(name=name), [f"{name!r} is no name for an agent"])
            for name in ("mine", "my agent_agent", "my-agent", "")
        ),
    ],
)
def test_a_file_that_is_no_agent_is_told_why_without_frames_of_the_loader(file, text, wanted):
    path = file(text)
    message = error_of(path)
    assert [part for part in wanted if part.format(path=path) not in message] == []
    assert "importlib" not in message and "/agent.py" not in message


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("/nowhere/none.py", "there is no file /nowhere/none.py"),
        ("chess_agent", "no agent is called 'chess_agent'"),
        ("chess_agent", "random_agent"),
        ("chess_agent", "gtp:COMMAND"),
        *((text, "gtp:") for text in ("gtp:", "gtp:   ", "gtp:'unclosed")),
    ],
)
def test_what_names_no_agent_is_told_why(source, wanted):
    assert wanted in error_of(source)


# --- Options --------------------------------------------------------------------------------------------------------


def options(file, text):
    path = file(AGENT_FILE.format(name="mine_agent"))
    return load_agent(path)(game.load_game("tictactoe"), options=parse_agent(f"{path}:{text}").options).options


def test_options_take_the_types_of_their_defaults(file):
    assert options(file, "depth=5,c=2,style=wild,book=yes") == {"depth": 5, "c": 2.0, "style": "wild", "book": True}
    assert options(file, "book=off") == {"depth": 3, "c": 0.5, "style": "calm", "book": False}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("deep=5", r"mine_agent has no option 'deep'; did you mean depth\?.*depth=3, c=0\.5"),
        ("x=5", "mine_agent has no option 'x'; its options"),
        ("depth=many", "depth=many is not of the type int"),
        ("c=some", "c=some is not of the type float"),
        ("book=perhaps", "book=perhaps is not of the type bool"),
    ],
)
def test_an_option_that_there_is_not_or_of_another_type_is_refused(file, text, reason):
    with pytest.raises(AgentError, match=reason):
        options(file, text)


@pytest.mark.parametrize("text", ["random_agent:", "random_agent:c", "random_agent:=1", ":c=1", ""])
def test_a_malformed_specification_is_refused(text):
    with pytest.raises(AgentError):
        parse_agent(text)


def test_a_specification_has_a_short_name_for_tables():
    assert parse_agent("/some/where/mine.py:c=1").name == "mine:c=1"
    assert parse_agent("gtp:/usr/bin/gnugo --mode gtp").name == "gnugo"
    assert parse_agent("uct_agent").name == "uct_agent"


def test_an_agent_without_a_step_says_so():
    with pytest.raises(NotImplementedError, match="Agent has no method `step`"):
        Agent(game.load_game("tictactoe")).step(None, Clock(1.0))
