"""Every way to lose, to win and to end a game; after each, no process is left."""

import errno
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from agents.agent import Limits, parse_agent
from game import load_game
from simulator import seat as seat_module
from simulator.gtp import one_line
from simulator.records import GameRecord, Reason
from simulator.referee import Rules, Watcher, play_game
from simulator.seat import SHOWN_STDERR_LINES, Seat, parse_analysis

SCOUNDRELS = Path(__file__).parent / "agents"
HONEST = "random_agent"
# The first move has all the time that a busy machine may need to start Python; the cushion is as generous, but for the
# tests that wait for its end.
LIMITS = Limits(first_move_seconds=60, move_seconds=0.4, cushion_seconds=10, memory_mb=300)
SHORT = Limits(first_move_seconds=60, move_seconds=0.4, cushion_seconds=0.6, memory_mb=300)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert psutil.Process().children(recursive=True) == []


def scoundrel(name: str, options: str = "") -> str:
    return f"{SCOUNDRELS / name}.py{options}"


def gtp_scoundrel(misdeed: str) -> str:
    return f"gtp:{sys.executable} {SCOUNDRELS / 'gtp_scoundrel.py'} {misdeed}"


def play(
    first: str, second: str = HONEST, limits: Limits = LIMITS, rules: Rules = "course", **options: object
) -> GameRecord:
    return play_game("pentago", (parse_agent(first), parse_agent(second)), limits, rules=rules, **options)  # type: ignore[arg-type]


def quiet_opening(plies: int) -> tuple[str, ...]:
    """Random moves after which the game is still open, so that the rest of it is short."""
    position, moves, rng = load_game("pentago").initial(), [], random.Random(1)
    while len(moves) < plies:
        move = rng.choice(position.legal_moves())
        if position.play(move).result is None:
            position = position.play(move)
            moves.append(str(move))
    return tuple(moves)


def assert_lost(record: GameRecord, reason: Reason, text: str, loser: int = 0) -> None:
    verdict = record.verdict
    assert (verdict.reason, verdict.loser, verdict.winner) == (reason, loser, 1 - loser), verdict
    assert text in verdict.text
    assert f"move {verdict.ply + 1}" in verdict.text
    assert record.agents[loser] in verdict.text
    assert verdict.ply == len(record.opening) + len(record.moves)
    assert record.result == ("B+", "W+")[loser]
    assert len(verdict.stderr) <= SHOWN_STDERR_LINES


# --- Crashes, illegal moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason", "text", "in_stderr"),
    [
        ("raises_in_import", Reason.CRASH, "could not be loaded", "no module named genius"),
        ("exits_in_import", Reason.CRASH, "could not be loaded", "not today"),
        ("raises_in_setup", Reason.CRASH, "could not be loaded", "no opening book"),
        ("raises_in_step", Reason.CRASH, "agent failed: ValueError: what now?", 'raise ValueError("what now?'),
        ("raises_base_exception", Reason.CRASH, "Disaster: gone", "Disaster"),
        ("raises_system_exit", Reason.CRASH, "agent failed: SystemExit: 0", "SystemExit"),
        ("exits", Reason.CRASH, "exit status 0", ""),
        ("segfaults", Reason.CRASH, "killed by SIGSEGV", "Segmentation fault"),
        ("forks_and_exits", Reason.CRASH, "exit status 7", ""),
        ("closes_descriptors", Reason.CRASH, "exit status", ""),
        ("returns_none", Reason.ILLEGAL, "'None', which is not a legal move", ""),
        ("returns_garbage", Reason.ILLEGAL, "not a legal move", ""),
        ("returns_evil_object", Reason.CRASH, "agent failed: KeyboardInterrupt", "in __str__"),
        ("takes_taken_cell", Reason.ILLEGAL, "taken", ""),
        ("speaks_on_the_wire", Reason.CRASH, "broke the protocol", ""),
        ("speaks_unasked", Reason.CRASH, "broke the protocol", ""),
    ],
)
def test_fault_loses_and_is_named(name: str, reason: Reason, text: str, in_stderr: str) -> None:
    record = play(scoundrel(name))
    assert_lost(record, reason, text)
    assert in_stderr in "\n".join(record.verdict.stderr)


def test_second_player_loses_by_its_fault_too() -> None:
    record = play(HONEST, scoundrel("plays_first_move_always"), opening=("a1/3r",))
    assert_lost(record, Reason.ILLEGAL, "taken", loser=1)


@pytest.mark.parametrize(
    ("misdeed", "reason", "text"),
    [
        ("noise", Reason.CRASH, "broke the protocol"),
        ("half", Reason.TIMEOUT, "gave no answer"),
        ("endless", Reason.CRASH, "1048576 bytes without an end"),
        ("newlines", Reason.TIMEOUT, "gave no answer"),
        ("unnumbered", Reason.CRASH, "broke the protocol"),
        ("twice", Reason.CRASH, "before it was asked"),
        ("refuses", Reason.CRASH, "I would rather not"),
        ("binary", Reason.ILLEGAL, "not a legal move"),
    ],
)
def test_program_that_speaks_gtp_badly_loses(misdeed: str, reason: Reason, text: str) -> None:
    limits = Limits(first_move_seconds=3, move_seconds=1, cushion_seconds=0.5)
    assert_lost(play(gtp_scoundrel(misdeed), limits=limits), reason, text)


def test_program_that_does_not_exist_loses() -> None:
    assert_lost(play("gtp:/no/such/engine"), Reason.CRASH, "could not be started")


# --- Time -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sleeps", "spins", "ignores_signals", "floods_stdout"])
def test_no_answer_loses_after_limit_and_cushion(name: str) -> None:
    record = play(scoundrel(name), limits=SHORT)
    assert_lost(record, Reason.TIMEOUT, "gave no answer within 0.4 s and the cushion of 0.6 s")
    assert record.verdict.limit == 0.4
    assert record.verdict.measured is not None and 1.0 <= record.verdict.measured < 10


def test_import_that_never_ends_loses_on_the_first_move() -> None:
    record = play(scoundrel("sleeps_in_import"), limits=Limits(first_move_seconds=1, cushion_seconds=0.5))
    assert_lost(record, Reason.TIMEOUT, "within 1 s and the cushion of 0.5 s")
    assert record.moves == ()


def test_answer_inside_the_cushion_is_replaced_and_the_agent_plays_on() -> None:
    record = play(scoundrel("late", ":seconds=0.8"), opening=quiet_opening(26), seed=3)
    late = [move for move in record.moves if move.player == 0][1:]
    assert late and all(move.replaced and move.seconds > 0.4 for move in late)
    assert any(move.move != move.answer for move in late)
    assert record.verdict.reason == Reason.RULES  # so the engine's board was the referee's to the end


def test_late_answer_that_is_no_move_is_replaced_too() -> None:
    record = play(scoundrel("late_and_illegal"), opening=quiet_opening(16), seed=3)
    assert record.verdict.reason == Reason.RULES
    assert any(move.replaced and move.answer == "never mind" for move in record.moves)


def test_answer_inside_the_cushion_loses_under_strict_rules() -> None:
    record = play(scoundrel("late", ":seconds=0.8"), rules="strict")
    assert_lost(record, Reason.TIMEOUT, "the limit is 0.4 s")
    assert record.verdict.measured is not None and record.verdict.measured >= 0.8


def test_replacements_come_from_the_seed() -> None:
    first, again = (play(scoundrel("late_and_illegal"), opening=quiet_opening(30), seed=5) for _ in range(2))
    assert any(move.replaced for move in first.moves)
    assert [move.move for move in first.moves] == [move.move for move in again.moves]


def test_thinking_on_the_opponents_time_is_stopped() -> None:
    limits = Limits(first_move_seconds=60, move_seconds=10, memory_mb=300)
    record = play(scoundrel("ponders"), scoundrel("late", ":seconds=0.3"), limits=limits, opening=quiet_opening(20))
    used = [move.analysis["value"] for move in record.moves if move.player == 0 and "value" in move.analysis][2:]
    assert used and sum(used) < 0.3 * len(used) / 3


def test_analysis_that_does_not_come_at_once_is_given_up() -> None:
    record = play(scoundrel("slow_analysis"), opening=quiet_opening(30))
    assert all(move.analysis == {} for move in record.moves if move.player == 0)
    assert record.verdict.reason in (Reason.RULES, Reason.TIMEOUT)


# --- Memory ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["allocates", "allocates_and_returns", "allocates_in_child"])
def test_too_much_memory_loses(name: str) -> None:
    record = play(scoundrel(name), limits=Limits(60, 10, 10, memory_mb=300))
    assert_lost(record, Reason.MEMORY, "the limit is 300 MB")
    assert record.verdict.measured is not None and record.verdict.measured > 300
    assert record.verdict.limit == 300
    assert record.peak_memory_mb[0] == record.verdict.measured > 300 > record.peak_memory_mb[1]


# --- What is allowed, or does no harm -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["prints_gtp", "closes_stdout", "leaves_grandchild", "lies_in_analysis"])
def test_what_an_agent_prints_closes_or_leaves_does_not_reach_the_game(name: str) -> None:
    record = play(scoundrel(name), limits=Limits(60, 20, 10, memory_mb=300), opening=quiet_opening(24))
    assert record.verdict.reason == Reason.RULES
    assert not any(move.replaced for move in record.moves)


def test_flood_on_stderr_is_drained_and_its_end_kept() -> None:
    game = load_game("pentago")
    seat = Seat(parse_agent(scoundrel("floods_stderr")), game, 0, Limits(60, 60, memory_mb=300))
    try:
        seat.ask(60)
        lines = seat.stderr_lines()
    finally:
        seat.close()
    assert lines[-1] == "done"
    assert len(lines) <= SHOWN_STDERR_LINES and max(map(len, lines)) <= 300


def test_resignation_loses() -> None:
    record = play(scoundrel("resigns"))
    assert_lost(record, Reason.RESIGNATION, "it resigned")


def test_honest_game_is_recorded() -> None:
    record = play(HONEST, HONEST, names=("Ann", "Bob"), opening=("a1/0r", "5 5 3 1"), seed=1)
    assert record.verdict.reason == Reason.RULES and record.verdict.loser is None
    assert record.opening == ("a1/0r", "f6/3f") and record.agents == ("Ann", "Bob")
    assert [move.ply for move in record.moves] == list(range(2, record.verdict.ply))
    assert record.moves[0].player == 0
    assert all(100 < peak < 300 for peak in record.peak_memory_mb)
    assert record.enforcement["files"] == "none"
    game = load_game("pentago")
    position = game.initial()
    for text in [*record.opening, *(move.move for move in record.moves)]:
        position = position.play(game.parse_move(text, position))
    assert game.format_position(position) == record.final_position


def test_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    games = [[move.move for move in play(HONEST, HONEST, seed=seed).moves] for seed in (7, 7, 8)]
    assert games[0] == games[1] != games[2]


def test_our_own_engine_can_sit_at_a_gtp_seat() -> None:
    worker = f"gtp:{sys.executable} -m simulator.worker --game pentago --agent random_agent --seed 1"
    record = play(worker, HONEST)
    assert record.verdict.reason == Reason.RULES
    assert "seconds" in record.moves[0].analysis


def test_game_that_the_opening_ends_needs_no_agents() -> None:
    opening = ("a1/2r", "f6/2r", "b1/2r", "f5/2r", "c1/2r", "f4/2r", "d1/2r", "e6/2r", "e1/2r")
    record = play("gtp:/no/such/engine", "gtp:/no/such/engine", opening=opening)
    assert (record.verdict.reason, record.verdict.winner, record.moves) == (Reason.RULES, 0, ())


# --- The referee's own machine --------------------------------------------------------------------------------------


def test_machine_that_cannot_start_a_process_voids_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(seat_module.subprocess, "Popen", fail)
    record = play(HONEST, HONEST)
    verdict = record.verdict
    assert (verdict.reason, verdict.winner, verdict.loser, record.result) == (Reason.VOID, None, None, "none")
    assert "Resource temporarily unavailable" in verdict.text


@pytest.mark.parametrize("method", ["move_started", "tick", "move_made"])
def test_interrupt_closes_both_seats_and_goes_on(method: str) -> None:
    watcher = Watcher()
    calls = 0

    def interrupt(*arguments: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    setattr(watcher, method, interrupt)
    with pytest.raises(KeyboardInterrupt):
        play(HONEST, scoundrel("late", ":seconds=0.3"), watcher=watcher)


def test_watcher_is_told_of_every_move() -> None:
    told: list[str] = []

    class Listener(Watcher):
        def game_started(self, *arguments: object) -> None:
            told.append("start")

        def move_made(self, *arguments: object) -> None:
            told.append("move")

        def game_ended(self, record: GameRecord) -> None:
            told.append("end")

    record = play(HONEST, HONEST, watcher=Listener())
    assert told == ["start", *["move"] * len(record.moves), "end"]


def test_illegal_opening_is_the_callers_error() -> None:
    with pytest.raises(ValueError, match="taken"):
        play(HONEST, HONEST, opening=("a1/3r", "a1/3r"))


# --- Seat: what it tells an engine ----------------------------------------------------------------------------------


def test_replaced_move_is_told_by_undo_or_by_the_whole_game() -> None:
    seat = Seat(parse_agent(HONEST), load_game("pentago"), 1, Limits())
    seat.tell(0, "a1/0r")
    seat._queue = []
    seat.correct("b2/0r", has_played=True)
    assert seat._queue == ["undo", "play b b2/0r"]
    seat._known = frozenset()
    seat._queue = []
    seat.correct("c3/0r", has_played=True)
    assert seat._queue == ["clear_board", "play w a1/0r", "play b b2/0r", "play b c3/0r"]


@pytest.mark.parametrize("text", ["[]", "nonsense", "[" * 100_000, '{"a": ' * 20_000, "1" * 70_000, '"x"', ""])
def test_analysis_that_is_no_object_is_empty(text: str) -> None:
    assert parse_analysis(text) == {}


def test_numbers_that_are_none_are_null() -> None:
    assert parse_analysis('{"value": NaN, "seconds": 1e999, "nodes": 3}') == {
        "value": None,
        "seconds": None,
        "nodes": 3,
    }


def test_one_line_keeps_control_characters_out() -> None:
    assert one_line("a\x1b[2J\nb\x00\u202ec") == "a [2J b c"


def test_referee_leaves_no_descriptor_open() -> None:
    play(HONEST, HONEST)
    before = psutil.Process().num_fds()
    play(HONEST, scoundrel("exits"))
    play("gtp:/no/such/engine")
    assert psutil.Process().num_fds() == before
