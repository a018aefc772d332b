"""Our client of the course's protocol, at servers that say what a test tells them.

Most tests have an agent without a process, which answers when and what they say; those at the end play real games.
"""

import random
import re
import socket
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from types import SimpleNamespace

import pytest

from agents.agent import parse_agent
from game import NotationError, load_game
from simulator.course.client import Address, CourseClient, NoServer, address_of, connect
from simulator.course.client_game import ClientGame, Inbox, ServerError, ServerTimes, begin, names_of
from simulator.course.connection import FLOOD_BYTES
from simulator.course.protocol import MoveLine
from simulator.course.scoresheet import CourseScoresheet
from simulator.gtp.analysis import Analysis
from simulator.player import faults
from simulator.player.faults import AgentFailed
from simulator.player.move_time import Answer
from simulator.referee.game_record import Reason
from tests.course_clients import TIMEOUT, WHITE_WINS, Client, Host, table

PENTAGO = load_game("pentago")
UNHURRIED = ServerTimes(600, 600, 600)
TEXTS = [PENTAGO.format_move(PENTAGO.parse_move(line[:-2])) for line in WHITE_WINS]


class ScriptedPlayer:
    """An agent without a process: `answers` are texts, or functions of what `ask` is given that return one.

    `shown` are the moves of the game that it was asked about last.
    """

    def __init__(self, answers):
        self.answers, self.allowed, self.shown = deque(answers), [], []
        self.log = SimpleNamespace(last_lines=lambda: ("last words",), text=lambda: "")
        self.sandbox = SimpleNamespace(peak_mb=1.5)

    def ask(self, positions, allowed, look):
        self.allowed.append(allowed)
        self.shown = [PENTAGO.format_move(position.last_move) for position in positions[1:]]
        answer = self.answers.popleft()
        text = answer(look) if callable(answer) else answer
        with suppress(NotationError):
            return Answer(text, 0.25, 0.0, 0.0, positions[-1].play(PENTAGO.parse_move(text)))
        return Answer(text, 0.25, 0.0, 0.0)

    def analysis(self):
        return Analysis(value=0.5)

    def pause(self):
        pass

    def close(self, polite=False):
        pass


@contextmanager
def hosted(script):
    """A server whose side of the story is a function, run beside the test; what it raises, the test raises."""
    host = Host()

    def run():
        try:
            script(host)
        finally:
            if host._socket is not None:
                host.hang_up()

    with ThreadPoolExecutor(1) as pool:
        told = pool.submit(run)
        try:
            yield Address(*host.address)
            told.result(TIMEOUT)
        finally:
            host.close()


def played(script, answers, times=UNHURRIED):
    """A game of a scripted agent at a scripted server: its record, the agent, and what was said."""
    said = []
    with hosted(script) as address, closing(connect(address, said.append)) as connection:
        inbox = Inbox(connection)
        side = begin(connection, inbox, "me").player
        player = ScriptedPlayer(answers)
        sheet = CourseScoresheet(names_of(side, "me"))
        verdict = ClientGame(connection, inbox, player, side, times, sheet, said.append).play()
    return sheet.record(verdict), player, said


def welcome(host, side=0):
    assert host.accept() == "START me"
    host.send(f"START Player-{side} me")


# --- A game without faults ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_a_game_from_either_side(side):
    def script(host):
        welcome(host, side)
        for ply, line in enumerate(WHITE_WINS):
            host.send(f"PLAY Player-{ply % 2}") if ply % 2 == side else None
            if ply % 2 == side:
                assert host.line() == line
            host.send(line)
        host.send("GAMEOVER WINNER 0")

    record, player, said = played(script, TEXTS[side::2])
    assert record.agents == (("me", "opponent"), ("opponent", "me"))[side]
    assert [move.move for move in record.moves] == TEXTS
    assert (record.result, record.verdict.reason) == ("W+", Reason.NORMAL)
    assert player.shown == TEXTS[: 8 - side]  # before its last move
    assert [move.analysis.value for move in record.moves] == [0.5 if ply % 2 == side else None for ply in range(9)]
    assert [move.peak_memory_mb > 0 for move in record.moves] == [ply % 2 == side for ply in range(9)]
    assert not said


def test_the_board_changes_on_what_the_server_announces_never_on_the_answer():
    other = "3 3 0 1 0"

    def script(host):
        welcome(host)
        host.send("PLAY Player-0")
        assert host.line() == WHITE_WINS[0]
        host.send(other)
        host.send("GAMEOVER TIMEOUT WINNER 0")

    record, _, said = played(script, TEXTS)
    (move,) = record.moves
    assert (move.move, move.replaced, move.answer) == ("d4/0f", True, TEXTS[0])
    assert "was too late, the server played d4/0f instead" in said[-1]


def test_half_lines_two_lines_in_a_packet_and_lines_that_mean_nothing():
    def script(host):
        welcome(host, 1)
        host.send_bytes(f"welcome\r\n\n{WHITE_WINS[0]}\r\nPLAY Pla".encode())
        time.sleep(0.05)
        host.send_bytes(b"yer-1\n")
        assert host.line() == WHITE_WINS[1]
        host.send_bytes(f"{WHITE_WINS[1]}\nGAMEOVER WI".encode())
        time.sleep(0.05)
        host.send_bytes(b"NNER 1\n")

    record, _, said = played(script, TEXTS[1:])
    assert [move.move for move in record.moves] == TEXTS[:2]
    assert record.verdict.winner == 1
    assert said[0].startswith("ignored: 'welcome' is no move")


def test_a_question_that_fits_neither_board_nor_player_is_ignored():
    def script(host):
        welcome(host)
        host.send("PLAY Player-1", "PLAY Player-0")
        assert host.line() == WHITE_WINS[0]
        host.send("PLAY Player-0", WHITE_WINS[0], "PLAY Player-0", "GAMEOVER DRAW")

    record, player, said = played(script, TEXTS)
    assert len(player.allowed) == len(record.moves) == 1
    assert sum("fits neither the board nor us" in text for text in said) == 3


# --- Lateness -------------------------------------------------------------------------------------------------------


def test_the_agent_is_told_less_than_the_server_gives():
    times = ServerTimes(30, 2, 1, margin=0.2)
    first, later = times.allowed(is_first=True, spent=0), times.allowed(is_first=False, spent=0)
    assert (first.announced, first.at_most) == (29.8, 30.8)
    assert (later.announced, later.at_most) == (1.8, 2.8)
    assert times.limits(300).move_seconds == 1.8
    assert ServerTimes(1, 0.1, 1, margin=0.2).limits(300).move_seconds == pytest.approx(0.075)


def test_time_that_went_by_before_the_agent_is_asked_is_not_given_again():
    times = ServerTimes(30, 2, 1, margin=0.2)
    late, too_late = times.allowed(is_first=False, spent=1), times.allowed(is_first=False, spent=2)
    assert late.announced == pytest.approx(0.8)
    assert too_late.announced > 0
    assert too_late.at_most == pytest.approx(too_late.limit + 0.8)


def thinks_until(said):
    """An agent that goes on thinking until something of the server's has come, and answers then."""

    def answer(look):
        deadline = time.monotonic() + TIMEOUT
        while not said():
            assert time.monotonic() < deadline
            look(1.0)
            time.sleep(0.005)
        return TEXTS[0]

    return answer


def test_an_answer_is_thrown_away_once_the_server_has_announced_a_move_for_us():
    """The server would take it for our next move."""
    inboxes, look_at = [], Inbox.look

    def script(host):
        welcome(host)
        host.send("PLAY Player-0", "3 3 0 1 0", WHITE_WINS[1], "PLAY Player-0")
        assert host.line() == WHITE_WINS[2]  # and not the one that was late
        host.send(WHITE_WINS[2], "GAMEOVER TIMEOUT WINNER 0")

    def remember(inbox):
        inboxes.append(inbox)
        look_at(inbox)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Inbox, "look", remember)
        late = thinks_until(lambda: inboxes and inboxes[-1].has_move_of(0))
        record, player, said = played(script, [late, TEXTS[2]])
    assert [(move.move, move.replaced) for move in record.moves] == [
        ("d4/0f", True),
        (TEXTS[1], False),
        (TEXTS[2], False),
    ]
    assert player.shown == ["d4/0f", TEXTS[1]]
    assert any("was thrown away, too late" in text for text in said)


def test_the_end_of_the_game_ends_the_agents_thinking():
    def script(host):
        welcome(host)
        host.send("PLAY Player-0", "GAMEOVER TIMEOUT WINNER 1")

    record, player, _ = played(script, [thinks_until(lambda: False)])
    assert record.verdict.text == "me (w) lost on time at move 1: the server says TIMEOUT"
    assert not player.answers


# --- What goes wrong at the server ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [(), ("PLAY Player-0",)])
def test_a_connection_that_is_cut_leaves_a_void_game(lines):
    def script(host):
        welcome(host)
        host.send(*lines)

    record, *_ = played(script, [thinks_until(lambda: False)])
    assert record.is_void
    assert record.verdict.text == "the server cut the connection after 0 moves"


def test_a_server_that_floods_is_left():
    def script(host):
        welcome(host)
        with suppress(OSError):
            host.send(*["PLAY Player-1"] * (2 * FLOOD_BYTES // len("PLAY Player-1")))

    record, *_ = played(script, [])
    assert record.is_void
    assert record.verdict.text == f"the server sent more than {FLOOD_BYTES} bytes after 0 moves"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("0 0 2 0 1", r"it is the turn of me \(w\)"),
        ("7 0 2 0 0", "rows and columns are 0 to 5"),
    ],
)
def test_an_impossible_move_ends_the_game_and_is_named(line, why):
    def script(host):
        welcome(host)
        host.send(line)

    record, *_ = played(script, [])
    assert record.is_void
    assert record.verdict.text.startswith(f"the server announced an impossible move, {line}: ")
    assert re.search(why, record.verdict.text)


@pytest.mark.parametrize(
    ("over", "reason", "winner"),
    [
        ("GAMEOVER ILLEGAL MOVE: Player 1, Move: (0, 0), R/F: (0, 0) WINNER 0", Reason.ILLEGAL, 0),
        ("GAMEOVER DISCONNECTION Player-1 WINNER 0", Reason.CRASH, 0),
        ("GAMEOVER TIMEOUT WINNER 1", Reason.TIMEOUT, 1),
        ("GAMEOVER USER CANCEL UNDECIDED", Reason.VOID, None),
        ("GAMEOVER CANCELLED 1", Reason.VOID, None),
    ],
)
def test_every_end_has_its_verdict(over, reason, winner):
    def script(host):
        welcome(host)
        host.send(over)

    record, *_ = played(script, [])
    assert (record.verdict.reason, record.verdict.winner) == (reason, winner)


def test_a_server_that_refuses_is_quoted():
    def script(host):
        assert host.accept() == "START me"
        host.send("GAMEOVER SERVER FULL UNDECIDED")

    with pytest.raises(ServerError, match="the server refused: SERVER FULL"):
        played(script, [])


def test_a_server_that_hangs_up_before_the_game_is_named():
    with pytest.raises(ServerError, match="cut the connection before the game began"):
        played(Host.accept, [])


# --- What goes wrong at ours ----------------------------------------------------------------------------------------


def raises(fault):
    def answer(look):
        raise fault

    return answer


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("nonsense", "me (w) made an illegal move at move 1: "),
        ("resign", "me (w) resigned at move 1"),
        (raises(faults.not_loaded("no")), "me (w) could not be loaded at move 1: no"),
        (raises(OSError("disk")), "this machine failed: OSError('disk')"),
    ],
)
def test_a_fault_of_ours_ends_the_game_and_nothing_is_sent(answer, verdict):
    def script(host):
        welcome(host)
        host.send("PLAY Player-0")
        assert host.line() == ""  # the connection is closed

    record, *_ = played(script, [answer])
    assert record.verdict.text.startswith(verdict)


# --- Connecting -----------------------------------------------------------------------------------------------------


def test_addresses():
    assert address_of("127.0.0.1:9") == Address("127.0.0.1", 9)
    assert address_of("::1") == Address("::1", 8123)
    assert str(address_of("[::1]:9")) == "[::1]:9"
    for text in ("host:", "host:x", "host:0", "host:65536", "host:-1"):
        with pytest.raises(ValueError, match="expected HOST or HOST:PORT"):
            address_of(text)


def address_of_nobody():
    host = Host()
    host.close()
    return Address(*host.address)


def test_a_server_that_is_not_there_yet_is_waited_for():
    address, said, listeners = address_of_nobody(), [], []

    def say(text):
        said.append(text)
        listeners.append(socket.create_server(address))

    connect(address, say).close()
    assert said == [f"waiting for a server at {address} (the connection is refused); Ctrl-C stops"]
    listeners[0].close()


def test_a_server_is_waited_for_no_longer_than_wanted():
    address = address_of_nobody()
    with pytest.raises(NoServer, match=f"there is no server at {address}: the connection is refused"):
        connect(address, print, wait_seconds=0)


def test_a_host_that_does_not_exist_is_an_error_at_once():
    with pytest.raises(NoServer, match=r"there is no host .nowhere\.invalid."):
        connect(Address("nowhere.invalid", 1), print)


# --- Real games -----------------------------------------------------------------------------------------------------


def random_client(address, games, seed):
    """A client that plays random legal moves, as many games as told."""
    rng = random.Random(seed)
    for _ in range(games):
        client, position = Client(address, "rando"), PENTAGO.initial()
        while not (line := client.line()).startswith("GAMEOVER"):
            if line.startswith("PLAY"):
                client.send(str(MoveLine.of(rng.choice(position.legal_moves()), position.to_move)))
            elif not line.startswith("START"):
                position = position.play(PENTAGO.parse_move(line[:-2]))
        client.close()


def client_of(address, agent, times=UNHURRIED, **more):
    said = []
    client = CourseClient(Address(*address), parse_agent(agent), "mine", times, say=said.append, **more)
    return client, said


@pytest.mark.slow(minutes=9)
def test_100_games_without_a_fault():
    """Agents in their sandboxes on both sides; the board decides each game, and both keep the same records."""
    games = 100
    with table(games=games) as served, ThreadPoolExecutor(2) as pool:
        clients = [client_of(served.server.address, agent, seed=9)[0] for agent in ("random_agent", "greedy_agent")]
        tasks = [pool.submit(lambda client: [client.play(n + 1) for n in range(games)], client) for client in clients]
        both = [task.result() for task in tasks]
    assert len(served.records) == games
    for first, second, record in zip(*both, served.records, strict=True):
        assert record.verdict.reason is first.verdict.reason is second.verdict.reason is Reason.NORMAL
        assert record.result == first.result == second.result
        played = [[move.move for move in game.moves] for game in (first, second, record)]
        assert played[0] == played[1] == played[2]
        assert not any(move.replaced for move in record.moves)


def test_an_agent_in_its_sandbox_plays_at_our_server():
    with table(games=2) as served, ThreadPoolExecutor(1) as pool:
        other = pool.submit(random_client, served.server.address, 2, 1)
        client, _ = client_of(served.server.address, "random_agent")
        ours = [client.play(number) for number in (1, 2)]
        other.result(TIMEOUT)
    for mine, theirs in zip(ours, served.records, strict=True):
        assert mine.verdict.winner == theirs.verdict.winner
        assert [move.move for move in mine.moves] == [move.move for move in theirs.moves]
        assert mine.verdict.reason is Reason.NORMAL
        side = mine.agents.index("mine")
        assert mine.peak_memory_mb[side] > 10
        assert mine.startup_seconds[side] > 0
        assert mine.enforcement


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("tests/agents/raises_in_step.py", "crashed at move"),
        ("tests/agents/resigns.py", "resigned at move"),
    ],
)
def test_an_agent_that_fails_leaves_and_loses_at_the_server_too(agent, words):
    with table() as served, ThreadPoolExecutor(1) as pool:
        other = pool.submit(random_client, served.server.address, 1, 1)
        client, _ = client_of(served.server.address, agent)
        record = client.play(1)
        other.result(TIMEOUT)
    assert words in record.verdict.text
    (theirs,) = served.records
    assert theirs.verdict.winner == record.verdict.winner
    assert theirs.verdict.reason is Reason.CRASH


def test_an_agent_that_cannot_be_loaded_takes_no_place_at_the_server():
    client, said = client_of(("127.0.0.1", 1), "tests/agents/raises_in_import.py")
    with pytest.raises(AgentFailed, match="mine could not be loaded"):
        client.play(1)
    assert not said


def test_a_late_agent_is_replaced_by_the_server_and_plays_on():
    """Its answer is sent within the cushion: without it, the server would count the game as lost."""
    times = ServerTimes(600, 0.1, 600)
    limits = times.limits(500)
    with table(limits) as served, ThreadPoolExecutor(1) as pool:
        other = pool.submit(random_client, served.server.address, 1, 3)
        client, _ = client_of(served.server.address, "tests/agents/late.py:seconds=0.15", times, seed=0)
        record = client.play(1)
        other.result(TIMEOUT)
    side = record.agents.index("mine")
    own = [move for move in record.moves if move.player == side]
    assert record.verdict.reason is Reason.NORMAL
    assert not own[0].replaced
    assert sum(move.replaced for move in own[1:]) >= len(own) - 2  # a random move can be the agent's own
    assert sum(move.replaced for move in served.records[0].moves if move.player == side) == len(own) - 1


@pytest.mark.slow
def test_many_games_of_ours_against_ours_have_no_fault():
    games = 10
    with table(games=games) as served, ThreadPoolExecutor(1) as pool:
        other = pool.submit(random_client, served.server.address, games, 5)
        client, _ = client_of(served.server.address, "greedy_agent")
        records = [client.play(number) for number in range(1, games + 1)]
        other.result(TIMEOUT)
    assert {record.verdict.reason for record in records} == {Reason.NORMAL}
    assert [record.result for record in records] == [record.result for record in served.records]
