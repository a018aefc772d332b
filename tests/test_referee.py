"""Honest games, their records, and a referee whose own machine fails.

Games with agents that break the rules are in `tests/scoundrels`.
"""

import errno
import os
import shlex
import shutil
import subprocess
import textwrap
import time

import psutil
import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game, play_moves
from simulator.gtp.client import Client
from simulator.gtp.syntax import one_line
from simulator.player.contract import Order
from simulator.player.engine_words import board_size, gtp_seconds, moves_to
from simulator.player.launch import Launch, launch_for
from simulator.player.move_time import MoveTime, position_after
from simulator.player.player import Player
from simulator.referee.events import ClockRuns, GameBegan
from simulator.referee.game_record import MoveRecord, Reason
from simulator.sandbox import bubblewrap, proc
from simulator.sandbox.confine import Confinement
from simulator.sandbox.sandbox import Sandbox
from tests.programs import finished, reap_adopted, wait_until
from tests.scoundrels.games import (
    HONEST,
    PATIENT,
    PLAYS_ON,
    QUICK,
    assert_position_is_the_referees,
    late,
    play,
)

ENFORCED = {"memory", "processor", "pausing", "processes", "network", "files", "privileges", "output"}


@pytest.fixture(autouse=True)
def no_process_is_left():
    others = set(psutil.Process().children(recursive=True))  # such as the tracker that multiprocessing keeps
    yield
    assert set(psutil.Process().children(recursive=True)) <= others


@pytest.mark.parametrize("failure", [MemoryError(), OSError(errno.EMFILE, "too many open files")])
def test_a_machine_that_fails_while_a_move_is_read_makes_no_move_illegal(monkeypatch, failure):
    game = load_game("pentago")

    def fails(text, position):
        raise failure

    monkeypatch.setattr(game, "parse_move", fails)
    with pytest.raises(type(failure)):
        position_after("a1/0r", game, game.initial(), is_python=True)


def test_honest_game_is_recorded_and_an_observer_is_told_of_every_move_as_the_record_has_it():
    told, names = [], ("Ann", "Bob")
    record = play(HONEST, PLAYS_ON, names=names, opening=("a1/0r", "5 5 3 1"), seed=1, observer=told.append)
    assert record.verdict.reason == Reason.NORMAL and record.verdict.loser is None
    assert record.opening == ("a1/0r", "f6/3f") and record.agents == names
    assert [move.ply for move in record.moves] == list(range(2, record.verdict.ply))
    assert record.moves[0].player == 0
    assert 20 < record.peak_memory_mb[0] < 300  # a control group counts what is not shared
    assert set(record.enforcement) == ENFORCED and all(record.enforcement.values())
    assert_position_is_the_referees(record)
    events = [event for event in told if not isinstance(event, ClockRuns)]
    assert events == [GameBegan(names, record.opening), *record.moves, record]


def test_a_program_is_the_installed_one_though_a_file_here_has_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sh").touch()
    launch = Launch(parse_agent("gtp:sh -c sh"), load_game("pentago"))
    assert launch.command(0.0, Confinement())[-3:] == [shutil.which("sh"), "-c", str(tmp_path / "sh")]


def test_our_own_engine_can_play_as_a_gtp_program():
    agent = f"gtp:{shlex.join(Order('pentago', 'random_agent').command())}"
    record = play(agent, PLAYS_ON)
    assert record.verdict.reason == Reason.NORMAL
    assert record.moves[0].analysis.seconds is not None


def test_game_that_the_opening_ends_needs_no_agents():
    opening = ("a1/2r", "f6/2r", "b1/2r", "f5/2r", "c1/2r", "f4/2r", "d1/2r", "e6/2r", "e1/2r")
    record = play("gtp:/no/such/engine", "gtp:/no/such/engine", opening=opening)
    assert (record.verdict.reason, record.verdict.winner, record.moves) == (Reason.NORMAL, 0, ())


# --- The referee's own machine --------------------------------------------------------------------------------------


def test_machine_that_cannot_start_a_process_voids_the_game(monkeypatch):
    def fail(*arguments, **options):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    record = play(PLAYS_ON, PLAYS_ON)
    verdict = record.verdict
    assert (verdict.reason, verdict.winner, verdict.loser, record.result) == (Reason.VOID, None, None, "none")
    assert "Resource temporarily unavailable" in verdict.text


@pytest.mark.parametrize(
    ("kind", "error"),
    [(GameBegan, OSError), (ClockRuns, OSError), (ClockRuns, KeyboardInterrupt), (MoveRecord, MemoryError)],
)
def test_what_an_observer_raises_closes_both_players_and_goes_on(kind, error):
    calls = 0

    def interrupt(event):
        nonlocal calls
        calls += isinstance(event, kind)
        if calls == (1 if kind is GameBegan else 3):
            raise error("of the observer")

    with pytest.raises(error, match="of the observer"):
        play(PLAYS_ON, late(0.3), observer=interrupt)


def test_clock_of_a_later_move_starts_when_the_request_has_been_written(monkeypatch):
    send, calls = Client.send, 0

    def slow(client, commands, deadline):
        nonlocal calls
        calls += commands[-1].startswith("genmove")
        if calls == 4:
            calls += 1
            time.sleep(3)
        return send(client, commands, deadline)

    monkeypatch.setattr(Client, "send", slow)
    record = play(PLAYS_ON, PLAYS_ON, PATIENT)
    assert record.moves[3].seconds < 3  # other moves may wait for a busy machine


def test_a_teardown_that_fails_is_written_down_and_loses_no_game(monkeypatch):
    real = Player.close

    def fails(player, polite=False):
        real(player, polite)
        raise OSError(errno.EBUSY, "processes cannot be killed")

    monkeypatch.setattr(Player, "close", fails)
    record = play(PLAYS_ON, f"{QUICK} --dies 'no more moves'", names=("Ann", "Bob"))
    assert record.verdict.loser == 1
    assert len(record.incidents) == 3  # one more, as the loser is closed before its last words are read
    assert "Bob (b) was not tidied up: [Errno 16] processes cannot be killed" in record.incidents[0]


def test_a_kill_that_fails_leaves_no_descriptor_open(monkeypatch):
    real = Sandbox.kill

    def fails(sandbox):
        real(sandbox)
        raise OSError(errno.EMFILE, "too many open files")

    game, before = load_game("pentago"), len(os.listdir("/proc/self/fd"))
    player = Player(launch_for(parse_agent(QUICK), game, Limits(60, 60), isolation="none"))
    player.ask([game.initial()], MoveTime(60))
    monkeypatch.setattr(Sandbox, "kill", fails)
    with pytest.raises(OSError, match="too many open files"):
        player.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_illegal_opening_is_the_callers_error():
    with pytest.raises(ValueError, match="taken"):
        play(HONEST, HONEST, opening=("a1/3r", "a1/3r"))


def test_engines_that_are_stopped_end_with_a_referee_that_is_killed():
    """Otherwise they would stay stopped for ever. One is in namespaces, if there are any here, and one is not."""
    has_namespaces = [False] if bubblewrap.missing() else [True, False]
    code = f"""
        import os, signal
        from agents.agent import parse_agent
        from agents.limits import Limits
        from game import load_game
        from simulator.sandbox.isolation import Mechanisms
        from simulator.player.launch import Launch
        from simulator.player.move_time import MoveTime
        from simulator.player.player import Player
        spec, game, players = parse_agent("{QUICK}"), load_game("pentago"), []
        for bubblewrap in {has_namespaces}:
            mechanisms = Mechanisms(bubblewrap=bubblewrap, filter=True)
            players.append(Player(Launch(spec, game, Limits(60, 60), mechanisms=mechanisms)))
            players[-1].ask([game.initial()], MoveTime(60))
            players[-1].pause()
            print(*players[-1].sandbox._tree.members(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = finished("-c", textwrap.dedent(code))
    lines = done.stdout.splitlines()
    assert all(lines) and len(lines) == len(has_namespaces), done.stderr
    processes = list(map(int, done.stdout.split()))
    wait_until(lambda: not any((stat := proc.stat(pid)) and stat.state not in proc.DEAD for pid in processes))
    reap_adopted()


# --- What an engine is told -----------------------------------------------------------------------------------------


def test_replaced_move_is_told_by_undo_or_by_the_whole_game():
    game = load_game("pentago")
    board, replaced = play_moves(game, ("a1/0r", "b2/0r")), play_moves(game, ("a1/0r", "c3/0r"))
    assert moves_to(game, board, replaced, can_undo=True) == ["undo", "play b c3/0r"]
    assert moves_to(game, board, replaced, can_undo=False) == ["clear_board", "play w a1/0r", "play b c3/0r"]
    assert moves_to(game, board[:2], replaced, can_undo=False) == ["play b c3/0r"]
    loaded = [board[2], board[2].play(board[2].legal_moves()[0])]
    commands = [f"unforced-set_position {board[2]}", f"play w {loaded[1].last_move}"]
    assert moves_to(game, board, loaded, can_undo=True) == commands


def test_an_engine_is_told_the_size_of_the_board_by_the_option_that_it_is():
    sizes = [board_size(load_game(name, **options)) for name, options in (("kalah", {"pits": 4}), ("go", {"size": 7}))]
    assert [*sizes, board_size(load_game("pentago"))] == [4, 7, 6]


def test_whole_seconds_are_rounded_down_but_to_1_at_least():
    assert [gtp_seconds(seconds, reads_fractions=False) for seconds in (2.0, 2.5, 0.4, 10)] == ["2", "2", "1", "10"]


def test_one_line_keeps_control_characters_out():
    assert one_line("a\x1b[2J\nb\x00\u202ec") == "a [2J b c"
