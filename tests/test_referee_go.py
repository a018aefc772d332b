"""Go between programs that nobody trusts: only the referee's rules and count decide."""

import shlex
import shutil
import sys
from contextlib import closing
from datetime import datetime

import pytest

from agents.agent import AgentError, parse_agent
from agents.limits import Limits
from game import load_game
from simulator.player.compile_ahead import compile_ahead
from simulator.player.launch import launch_for
from simulator.player.lookup import find_agent
from simulator.player.move_time import MoveTime
from simulator.player.player import Player
from simulator.referee import conditions as conditions_module
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.referee.referee import play_game
from simulator.sandbox import visible_files
from simulator.sandbox.visible_files import search_path
from tests.programs import AGENTS, PASSES
from tests.scoundrels.games import PATIENT

GNUGO = "gtp:gnugo --mode gtp --level 0 --chinese-rules --positional-superko --capture-all-dead --never-resign"


def player(moves="", **options):
    """A program that plays these moves in turn, then passes."""
    words = ["--moves", moves, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
    return f"{PASSES} {shlex.join(words)}"


def play(first, second, limits=PATIENT, size=5, seed=None, **conditions):
    """A game of Ann, who is black, against Bob."""
    specs = (parse_agent(first), parse_agent(second))
    compile_ahead(load_game("go"), specs)  # off every clock
    return play_game(specs, Conditions("go", {"size": size}, limits, **conditions), names=("Ann", "Bob"), seed=seed)


# --- The end of a game ----------------------------------------------------------------------------------------------


def test_two_passes_end_the_game_and_the_referee_counts_the_area(tmp_path):
    record = play(player("C3", log=tmp_path / "log"), player(), isolation="none")  # in a sandbox it could write no log
    assert [move.move for move in record.moves] == ["C3", "pass", "pass"]
    assert record.verdict.text == "Ann (b) wins on the board by 18 after 3 moves"
    assert (record.verdict.reason, record.result) == (Reason.NORMAL, "B+18")
    assert record.options == {"size": 5, "komi": 7.0}
    assert datetime.fromisoformat(record.date).tzinfo is not None
    assert load_game(record.game, **record.options).parse_position(record.final_position).result is not None
    assert "final_score" not in (tmp_path / "log").read_text()


def test_a_game_of_the_greatest_length_is_counted_as_it_stands(monkeypatch):
    def short_game(*arguments, **options):
        game = load_game(*arguments, **options)
        game.longest_game = 3
        return game

    monkeypatch.setattr(conditions_module, "load_game", short_game)
    record = play(player("C3 B2"), player("D4 E5"))
    assert (record.verdict.reason, record.verdict.winner, record.verdict.loser) == (Reason.NORMAL, 1, None)
    assert record.verdict.text == (
        "stopped after 3 moves, the most that a game may have; as the board stands, Bob (w) wins by 6"
    )
    assert record.result == "W+6"


# --- Faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "size", "loser", "reason", "text"),
    [
        (player("C3"), player(refuse="play b"), 5, 1, Reason.CRASH,
         "refused the legal move `play b C3` at move 2: illegal move"),
        (player(refuse="boardsize", error="unacceptable size"), player(), 5, 0, Reason.CRASH,
         "refused a board of size 5 at move 1: unacceptable size"),
        (player("C2 B1 C3 C2"), player("B2 B3 C1"), 3, 0, Reason.ILLEGAL,
         "made an illegal move at move 7: C2 would repeat an earlier position (superko)"),
        (player("C3"), player("C3"), 5, 1, Reason.ILLEGAL, "C3 is taken"),
        (player("C3"), player("F1"), 5, 1, Reason.ILLEGAL, "is not on this 5x5 board"),
        (player("C3"), player("resign"), 5, 1, Reason.RESIGNATION, "resigned at move 2"),
    ],
)  # fmt: skip
def test_who_breaks_a_rule_loses(first, second, size, loser, reason, text):
    record = play(first, second, size=size)
    assert (record.verdict.reason, record.verdict.loser) == (reason, loser), record.verdict
    assert text in record.verdict.text
    assert record.result == ("W+", "B+")[loser]


def test_an_engine_that_refuses_the_komi_plays_on_and_the_referee_counts_it():
    assert play(player(refuse="komi"), player()).result == "W+7"


@pytest.mark.parametrize(
    ("answer", "more"), [("D4", {"without": "undo"}), ("D4", {"refuse": "undo"}), ("Z9", {})], ids=str
)
def test_a_late_answer_is_replaced_also_in_an_engine_that_cannot_undo_or_has_made_no_move(tmp_path, answer, more):
    limits = Limits(first_move_seconds=60, move_seconds=0.3, cushion_seconds=60, memory_mb=300)
    first = player(f"C3 {answer}", slow=answer, seconds=1, log=tmp_path / "log", **more)
    record = play(first, player("B2"), limits, seed=2, isolation="none")  # seed 1 draws a pass, and two end the game
    replaced = record.moves[2]
    assert (replaced.replaced, replaced.answer) == (True, answer)
    assert record.verdict.reason is Reason.NORMAL
    told_again = f"clear_board\nplay b C3\nplay w B2\nplay b {replaced.move}\n"
    assert told_again in (tmp_path / "log").read_text()


# --- What engines are told ------------------------------------------------------------------------------------------


def test_an_engine_is_told_board_komi_and_whole_seconds(tmp_path):
    spec, limits = parse_agent(player(log=tmp_path / "log")), Limits(60, 2.5)
    game = load_game("go", size=7, komi=5.5)
    with closing(Player(launch_for(spec, game, limits, isolation="none"))) as asked:
        asked.ask([game.initial()], MoveTime(60))
    asked = (tmp_path / "log").read_text().splitlines()
    expected = ["boardsize 7", "clear_board", "komi 5.5", "time_settings 0 2 1", "genmove b"]
    assert asked == ["list_commands", *expected]


@pytest.mark.parametrize(("clock", "told"), [(700, "0 20 1,20 1"), (300, "300 0 0,300 0")])
def test_a_program_knows_the_nearer_of_two_limits_and_may_refuse_to_know_it(tmp_path, clock, told):
    limits = Limits(first_move_seconds=60, move_seconds=20, clock_seconds=clock, memory_mb=300)
    record = play(player("C3 D4", refuse="time_left", log=tmp_path / "log"), player("B2"), limits, isolation="none")
    asked = (tmp_path / "log").read_text().splitlines()
    settings, left = told.split(",")
    assert {f"time_settings {settings}", f"time_left b {left}"} <= {*asked}
    assert record.verdict.reason is Reason.NORMAL


def test_programs_are_looked_for_where_debian_puts_games(tmp_path, monkeypatch):
    with pytest.raises(AgentError, match="no program 'some-engine'"):
        find_agent("gtp:some-engine", load_game("go"))
    (tmp_path / "some-engine").symlink_to(sys.executable)
    monkeypatch.setattr(visible_files, "GAMES_FOLDERS", (str(tmp_path),))
    assert find_agent("gtp:some-engine", load_game("go")).is_gtp
    record = play(f"gtp:some-engine {AGENTS / 'gtp_player.py'} --moves C3", player())
    assert record.result == "B+18"


@pytest.mark.skipif(shutil.which("gnugo", path=search_path()) is None, reason="GNU Go is not installed")
def test_gnugo_plays_a_game_to_its_end():
    record = play("random_agent", GNUGO, size=5)
    assert record.verdict.reason == Reason.NORMAL
    assert "wins on the board" in record.verdict.text  # nearly always GNU Go, whose games differ
