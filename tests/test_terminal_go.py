"""A person against an agent at Go: what is shown, what is saved, and what comes back."""

import json

import pytest

from game import load_game
from options import InputError
from simulator.records.saved_game import SavedGame, game_of, load_game_file, replay, save_game
from simulator.records.sgf_reader import read_sgf
from tests.playing import FIRST, SECOND, FirstMoveOpponent
from tests.playing import play as play_game

GO = load_game("go", size=5, komi=3.5)


class LastMoveOpponent(FirstMoveOpponent):
    """Passes, which is the last of the legal moves."""

    place = -1


def play(*lines, side=0, opponent=None, positions=None):
    players = SECOND if side else FIRST
    opponent = opponent or LastMoveOpponent()
    return play_game(*lines, game=GO, positions=positions or [GO.initial()], players=players, opponent=opponent)


# --- What is shown --------------------------------------------------------------------------------------------------


def test_two_passes_end_the_game_with_the_area_and_the_score():
    text = play("C3", "pass").screen.text
    assert "first_agent plays pass" in text
    assert "x black 25 points; o white 0 + 3.5 komi: black is ahead by 21.5" in text
    assert "Game over: you win by 21.5. Type undo" in text


def test_a_game_that_was_resigned_shows_no_area():
    assert "x black" not in play("C3", "resign").screen.text


# --- What is saved --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.json", "game.sgf"])
def test_a_saved_game_comes_back_and_one_can_go_on_with_it(tmp_path, name):
    session = play("C3", "D3", f"save {tmp_path / name}")
    loaded = load_game_file(tmp_path / name)
    assert loaded.options == {"size": 5, "komi": 3.5}
    assert replay(game_of(loaded), loaded) == session.played.positions
    assert "--agent=first_agent --side=b" in session.screen.text or name == "game.json"


@pytest.mark.parametrize(
    ("end", "side", "instead", "result"),
    [
        ("pass", 0, None, "B+21.5"),
        ("resign", 0, None, "W+R"),
        ("resign", 1, None, "B+R"),
        ("D3", 0, "resign", "B+R"),
        ("D3", 0, None, "?"),
        ("resign undo D3", 0, None, "?"),
    ],
)
def test_a_game_saved_as_sgf_has_names_and_result(tmp_path, end, side, instead, result):
    file = tmp_path / "game.SGF"  # in capitals too
    opponent = LastMoveOpponent(instead)
    play("C3", *end.split(), f"save {file}", side=side, opponent=opponent)
    read = read_sgf(file)
    assert read.result == result
    assert read.names == (("a person", "first_agent") if side == 0 else ("first_agent", "a person"))
    assert (read.game.size, read.game.komi) == (5, 3.5)


def test_one_can_go_on_with_stones_that_were_set_up(tmp_path):
    (tmp_path / "game.sgf").write_text("(;GM[1]SZ[5]KM[0.5]AB[bb][dd];W[cc])")
    loaded = load_game_file(tmp_path / "game.sgf")
    (before, after) = replay(game_of(loaded), loaded)
    assert str(before) == "...../.b.../...../...b./..... w - 0.5"
    assert str(after) == "...../.b.../..w../...b./..... b - 0.5"


@pytest.mark.parametrize(
    ("moves", "start", "end"),
    [
        (";B[cc];B[dd]", "...../...../..b../...../..... b - 7", "...../...../..b../...b./..... w - 7"),
        (";B[cc];B[dd];W[aa]", "...../...../..b../...../..... b - 7", "w..../...../..b../...b./..... b - 7"),
        (";W[cc];B[dd]", "...../...../...../...../..... w - 7", "...../...../..w../...b./..... w - 7"),
        (";B[];W[];B[cc]", "...../...../...../...../..... b - 7", "...../...../..b../...../..... w - 7"),
        (";B[cc];PL[B]", "...../...../..b../...../..... b - 7", "...../...../..b../...../..... b - 7"),
        (";B[];W[]", "...../...../...../...../..... b - 7", "...../...../...../...../..... b - 7 2"),
    ],
)
def test_a_file_in_which_players_do_not_take_turns_begins_where_they_last_did_not(tmp_path, moves, start, end):
    (tmp_path / "game.sgf").write_text(f"(;GM[1]SZ[5]KM[7]{moves})")
    loaded = load_game_file(tmp_path / "game.sgf")
    positions = replay(game_of(loaded), loaded)
    assert (str(positions[0]), str(positions[-1])) == (start, end)


@pytest.mark.parametrize(
    ("text", "what"),
    [(".b.../b.b../wbw../.w.../..... w B4 3.5", "a ko"), ("...../...../...../...../..... w - 3.5 1", "a pass")],
)
def test_a_beginning_that_sgf_cannot_say_is_not_saved_as_sgf(tmp_path, text, what):
    start = GO.parse_position(text)
    session = play(f"save {tmp_path / 'game.sgf'}", f"save {tmp_path / 'game.json'}", positions=[start])
    said = " ".join(session.screen.text.split())
    assert f"Not saved: SGF cannot express {what} in the position" in said
    assert not (tmp_path / "game.sgf").exists()
    loaded = load_game_file(tmp_path / "game.json")
    assert replay(game_of(loaded), loaded) == session.played.positions


def test_a_position_brings_its_komi():
    saved = SavedGame("go", position="...../...../..b../...../..... w - 0.5", options={"size": 5})
    game = game_of(saved)
    assert game.komi == 0.5
    assert replay(game, saved)[0].komi == 0.5


def test_a_finished_game_in_sgf_keeps_its_players(tmp_path):
    words = play("resign", f"save {tmp_path}/x.sgf").screen.words
    assert f"To continue: python runner.py play --load {tmp_path}/x.sgf --hints=first_agent" in words


def test_a_file_from_before_there_were_options_still_loads(tmp_path):
    old = {"unforced": 1, "game": "pentago", "agent": "uct_agent", "side": "w", "position": "", "moves": ["c3/0r"]}
    (tmp_path / "game.json").write_text(json.dumps(old))
    assert load_game_file(tmp_path / "game.json").options == {}
    save_game(tmp_path / "again.json", SavedGame())
    assert "options" not in json.loads((tmp_path / "again.json").read_text())


@pytest.mark.parametrize("options", [[], {"size": "9"}, {"size": 99}, {"heap": 3}])
def test_options_that_make_no_game_are_refused(tmp_path, options):
    content = {"unforced": 1, "game": "go", "agent": "", "side": "", "position": "", "moves": [], "options": options}
    (tmp_path / "game.json").write_text(json.dumps(content))
    with pytest.raises(InputError):
        game_of(load_game_file(tmp_path / "game.json"))
