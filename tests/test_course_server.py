"""Our server of the course's protocol, with clients that say what they like.

No test depends on how fast the machine is: clocks are generous where an answer is to be in time, and where it is to be
late, the client waits for longer than the limit.
"""

import random
import socket
import time
from contextlib import suppress

import pytest

from agents.limits import Limits
from game import load_game
from simulator.course.connection import FLOOD_BYTES, Connection
from simulator.course.log_file import read_log
from simulator.course.protocol import USER_CANCEL, MoveLine
from simulator.course.server import CourseServer
from simulator.course.server_game import ServerGame
from simulator.referee.events import GameBegan
from simulator.referee.game_record import Reason
from tests.course_clients import GENEROUS, WHITE_WINS, Client, table

PENTAGO = load_game("pentago")
LATE = Limits(first_move_seconds=0.05, move_seconds=600, cushion_seconds=600)  # with 0.2 s a first move is late
NEVER = Limits(first_move_seconds=0.05, move_seconds=600, cushion_seconds=0.05)


def play(white, black, moves=WHITE_WINS):
    """Play moves, and see that both clients are told of each."""
    players = (white, black)
    for ply, move in enumerate(moves):
        assert players[ply % 2].line() == f"PLAY Player-{ply % 2}"
        players[ply % 2].send(move)
        assert [player.line() for player in players] == [move, move]


# --- A game without faults ------------------------------------------------------------------------------------------


def test_a_game_to_its_end_on_the_board(tmp_path):
    with table(folder=tmp_path) as served:
        white, black = served.pair()
        play(white, black)
        assert white.line() == black.line() == "GAMEOVER WINNER 0"
        assert white.line() == black.line() == ""
    (record,) = served.records
    assert (record.agents, record.result, record.verdict.reason) == (("alice", "bob"), "W+", Reason.NORMAL)
    assert record.verdict.text == "alice (w) wins on the board after 9 moves"
    assert all(move.seconds > 0 for move in record.moves)
    lines = (tmp_path / "game00001.log").read_text().splitlines()
    told = ["START Player-0 alice", "START Player-1 bob", *WHITE_WINS, "GAMEOVER WINNER 0"]
    assert [line for line in lines if not line.startswith("#")] == told
    assert (tmp_path / "outcomes.txt").read_text() == "1,alice,bob,0,alice,4,game00001.log,\n"
    again = read_log(tmp_path / "game00001.log")
    assert [move.move for move in again.moves] == [move.move for move in record.moves]


def test_games_end_as_the_board_says():
    endings = set()
    for seed in range(20):
        rng, (game, sent) = random.Random(seed), server_game(GENEROUS)
        position = PENTAGO.initial()
        while position.result is None:
            move, mover = rng.choice(position.legal_moves()), position.to_move
            game.received(mover, str(MoveLine.of(move, mover)), 0.0)
            position = position.play(move)
        winner = position.result.winner
        assert sent[-1] == (1, "GAMEOVER DRAW" if winner is None else f"GAMEOVER WINNER {winner}")
        assert game.record.final_position == str(position)
        endings.add(winner)
    assert {0, 1} <= endings


def test_names_are_made_different():
    with table() as served:
        white, black = served.client("x"), served.client("x")
        assert (white.line(), black.line()) == ("START Player-0 x", "START Player-1 x#2")
        white.close()
        black.lines_until("GAMEOVER")
    assert served.records[0].agents == ("x", "x#2")


def test_several_games_one_after_the_other(tmp_path):
    with table(games=2, folder=tmp_path) as served:
        for _ in range(2):
            white, black = served.pair()
            play(white, black)
            assert white.line() == "GAMEOVER WINNER 0"
            white.close()
            black.close()
    assert len(served.records) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game00001.log", "game00002.log", "outcomes.txt"]


# --- Packets --------------------------------------------------------------------------------------------------------


def test_half_lines_and_two_lines_in_a_packet():
    with table() as served:
        white, black = served.client(), served.client()
        white.send_bytes(b"STAR")
        black.send("START bob")
        time.sleep(0.05)
        white.send_bytes(b"T alice\r\n0 ")
        assert white.line() == "START Player-0 alice"
        assert white.line() == "PLAY Player-0"
        white.send_bytes(b"0 2 0 0")
        time.sleep(0.05)
        white.send_bytes(b"\n")
        assert white.line() == "0 0 2 0 0"
        assert black.lines_until("PLAY") == ["START Player-1 bob", "0 0 2 0 0", "PLAY Player-1"]
        black.send_bytes(b"nonsense\n5 5 2 1 1\n5 4 2 1 1\n")  # the last one is out of turn
        assert white.line() == "5 5 2 1 1"
        assert white.line() == "PLAY Player-0"
        white.close()
        assert black.lines_until("GAMEOVER")[-1] == "GAMEOVER DISCONNECTION Player-0 WINNER 1"
    assert any("bob (b): it is not its turn, '5 4 2 1 1' is ignored" in text for text in served.said)


@pytest.mark.parametrize(
    "garbage", [b"hello\n", b"\n", b"\xff\xfe\n", b"1 2 3\n", b"GAMEOVER WINNER 0\n", b"PLAY Player-0\n"]
)
def test_what_cannot_be_read_is_ignored_and_the_clock_runs_on(garbage):
    with table() as served:
        white, black = served.pair()
        assert white.line() == "PLAY Player-0"
        white.send_bytes(garbage)
        white.send(WHITE_WINS[0])
        assert white.line() == black.line() == WHITE_WINS[0]
        black.close()
        assert white.lines_until("GAMEOVER")[-1] == "GAMEOVER DISCONNECTION Player-1 WINNER 0"


# --- Faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("6 0 0 0 0", "rows and columns are 0 to 5"),
        ("0 0 4 0 0", "rows and columns are 0 to 5"),
        ("0 0 0 2 0", "rows and columns are 0 to 5"),
        ("-1 0 0 0 0", "rows and columns are 0 to 5"),
        ("0 0 0 0 1", "it is the turn of alice"),
    ],
)
def test_an_illegal_move_loses(move, why):
    with table() as served:
        white, black = served.pair()
        assert white.line() == "PLAY Player-0"
        white.send(move)
        over = white.line()
        assert over == black.line()
        assert over.startswith("GAMEOVER ILLEGAL MOVE: Player ")
        assert over.endswith(" WINNER 1")
    verdict = served.records[0].verdict
    assert (verdict.reason, verdict.loser) == (Reason.ILLEGAL, 0)
    assert verdict.text.startswith("alice (w) made an illegal move at move 1: ")
    assert why in verdict.text


def test_a_taken_cell_loses():
    with table() as served:
        white, black = served.pair()
        play(white, black, WHITE_WINS[:1])
        assert black.line() == "PLAY Player-1"
        black.send("0 0 2 0 1")
        assert white.line() == "GAMEOVER ILLEGAL MOVE: Player 1, Move: (0, 0), R/F: (2, 0) WINNER 0"
    assert "a1 is taken" in served.records[0].verdict.text


@pytest.mark.parametrize("late", ["3 3 0 0 0", "9 9 9 9 9", "hello"])
def test_an_answer_within_the_cushion_is_replaced_by_a_random_move(late):
    with table(LATE) as served:
        white, black = served.pair()
        assert white.line() == "PLAY Player-0"
        time.sleep(0.2)
        white.send(late)
        move = white.line()
        assert move == black.line()
        assert move.endswith(" 0")
        assert black.line() == "PLAY Player-1"
        white.close()
        black.lines_until("GAMEOVER")
    (first, *_) = served.records[0].moves
    assert (first.replaced, first.answer) == (True, late)
    assert first.seconds > 0.05
    assert any("a random move was played" in text for text in served.said)


def test_no_answer_by_the_end_of_the_cushion_loses():
    with table(NEVER) as served:
        white, black = served.pair()
        assert white.lines_until("GAMEOVER") == ["PLAY Player-0", "GAMEOVER TIMEOUT WINNER 1"]
        assert black.line() == "GAMEOVER TIMEOUT WINNER 1"
    verdict = served.records[0].verdict
    assert (verdict.reason, verdict.loser, verdict.limit) == (Reason.TIMEOUT, 0, 0.05)
    assert verdict.text == "alice (w) lost on time at move 1: no answer within 0.05 s and the cushion of 0.05 s"


@pytest.mark.parametrize("plies", range(3))
@pytest.mark.parametrize("leaver", [0, 1])
def test_who_leaves_loses_whoever_is_to_move(plies, leaver):
    with table() as served:
        players = served.pair()
        play(*players, WHITE_WINS[:plies])
        players[leaver].close()
        last = players[1 - leaver].lines_until("GAMEOVER")[-1]
        assert last == f"GAMEOVER DISCONNECTION Player-{leaver} WINNER {1 - leaver}"
    verdict = served.records[0].verdict
    assert (verdict.reason, verdict.loser, verdict.ply) == (Reason.CRASH, leaver, plies)


@pytest.mark.parametrize("data", [b"x", b"x\n", b"0 0 0 0 1\n"])
def test_a_flood_loses_only_the_flooders_game(data):
    with table(games=2) as served:
        white, black = served.pair()
        flood(black, data)
        assert white.lines_until("GAMEOVER")[-1] == "GAMEOVER FLOOD WINNER 0"
        white, black = served.pair()
        play(white, black)
    assert [record.verdict.winner for record in served.records] == [0, 0]
    assert served.records[0].verdict.text.startswith("bob (b) sent too much at move 1: ")
    assert len(served.said) < 40


def drip(client):
    """Send byte by byte what never becomes a line."""
    with suppress(OSError):
        while True:
            client.send_bytes(b"0")
            time.sleep(0.002)


@pytest.mark.parametrize(
    ("deed", "end"),
    [
        (drip, "GAMEOVER TIMEOUT WINNER 0"),
        (Client.reset, "GAMEOVER DISCONNECTION Player-1 WINNER 0"),
        (Client.end_sending, "GAMEOVER DISCONNECTION Player-1 WINNER 0"),
    ],
)
def test_who_drips_resets_or_hangs_up_by_half_loses_only_its_game(deed, end):
    with table(Limits(first_move_seconds=3, move_seconds=600, cushion_seconds=0), games=2) as served:
        white, black = served.pair()
        white.send(WHITE_WINS[0])
        black.lines_until("PLAY Player-1")
        deed(black)
        assert white.lines_until("GAMEOVER")[-1] == end
        play(*served.pair())
    assert [record.verdict.winner for record in served.records] == [0, 0]


def flood(client, data):
    """Send more than a game may take, until the server hangs up at the latest."""
    try:
        for _ in range(64):
            client.send_bytes(data * (FLOOD_BYTES // 8 // len(data)))
    except OSError:
        return


# --- Who plays ------------------------------------------------------------------------------------------------------


def test_a_third_client_plays_the_next_game():
    with table(games=2) as served:
        white, black = served.pair()
        third = served.client("carol")
        play(white, black)
        fourth = served.client("dave")
        assert (third.line(), fourth.line()) == ("START Player-0 carol", "START Player-1 dave")
        play(third, fourth)
    assert [record.agents for record in served.records] == [("alice", "bob"), ("carol", "dave")]


def test_a_third_client_is_told_when_there_are_no_more_games():
    with table() as served:
        white, black = served.pair()
        third = served.client("carol")
        play(white, black)
        assert third.lines_until("GAMEOVER") == ["GAMEOVER NO MORE GAMES UNDECIDED"]
        with pytest.raises(ConnectionResetError):  # at an orderly end, Java's client would wait for START for ever
            third.line()


def test_a_client_that_says_nothing_holds_nobody_up_and_is_sent_away():
    with table(games=2, start_seconds=0.3) as served:
        silent = served.client()
        while not served.said:  # so that it is the first to be accepted
            time.sleep(0.01)
        white, black = served.pair()
        assert silent.lines_until("GAMEOVER") == ["GAMEOVER NO START UNDECIDED"]
        play(white, black)
        play(*served.pair())


def test_the_first_to_connect_is_white_whoever_is_ready_first():
    with table() as served:
        first = served.client()
        while not served.said:
            time.sleep(0.01)
        second = served.client("second")
        first.send("1 2 3 0 0", "START first")  # the move is ignored, there is no game yet
        assert (first.line(), second.line()) == ("START Player-0 first", "START Player-1 second")
        play(first, second)


def test_clients_that_leave_or_flood_before_a_game_leave_no_trace():
    with table() as served:
        for _ in range(3):
            served.client("gone").close()
        flood(served.client(), b"x\n")
        served.client().close()
        while sum("disconnected" in text for text in served.said) < 4 or not any(
            "65536" in text for text in served.said
        ):
            time.sleep(0.01)
        play(*served.pair())
    assert len(served.records) == 1


def test_a_client_who_finds_no_place_is_told(monkeypatch):
    monkeypatch.setattr("simulator.course.server.MOST_WAITING", 2)
    with table() as served:
        white, black = served.pair()
        assert served.client("carol").lines_until("GAMEOVER") == ["GAMEOVER SERVER FULL UNDECIDED"]
        play(white, black)


def test_who_is_sent_away_has_time_to_read_why(monkeypatch):
    monkeypatch.setattr("simulator.course.server.MOST_WAITING", 2)
    closed = []
    close = Connection.close

    def noted(connection, *, at_once=False):
        closed.append((time.monotonic(), at_once))
        close(connection, at_once=at_once)

    with table() as served:
        white, black = served.pair()
        monkeypatch.setattr(Connection, "close", noted)
        before = time.monotonic()
        carol = served.client("carol")
        carol.lines_until("GAMEOVER")
        with pytest.raises(ConnectionResetError):
            carol.line()
        assert [(when - before >= 1.0, at_once) for when, at_once in closed] == [(True, True)]
        play(white, black)


def test_a_client_that_reads_nothing_is_no_burden():
    with table() as served:
        white, black = served.pair()
        for ply, move in enumerate(WHITE_WINS):
            (white, black)[ply % 2].send(move)
            white.lines_until(move)  # black reads nothing
        assert white.line() == "GAMEOVER WINNER 0"


def interrupted(event):
    """Somebody presses Ctrl-C when the first game begins."""
    if isinstance(event, GameBegan):
        raise KeyboardInterrupt


def test_a_stopped_server_tells_its_clients_and_nobody_wins(tmp_path):
    records = []
    server = CourseServer(
        "127.0.0.1",
        0,
        GENEROUS,
        games=1,
        folder=tmp_path,
        say=lambda text: None,
        keep=lambda record, number: records.append(record),
        observer=interrupted,
    )
    white, black = Client(server.address, "alice"), Client(server.address, "bob")
    with pytest.raises(KeyboardInterrupt), server:
        server.run()
    for client in (white, black):
        assert client.lines_until("GAMEOVER")[-1] == f"GAMEOVER {USER_CANCEL} UNDECIDED"
        client.close()
    assert records[0].is_void
    assert "USER CANCEL" in (tmp_path / "outcomes.txt").read_text()


def test_a_port_that_is_taken_is_an_error():
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        pytest.raises(OSError, match=r"cannot listen on 127.0.0.1, port \d+: Address already in use$"),
    ):
        CourseServer("127.0.0.1", other.getsockname()[1], GENEROUS, games=1)


# --- Clocks, with times that are said ---------------------------------------------------------------------------------


def server_game(limits):
    """A game that has begun at time 0, and all that it sends."""
    sent = []
    game = ServerGame(
        ("alice", "bob"),
        limits,
        seed=1,
        send=lambda player, line: sent.append((player, str(line))),
        log=lambda line: None,
        say=lambda text: None,
    )
    game.begin(0.0)
    return game, sent


LIMITS = Limits(first_move_seconds=30, move_seconds=2, cushion_seconds=1)


@pytest.mark.parametrize(
    ("seconds", "replaced", "over"),
    [(0.0, False, None), (30.0, False, None), (30.01, True, None), (31.0, True, None), (31.01, None, "TIMEOUT")],
)
def test_the_first_move_has_a_limit_of_its_own_and_the_cushion_behind_it(seconds, replaced, over):
    game, sent = server_game(LIMITS)
    game.received(0, "0 0 2 0 0", seconds)
    if over:
        assert str(game.over) == "GAMEOVER TIMEOUT WINNER 1"
    else:
        assert (sent[-2][1] == "0 0 2 0 0") is not replaced
        assert sent[-1] == (1, "PLAY Player-1")


def test_each_player_has_its_first_move_and_then_the_limit_of_later_ones():
    game, sent = server_game(LIMITS)
    game.received(0, WHITE_WINS[0], 29.0)
    game.received(1, WHITE_WINS[1], 58.0)
    assert game.over is None
    assert game.deadline == 58.0 + 3.0
    game.received(0, WHITE_WINS[2], 60.5)
    assert game.over is None
    assert sent[-2][1] != WHITE_WINS[2]  # 2.5 s: late
    game.look(63.4)
    assert game.over is None
    game.look(63.6)
    assert str(game.over) == "GAMEOVER TIMEOUT WINNER 0"


def test_after_the_end_nothing_counts():
    game, sent = server_game(LIMITS)
    game.left(0)
    told = len(sent)
    game.received(1, WHITE_WINS[0], 1.0)
    game.left(1)
    game.flooded(1, 1 << 20)
    game.cancel()
    game.look(1000.0)
    assert len(sent) == told
    assert str(game.over) == "GAMEOVER DISCONNECTION Player-0 WINNER 1"


def test_random_moves_follow_from_the_seed():
    lines = []
    for _ in range(2):
        game, sent = server_game(LIMITS)
        game.received(0, "x", 30.5)
        lines.append(sent[-2])
    assert lines[0] == lines[1]
