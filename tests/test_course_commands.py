"""`connect` and `course-server` on the command line, and the commands that read the logs of the course's server."""

import codecs
import json
import os
import re
import signal
import socket
from dataclasses import replace

import pytest

from agents.process_memory import held_bytes
from game import load_game
from simulator.course.protocol import GameOver
from simulator.course.review import ReviewedMove, Solver
from simulator.records.database import read_store, write_store
from simulator.records.single_games import single_games
from simulator.records.store import StoreError
from simulator.referee.game_record import Reason
from simulator.terminal.review import remark
from tests.command_line import invoke
from tests.contract import search_kernel
from tests.course_clients import TIMEOUT, WHITE_WINS, Client, address_of_nobody, at_a_table, random_pair, write_log
from tests.leagues import random_game, write_league
from tests.programs import command, interrupted
from tests.scoundrels.games import PLAYS_ON
from tests.searches import tactics

PENTAGO = load_game("pentago")


# --- connect --------------------------------------------------------------------------------------------------------


def test_connect_says_that_there_is_no_server():
    address = address_of_nobody()
    result = invoke("connect", address, "--agent", "random_agent", "--wait", 0)
    assert result.exit_code == 1
    assert f"there is no server at {address}: the connection is refused" in result.output


def test_connect_keeps_its_games_in_records_and_lines_and_prints_them_as_json(tmp_path):
    records, save = tmp_path / "games.db", tmp_path / "games.jsonl"
    with at_a_table(games=2) as served:
        address = "{}:{}".format(*served.server.address)
        options = ("--agent", PLAYS_ON, "--name", "mine", "--games", 2, "--json", "--display")
        result = invoke("connect", address, *options, "--records", records, "--save", save)
    assert result.exit_code == 0, result.output
    played = json.loads(result.stdout.splitlines()[-1])
    assert not played["interrupted"]
    assert "plays " in result.stderr
    assert len(save.read_text().splitlines()) == 2
    with read_store(records) as store:
        assert {agent.name: agent.text for agent in store.agents()} == {"mine": PLAYS_ON, "opponent": "opponent"}
        ours = [store.record(game.id) for game in store.games()]
    for mine, theirs, said in zip(ours, served.records, played["games"], strict=True):
        assert mine.verdict.text.replace("opponent", "rando") == theirs.verdict.text
        assert (mine.verdict.text, mine.verdict.reason) == (said["verdict"], Reason.NORMAL)
        assert [move.move for move in mine.moves] == [move.move for move in theirs.moves]
        side = mine.agents.index("mine")
        assert mine.peak_memory_mb[side] > 1 and mine.startup_seconds[side] > 0 and mine.enforcement
    assert "game 2, round 2: " in invoke("replay", records, "--game", 2).output  # as `connect` called it
    assert invoke("report", records, "-o", tmp_path / "report").exit_code == 0


# --- course-server --------------------------------------------------------------------------------------------------


def port_of(server):
    """The port at which the server of a command listens."""
    line = server.stderr.readline()
    match = re.fullmatch(r"listening on 127\.0\.0\.1, port (\d+), to this machine only\n", line)
    assert match, line + server.stderr.read()
    return int(match[1])


def test_course_server_plays_and_keeps_games(tmp_path):
    logs, records = tmp_path / "logs", tmp_path / "games.db"
    words = ("--port", 0, "--games", 2, "--json", "--logs", logs, "--records", records)
    with command("course-server", *words) as server:
        random_pair(("127.0.0.1", port_of(server)), 2)
        out, _ = server.communicate(timeout=TIMEOUT)
        assert server.returncode == 0
    played = json.loads(out.splitlines()[-1])
    assert [game["agents"] for game in played["games"]] == 2 * [["rando", "rando#2"]]
    assert len((logs / "outcomes.txt").read_text().splitlines()) == 2
    with read_store(records) as store:
        assert [game.result for game in store.games()] == [game["result"] for game in played["games"]]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_end_the_server_and_the_game_in_play(tmp_path, sent):
    with command("course-server", "--port", 0, "--json", "--logs", tmp_path) as server:
        address = ("127.0.0.1", port_of(server))
        white, black = Client(address, "alice"), Client(address, "bob")
        assert (white.line(), black.line()) == ("START Player-0 alice", "START Player-1 bob")
        out, _ = interrupted(server, sent)
    (game,), is_interrupted = json.loads(out).values()
    assert (game["reason"], is_interrupted) == ("void", True)
    for client in (white, black):
        assert client.lines_until("GAMEOVER")[-1] == "GAMEOVER USER CANCEL UNDECIDED"
        client.close()


def test_course_server_refuses_a_taken_port(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = invoke("course-server", "--port", port, "--logs", tmp_path / "logs")
    assert result.exit_code == 1 and not list(tmp_path.iterdir())
    assert result.output.endswith(f"cannot listen on 127.0.0.1, port {port}: Address already in use\n")


# --- Records of single games ----------------------------------------------------------------------------------------


def test_games_that_come_one_by_one_are_added_to_what_is_there(tmp_path):
    path, played = tmp_path / "games.db", [("alice", "bob"), ("bob", "carol"), ("alice", "bob")]
    for names in played:
        with write_store(path) as store:
            single_games(store, {"game": "pentago"})(random_game(names, seed=1), 1)
    with read_store(path) as store:
        assert [agent.name for agent in store.agents()] == ["alice", "bob", "carol"]
        assert [(game.first, game.second) for game in store.games()] == played
        assert [pair.round for pair in store.pairs()] == [game.id for game in store.games()] == [1, 2, 3]


def test_a_tournaments_records_take_no_single_games(tmp_path):
    path = tmp_path / "league.db"
    write_league(path, ("alpha", "beta"))
    with write_store(path) as store, pytest.raises(StoreError, match="holds a tournament: name another file"):
        single_games(store, {})


def test_single_games_do_not_go_on_as_a_tournament(tmp_path):
    with write_store(tmp_path / "games.db") as store:
        single_games(store, {"game": "pentago"})
    done = invoke("tournament", tmp_path / "games.db", "--extend")
    assert done.exit_code == 2 and "single games, which cannot go on as a tournament" in done.output


# --- Logs -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path):
    return write_log(tmp_path, GameOver("WINNER", 0)).path


def test_a_log_is_replayed(log):
    output = invoke("replay", log).output
    assert "game 1: alice (w) against bob (b), W+" in output
    assert "move 9 of 9: alice (w) played e1/2r" in output
    assert "alice (w) wins on the board after 9 moves [normal]" in output
    assert "0.000 s" not in output
    assert "0 MB" not in output


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_log_is_exported(log, form):
    result = invoke("export", log, "--format", form)
    assert result.exit_code == 0
    if form == "jsonl":
        assert json.loads(result.stdout)["verdict"]["winner"] == 0
    else:
        header, row = (line.split(",") for line in result.stdout.splitlines()[:2])
        game = dict(zip(header, row, strict=False))
        assert (game["first"], game["result"], game["moves"], game["first_max_seconds"]) == ("alice", "W+", "9", "")


def test_a_log_that_cannot_be_read_is_refused_with_its_line(log):
    log.write_text(log.read_text().replace(WHITE_WINS[1], WHITE_WINS[0]))
    for words in (("replay", log), ("export", log, "--format", "csv"), ("analyze", "--log", log)):
        result = invoke(*words)
        assert result.exit_code == 2
        assert "it is the turn of bob" in " ".join(result.output.split())


def test_a_log_that_an_editor_has_marked_as_utf_8_is_read(log):
    log.write_bytes(codecs.BOM_UTF8 + log.read_bytes())
    assert invoke("replay", log).exit_code == 0


def test_a_pipe_with_a_name_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "is a pipe or a device, not a file" in invoke("analyze", "--log", tmp_path / "pipe").output


def test_a_proof_of_a_win_that_the_move_has_thrown_away_is_no_praise():
    move = ReviewedMove(0, 0, "a1/0r", 0.4, "c3/0r", 1.0, "win", "", 0, "")
    assert remark(move) == "a proved win was there: c3/0r"
    assert remark(replace(move, value=1.0)) == "a proved win"


@pytest.mark.slow
def test_analyze_log_names_the_moves_that_lose_by_force(log):
    result = invoke("analyze", "--log", log, "--simulations", 50, "--memory", held_bytes() // 1_000_000 + 300)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    moves = [line for line in lines if re.match(r" +\d", line)]
    assert [line.split()[3] for line in moves][:2] == ["a1/2r", "f6/2f"]
    losing = [line for line in moves if "loses by force" in line]
    assert len(losing) == 1
    assert re.search(r"bob \(b\) .*; [a-f][1-6]/[0-3][rf] does not$", losing[0])
    assert "bob: 4 moves, 1 that lose by force, 0 forced wins missed" in lines
    assert lines[-1] == "alice (w) wins on the board after 9 moves"


def test_analyze_log_as_json(log):
    """A log that was cut off after two moves is analysed, too."""
    log.write_text(log.read_text().partition(WHITE_WINS[2])[0])
    result = invoke("analyze", "--log", log, "--simulations", 20, "--memory", held_bytes() // 1_000_000 + 300, "--json")
    content = json.loads(result.stdout)
    assert (content["agents"], content["result"], content["interrupted"]) == (["alice", "bob"], "none", False)
    assert [(move["ply"], move["move"], move["mistake"]) for move in content["moves"]] == [
        (0, "a1/2r", ""),
        (1, "f6/2f", ""),
    ]


def test_ctrl_c_ends_analyze_log_with_the_moves_that_were_judged(log, monkeypatch):
    mistake, judged = Solver.mistake, []

    def until_ctrl_c(*arguments):
        judged.append(arguments)
        if len(judged) > 2:
            raise KeyboardInterrupt
        return mistake(*arguments)

    monkeypatch.setattr(Solver, "mistake", until_ctrl_c)
    result = invoke("analyze", "--log", log, "--simulations", 20, "--memory", held_bytes() // 1_000_000 + 300, "--json")
    content = json.loads(result.stdout)
    assert (result.exit_code, len(content["moves"]), content["interrupted"]) == (130, 2, True)


def test_a_missed_win_and_a_lost_position_are_named():
    solver = Solver(PENTAGO, search_kernel(PENTAGO))
    before = PENTAGO.parse_position("wwww../....../b....b/....../....../b....b w")
    wins, misses = (PENTAGO.parse_move(text) for text in ("e1/3r", "d5/2r"))
    assert solver.mistake(before, before.play(misses), wins) == ("misses", 1, wins)
    assert solver.mistake(before, before.play(wins), wins) == ("", 0, None)
    before = PENTAGO.parse_position("b.w.wb/.bb.b./.b..wb/bwb..w/w.w..b/w..w.w w")
    wins, wins_later = (PENTAGO.parse_move(text) for text in ("d2/0r", "f2/2f"))
    assert solver.mistake(before, before.play(wins_later), wins) == ("", 0, None)
    case = tactics("win", 3)[0]
    before = PENTAGO.parse_position(case["position"])
    lost = before.play(PENTAGO.parse_move(case["moves"][0]))
    move = lost.legal_moves()[0]
    assert solver.mistake(lost, lost.play(move), move) == ("lost", 2, None)


def test_where_every_move_loses_within_the_solvers_sight_none_is_a_mistake(monkeypatch):
    solver, before = Solver(PENTAGO, search_kernel(PENTAGO)), PENTAGO.initial()
    best, *others = before.legal_moves()
    lost_in = {before.play(move): 5 for move in others} | {before.play(others[0]): 1}
    monkeypatch.setattr(solver, "_win_of_next", lambda position, child: lost_in.get(child, 3))
    monkeypatch.setattr(solver, "_forces", lambda position, plies: False)
    assert solver.mistake(before, before.play(others[0]), best) == ("lost", 6, None)
    lost_in[before.play(others[-1])] = None
    kind, plies, better = solver.mistake(before, before.play(others[0]), best)
    assert (kind, plies, before.play(better)) == ("loses", 1, before.play(others[-1]))
