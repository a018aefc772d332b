"""`runner.py check-game`: kinds of mistakes in games' files, and what the check says of each."""

import json
import signal
import time
import tracemalloc
from pathlib import Path

import pytest

from game import game_class, load_game
from game_files import alarm, check
from game_files.alarm import Alarm
from simulator.play.autosave import Autosave
from simulator.play.settings import PlaySettings
from simulator.records.saved_game import SavedGame, save_game
from tests.command_line import invoke, said
from tests.playing import controller_of
from tests.programs import PATIENCE_SECONDS, busy_ticks, started, wait_until
from tests.test_game_files import NIM

MISTAKES = {  # by the mistake: functions that replace those of Nim, and what the check says
    "a legal move cannot be played": (
        "def play(state, taken): return (state[0][0] - [0, 1, 2][taken], 3), 1 - state[1]",
        ["after the move 3: play fails: Traceback", 'nim.py", line 6, in play', "IndexError", "at the start"],
    ),
    "rules fail later in the game": (
        "def result(state): return state[2] if state[0][0] == 0 else None",
        ["result fails: Traceback", "IndexError", "after the moves", "result returns None while the game is open"],
    ),
    "a position cannot be read back": (
        "def to_text(state): return str(state[0][0])\ndef from_text(text): return initial()",
        ["the text of the position is not read back as the same one: it is read as", "-> write to_text and from_text"],
    ),
    "a text leaves something out": (
        "def to_text(state): return str(state[0][0])\ndef from_text(text): return initial(int(text))",
        ["not read back as the same one: another state has the same text", "-> write to_text and from_text"],
    ),
    "a position cannot be compared": (
        "class Bag:\n    def __init__(self, stones): self.stones = stones\n    __hash__ = None\n"
        "def initial(): return Bag(5), 0\n"
        "def legal_moves(state): return [1]\n"
        "def play(state, taken): return Bag(state[0].stones - 1), 1 - state[1]\n"
        "def result(state): return 0 if state[0].stones == 0 else None",
        ["states cannot be compared: unhashable type: 'Bag'", "-> build states of arrays, tuples, numbers, texts"],
    ),
    "a game never ends": (
        "def play(state, taken): return (state[0][0] % 9 + 3, 3), 1 - state[1]",
        ["a game of random moves is not over after 2,000 moves", "longest_game"],
    ),
    "a function ends the program": (
        "def result(state): raise SystemExit(0)",
        ["result fails: Traceback", "SystemExit", "nim: no game by random moves came to an end"],
    ),
    "a state is a list": (
        "def initial(): return [(5, 3), 0]",
        ["to_move is needed", "no pair", "but a list", "returns the player"],
    ),
    "a result changes": (
        "def result(state): return random.choice([None, None, 'draw'])",
        ["result is", " for the same state", "-> the answer may depend on the state only"],
    ),
    "a result depends on what was played before": (
        "played = []\n"
        "def play(state, taken): played.append(1); return (state[0][0] - taken, 3), 1 - state[1]\n"
        "def result(state): return 1 - state[1] if state[0][0] == 0 else 'draw' if len(played) > 90 else None",
        ["result differs from what it was in an equal position", "the state has to hold all that the rules look at"],
    ),
    "legal moves change": (
        "def legal_moves(state): return random.sample([1, 2, 3], 3) if state[0][0] > 2 else [1]",
        ["legal_moves is first (", "and then ("],
    ),
    "play changes its state": (
        "def initial(): return [5], 0\n"
        "def legal_moves(state): return [1]\n"
        "def play(state, taken): state[0][0] -= 1; return state[0], 1 - state[1]\n"
        "def result(state): return 0 if state[0][0] == 0 else None",
        ["play with the move 1 changes the state that it is given", "-> copy what is changed first"],
    ),
    "play changes its board": (
        "def initial(): return np.full((1, 1), 5), 0\n"
        "def legal_moves(state): return [1]\n"
        "def play(state, taken): state[0][0, 0] -= 1; return state[0], 1 - state[1]\n"
        "def result(state): return 0 if state[0][0, 0] == 0 else None",
        ["play fails: Traceback", "state[0][0, 0] -= 1", "read-only", "the given state must not be changed"],
    ),
    "a question changes the state": (
        "def initial(): return [1, 1, 1], 0\n"
        "def legal_moves(state): state[0].sort(); return [i for i, stone in enumerate(state[0]) if stone]\n"
        "def play(state, i): return [*state[0][:i], 0, *state[0][i + 1 :]], 1 - state[1]\n"
        "def result(state): return None if any(state[0]) else 1 - state[1]",
        ["after the move 1: to_move, result or legal_moves changes the state that it is given", "1 mistake found"],
    ),
    "a text changes the state": (
        "def initial(): return [3, 2], 0\n"
        "def legal_moves(state): return [1]\n"
        "def play(state, taken): return [], 1 - state[1]\n"
        "def result(state): return None if state[0] else 1 - state[1]\n"
        "def draw(state): return ''\n"
        "def to_text(state): state[0].sort(); return repr(state)\n"
        "def from_text(text): return eval(text)",
        ["to_text changes the state that it is given", "-> copy what is changed first", "1 mistake found"],
    ),
    "moves have one text": (
        "def move_text(move): return 'take'",
        ["1 and 2 have one text: take", "-> move_text has to"],
    ),
    "a move is listed twice": (
        "def legal_moves(state): return [1, 1]",
        ["the move 1 is listed twice: 1", "-> let legal_moves list every move once"],
    ),
    "a move's text is two words": (
        "def move_text(move): return f'take {move}'",
        ["move_text of 1 is 'take 1'", "move_text returns the move as one word"],
    ),
    "a move's text begins a comment of GTP": (
        "def move_text(move): return f'#{move}'",
        ["move_text of 1 is '#1'", "without #, but not the word resign"],
    ),
    "a move has two words": (
        "def legal_moves(state): return ['0 0']",
        ["move_text is needed: without it the text of '0 0' is '0 0'", "move_text returns the move as one word"],
    ),
    "a function reads another file": (
        "def play(state, taken): open('none.txt')",
        ["No such file or directory: 'none.txt' (a game that imports or reads other files is a folder"],
    ),
    "a move gives up": ("def legal_moves(state): return ['Resign']", ["text of 'Resign' is 'Resign'"]),
    "a position's text has two blanks": (
        "def to_text(state): return 'x  y'\ndef from_text(text): return initial()",
        ["to_text is 'x y'", "words with single blanks between"],
    ),
    "moves are a set": ("def legal_moves(state): return {'a', 'b'}", ["legal_moves is a set, whose order"]),
    "moves cannot be compared": (
        "def legal_moves(state): return [{'take': 1}]",
        ["legal_moves is no list of moves: unhashable type: 'dict'"],
    ),
    "a generator of moves fails": (
        "def legal_moves(state):\n    yield 1\n    1 / 0",
        ["legal_moves fails: Traceback", "ZeroDivisionError"],
    ),
    "a player is an array": ("def to_move(state): return np.array([0, 1])", ["to_move is array([0, 1])"]),
    "there is no legal move": (
        "def legal_moves(state): return range(2, min(state[0]) + 1)",
        ["legal_moves is empty while result says that the game is open"],
    ),
    "there is a third player": (
        "def play(state, taken): return (state[0][0] - taken, 3), state[1] + 1",
        ["after the move ", ": to_move is 2", "to_move returns the player to move, 0 or 1"],
    ),
    "a result is none": (
        "def result(state): return 'x' if state[0][0] == 0 else None",
        ["result is 'x'", 'the winner, 0 or 1, or "draw"'],
    ),
    "a result is a number of points": (
        "def result(state): return len(played.append(1) or played) + 1\nplayed = []",
        ["result is 2", "1 mistake found"],
    ),
    "moves are none": (
        "def legal_moves(state): return None",
        ["legal_moves is no list", "'NoneType' object is not iterable"],
    ),
    "the drawing is no text": ("def draw(state): return [['x']]", ["draw is [['x']]", "draw returns the board as one"]),
    "the drawing fails": ("def draw(state): return state.board", ["draw fails: Traceback", "has no attribute 'board'"]),
    "a function does not end": (
        "def draw(state):\n    while True: pass",
        ["draw fails", "TimeoutError: no end after 0.5 s"],
    ),
    "the start is random": (
        "def initial(): return (random.randrange(5, 10**9), 3), 0\n"
        "def result(state): return 'draw' if state[1] else None",
        ["initial() gives another state each time", "-> the answer may depend on the state only"],
    ),
    "play is random": (
        "def play(state, taken): return (random.randrange(state[0][0]), 3), 1 - state[1]",
        ["leads to another position each time"],
    ),
    "the second player begins": (
        "def initial(): return (5, 3), 1",
        ["the player to move at the start is 1", "-> the players are 0 and 1, and 0 begins"],
    ),
    "the game is over at the start": ("def initial(): return (0, 3), 0", ["the game is over at the start"]),
    "a position's text does not end": (
        "def to_text(state): time.sleep(99)",
        ["to_text fails", "TimeoutError: no end after 0.5 s"],
    ),
    "states cannot be compared": (
        "class Bag:\n    def __init__(self, stones): self.stones = stones\n"
        "    def __eq__(self, other): raise ValueError('ambiguous')\n    def __hash__(self): return 1\n"
        "def initial(): return Bag(5), 0\n"
        "def legal_moves(state): return [1]\n"
        "def play(state, taken): return Bag(state[0].stones - 1), 1 - state[1]\n"
        "def result(state): return 0 if state[0].stones == 0 else None",
        ["states cannot be compared: ambiguous", "-> build states of arrays, tuples, numbers, texts"],
    ),
}
REFUSED = {"the file cannot be loaded": ("1 / 0", ["fails when it is imported", "ZeroDivisionError"])}
REMARKS = {
    "rules are slow": (
        "def legal_moves(state): time.sleep(0.012); return range(1, min(state[0]) + 1)",
        ["note slow rules: ", "ms a move; a search of 2 s sees", "no mistakes found"],
    ),
    "an option has the name of one of a command": (
        "def initial(handicap=5): return (handicap, 3), 0",
        ["note play does not take this game: --handicap is an option of commands"],
    ),
    "only one player wins": (
        "def result(state): return 0 if state[0][0] == 0 else None",
        ["note all games of random moves are won by x: is that intended?", "no mistakes found"],
    ),
}
ENDLESS = f"{NIM}import time\ndef initial(): time.sleep(99)\n"  # waits, so that the cores work for other tests


def checked(tmp_path, functions, *words):
    """The exit status and the output of a check of Nim in which these functions replace Nim's own."""
    path = tmp_path / "nim.py"
    path.write_text(f"{NIM}{functions}\nimport random, time\nimport numpy as np\n")
    done = invoke("check-game", path, "--games", 40, *words)
    return done.exit_code, said(done)


@pytest.mark.parametrize("wrong", [*MISTAKES, *REMARKS, *REFUSED])
def test_what_is_wrong_is_said_in_words(wrong, tmp_path, monkeypatch):
    if "does not end" in wrong:
        monkeypatch.setattr(check, "HANGS_SECONDS", 0.5)
    functions, words = (MISTAKES | REMARKS | REFUSED)[wrong]
    status, printed = checked(tmp_path, functions, *(("--games", 3) if wrong == "rules are slow" else ()))
    assert all(word in printed for word in words), printed
    assert status == (1 if wrong in MISTAKES else 2 if wrong in REFUSED else 0), printed
    assert ("in the position" in printed) == (wrong in MISTAKES)


@pytest.mark.parametrize(
    "function",
    [
        "def play(state, taken)",
        "class Bag:\n  def __hash__(self)",
        "def to_text(state): return 'x'\ndef from_text(text)",
    ],
)
def test_a_function_without_end_is_waited_for_once(function, tmp_path, monkeypatch):
    monkeypatch.setattr(check, "HANGS_SECONDS", 0.5)
    states = "def initial(): return Bag(), 0\ndef legal_moves(state): return [1]\ndef result(state): return None\n"
    rules = f"{function}:\n    print('asked')\n    time.sleep(99)\n{states if 'Bag' in function else ''}"
    _, printed = checked(tmp_path, rules)
    assert printed.count("asked") == 1
    assert "no end after 0.5 s" in printed


@pytest.mark.parametrize(
    "command", [("check-game",), ("games",), ("play", "--plain", "--game"), ("new", "none/ann", "--game")], ids=str
)
def test_a_start_without_end_is_refused(command, tmp_path, monkeypatch):
    monkeypatch.setattr(alarm, "HANGS_SECONDS", 0.5)
    (tmp_path / "nim.py").write_text(ENDLESS)
    done = invoke(*command, tmp_path / "nim.py")
    assert done.exit_code == 1 and "initial fails" in said(done) and "no end after 0.5 s" in said(done)


@pytest.fixture
def endless(tmp_path, monkeypatch):
    """A saved game of rules whose start does not end."""
    monkeypatch.setattr(alarm, "HANGS_SECONDS", 0.5)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "nim.py").write_text(ENDLESS)
    return SavedGame(game_class(str(tmp_path / "nim.py")).name, moves=("1",))


def test_a_saved_game_whose_start_does_not_end_is_refused(endless, tmp_path):
    save_game(tmp_path / "game.json", endless)
    done = invoke("play", "--plain", "--load", tmp_path / "game.json")
    assert done.exit_code == 1 and "initial fails" in said(done) and "no end after 0.5 s" in said(done)
    told = controller_of(f"load {tmp_path}/game.json").front_end.said[-1]
    assert told.startswith("not loaded: ") and "no end after 0.5 s" in told


@pytest.mark.parametrize("name", ["a\0b", "\ud800.py"])
def test_a_saved_game_may_have_any_text_as_the_name_of_its_game(name, tmp_path):
    saved = {"unforced": 1, "game": name, "agent": "random_agent", "side": "", "position": "", "moves": []}
    (tmp_path / "game.json").write_text(json.dumps(saved))
    done = invoke("play", "--plain", "--load", tmp_path / "game.json")
    assert done.exit_code == 2 and "there is no file" in said(done)
    assert controller_of(f"load {tmp_path}/game.json").front_end.said[-1].startswith("not loaded: there is no file")


def test_a_kept_game_whose_start_does_not_end_is_passed_over(endless):
    with Autosave(PlaySettings()) as kept:
        kept.write(endless)
    assert "there is no game to resume" in said(invoke("play", "--plain", "--resume"))


def test_compiling_is_not_taken_for_a_function_without_end():
    with Alarm(10).works():
        exec("import signal; signal.raise_signal(signal.SIGALRM)", {"__name__": "numba.core.compiler"})
        with pytest.raises(TimeoutError):
            signal.raise_signal(signal.SIGALRM)


@pytest.mark.parametrize("ctrl_c", [False, True])
def test_compiled_code_without_end_is_killed(ctrl_c):
    code = f"""import itertools, os, time
from game_files import alarm
os.dup2(1, 2)
alarm.CTRL_C_SECONDS = 0.2
watch = alarm.Alarm({100 if ctrl_c else 1})
with watch.works("how to find it"):
    watch.set(0.1)
    try:
        time.sleep(60)
    except TimeoutError: print("not compiled", flush=True)
    watch.set({100 if ctrl_c else 0.1})
    sum(itertools.repeat(0))  # no handler is called in here, as in compiled code
"""
    with started(code) as process:
        assert process.stdout.readline() == "not compiled\n"
        if ctrl_c:
            began = busy_ticks(process.pid)
            wait_until(lambda: busy_ticks(process.pid) > began + 5)  # it is summing
            process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE_SECONDS)[0] == "how to find it\n"
    assert process.returncode == -signal.SIGKILL


def test_a_game_without_mistakes_passes_with_its_figures(tmp_path):
    status, printed = checked(tmp_path, "", "--json", "--most", "2")
    report = json.loads(printed)
    assert (status, report["passed"], report["faults"]) == (0, True, [])
    figures = report["figures"]
    assert (figures["games"], figures["shortest"], figures["longest"], figures["most legal moves"]) == (40, 3, 5, 2)
    assert figures["won by x"] + figures["won by o"] + figures["draws"] == pytest.approx(1)


def test_a_game_of_the_most_moves_is_a_draw(tmp_path):
    endless = "longest_game = 9\ndef play(state, taken): return (state[0][0] % 9 + 3, 3), 1 - state[1]\n"
    _, printed = checked(tmp_path, endless, "--json")
    figures = json.loads(printed)["figures"]
    assert (figures["ended"], figures["shortest"], figures["longest"], figures["draws"]) == (40, 9, 9, 1.0)


def test_a_game_of_many_moves_needs_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "CLOSELY_SECONDS", 0)
    (tmp_path / "nim.py").write_text(f"""{NIM}
def initial(): return (), 0
def legal_moves(state): return [(n, n + 1000) for n in range(1000, 2000)]
def play(state, move): return (*state[0], move), 1 - state[1]
def result(state): return 0 if len(state[0]) == 20 else None
""")
    tracemalloc.start()
    list(check.Check(load_game(str(tmp_path / "nim.py")), "").run(5))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5e6


def test_the_game_of_the_documentation_has_no_mistakes(tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "games.md").read_text()
    (tmp_path / "gomoku.py").write_text(page.partition("```python\n")[2].partition("```")[0])
    done = invoke("check-game", tmp_path / "gomoku.py", "--games", 3, "--size", 6)
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "no mistakes found")


def test_a_mistake_is_json_with_the_moves_that_lead_to_it(tmp_path):
    _, printed = checked(tmp_path, MISTAKES["rules fail later in the game"][0], "--json")
    (fault,) = json.loads(printed)["faults"]
    assert sum(map(int, fault["moves"])) <= 5
    assert fault["position"].startswith("((")


def test_a_long_game_with_an_end_is_no_mistake_and_one_of_which_no_end_was_seen_is(tmp_path):
    longer = "def play(state, taken): return (state[0][0] % 9 + 3, 3), 1 - state[1]\nlongest_game = 2500"
    assert checked(tmp_path, longer, "--games", 1, "--seconds", 600)[0] == 0
    slow = "def play(state, taken): time.sleep(0.1); return (state[0][0] % 9 + 3, 3), 1 - state[1]"
    status, printed = checked(tmp_path, slow, "--seconds", 1, "--json")
    assert (status, json.loads(printed)["passed"]) == (1, False) and "give it more --seconds" in printed
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_mistake_is_shown_once_when_its_game_is_over(tmp_path, monkeypatch):
    played = check.Check._play

    def play(self):
        played(self)
        print("A game is over", flush=True)

    monkeypatch.setattr(check.Check, "_play", play)
    _, printed = checked(tmp_path, MISTAKES["moves have one text"][0], "--games", "2")
    first, second, summary = printed.split("A game is over")
    assert ["1 and 2 have one text" in part for part in (first, second, summary)] == [False, True, False], printed
    assert "2 games by random moves" in summary
    assert summary.endswith("1 mistake found")


def test_a_check_ends_when_its_time_is_over_and_at_ctrl_c(tmp_path, monkeypatch):
    began = time.monotonic()
    assert checked(tmp_path, "", "--games", "1000000", "--seconds", "0.3")[0] == 0
    assert time.monotonic() - began < 20

    def interrupted(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(check.Check, "_play", interrupted)
    status, printed = checked(tmp_path, "")
    assert status == 130
    assert "no game by random moves came to an end" in printed


def test_a_check_plays_1000_games_or_for_a_minute_unless_told_otherwise_and_says_so_where_no_bar_is_shown(
    tmp_path, monkeypatch
):
    asked = []
    monkeypatch.setattr(check.Check, "run", lambda self, *limits: asked.append(limits) or iter(()))
    (tmp_path / "nim.py").write_text(NIM)
    done = invoke("check-game", tmp_path / "nim.py")
    assert asked == [(1000, 60)] and done.stderr == "nim: 1,000 games of random moves, for 60 s at most\n"
    assert invoke("check-game", tmp_path / "nim.py", "--json").stderr == ""
