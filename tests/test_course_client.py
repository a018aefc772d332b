"""Our client of the course's protocol, with servers that say what a test tells them.

In most tests, an agent without a process answers what and when the test says; the last tests play real games.
"""

import ctypes
import socket
import struct
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from types import SimpleNamespace

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import NotationError, load_game
from simulator.course import connection
from simulator.course.client import CourseClient, address_of, connect
from simulator.course.client_game import ClientGame, Inbox, ServerError, begin, in_order, time_left, told_limits
from simulator.course.connection import FLOOD_BYTES, Address
from simulator.course.scoresheet import CourseScoresheet
from simulator.gtp.analysis import Analysis
from simulator.player import faults
from simulator.player.faults import AgentFailed
from simulator.player.move_time import Answer
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from tests.course_clients import GENEROUS, TIMEOUT, WHITE_WINS, Wire, address_of_nobody, at_a_table, table
from tests.programs import PASSES
from tests.scoundrels.games import late

SO_ATTACH_FILTER = 26  # asm-generic/socket.h
PENTAGO = load_game("pentago")
TEXTS = [PENTAGO.format_move(PENTAGO.parse_move(line[:-2])) for line in WHITE_WINS]


class ScriptedPlayer:
    """An agent without a process: `answers` are texts, or functions of the inbox and of the `look` that `ask` gets.

    `shown` holds the moves of the game that the agent was last asked about.
    """

    def __init__(self, answers, inbox):
        self.answers, self.inbox, self.allowed, self.shown = deque(answers), inbox, [], []
        self.log = SimpleNamespace(last_lines=lambda: ("last words",), text=lambda: "")
        self.sandbox = SimpleNamespace(peak_mb=1.5)

    def ask(self, positions, allowed, look):
        self.allowed.append(allowed)
        self.shown = [PENTAGO.format_move(position.last_move) for position in positions[1:]]
        answer = self.answers.popleft()
        text = answer(self.inbox, look) if callable(answer) else answer
        with suppress(NotationError):
            return Answer(text, 0.25, 0.0, 0.0, positions[-1].play(PENTAGO.parse_move(text)))
        return Answer(text, 0.25, 0.0, 0.0)

    def analysis(self):
        return Analysis(value=0.5)

    def pause(self):
        pass

    def close(self, polite=False):
        pass


def thinks_until(said):
    """An answer that comes as soon as `said(inbox)` is true: the agent thinks until the server has said something."""

    def answer(inbox, look):
        deadline = time.monotonic() + TIMEOUT
        while not said(inbox):
            assert time.monotonic() < deadline
            look(1.0)
            time.sleep(0.005)
        return TEXTS[0]

    return answer


def thinks_on_and_resigns(inbox, look):
    thinks_until(lambda inbox: inbox._lines)(inbox, look)
    look(1.0)
    return "resign"


def raises(fault):
    def answer(inbox, look):
        raise fault

    return answer


WAITS = thinks_until(lambda inbox: False)


def serve(listener, lines):
    """The server's side of a game: it sends lines, and bytes with a pause after them; it reads the lines after `?`."""
    with closing(Wire(listener.accept()[0])) as wire:
        assert wire.line() == "START me"
        for line in lines:
            if isinstance(line, bytes):
                with suppress(OSError):  # the client may have gone
                    wire.send_bytes(line)
                time.sleep(0.05)
            elif line.startswith("?"):
                assert wire.line() == line[1:]
            else:
                wire.send(line)


def played(lines, answers=(), side=0, start="START Player-{side} me"):
    """Play a scripted agent at a scripted server; return the record, the agent, and what was said."""
    said = []
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        listener.settimeout(TIMEOUT)
        told = pool.submit(serve, listener, [start.format(side=side), *lines])
        with closing(connect(Address(*listener.getsockname()[:2]), said.append)) as connection:
            inbox = Inbox(connection)
            side = begin(inbox, "me").player
            player, sheet = ScriptedPlayer(answers, inbox), CourseScoresheet(in_order(side, "me", "opponent"))
            ClientGame(inbox, player, side, GENEROUS, sheet, said.append).play()
        told.result(TIMEOUT)
    return sheet.record(), player, said


# --- Games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_a_game_from_either_side(side):
    lines = []
    for ply, line in enumerate(WHITE_WINS):
        lines += [f"PLAY Player-{side}", f"?{line}", line] if ply % 2 == side else [line]
    record, player, said = played([*lines, "GAMEOVER WINNER 0"], TEXTS[side::2], side)
    assert record.agents == (("me", "opponent"), ("opponent", "me"))[side]
    assert [move.move for move in record.moves] == TEXTS
    assert (record.result, record.verdict.reason) == ("W+", Reason.NORMAL)
    assert player.shown == TEXTS[: 8 - side]  # before its last move
    assert [move.analysis.value for move in record.moves] == [0.5 if ply % 2 == side else None for ply in range(9)]
    assert [move.peak_memory_mb > 0 for move in record.moves] == [ply % 2 == side for ply in range(9)]
    assert not said


def test_the_board_changes_on_what_the_server_announces_never_on_the_answer():
    lines = ("PLAY Player-0", f"?{WHITE_WINS[0]}", "3 3 0 1 0", "GAMEOVER TIMEOUT WINNER 0")
    record, _, said = played(lines, TEXTS)
    (move,) = record.moves
    assert (move.move, move.replaced, move.answer) == ("d4/0f", True, TEXTS[0])
    assert "was too late, the server played d4/0f instead" in said[-1]


def test_half_lines_two_lines_in_a_packet_and_lines_that_mean_nothing():
    first, second, _ = (line.encode() for line in WHITE_WINS[:3])
    lines = (b"welcome\r\n\n%s\r\nPLAY Pla" % first, b"yer-1\n", f"?{WHITE_WINS[1]}", b"%s\nGAMEOVER WI" % second)
    record, _, said = played([*lines, "NNER 1"], TEXTS[1:], side=1)
    assert [move.move for move in record.moves] == TEXTS[:2]
    assert record.verdict.winner == 1
    assert said[0].startswith("ignored: 'welcome' is no move")


def test_a_question_that_fits_neither_board_nor_player_is_ignored():
    asked = ("PLAY Player-1", "PLAY Player-0", f"?{WHITE_WINS[0]}", "PLAY Player-0", WHITE_WINS[0], "PLAY Player-0")
    record, player, said = played([*asked, "GAMEOVER DRAW"], TEXTS)
    assert len(player.allowed) == len(record.moves) == 1
    assert sum("which does not fit the game" in text for text in said) == 3


def test_an_answer_is_thrown_away_once_the_server_has_announced_a_move_for_us():
    """Otherwise the server would take the answer for our next move."""
    late = thinks_until(lambda inbox: inbox.has_move_of(0))
    asked = ("PLAY Player-0", "3 3 0 1 0", WHITE_WINS[1], "PLAY Player-0", f"?{WHITE_WINS[2]}", WHITE_WINS[2])
    record, player, said = played([*asked, "GAMEOVER TIMEOUT WINNER 0"], [late, TEXTS[2]])
    assert [(move.move, move.replaced) for move in record.moves] == [
        ("d4/0f", True), (TEXTS[1], False), (TEXTS[2], False)
    ]  # fmt: skip
    assert player.shown == ["d4/0f", TEXTS[1]]
    assert any("was thrown away, too late" in text for text in said)


ASKED, HUNG_UP = "PLAY Player-0", "?"  # the server reads the end: the client has closed the connection
IMPOSSIBLE = "the server announced an impossible move, "


@pytest.mark.parametrize(
    ("lines", "answers", "reason", "text"),
    [
        ([ASKED, "GAMEOVER TIMEOUT WINNER 1"], [WAITS], Reason.TIMEOUT, "me (w) lost on time at move 1: the server sa"),
        ([], [], Reason.VOID, "the connection to the server ended after 0 moves"),
        ([ASKED], [WAITS], Reason.VOID, "the connection to the server ended after 0 moves"),
        ([b"PLAY 1\n" * FLOOD_BYTES], [], Reason.VOID, f"the server sent more than {FLOOD_BYTES} bytes after 0 moves"),
        (["0 0 2 0 1"], [], Reason.VOID, f"{IMPOSSIBLE}0 0 2 0 1: it is the turn of me (w)"),
        (["7 0 2 0 0"], [], Reason.VOID, f"{IMPOSSIBLE}7 0 2 0 0: rows and columns are 0 to 5"),
        ([ASKED, HUNG_UP], ["nonsense"], Reason.ILLEGAL, "me (w) made an illegal move at move 1: "),
        ([ASKED, HUNG_UP], ["resign"], Reason.RESIGNATION, "me (w) resigned at move 1"),
        ([ASKED, "GAMEOVER?", HUNG_UP], [thinks_on_and_resigns], Reason.RESIGNATION, "me (w) resigned at move 1"),
        ([ASKED, HUNG_UP], [raises(faults.not_loaded("no"))], Reason.CRASH, "me (w) could not be loaded at move 1: no"),
        ([ASKED, HUNG_UP], [raises(OSError("disk"))], Reason.VOID, "this machine failed: disk"),
    ],
)
def test_what_ends_a_game_on_either_side_has_its_verdict(lines, answers, reason, text):
    record, player, _ = played(lines, answers)
    assert record.verdict.reason is reason
    assert record.verdict.text.startswith(text)
    assert not player.answers


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("GAMEOVER SERVER FULL UNDECIDED", "the server refused: SERVER FULL"),
        ("", "the connection to the server ended before the game began"),
    ],
)
def test_a_server_that_begins_no_game_is_quoted(start, words):
    with pytest.raises(ServerError, match=words):
        played([], start=start)


# --- Time -----------------------------------------------------------------------------------------------------------


def test_the_agent_is_told_less_than_the_server_gives():
    told = told_limits(Limits(30, 2, 1), margin=0.2)
    first, later = time_left(told, is_first=True, spent=0), time_left(told, is_first=False, spent=0)
    assert (first.announced, first.at_most) == (29.8, 30.8)
    assert (later.announced, later.at_most) == (1.8, 2.8)
    assert told.move_seconds == 1.8
    assert told_limits(Limits(1, 0.1, 1), margin=0.2).move_seconds == pytest.approx(0.075)


def test_time_that_went_by_before_the_agent_is_asked_is_not_given_again():
    told = told_limits(Limits(30, 2, 1), margin=0.2)
    late, too_late = time_left(told, is_first=False, spent=1), time_left(told, is_first=False, spent=2)
    assert late.announced == pytest.approx(0.8)
    assert too_late.announced > 0
    assert too_late.at_most == pytest.approx(too_late.limit + 0.8)


# --- Connecting -----------------------------------------------------------------------------------------------------


def test_addresses():
    assert address_of("127.0.0.1:9") == Address("127.0.0.1", 9)
    assert address_of("::1") == Address("::1", 8123)
    assert str(address_of("[::1]:9")) == "[::1]:9"
    assert connection._address(SimpleNamespace(getpeername=lambda: ("::1", 9, 0, 0))) == "[::1]:9"
    for text in ("host:", "host:x", "host:0", "host:65536", "host:-1"):
        with pytest.raises(ValueError, match="expected HOST or HOST:PORT"):
            address_of(text)


def test_a_server_that_is_not_there_yet_is_waited_for():
    address, said, listeners = address_of_nobody(), [], []

    def say(text):
        said.append(text)
        listeners.append(socket.create_server(address))

    connect(address, say).close()
    assert said == [f"waiting for a server at {address} (the connection is refused); Ctrl-C stops"]
    listeners[0].close()


def test_a_host_that_does_not_exist_is_an_error_at_once():
    with pytest.raises(OSError, match=r"there is no host .nowhere\.invalid."):
        connect(Address("nowhere.invalid", 1), print)


def test_a_machine_that_vanishes_without_a_word_ends_the_connection(monkeypatch):
    """Its kernel does not see any packet: a filter (BPF's "return 0") throws them away, probes included."""
    monkeypatch.setattr(connection, "SILENT_SECONDS", 2)
    nothing = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = connection.Connection(socket.create_connection(listener.getsockname()))
        with closing(ours), listener.accept()[0] as theirs:
            try:
                theirs.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(nothing)))
            except PermissionError:
                pytest.skip("this system lets only root filter the packets of a socket")
            assert ours.wait(TIMEOUT) and ours.read() == []
            assert ours.is_closed


# --- Real games -----------------------------------------------------------------------------------------------------


def client_of(address, agent, limits=GENEROUS, **more):
    return CourseClient(
        Address(*address), parse_agent(agent), "mine", Conditions(limits=limits), **{"say": print} | more
    )


@pytest.mark.slow(minutes=9)
def test_100_games_without_a_fault():
    """Agents play in sandboxes on both sides; the board decides each game; clients and server keep equal records."""
    games = 100
    with table(games=games) as served, ThreadPoolExecutor(2) as pool:
        clients = [client_of(served.server.address, agent, seed=9) for agent in ("random_agent", "greedy_agent")]
        tasks = [pool.submit(lambda client: [client.play(n + 1) for n in range(games)], client) for client in clients]
        both = [task.result() for task in tasks]
    assert len(served.records) == games
    for first, second, record in zip(*both, served.records, strict=True):
        assert record.verdict.reason is first.verdict.reason is second.verdict.reason is Reason.NORMAL
        assert record.result == first.result == second.result
        played = [[move.move for move in game.moves] for game in (first, second, record)]
        assert played[0] == played[1] == played[2]
        assert not any(move.replaced for move in record.moves)


def test_an_agent_that_fails_leaves_and_loses_at_the_server_too():
    with at_a_table() as served:
        record = client_of(served.server.address, f"{PASSES} --dies sorry").play(1)
    assert "crashed at move" in record.verdict.text
    (theirs,) = served.records
    assert theirs.verdict.winner == record.verdict.winner
    assert theirs.verdict.reason is Reason.CRASH


def test_an_agent_that_cannot_be_loaded_takes_no_place_at_the_server():
    said = []
    with pytest.raises(AgentFailed, match="mine could not be loaded"):
        client_of(("127.0.0.1", 1), "tests/agents/raises_in_import.py", say=said.append).play(1)
    assert not said


def test_a_late_agent_is_replaced_by_the_server_and_plays_on():
    """Its late answer is sent within the cushion: without an answer, the server would count the game as lost."""
    limits = Limits(600, 0.1, 600)
    with at_a_table(told_limits(limits, margin=0.2), seed=3) as served:
        record = client_of(served.server.address, late(0.15), limits, seed=0).play(1)
    side = record.agents.index("mine")
    own = [move for move in record.moves if move.player == side]
    assert record.verdict.reason is Reason.NORMAL
    assert not own[0].replaced
    assert sum(move.replaced for move in own[1:]) >= len(own) - 2  # a random move can be the agent's own
    assert sum(move.replaced for move in served.records[0].moves if move.player == side) == len(own) - 1
