"""`runner.py debug` runs the agent in this process, where print, breakpoint(), a debugger and a profiler work."""

import os
import zipfile

import pytest

from tests import submissions
from tests.command_line import invoke
from tests.programs import PROJECT, RUNNER, finished
from tests.submissions import agent

START = "....../....../....../....../....../...... w"


def agent_that(deed):
    """The file of an agent that does this before it plays the first legal move."""
    return agent(f"best = position.legal_moves()[0]\n        {deed}\n        return best", name="debugged_agent")


def written(folder, deed):
    """Write the file of such an agent into a folder; return the folder, or any other path as it is."""
    if folder.is_dir():
        (folder / "agent.py").write_text(agent_that(deed))
    return folder


def debug(folder, deed, *arguments):
    return invoke("debug", written(folder, deed), *arguments)


def debug_with_debugger(folder, deed, *arguments, text=""):
    """Run `debug` in a process of its own, because pytest has another debugger."""
    return finished(RUNNER, "debug", written(folder, deed), *arguments, text=text)


def test_what_it_prints_is_seen_and_its_moves_are_shown(tmp_path):
    done = debug(tmp_path, "print('ply', position.ply)", "--moves", "2", "--side", "1")
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("ply ")] == ["ply 1", "ply 3"]
    assert sum(line.startswith("debugged_agent: ") for line in lines) == 2


def test_a_position_is_asked_for_one_move_in_it_also_of_a_zip_file_with_the_games_name_in_capitals(tmp_path):
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as file:
        file.writestr("agent.py", agent_that("pass"))
    done = debug(tmp_path / "ann.zip", "pass", "--position", START, "--game", "Pentago")
    assert "debugged_agent: a1/0r" in done.stdout
    assert done.stdout.count("debugged_agent: ") == 1


def test_a_game_that_may_be_no_longer_is_over(tmp_path):
    rules = ("initial(): return 0, 0", "legal_moves(state): return [1]", "result(state): return None")
    lines = [f"def {rule}" for rule in (*rules, "play(state, move): return state[0] + 1, 1 - state[1]")]
    (tmp_path / "endless.py").write_text("\n".join([*lines, "longest_game = 4"]))
    done = invoke("debug", "random_agent", "--game", tmp_path / "endless.py")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "drawn"), done.output


def test_answers_count_as_in_a_game_and_the_opponent_may_have_the_same_file_name_and_name(tmp_path):
    (tmp_path / "bob").mkdir()
    opponent = tmp_path / "bob" / "agent.py"
    opponent.write_text(agent_that("pass"))
    deed = "return 'Resign' if position.ply > 1 else 'C3/0R'"
    done = debug(tmp_path, deed, "--opponent", opponent)
    assert done.exit_code == 0, done.stderr
    assert "debugged_agent: c3/0r after" in done.stdout
    assert "debugged_agent resigns after" in done.stdout


ASKS = "self.game.parse_move('d4', self.game.initial())"


@pytest.mark.parametrize("source", [agent_that(ASKS), submissions.setup(ASKS)], ids=["step", "setup"])
def test_what_an_agent_raises_is_shown_as_python_shows_it_also_where_it_is_an_error_for_users(tmp_path, source):
    (tmp_path / "agent.py").write_text(source)
    done = invoke("debug", tmp_path, "--position", START)
    assert done.exit_code == 1
    shown = "agent.py", ASKS, "NotationError: can't read 'd4'"
    assert all(words in done.stderr for words in shown) and "Usage" not in done.stderr


def test_threads_that_go_on_are_named(tmp_path):
    wait = "import threading; threading.Thread(target=threading.Event().wait, args=(1,), name='ponders').start()"
    done = debug(tmp_path, wait, "--position", START)
    assert "threads that should have ended with `step`: ponders" in done.stderr


def test_breakpoint_stops_and_goes_on_and_leaving_the_debugger_is_no_error_of_ours(tmp_path):
    done = debug_with_debugger(tmp_path, "breakpoint()", "--moves", 2, text="p best\ncontinue\nquit\n")
    assert "PentagoMove(row=0, column=0" in done.stdout
    assert "debugged_agent: a1/0r" in done.stdout
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


def test_with_pdb_an_error_ends_in_the_debugger(tmp_path):
    done = debug_with_debugger(tmp_path, "position.nothing()", "--position", START, "--pdb", text="p best\nquit\n")
    assert "PentagoMove(row=0, column=0" in done.stdout


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("import sys; sys.exit(0)", "calls sys.exit() or exit(), which ends a game"),
        ("best = None", "returned None, and not one of position.legal_moves(): can't read 'None'\n"),
        ("best = 'c3/9r'", "returned c3/9r, and not one of position.legal_moves(): "),
    ],
)
def test_an_answer_that_is_no_legal_move_is_said_in_words(tmp_path, deed, words):
    done = debug(tmp_path, deed, "--position", START)
    assert (done.exit_code, "Traceback" in done.stderr, words in done.stderr) == (1, False, True)


def test_a_profile_names_the_functions_that_take_the_time(tmp_path):
    done = debug(
        tmp_path, "sum(position.play(move).ply for move in position.legal_moves())", "--moves", "1", "--profile"
    )
    assert "(step)" in done.stdout and "cumtime" in done.stdout


def test_an_agent_that_was_not_asked_has_no_profile(tmp_path):
    (tmp_path / "gives_up.py").write_text(agent("return 'resign'"))
    done = invoke("debug", "random_agent", "--side", 1, "--opponent", tmp_path / "gives_up.py", "--profile")
    assert (done.exit_code, "resigns after" in done.stdout) == (0, True), done.output


COMPILED = """
from agents import Agent, register_agent
from numba import njit

@njit(cache=True)
def inner(n):
    return n + 1

@njit(cache=True)
def total(n):
    return inner(n) + n

@register_agent("compiled_agent")
class Compiled(Agent):
    def setup(self):
        import helper
        print("total", total(3), helper.NUMBER, helper.total is total)

    def step(self, position, clock):
        return position.legal_moves()[0]
"""
HELPER = "from agent import total\n\nNUMBER = total(1)\n"


def test_debug_and_tests_of_an_agent_import_its_file_by_one_name(tmp_path):
    (tmp_path / "agent.py").write_text(COMPILED)
    (tmp_path / "helper.py").write_text(HELPER)  # imports the agent's file, too
    imports = "from agent import Compiled; from game import load_game; Compiled(load_game('pentago')).setup()"
    for words in ([RUNNER, "debug", tmp_path, "--position", START], ["-c", imports]):
        done = finished(*words, PYTHONPATH=f"{tmp_path}{os.pathsep}{PROJECT}")
        assert done.returncode == 0 and "total 7 3 True" in done.stdout, done.stderr
