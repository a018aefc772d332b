"""Stepping through a game: every position as the game draws it, with what the referee saw of the move."""

import json
import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import partial

import pytest

from commands.replay import read_keys
from game import NotationError, UnknownGame, load_game, play_moves
from options import InputError
from simulator.gtp.analysis import Analysis
from simulator.play.replay import Replay
from simulator.records.reader import PlayedGame
from simulator.records.saved_game import SavedGame, save_game
from simulator.referee.game_record import GameRecord, Reason
from simulator.terminal.replay import HELP, obey, page
from tests import command_line
from tests.leagues import random_game, write_league
from tests.programs import RUNNER, read_terminal, wait_until

RECORD = random_game(("alpha", "beta"), opening=("c3/0r", "d4/1f"), plies=12, seed=3)


invoke = partial(command_line.invoke, "replay")


# --- Pages ----------------------------------------------------------------------------------------------------------


def page_of(record, ply, round_=None, **shown):
    return page(Replay(PlayedGame(17, record, round_)), ply, **shown)


def test_each_page_shows_the_position_that_the_game_itself_comes_to():
    game, shown = load_game("pentago"), [page_of(RECORD, ply) for ply in range(15)]
    positions = play_moves(game, (*RECORD.opening, *(move.move for move in RECORD.moves)))
    assert len(shown) == len(positions) == 15
    for ply, position in enumerate(positions):
        assert game.draw(position) in shown[ply]
        assert (f"move {ply} of 14: " in shown[ply]) == (ply > 0)
        assert ("too late: it answered late move, and a random move" in shown[ply]) == (ply == 12)


def test_a_page_says_who_moved_and_what_it_took():
    move = RECORD.moves[2]
    said = page_of(RECORD, 5, 2)
    assert said.startswith("game 17, round 2: alpha (w) against beta (b), 0\n")
    assert f"alpha (w) played {move.move}" in said
    assert f"{move.seconds:.3f} s, {move.peak_memory_mb:.0f} MB, its own value {move.analysis.value:.3f}" in said
    assert "its own value" not in page_of(RECORD, 6)
    assert "the opening played c3/0r" in page_of(RECORD, 1)
    proved = (replace(RECORD.moves[0], analysis=Analysis(proven="win")), *RECORD.moves[1:])
    said = page_of(replace(RECORD, moves=proved), len(RECORD.opening) + 1)
    assert ", proved a win" in said and "its own value" not in said


SHORT = random_game(("alpha", "beta"), plies=3)
CRASHED = random_game(("alpha", "beta"), fault=Reason.CRASH, plies=3, stderr=("Traceback", "boom"))
OLDER = GameRecord.from_json({key: said for key, said in CRASHED.to_json().items() if key != "logs"})


@pytest.mark.parametrize(
    ("record", "shown", "end"),
    [
        (
            replace(SHORT, logs=("depth 4\n  value 0.5", "")),
            {"logs": True},
            "\nlog of alpha:\n  depth 4\n    value 0.5\nlog of beta: empty",
        ),
        (
            replace(SHORT, transcripts=("0.001 > genmove w\n0.002 < = c3/0r", "")),
            {"transcripts": True},
            "\ntranscript of alpha:\n  0.001 > genmove w\n  0.002 < = c3/0r\ntranscript of beta: not kept; play with "
            "--transcripts",
        ),
        (OLDER, {"logs": True}, "log of alpha: empty\nlog of beta:\n  Traceback\n  boom"),
        (CRASHED, {}, "SIGSEGV [crash]\nend of the log of beta:\n  Traceback\n  boom"),
    ],
    ids=["logs", "transcripts", "the log of a record of an older version", "last words"],
)
def test_what_players_wrote_is_shown_at_the_end(record, shown, end):
    assert page_of(record, 3, **shown).endswith(end)
    for words in ("log of", "transcript of", "[crash]"):
        assert words not in page_of(record, 2, **shown)
    if record.verdict.loser is None:
        assert page_of(record, 3) + end == page_of(record, 3, **shown)


def test_a_game_of_go_is_drawn_with_its_captures():
    record = random_game(("alpha", "beta"), game="go", options={"size": 5}, plies=40, seed=5)
    assert all("X black has captured" in page_of(record, ply) for ply in range(len(record.moves) + 1))


def test_a_game_that_cannot_be_played_again_is_an_error_that_names_the_move():
    wrong = replace(RECORD, moves=(replace(RECORD.moves[0], move="d4/0r"),))
    with pytest.raises(NotationError, match="move 3, d4/0r: d4 is taken"):
        Replay(PlayedGame(1, wrong))
    with pytest.raises(UnknownGame, match="no game is called 'chess'"):
        Replay(PlayedGame(1, replace(RECORD, game="chess")))


def test_chances_are_those_of_who_moves_first_and_a_proof_is_certain():
    said = (Analysis(value=0.75), Analysis(value=0.75), Analysis(), Analysis(value=0.75, proven="win"))
    record = random_game(("alpha", "beta"), plies=4)
    moves = tuple(replace(move, analysis=one) for move, one in zip(record.moves, said, strict=True))
    assert Replay(PlayedGame(1, replace(record, moves=moves))).chances == [0.75, 0.25, None, 0.0]


# --- Commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "ply"),
    [
        *((typed, 10) for typed in ("\r", " ", "NEXT", "\x1b[C")),
        *((typed, 8) for typed in ("\x1b[D", "b")),
        *((typed, 0) for typed in ("\x1b[H", "first", "0")),
        *((typed, 14) for typed in ("\x1b[F", "l")),
        *((typed, 12) for typed in ("12", "goto 12", "g 12")),
    ],
)
def test_keys_words_and_numbers_lead_to_a_move(typed, ply):
    replay = Replay(PlayedGame(1, RECORD))
    replay.go(9)
    assert obey(replay, typed)
    assert replay.ply == ply


@pytest.mark.parametrize(("number", "ply"), [("2", 2), ("", None)])
def test_g_asks_for_a_number_and_without_one_goes_nowhere(monkeypatch, number, ply):
    monkeypatch.setattr("click.getchar", lambda: "g")
    monkeypatch.setattr("builtins.input", lambda prompt: number)
    replay = Replay(PlayedGame(1, RECORD))
    with pytest.raises(InputError) if ply is None else nullcontext():
        obey(replay, read_keys())
    assert replay.ply == (ply or 0)


def test_a_replay_ends_where_the_game_begins_and_ends():
    replay = Replay(PlayedGame(1, RECORD))
    for typed, ply in (("b", 0), ("l", 14), ("n", 14)):
        assert obey(replay, typed)
        assert replay.ply == ply
    assert not obey(replay, "q")


@pytest.mark.parametrize("typed", ["x", "goto", "goto x", "1 2", "\u00b2", "next 3", "-1", "15", "9" * 5000])
def test_anything_else_is_answered_with_what_can_be_typed(typed):
    with pytest.raises(InputError, match="the game has 14 moves" if typed == "15" else "q: quit"):
        obey(Replay(PlayedGame(1, RECORD)), typed)


# --- The command line -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    return write_league(tmp_path_factory.mktemp("league") / "league.db", ("alpha", "beta"), plies=6)


def test_over_a_pipe_all_positions_are_printed(league):
    result = invoke(league, "--game", "2")
    assert result.exit_code == 0
    assert [f"move {ply} of 6" in result.output for ply in range(1, 7)] == [True] * 6
    assert "\x1b" not in result.output


# --- Games that were saved in `play` --------------------------------------------------------------------------------


def saved_by_play(path, **more):
    """A game that a person began and an agent answered, as `save` writes it."""
    saved = SavedGame("pentago", "random_agent", "w", "", ("c3/0r", "d4/1f", "a1/0r"))
    save_game(path, replace(saved, **more))
    return path


@pytest.mark.parametrize("name", ["game.json", "game.jsonl"])
def test_a_game_that_was_saved_in_play_is_replayed(tmp_path, name):
    result = invoke(saved_by_play(tmp_path / name))
    assert result.exit_code == 0, result.output
    assert "game 1: a person (w) against random_agent (b), no result" in result.output
    assert "move 2 of 3: random_agent (b) played d4/1f" in result.output
    assert "the game was not over when it was saved [void]" in result.output
    assert "0.000 s" not in result.output


def test_a_saved_game_is_replayed_from_the_position_where_it_began(tmp_path):
    position = "wwww../bbb.../....../....../b...../...... w"
    result = invoke(saved_by_play(tmp_path / "game.json", position=position, moves=("e1/3r",)))
    assert "a person (w) wins on the board after 1 move [normal]" in " ".join(result.output.split())


def test_a_saved_resignation_is_told(tmp_path):
    result = invoke(saved_by_play(tmp_path / "game.json", side="b", result="B+R"))
    assert "random_agent (w) against a person (b), B+" in result.output
    assert "random_agent (w) lost by resignation after 3 moves [resignation]" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("written", "result", "verdict"),
    [
        ("B+3.50", "B+3.5", "Ann (b) wins by 3.5, as the file says: its board is open after 2 moves [normal]"),
        ("W+12", "W+12", "uct_agent (w) wins by 12, as the file says: its board is open after 2 moves [normal]"),
        ("W+", "W+", "uct_agent (w) wins, as the file says: its board is open after 2 moves [normal]"),
        ("0", "0", "drawn, as the file says: its board is open after 2 moves [normal]"),
        ("B+Resign", "B+", "uct_agent (w) lost by resignation after 2 moves [resignation]"),
        ("W+T", "W+", "Ann (b) lost by time after 2 moves [timeout]"),
        ("Void", "no result", "the game was not over when it was saved [void]"),
        ("?", "no result", "the game was not over when it was saved [void]"),
        ("黑中盘胜", "no result", "the moves do not end the game; the file says 黑中盘胜 [void]"),
    ],
)
def test_the_result_of_an_sgf_file_is_shown_where_its_moves_do_not_end_the_game(tmp_path, written, result, verdict):
    (tmp_path / "game.sgf").write_text(f"(;GM[1]SZ[9]PB[Ann]PW[uct_agent]RE[{written}];B[ee];W[cc])")
    output = " ".join(invoke(tmp_path / "game.sgf").output.split())
    assert f"Ann (b) against uct_agent (w), {result} " in output
    assert "move 2 of 2: uct_agent (w) played C7" in output and verdict in output


def test_a_result_that_differs_from_the_board_is_named_beside_it(tmp_path):
    for written, said in (("W+3.5", "; the file says W+3.5 [normal]"), ("B+74", "after 3 moves [normal]")):
        (tmp_path / "game.sgf").write_text(f"(;GM[1]SZ[9]KM[7]RE[{written}];B[ee];W[];B[])")
        output = " ".join(invoke(tmp_path / "game.sgf").output.split())
        assert "b (b) against w (w), B+74 " in output
        assert "b (b) wins on the board by 74" in output
        assert said in output


BROKEN = (
    "nonsense",
    "{\n",
    '{\n "a": 1\n',
    "[1]",
    "{}",
    '{"moves": [], "verdict": {}}',
    '{"moves": [1], "verdict": {"reason": "normal"}}',
    '{"moves": [], "verdict": {"reason": "never", "winner": 0, "text": "", "ply": 0}}',
    json.dumps(RECORD.to_json() | {"agents": 5}),
    json.dumps(RECORD.to_json() | {"agents": ["a", "b", "c"]}),
    json.dumps(RECORD.to_json() | {"options": 3}),
    '{"unforced": 7}',
    '{"unforced": 1, "game": "chess"}',
    "[" * 100_000,
    "\xff\xfe\x00",
    "(;GM[2])",
    "(",
)


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_what_is_wrong_with_a_broken_file_is_said_without_pythons_words(tmp_path, content):
    (tmp_path / "file").write_text(content, encoding="latin-1")
    result = invoke(tmp_path / "file")
    assert result.exit_code == 2, result.output
    assert "Error: " in result.output
    assert not re.search(r"[A-Z]\w+Error|Exception|__init__|Expecting", result.output.replace("Error: ", "", 1))


# --- On a terminal --------------------------------------------------------------------------------------------------


def type_in(terminal, keys, whole_lines=False):
    """Type once the program reads single keys, or whole lines: what comes earlier is lost."""
    wait_until(lambda: bool(termios.tcgetattr(terminal)[3] & termios.ICANON) == whole_lines)
    os.write(terminal, keys.encode())


def test_in_a_terminal_keys_step_through_the_game(league):
    ours, theirs = pty.openpty()
    command = [sys.executable, RUNNER, "replay", str(league), "--plain"]
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    with ExitStack() as stack:
        program = stack.enter_context(
            subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        )
        stack.callback(program.kill)  # if a check fails, nothing else quits it
        assert "\x1b[2m." in read_terminal(ours, HELP)  # empty cells are dimmed
        for key, words in (("\x1b[C", "move 1 of"), ("\r", "move 2 of"), ("\x1b[D", "move 1 of"), ("l", "move 6 of")):
            type_in(ours, key)
            read_terminal(ours, words)
        for key, number, words in (("4", "\n", "move 4 of"), ("g", "2\n", "move 2 of"), ("9", "\n", "the game has 6")):
            type_in(ours, key)
            type_in(ours, number, whole_lines=True)
            read_terminal(ours, words)
        type_in(ours, "q")
        assert program.wait(timeout=60) == 0
    os.close(theirs)
    os.close(ours)
