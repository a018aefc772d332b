"""Games of compiled functions in a file: they play like their plain twins, are kept compiled, and explain mistakes."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

from game import GameFileError, NotationError, RulesError, load_game, playout
from game_files.check import Check
from jit import new_rng
from tests.programs import RUNNER, finished, run

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "games"
NIM = """
import numpy as np
from jit import jit
most_moves = 3
def initial(heap: int = 5):
    return np.array([heap, 0])
@jit
def legal(state, found):
    for taken in range(1, 4):
        found[taken - 1] = taken
    return min(3, state[0])
@jit
def apply(state, taken):
    state[0] -= taken
    state[1] = 1 - state[1]
@jit
def result(state):
    return 1 - state[1] if state[0] == 0 else -1
"""


def example(name):
    return load_game(str(EXAMPLES / f"{name}.py"))


def random_game(the_game, rng):
    """The positions of a random game, and the numbers of the moves among the legal ones."""
    position = the_game.initial()
    while position.result is None:
        number = rng.randrange(len(position.legal_moves()))
        yield position, number
        position = position.play(position.legal_moves()[number])
    yield position, None


# --- The examples ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "games"), [("connect_four", 20), ("othello", 3)])
def test_a_compiled_game_is_its_plain_twin(name, games):
    plain, rng = example(name), random.Random(1)
    fast = example(f"{name}_fast")
    for _ in range(games):
        twin = plain.initial()
        for position, number in random_game(fast, rng):
            assert (str(position), position.to_move, position.result) == (str(twin), twin.to_move, twin.result)
            assert (position.board == twin.board).all() and position.legal_moves() == twin.legal_moves()
            assert fast.draw(position) == plain.draw(twin)
            assert fast.parse_position(str(position)) == position
            twin = twin if number is None else twin.play(twin.legal_moves()[number])


@pytest.mark.parametrize("games", [200, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["connect_four", "othello"])
def test_random_games_are_those_of_openspiel(name, games):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    ours, theirs, rng = example(f"{name}_fast"), pyspiel.load_game(name), random.Random(2)
    for _ in range(games):
        state = theirs.new_initial_state()
        for position, number in random_game(ours, rng):
            assert state.is_terminal() == (position.result is not None)
            if number is not None:
                assert len(state.legal_actions()) == len(position.legal_moves())
                state.apply_action(state.legal_actions()[number])
            else:
                winner = position.result.winner
                assert state.returns()[0] == (0 if winner is None else 1 - 2 * winner)


def test_a_playout_of_a_game_without_an_end_is_a_draw_after_the_longest_game(tmp_path):
    file = tmp_path / "endless.py"
    file.write_text(NIM.replace("state[0] -= taken", "pass") + "\nlongest_game = 9\n")
    endless = load_game(str(file))
    assert playout(endless.kernel, endless.state(endless.initial()), new_rng(1)) == 0.5


# --- Compiled code --------------------------------------------------------------------------------------------------


def test_what_is_compiled_for_a_file_is_found_until_the_file_is_edited(tmp_path):
    file = tmp_path / "nim.py"
    code = f"""
from pathlib import Path
from jit import NotKept, kept_code_only
from game import apply, load_game
def ready():
    nim = load_game({str(file)!r})
    apply(nim.kernel, nim.state(nim.initial()), 1)
def is_kept():
    try:
        with kept_code_only():
            ready()
        return True
    except NotKept:
        return False
"""
    edit = f"file = Path({str(file)!r}); file.write_text(file.read_text().replace('-= taken', '-= min(taken, 3)'))"
    file.write_text(NIM)
    for then, expected in (("ready()", "False"), (f"{edit}; print(is_kept())", "True\nFalse")):
        assert run(f"{code}print(is_kept()); {then}", UNFORCED_CACHE=str(tmp_path / "cache")) == expected


def test_a_check_sees_an_index_outside_an_array(tmp_path):
    (tmp_path / "nim.py").write_text(NIM.replace("state[1] = 1 -", "state[2] = 1 -"))
    done = finished(RUNNER, "check-game", tmp_path / "nim.py", "--games", 3, UNFORCED_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 1 and "apply fails:\n       IndexError: index is out of bounds" in done.stdout


def test_an_agent_moves_while_rules_are_compiled(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    engine = (RUNNER, "gtp", "--game", tmp_path / "nim.py", "--first-move-time", "0.25", "--move-time", "0.25")
    done = finished(*engine, text="unforced-result\ngenmove x\nquit\n", UNFORCED_CACHE=str(tmp_path / "cache"))
    assert re.match(r"= none\n\n= [123]\n", done.stdout) and "failed" not in done.stderr


def test_code_that_has_an_arrays_numbers_in_it_is_not_found_when_these_have_changed(tmp_path):
    folder = tmp_path / "weighed.1.2"
    folder.mkdir()
    worth = "WORTH = np.load(Path(__file__).with_name('worth.npy'))"
    weighed = f"\nfrom pathlib import Path\n{worth}\n@jit\ndef evaluate(state): return np.float32(WORTH[0])\n"
    (folder / "game.py").write_text(NIM + weighed)
    code = "from game import evaluate, load_game; nim = load_game('weighed.1.2'); start = nim.state(nim.initial()); "
    for worth in (0.25, 0.75):
        np.save(folder / "worth.npy", np.array([worth, 0.5]))
        found = run(f"{code}print(evaluate(nim.kernel, start))", tmp_path, UNFORCED_CACHE=str(tmp_path / "cache"))
        assert float(found) == worth


# --- Mistakes -------------------------------------------------------------------------------------------------------

MISTAKES = {
    "no bound": (
        "most_moves = 3",
        "most_moves = 0",
        "most_moves must be the most moves of any position, 1 to 4095, not 0",
    ),
    "not compiled": ("@jit\ndef legal", "def legal", "legal must be compiled: write @jit above (from jit import jit)"),
    "no array": ("np.array([heap, 0])", "(heap, 0)", "initial is (5, 0)\ninitial returns an array of whole numbers"),
    "nothing": ("np.array([heap, 0])", "np.zeros(0, int)", "initial is array([], dtype=int64)\ninitial returns"),
    "too many": ("min(3, state[0])", "4", "legal is 4 while the game is open; most_moves is 3"),
    "writes one twice": ("found[taken - 1] = taken", "found[taken - 1] = 1", "legal writes 1 twice"),
    "writes too many": ("range(1, 4)", "range(1, 5)", "legal writes more than 3 numbers; most_moves is 3"),
    "number": ("= taken\n    return", "= taken + 70000\n    return", "legal writes 70001\nlegal returns"),
    "no cell": ("most_moves = 3", "most_moves, cells = 3, (1, 2)", "legal writes 3\nlegal returns"),
    "no result": ("else -1", "else None", "result is None"),
    "no moves": ("min(3, state[0])", "0", "legal is 0 while the game is open"),
    "result": ("1 - state[1] if", "7 if", "result is 7\nresult returns -1 while the game is open"),
    "longest game": ("most_moves = 3", "most_moves = 3\nlongest_game = 'x'", "longest_game must be a whole number"),
    "evaluate": ("most_moves = 3", "most_moves = 3\ndef evaluate(state): pass", "evaluate must be compiled"),
    "third player": (
        "= 1 - state[1]",
        "+= 1",
        "the last number of the state must be the player to move, 0 or 1, not 2",
    ),
    "types": ("state[0] -= taken", "state['heap'] -= taken", "apply fails"),
    "lacks": ("def result", "def outcome", "lacks result: a game's file has initial, legal, apply, result"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_file_is_named(mistake, tmp_path):
    before, after, words = MISTAKES[mistake]
    file = tmp_path / "nim.py"
    file.write_text(NIM.replace(before, after))
    with pytest.raises((GameFileError, RulesError), match=re.escape(words)):
        list(random_game(load_game(str(file)), random.Random(1)))


def test_an_evaluation_is_a_chance(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text(f"{NIM}@jit\ndef evaluate(state): return np.float32(state[0])\n")
    check = Check(load_game(str(file)), "check-game")
    list(check.run(1))
    assert [fault.text.splitlines()[0] for fault in check.faults.values()] == ["evaluate is 5.0"]


def test_a_state_without_a_board_is_written_as_numbers(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    nim = load_game(str(tmp_path / "nim.py"), heap=7)
    assert str(nim.initial().play(2)) == "[5, 1]"
    assert nim.parse_position("[5, 1]") == nim.initial().play(2)
    with pytest.raises(NotationError, match="shape"):
        nim.parse_position("[5, 1, 1]")
