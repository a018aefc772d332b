"""Games whose rules are in one file: how they are found, named by path and hash, read, and their mistakes explained."""

import os
import pickle
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from board_view import Scene
from game import GameFileError, NotationError, RulesError, UnknownGame, game_title, load_game
from game_files import plain, texts
from options import OptionError

CONNECT_FOUR = Path("examples/games/connect_four.py").resolve()
NIM = '''"""Nim: who takes the last stone wins."""
def initial(heap: int = 5, most: int = 3): return (heap, most), 0
def legal_moves(state): return range(1, min(state[0]) + 1)
def play(state, taken): return (state[0][0] - taken, state[0][1]), 1 - state[1]
def result(state): return 1 - state[1] if state[0][0] == 0 else None
'''


@pytest.fixture
def write(tmp_path):
    """A function that writes the file of a game: Nim, with some texts replaced and others added."""

    def write(*changes, more="", name="nim.py"):
        text = NIM
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + more)
        return path

    return write


# --- Names ----------------------------------------------------------------------------------------------------------


def test_a_file_is_named_by_its_path_and_its_content(write):
    path = write()
    game = load_game(str(path))
    before, _, digest = game.name.partition("#")
    assert (before, len(digest), game.title, game_title(game.name)) == (str(path), 12, "nim", "nim")
    assert load_game(game.name).name == game.name
    write(("heap: int = 5", "heap: int = 6"))
    with pytest.raises(GameFileError, match="was changed since these games were played"):
        load_game(game.name)
    assert load_game(str(path)).name != game.name


def test_a_file_that_has_moved_is_found_below_the_current_folder_by_its_hash(write, tmp_path, monkeypatch):
    path = write(name="games/nim.py")
    wanted = f"/elsewhere/games/nim.py#{load_game(str(path)).name.partition('#')[2]}"
    for folder in (tmp_path, path.parent):
        monkeypatch.chdir(folder)
        assert load_game(wanted).title == "nim"
    monkeypatch.chdir(tmp_path.parent)
    with pytest.raises(GameFileError, match=r"the file of these games is not there: /elsewhere/games/nim\.py"):
        load_game(wanted)
    with pytest.raises(UnknownGame, match=r"no game is called '/elsewhere/games/nim\.py'"):
        load_game("/elsewhere/games/nim.py")


def test_a_folder_may_have_a_number_sign_in_its_name(write):
    path = write(name="c#/nim.py")
    game = load_game(str(path))
    assert (load_game(game.name).title, game.files) == ("nim", (path,))


def test_a_folder_is_a_package_and_all_of_it_is_hashed(write):
    path = write(("(heap, most), 0", "(heap, MOST), 0"), more="from .numbers import MOST\n", name="stones/game.py")
    path.with_name(".#game.py").symlink_to("nowhere")  # an editor makes such a link beside a file that is not saved
    numbers = path.with_name("numbers.py")
    numbers.write_text("MOST = 2\n")
    game = load_game(str(path.parent))
    assert (game.title, game.initial().legal_moves()) == ("stones", (1, 2))
    numbers.write_text("MOST = 4  # another\n")
    with pytest.raises(GameFileError, match="was changed since"):
        load_game(game.name)
    path.rename(path.with_name("stones.py"))
    assert load_game(str(path.parent)).initial().legal_moves() == (1, 2, 3, 4)


def test_what_is_no_plain_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "nim.py")
    for path in (str(tmp_path / "nim.py"), "/dev/zero"):
        with pytest.raises(UnknownGame, match=f"no game is called '{path}'"):
            load_game(path)


@pytest.mark.parametrize(
    ("name", "words"), [("/", "/ holds no game: its rules are in game.py$"), ("notes.txt", "notes.txt is not a game")]
)
def test_only_files_of_a_game_are_read_to_name_it(tmp_path, monkeypatch, name, words):
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was read"))
    (tmp_path / "notes.txt").touch()
    with pytest.raises(GameFileError, match=words):
        load_game(str(tmp_path / name))


def test_what_a_file_prints_when_it_is_imported_is_no_output_of_a_command(write, capfd):
    load_game(str(write(more="print('here I am')\n")))
    assert capfd.readouterr() == ("", "here I am\n")


# --- Options --------------------------------------------------------------------------------------------------------


def test_options_are_the_parameters_of_initial(write):
    game = load_game(str(write()), heap=9)
    assert game.settled_options == {"heap": 9, "most": 3}
    assert load_game(game.name, **game.settled_options).initial() == game.initial()
    with pytest.raises(OptionError, match=r"must be a whole number, not 1\.5"):
        load_game(game.name, heap=1.5)
    with pytest.raises(OptionError, match="no option of nim, but of go"):
        load_game(game.name, size=9)


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        ("heap", "heap of initial has no default"),
        ("heap=None", "heap of initial must have the type int, float, bool, str or a Literal of texts"),
        ("heap: int = 'many'", "the default of heap must be a whole number, not 'many'"),
        ("heap: list = []", "not <class 'list'>"),
        ("heap: 'Literal[1, 2]' = 1", "initial has a parameter that cannot be read: name 'Literal' is not defined"),
    ],
)
def test_a_parameter_that_is_no_option_is_refused(write, parameter, words):
    with pytest.raises(GameFileError, match=words):
        load_game(str(write(("heap: int = 5", parameter))))


def test_choices_are_a_literal(write):
    path = write(
        ('"""\n', '"""\nfrom typing import Literal\n'),
        ("most: int = 3", 'most: Literal["few", "many"] = "few"'),
        ("(heap, most)", '(heap, 2 if most == "few" else 4)'),
    )
    assert load_game(str(path), most="many").initial().legal_moves() == (1, 2, 3, 4)
    with pytest.raises(OptionError, match="must be few or many, not 'all'"):
        load_game(str(path), most="all")


def test_an_option_may_have_any_name(write):
    path = write(("heap: int = 5,", "heap: int = 5, self: int = 1, function: int = 2, name: str = 'a b',"))
    assert load_game(str(path), self=3, function=4, name="c").settled_options["function"] == 4


def test_what_initial_says_of_an_option_is_said_of_the_option(write):
    path = write(("return (heap, most), 0", "return (int(str(heap)[0]), most), 0"))
    assert load_game(str(path), heap=7).initial().words == ((7, 3), 0)
    with pytest.raises(OptionError, match="heap cannot be -3: invalid literal for int"):
        load_game(str(path), heap=-3)


# --- Texts ----------------------------------------------------------------------------------------------------------


def test_states_are_written_as_rows_or_as_python(write):
    game = load_game(str(CONNECT_FOUR), rows=2, columns=3)
    assert str(game.initial().play(1).play(0)) == ".../ox. x"
    nim = load_game(str(write()))
    assert str(nim.initial().play(2)) == "((3, 3), 1)"
    assert nim.parse_position("((3, 3), 1)") == nim.initial().play(2)
    with_spaces = (("(heap, most), 0", '("#  #", heap, most), 0'), ("range(1, min(state[0]) + 1)", "[1]"))
    maze = load_game(str(write(*with_spaces, name="maze.py"))).initial()
    assert "#" not in str(maze) and "  " not in str(maze)  # GTP would cut or shorten these
    assert maze.game.parse_position(str(maze)) == maze
    assert texts.read_state("(1, (2, 3))", (0, ()), "xo") == (1, (2, 3))  # the moves so far
    for state in ({"board": np.eye(3, dtype=int), "moves": ["a1"], "player": 1}, [(np.eye(3), 2), "a1", 1]):
        read = texts.read_state(texts.state_text(state, "xo"), state, "xo")
        assert plain.hashable(read) == plain.hashable(state)
        assert texts.read_state(repr(type(state)()), state, "xo") == type(state)()  # as a list of moves at the start
    in_hand = np.eye(3, dtype=int), np.array([3, 3])  # a board, and no player
    read = texts.read_state(texts.state_text(in_hand, "xo"), in_hand, ("x", "o"))
    assert plain.hashable(read) == plain.hashable(in_hand)
    assert texts.read_state("{'last': None}", {"last": (0, 0)}, "xo") == {"last": None}
    with pytest.raises(ValueError, match="stands where a tuple of 2 should be"):
        texts.read_state("(1, 2, 3)", namedtuple("Heaps", "left right")(1, 2), "xo")
    for board, text, words in (
        (game, ".../... z", "neither the rows of a board with the player to move nor a Python literal"),
        (nim, "heap", "neither the rows of a board with the player to move nor a Python literal"),
        (game, "..../... x", "the board must have 2 rows of 3, with / between"),
        (game, ".../..* x", r"\* is none of .xo"),
        (nim, "(3, 1)", "3 stands where a tuple of 2 should be"),
        (nim, "((3, 3), 7)", "nim: to_move is 7"),  # the file's functions do not understand these
        (nim, "((3, 'x'), 1)", "legal_moves fails"),
    ):
        with pytest.raises(NotationError, match=words):
            board.parse_position(text)


def test_a_full_column_is_refused_by_its_number():
    game = load_game(str(CONNECT_FOUR), rows=2, columns=3)
    full = game.initial().play(2).play(2)
    assert game.board_view().refusal(full, (), (0, 2)) == "2 is no legal move here"


def test_a_value_without_a_sign_is_drawn_as_no_other_one():
    game = load_game(str(CONNECT_FOUR), rows=2, columns=3)
    assert game.draw(replace(game.initial(), words=(np.array([[0, 0, 0], [-1, 0, 9]]), 0))).count("?") == 1


def test_moves_that_are_texts_are_buttons_in_as_many_lines_as_they_need(write):
    path = write(
        more="""import numpy
def initial(): return numpy.zeros((2, 3), int), 0
def legal_moves(state): return map(str, range(10, 30))
def result(state): return None
"""
    )
    game = load_game(str(path))
    lines = game.draw(game.initial()).splitlines()
    assert "   [ 16 ] [ 17 ] [ 18 ] [ 19 ] [ 20 ] [ 21 ]" in lines and max(map(len, lines)) <= Scene.width


def test_moves_that_are_no_cells_are_buttons_with_the_texts_of_the_file(write):
    path = write(
        more="""import numpy
def initial(): return numpy.zeros((2, 2), int), 0
def legal_moves(state): return [3, 4, None]
def result(state): return None
def move_text(move): return "skip" if move is None else "abcde"[move]
"""
    )
    game = load_game(str(path))
    view, start = game.board_view(), game.initial()
    assert view.targets(start, ()) == ("d", "e", "skip")  # 4 is no cell, so 3 is none either
    assert [view.move(start, (target,)) for target in view.targets(start, ())] == [3, 4, None]
    assert view.keys(start, (), "skip") == {"p": ("skip", True)}
    assert "[ d ] [ e ] [ skip ]" in game.draw(start)


def test_a_file_may_have_texts_players_and_a_drawing_of_its_own(write):
    path = write(
        more="""players = "Left", "Right"
longest_game = 9
def move_text(taken): return f"take{taken}"
def to_text(state): return f"{state[0][0]} {state[0][1]} {state[1]}"
def from_text(text): heap, most, player = map(int, text.split()); return (heap, most), player
def draw(state): return "o" * state[0][0]
"""
    )
    game = load_game(str(path))
    after = game.initial().play(game.parse_move("TAKE2", game.initial()))
    assert (str(after), game.draw(after), game.players) == ("3 3 1", "ooo", ("left", "right"))
    assert game.longest_game == 9
    assert game.parse_position("3 3 1") == after
    for text in ("", "3 3", "three 3 1"):
        with pytest.raises(NotationError, match=r"is no position: .*; the start is '5 3 0'"):
            game.parse_position(text)


def test_positions_can_be_pickled():
    after = load_game(str(CONNECT_FOUR), rows=4).initial().play(3)
    again = pickle.loads(pickle.dumps(after))
    assert (again, again.game.settled_options) == (after, {"rows": 4, "columns": 7})


# --- Mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([("def play", "def plan")], ["lacks play: a game's file has initial, legal_moves, play, result"]),
        ([("def play", "dof play")], ["fails when it is imported:\n  File", "nim.py", "line 4", "SyntaxError"]),
        ([("def play", "import nothing\ndef play")], ["other files is a folder", "No module named 'nothing'"]),
        ([("def play", "players = 'x'\ndef play")], ["players must be two different words, as in ('x', 'o'), not 'x'"]),
        ([("(heap, most), 0", "1 / 0")], ["nim: initial fails:", 'nim.py", line 2, in initial', "ZeroDivisionError"]),
        ([("(heap, most), 0", "None")], ["nim: initial returns None", "the state at the start"]),
    ],
)
def test_a_file_that_is_no_game_is_refused_with_its_own_traceback(write, changes, words):
    with pytest.raises((GameFileError, RulesError)) as caught:
        load_game(str(write(*changes)))
    assert all(word in str(caught.value) for word in words), caught.value
    assert "python_file.py" not in str(caught.value)


def test_a_failure_while_another_one_is_reported_is_told_alone(write):
    game = load_game(str(write(more="def draw(state): return 1 / 0\n")))
    try:
        game.draw(game.initial())
    except RulesError:
        with pytest.raises(RulesError) as caught:
            game.draw(game.initial())
    assert str(caught.value).count("ZeroDivisionError") == 1


def test_how_files_of_a_folder_import_each_other_is_said(tmp_path):
    (tmp_path / "game.py").write_text("import helper")
    (tmp_path / "helper.py").touch()
    with pytest.raises(GameFileError, match="is imported by: from"):
        load_game(str(tmp_path))


def test_nobody_but_the_rules_changes_a_board():
    position = load_game(str(CONNECT_FOUR)).initial()
    position.board[:] = 1
    assert not np.any(position.board)
