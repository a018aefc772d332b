"""An agent that thinks in a thread: hurried, paused, called off, asked what it thinks of every move."""

import threading
import time

import pytest

from agents.agent import Agent, parse_agent
from agents.level_agent import LevelAgent
from agents.limits import Clock, Limits
from agents.time_control import Pacer
from game import load_game
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.analysis import Analysis
from simulator.play.agents import Agents
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import Handicap, PlaySettings
from simulator.play.thinker import MOST_STALLS, AgentFailed, AgentMove, CalledOff, Thinker
from simulator.player.faults import Fault
from simulator.player.player import Player
from simulator.player.study import ranked_moves
from simulator.records.saved_game import SavedGame, replay
from simulator.referee.game_record import Reason
from tests.playing import ONE_SHORT, PENTAGO
from tests.programs import AGENTS, PASSES, PYTHON, wait_until
from tests.scoundrels.games import PLAYS_ON

READER = """
from pathlib import Path
from agents.agent import Agent, register_agent

@register_agent("reader_agent")
class Reader(Agent):
    def step(self, position, clock):
        Path(__file__).with_name("notes.txt").read_text()
        return position.legal_moves()[0]
"""
START = [PENTAGO.initial()]
WAITS = str(AGENTS / "waits.py")
LONG = Limits(first_move_seconds=60, move_seconds=20)


@pytest.fixture(scope="module")
def waiting():
    """An agent that thinks for 20 seconds, already started and asked once."""
    with Thinker(PENTAGO, parse_agent(WAITS), LONG) as thinker:
        request = thinker.start()
        assert request.result() is None
        request = thinker.move(START)
        request.move_now()
        assert request.result().move in START[0].legal_moves()
        yield thinker


def test_an_agent_that_looks_at_its_clock_moves_when_it_is_told_to_and_who_waits_is_told(waiting):
    told = []
    request = waiting.move(START)
    request.when_done(told.append)
    assert not request.wait(0.1)
    assert request.move_now()
    assert request.result().move in START[0].legal_moves()
    assert request.seconds < LONG.move_seconds / 2
    assert told == [request]


def test_a_pause_stops_the_agent_and_does_not_count(waiting):
    started = time.monotonic()
    request = waiting.move(START)
    time.sleep(0.2)
    request.pause()
    wait_until(lambda: request.was_paused)
    before, paused = request.seconds, time.monotonic()
    time.sleep(0.5)
    assert not request.done
    assert request.seconds - before < 0.1
    request.resume()
    wait_until(lambda: request.stopped_seconds)
    counted = request.seconds - before
    assert counted <= time.monotonic() - paused - 0.5  # however long this process had to wait for a core
    request.move_now()
    assert request.result().seconds < request.seconds < time.monotonic() - started - 0.5


def test_an_agent_that_is_still_being_compiled_can_be_closed_at_once(monkeypatch):
    looked = threading.Event()

    def compile_for_ever(*_, on_look, **__):
        while True:
            on_look()
            looked.set()
            time.sleep(0.01)

    monkeypatch.setattr("simulator.play.thinker.compile_ahead", compile_for_ever)
    thinker = Thinker(PENTAGO, parse_agent("random_agent"), LONG)
    request = thinker.start()
    assert looked.wait(60)
    thinker.close()
    with pytest.raises(CalledOff):
        request.result()


def test_what_is_called_off_raises_that_and_the_agent_can_be_asked_again(waiting):
    request = waiting.move(START)
    request.cancel()
    with pytest.raises(CalledOff):
        request.result()
    again = waiting.move(START)
    again.move_now()
    assert again.result().move is not None


def test_a_study_ranks_the_moves(waiting):
    found = waiting.study(START, 0.3).result()
    assert [(move.text, move.visits, move.value, move.proven) for move in found] == [
        ("a1/0r", 9, 0.75, "win"),
        ("a1/0f", 1, 0.25, None),
    ]
    assert found[0].pv == ("a1/0r", "a1/0f")


def test_after_a_pause_the_agent_is_asked_again_with_all_its_time():
    limits = Limits(first_move_seconds=60, move_seconds=1.0, cushion_seconds=30)
    with Thinker(PENTAGO, parse_agent(WAITS), limits) as thinker:
        request = thinker.move(START)
        request.move_now()
        request.result()
        request = thinker.move(START)
        time.sleep(0.2)
        request.pause()
        time.sleep(1.2)  # its time is over now, by its own clock
        request.resume()
        answer = request.result()
        assert answer.seconds > 0.7


def test_an_agent_that_never_looks_at_its_clock_moves_when_it_is_ready():
    with Thinker(PENTAGO, parse_agent(f"{WAITS}:looks=no"), LONG) as thinker:
        request = thinker.move(START)
        assert request.move_now()
        assert request.result().seconds > 1.0


def test_closing_ends_an_agent_that_thinks_and_calls_off_all_that_was_asked_and_is_asked_later():
    thinker = Thinker(PENTAGO, parse_agent(WAITS), LONG)
    requests = [thinker.move(START), thinker.study(START, 20), thinker.move(START)]
    thinker.close()
    thinker.close()  # closing twice is allowed
    thinker.close(waits=False)
    for request in (*requests, thinker.move(START)):
        with pytest.raises(CalledOff):
            request.result()


def test_a_program_that_speaks_gtp_cannot_be_hurried_and_is_left_in_peace_after_its_answer_was_called_off():
    with Thinker(PENTAGO, parse_agent(f"{PASSES} --moves c3/1r"), LONG) as thinker:
        request = thinker.move(START)
        assert not request.move_now()
        assert request.result().move is not None
        request.cancel()
        assert not request.is_off
        request.want(is_off=True)  # as if it had been called off while its answer arrived


def test_a_program_that_stalls_again_and_again_takes_an_answer_in_the_end(monkeypatch):
    asked = []

    def move(thinker, positions, request):
        asked.append(positions)
        request.was_stalled = True
        return AgentMove(None, 1.0, Analysis())

    monkeypatch.setattr(Thinker, "_move", move)
    with Thinker(PENTAGO, parse_agent("random_agent"), LONG) as thinker:
        assert thinker.move(START).result().seconds == 1.0
        assert len(asked) == MOST_STALLS + 1


# --- In the game that is played ---------------------------------------------------------------------------------------


def test_a_thinker_follows_moves_taken_back_and_positions_set_up():
    start = replay(PENTAGO, ONE_SHORT)
    with Thinker(PENTAGO, parse_agent("random_agent"), Limits()) as thinker:
        for moves in ((), ("c3/1r",), ("c3/1r", "d4/0f"), ("d4/0f",)):
            positions = replay(PENTAGO, SavedGame(moves=moves))
            assert thinker.move(positions).result().move in positions[-1].legal_moves()
        assert thinker.move(start).result().move in start[-1].legal_moves()
        assert thinker.move(replay(PENTAGO, SavedGame())).result().move is not None
        with pytest.raises(AgentFailed, match="random_agent does not analyse"):
            thinker.study(START, 0.1).result()
        assert thinker.move(START).result().move is not None


def test_an_agent_that_was_started_before_its_first_question_is_asked_in_the_same_process(tmp_path):
    file = tmp_path / "reader.py"
    (tmp_path / "notes.txt").write_text("its files are there until its first move")
    file.write_text(READER)
    with Thinker(PENTAGO, parse_agent(str(file)), Limits()) as thinker:
        thinker.start().result()
        process = thinker._player.sandbox._process
        thinker.start().result()
        assert thinker.move([PENTAGO.initial()]).result().move is not None
        assert thinker._player.sandbox._process is process


def test_an_agent_that_keeps_a_file_open_is_a_fault_that_names_it(monkeypatch):
    def pause(_):
        raise Fault(Reason.FILES, "kept a file open", "notes.txt")

    monkeypatch.setattr(Player, "pause", pause)
    with Thinker(PENTAGO, parse_agent(PLAYS_ON), Limits()) as thinker:
        with pytest.raises(AgentFailed, match=rf"{PYTHON} kept a file open: notes\.txt"):
            thinker.move([PENTAGO.initial()]).result()
        assert thinker._player is None


# --- Both ends of "move now" ----------------------------------------------------------------------------------------


def test_a_hurried_clock_has_no_time_left_and_ends_a_search():
    clock, pacer = Clock(100.0), Pacer()
    deadline = pacer.deadline(clock, Limits(move_seconds=100.0))
    chunks = pacer.chunks(deadline, lambda: 0)
    assert next(chunks)
    clock.hurry()
    assert clock.remaining <= 0
    assert next(chunks, None) is None
    pacer.answered()
    assert next(pacer.chunks(pacer.deadline(Clock(100.0), Limits(move_seconds=100.0)), lambda: 0))


class Remembers(Agent):
    """Plays the first legal move and remembers how many seconds its clock had left each time."""

    def __init__(self, game, limits, seed):
        super().__init__(game, limits, seed)
        self.left = []

    def step(self, position, clock):
        self.left.append(clock.remaining)
        return position.legal_moves()[0]


def test_a_hurry_that_comes_while_nobody_thinks_does_not_spoil_the_next_move():
    agent = Remembers(PENTAGO, LONG, 0)
    host = AgentHost(lambda game, limits, seed: agent, LONG)
    host.use(PENTAGO)
    for _ in range(2):
        host.hurry()
        host.think(START[0], 10)
    assert all(left > 0 for left in agent.left)
    assert len(agent.left) == 2


# --- What an agent says of its moves --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("nonsense", "Expecting value"),
        ("{}", "not a list"),
        ("[1]", "not an object"),
        ('[{"move": "z9", "visits": 1, "value": 0.5, "proven": null}]', "is not a legal move"),
        ('[{"move": "a1/0r", "visits": -1, "value": 0.5, "proven": null}]', "not a report on a move"),
        ('[{"move": "a1/0r", "visits": 1, "value": 2, "proven": null}]', "is not a winning chance"),
        ('[{"move": "a1/0r", "visits": 1, "value": NaN, "proven": null}]', "is not a winning chance"),
        ('[{"move": "a1/0r", "visits": 1, "value": 0.5, "proven": "perhaps"}]', "not a report on a move"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_proper_ranking_is_refused(answer, reason):
    with pytest.raises(ValueError, match=reason):
        ranked_moves(answer, PENTAGO, START[0])


def test_a_line_that_cannot_be_shown_is_left_out():
    answer = '[{"move": "a1/0r", "visits": 1, "value": 1, "proven": null, "pv": ["a1/0r", "\\u001b[31m", 5]}]'
    assert ranked_moves(answer, PENTAGO, START[0])[0].pv == ("a1/0r",)


# --- The agents of a game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "options"), [("kalah", {"first": "1"}), ("examples/games/tic_tac_toe.py", {})])
def test_people_wait_for_a_first_move_no_longer_than_for_others(game, options):
    """An agent in plain Python has no such option: its first move never takes longer."""
    the_game = load_game(game)
    with Agents(GameInProgress(the_game, [the_game.initial()], ("human_agent", "uct_agent")), PlaySettings()) as agents:
        assert agents.player(1).spec.options == options
    level = LevelAgent(the_game, LONG, options={"level": "9"})
    assert float(level._uct.options.get("first", 1)) == 1


def test_agents_are_made_when_they_are_wanted_and_kept_while_they_play():
    played = GameInProgress(PENTAGO, START, ("human_agent", "random_agent"))
    with Agents(played, PlaySettings(hints="random_agent", handicap=Handicap(4))) as agents:
        first = agents.player(1)
        assert (first.limits.move_seconds, agents.adviser.limits.move_seconds) == (0.5, 2.0)
        played.let_play(played.players[::-1])
        assert agents.player(0) is first
        played.players[:] = ["random_agent", "random_agent"]
        assert agents.player(0) is not agents.player(1)
        seeds = [agents.player(side)._seed for side in (0, 1)]
        assert abs(seeds[0] - seeds[1]) > 1, "one follows from the other"
        played.new_game(load_game("go", size=5))
        assert (agents.player(0).game.name, agents.player(0).game.size) == ("go", 5)
