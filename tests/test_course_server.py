"""Our server of the course's protocol, with clients that say what they like.

No test depends on how fast the machine is: if an answer must be in time, the limits are generous; if an answer must be
late, the client waits for longer than the limit.
"""

import errno
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
from tests.programs import wait_until

PENTAGO = load_game("pentago")


def play(white, black, moves=WHITE_WINS):
    """Play moves, and check that both clients are told of each."""
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


# --- Faults ---------------------------------------------------------------------------------------------------------


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
    """Send single bytes that never become a line."""
    with suppress(OSError):
        while True:
            client.send_bytes(b"0")
            time.sleep(0.002)


@pytest.mark.parametrize(
    ("deed", "end"),
    [
        (drip, "GAMEOVER TIMEOUT WINNER 0"),
        (Client.close, "GAMEOVER DISCONNECTION Player-1 WINNER 0"),
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


def test_who_sends_no_line_break_is_told_that_by_the_verdict():
    with table(Limits(first_move_seconds=0.2, cushion_seconds=0)) as served:
        white, _ = served.pair()
        white.send_bytes(WHITE_WINS[0].encode())
        assert white.lines_until("GAMEOVER")[-1] == "GAMEOVER TIMEOUT WINNER 1"
    assert served.records[0].verdict.text.endswith(f"; '{WHITE_WINS[0]}' came without a line break")


def flood(client, data):
    """Send more bytes than a game may take, or until the server hangs up."""
    try:
        for _ in range(64):
            client.send_bytes(data * (FLOOD_BYTES // 8 // len(data)))
    except OSError:
        return


# --- Who plays ------------------------------------------------------------------------------------------------------


def test_a_third_client_plays_the_next_game(tmp_path):
    with table(games=2, folder=tmp_path) as served:
        white, black = served.pair()
        third = served.client("carol")
        play(white, black)
        fourth = served.client("dave")
        assert (third.line(), fourth.line()) == ("START Player-0 carol", "START Player-1 dave")
        play(third, fourth)
    assert [record.agents for record in served.records] == [("alice", "bob"), ("carol", "dave")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game00001.log", "game00002.log", "outcomes.txt"]


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
        wait_until(lambda: served.said)  # so that it is the first to be accepted
        white, black = served.pair()
        assert silent.lines_until("GAMEOVER") == ["GAMEOVER NO START UNDECIDED"]
        play(white, black)
        play(*served.pair())


def test_the_first_to_connect_is_white_whoever_is_ready_first():
    with table() as served:
        first = served.client()
        wait_until(lambda: served.said)
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
        wait_until(lambda: sum("disconnected" in text for text in served.said) == 4)
        wait_until(lambda: any("65536" in text for text in served.said))
        play(*served.pair())
    assert len(served.records) == 1


def test_a_client_who_finds_no_place_is_told_and_has_time_to_read_why(monkeypatch):
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
        assert carol.lines_until("GAMEOVER") == ["GAMEOVER SERVER FULL UNDECIDED"]
        with pytest.raises(ConnectionResetError):
            carol.line()
        assert [(when - before >= 1.0, at_once) for when, at_once in closed] == [(True, True)]
        play(white, black)


def test_clients_wait_while_the_system_has_no_descriptors_left(monkeypatch):
    errors, accept = [OSError(errno.EMFILE, "Too many open files")] * 3, socket.socket.accept
    monkeypatch.setattr(socket.socket, "accept", lambda listener: accept(listener) if not errors else full())

    def full():
        raise errors.pop()

    monkeypatch.setattr("simulator.course.server.AGAIN_SECONDS", 0.02)
    with table() as served:
        white, black = served.pair()
        assert served.said[:3] == ["no client can be accepted for 0.02 s: Too many open files"] * 3
        monkeypatch.setattr("simulator.course.server.AGAIN_SECONDS", 600)
        errors.append(OSError(errno.ENFILE, "Too many open files in system"))
        served.client()
        wait_until(lambda: not errors)
        play(white, black)  # and the server ends, although it accepts nobody
    assert [record.result for record in served.records] == ["W+"]


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


# --- One game, with times that the test sets ------------------------------------------------------------------------

LIMITS = Limits(first_move_seconds=30, move_seconds=2, cushion_seconds=1)


class Told:
    """A game that has begun at time 0 and received these lines, what it sends to the players, and what it says."""

    def __init__(self, *lines):
        self.sent, self.said = [], []
        send = lambda player, line: self.sent.append((player, str(line)))  # noqa: E731
        self.game = ServerGame(("alice", "bob"), LIMITS, seed=1, send=send, log=lambda line: None, say=self.said.append)
        self.game.begin(0.0)
        for ply, line in enumerate(lines):
            self.game.received(ply % 2, line, 0.0)


def test_games_end_as_the_board_says():
    endings = set()
    for seed in range(20):
        rng, told, position = random.Random(seed), Told(), PENTAGO.initial()
        while position.result is None:
            move, mover = rng.choice(position.legal_moves()), position.to_move
            told.game.received(mover, str(MoveLine.of(move, mover)), 0.0)
            position = position.play(move)
        winner = position.result.winner
        assert told.sent[-1] == (1, "GAMEOVER DRAW" if winner is None else f"GAMEOVER WINNER {winner}")
        assert told.game.record.final_position == str(position)
        endings.add(winner)
    assert {0, 1} <= endings


@pytest.mark.parametrize("garbage", ["hello", "", "1 2 3", "GAMEOVER WINNER 0", "PLAY Player-0"])
def test_what_is_no_move_is_ignored_and_the_clock_runs_on(garbage):
    told = Told(garbage)
    told.game.received(0, WHITE_WINS[0], 30.0)
    assert told.sent[-3:] == [(0, WHITE_WINS[0]), (1, WHITE_WINS[0]), (1, "PLAY Player-1")]
    assert "ignored while its clock runs" in told.said[0]


def test_who_is_late_after_a_line_that_is_no_move_is_told_which():
    told = Told("1.0 2 0 0 0")
    told.game.look(31.5)
    assert "; '1.0 2 0 0 0' is no move: expected five whole numbers" in told.game.record.verdict.text
    told = Told("1.0 2 0 0 0", *WHITE_WINS[1:2])
    told.game.received(0, WHITE_WINS[0], 0.0)
    told.game.look(31.5)
    assert told.game.record.verdict.text.endswith("and the cushion of 1 s")  # it was an earlier turn


def test_who_is_not_to_move_is_not_heard():
    told = Told(*WHITE_WINS[:2])
    told.game.received(1, WHITE_WINS[3], 0.0)
    assert told.said == [f"bob (b): it is not its turn, '{WHITE_WINS[3]}' is ignored"]
    assert told.sent[-1] == (0, "PLAY Player-0")


RANGES = "rows and columns are 0 to 5"


@pytest.mark.parametrize(
    ("lines", "over", "why"),
    [
        (["6 0 0 0 0"], "Player 0, Move: (6, 0), R/F: (0, 0) WINNER 1", RANGES),
        (["0 0 4 0 0"], "Player 0, Move: (0, 0), R/F: (4, 0) WINNER 1", RANGES),
        (["0 0 0 2 0"], "Player 0, Move: (0, 0), R/F: (0, 2) WINNER 1", RANGES),
        (["-1 0 0 0 0"], "Player 0, Move: (-1, 0), R/F: (0, 0) WINNER 1", RANGES),
        (["0 0 0 0 1"], "Player 1, Move: (0, 0), R/F: (0, 0) WINNER 1", "it is the turn of alice"),
        (["0 0 2 0 0", "0 0 2 0 1"], "Player 1, Move: (0, 0), R/F: (2, 0) WINNER 0", "a1 is taken"),
    ],
)
def test_an_illegal_move_loses(lines, over, why):
    told = Told(*lines)
    assert told.sent[-2:] == [(0, f"GAMEOVER ILLEGAL MOVE: {over}"), (1, f"GAMEOVER ILLEGAL MOVE: {over}")]
    verdict, loser = told.game.record.verdict, len(lines) - 1
    assert (verdict.reason, verdict.loser) == (Reason.ILLEGAL, loser)
    who = ("alice (w)", "bob (b)")[loser]
    assert verdict.text.startswith(f"{who} made an illegal move at move {len(lines)}: ") and why in verdict.text


@pytest.mark.parametrize("plies", range(3))
@pytest.mark.parametrize("leaver", [0, 1])
def test_who_leaves_loses_whoever_is_to_move(plies, leaver):
    told = Told(*WHITE_WINS[:plies])
    told.game.left(leaver)
    assert told.sent[-1] == (1, f"GAMEOVER DISCONNECTION Player-{leaver} WINNER {1 - leaver}")
    verdict = told.game.record.verdict
    assert (verdict.reason, verdict.loser, verdict.ply) == (Reason.CRASH, leaver, plies)


@pytest.mark.parametrize(
    ("seconds", "replaced", "over"),
    [(0.0, False, None), (30.0, False, None), (30.01, True, None), (31.0, True, None), (31.01, None, "TIMEOUT")],
)
def test_the_first_move_has_a_limit_of_its_own_and_the_cushion_behind_it(seconds, replaced, over):
    told = Told()
    told.game.received(0, "0 0 2 0 0", seconds)
    if over:
        assert str(told.game.over) == "GAMEOVER TIMEOUT WINNER 1"
    else:
        assert (told.sent[-2][1] == "0 0 2 0 0") is not replaced
        assert told.sent[-1] == (1, "PLAY Player-1")


@pytest.mark.parametrize("late", ["3 3 0 0 0", "9 9 9 9 9", "hello"])
def test_an_answer_within_the_cushion_is_replaced_by_a_random_move_that_follows_from_the_seed(late):
    told, again = Told(), Told()
    for each in (told, again):
        each.game.received(0, late, 30.5)
        each.game.left(0)
    (first,) = told.game.record.moves
    assert (first.replaced, first.answer, first.seconds) == (True, late, 30.5)
    assert told.said == ["move 1: alice (w) answered after 30.500 s: a random move was played"]
    assert told.sent == again.sent


def test_each_player_has_its_first_move_and_then_the_limit_of_later_ones():
    told = Told()
    game = told.game
    game.received(0, WHITE_WINS[0], 29.0)
    game.received(1, WHITE_WINS[1], 58.0)
    assert game.over is None
    assert game.deadline == 58.0 + 3.0
    game.received(0, WHITE_WINS[2], 60.5)
    assert game.over is None
    assert told.sent[-2][1] != WHITE_WINS[2]  # 2.5 s: late
    game.look(63.4)
    assert game.over is None
    game.look(63.6)
    assert str(game.over) == "GAMEOVER TIMEOUT WINNER 0"
    verdict = game.record.verdict
    assert (verdict.reason, verdict.loser, verdict.limit) == (Reason.TIMEOUT, 1, 2)
    assert verdict.text.endswith(" lost on time at move 4: no answer within 2 s and the cushion of 1 s")


def test_after_the_end_nothing_counts():
    told = Told()
    told.game.left(0)
    sent = len(told.sent)
    told.game.received(1, WHITE_WINS[0], 1.0)
    told.game.left(1)
    told.game.flooded(1, 1 << 20)
    told.game.cancel()
    told.game.look(1000.0)
    assert len(told.sent) == sent
    assert str(told.game.over) == "GAMEOVER DISCONNECTION Player-0 WINNER 1"
