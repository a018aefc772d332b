"""The command line as its users meet it: help, wrong input, exit codes, output for people and for programs."""

import json
import subprocess
import sys
import tomllib

import pytest

import runner
import simulator
from agents.process_memory import held_bytes
from agents.uct import searchers as searchers_module
from agents.uct.base import BaseSearcher
from agents.uct.graph import BYTES_A_NODE
from commands.course_simulator import course_simulator
from commands.doctor import doctor
from simulator import command_line
from tests.command_line import invoke as typed
from tests.programs import PASSES, PROJECT, RESIGNER, RUNNER, command, finished, interrupted, read_until

COMMANDS = sorted(runner.COMMANDS)


def invoke(*arguments):
    """Run a command line here; `analyze` gets more memory than this process holds, as compiling takes 150 MB or so."""
    if arguments[0] == "analyze":
        arguments = (*arguments, "--memory", held_bytes() // 1_000_000 + 300)
    return typed(*arguments)


def test_where_there_is_no_sandbox_it_says_what_helps(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    result = invoke("agents")
    assert (result.exit_code, "docs/docker.md" in result.output) == (1, True)


# --- Help -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_describes_shows_an_example_and_fits_80_columns(command):
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert f"python runner.py {command}" in result.output
    assert max(map(len, result.output.splitlines())) <= 80


def test_the_help_names_every_command():
    shown = invoke("--help").output
    assert [command for command in COMMANDS if command not in shown] == []


def test_what_an_encoding_has_no_characters_for_is_written_as_escapes(tmp_path):
    program = tmp_path / "gr\u00fcn"
    program.symlink_to(sys.executable)
    agent = RESIGNER.replace(sys.executable, str(program))
    done = finished("-m", "simulator", "--player_1", agent, "--player_2", RESIGNER, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"gr\xfcn" in done.stdout and done.stdout.isascii()


# --- match ----------------------------------------------------------------------------------------------------------


def test_ctrl_c_shows_what_was_played_and_leaves_no_process():
    with command("match", RESIGNER, RESIGNER, "--games", 1000, "--json") as process:
        read_until(process, "stderr", "game 1 of 1000")
        out, err = interrupted(process)
    assert "games of pentago played (stopped)" in err
    match = json.loads(out.splitlines()[-1])
    assert match["interrupted"]
    assert match["games_played"] >= 1


@pytest.mark.usefixtures("played_here")
def test_match_leaves_no_sgf_when_told_not_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = invoke("match", PASSES, PASSES, "--game", "go", "--size", "3", "--games", "1", "--no-sgf")
    assert done.exit_code == 0, done.stderr
    assert "game 1 of 1: " in done.stdout and "1 of 1 games of go" in done.stdout
    assert list(tmp_path.iterdir()) == []


# --- analyze --------------------------------------------------------------------------------------------------------

WON_IN_ONE = "wwww../bbb.../....../....../....../b..... w"


def test_analyze_shows_moves_and_the_proved_result():
    result = invoke("analyze", "--position", WON_IN_ONE, "--top", "3")
    assert result.exit_code == 0, result.output
    wanted = "a proved win for the side to move", "more", "recycled 0 times", "leaves at depth"
    table = "move ", "visits", "resolved", "best ", "variation ", " simulations in "
    assert [words for words in (*wanted, *table) if words not in result.output] == []


def test_analyze_shows_the_board_and_whose_values_follow():
    board, _, moves = invoke("analyze", "--simulations", "200", "--moves", "c3/0r").output.partition(
        "Black (B) to move"
    )
    assert "(" in board  # marks the stone of the last move
    assert moves.startswith("; values are for Black (B)")


def test_analyze_with_json_prints_one_object_with_as_many_moves_as_asked_for():
    line = ("analyze", "--simulations", 500, "--moves", "c3/0r d4/1f", "--json")
    whole, few = (json.loads(invoke(*line, *more).stdout) for more in ((), ("--top", 2)))
    assert whole["simulations"] == sum(move["visits"] for move in whole["moves"]) == 500
    assert few["moves"] == whole["moves"][:2]
    assert (whole["node_bytes"], whole["was_full"]) == (BYTES_A_NODE, False)


@pytest.fixture
def interrupted_search(monkeypatch):
    """Ctrl-C comes after 3000 simulations of a search of 77 s; a test may change that number in the dictionary."""
    search, done = BaseSearcher.search, {"simulations": 3000}

    def stopped(self, seconds=None, simulations=None, **more):
        if seconds != 77:
            search(self, seconds, simulations, **more)
            return
        search(self, simulations=done["simulations"])
        self.simulations = 0  # as if Ctrl-C came before they were counted
        raise KeyboardInterrupt

    monkeypatch.setattr(BaseSearcher, "search", stopped)
    return done


def test_ctrl_c_ends_a_search_and_shows_what_it_found(interrupted_search):
    result = invoke("analyze", "--move-time", "77")
    assert result.exit_code == 130
    assert "3,000 simulations" in result.output
    found = json.loads(invoke("analyze", "--move-time", "77", "--json").stdout)
    assert (found["simulations"], found["interrupted"]) == (3000, True)


def test_ctrl_c_before_anything_was_found_says_nothing(interrupted_search):
    interrupted_search["simulations"] = 0
    result = invoke("analyze", "--move-time", "77", "--json")
    assert (result.exit_code, result.stdout) == (130, "")


def test_ctrl_c_while_compiled_code_is_loaded_is_not_swallowed():
    code = """
import os, signal
from commands.errors import ctrl_c_at_once
with ctrl_c_at_once():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        pass
print("went on")
"""
    done = finished("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(("name", "command"), [("doctor", doctor), ("simulator", course_simulator)])
def test_ctrl_c_while_a_command_starts_is_silent_and_exits_with_130(monkeypatch, name, command):
    def interrupt(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "callback", interrupt)
    result = typed(name)
    assert (result.exit_code, result.stdout) == (130, "")


A_GAME_OF_GO = "(;GM[1]SZ[5]KM[3.5];B[cc];W[bd];B[tt];W[dc])"


@pytest.fixture
def sgf_file(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text(A_GAME_OF_GO)
    return str(file)


@pytest.mark.parametrize(
    ("more", "position"),
    [((), "...../...../..bw./.w.../..... b - 3.5"), (("--move", "3"), "...../...../..b../.w.../..... b - 3.5")],
)
def test_analyze_takes_a_position_from_sgf(sgf_file, more, position):
    result = invoke("analyze", "--game", "go", "--sgf", sgf_file, "--simulations", "200", "--json", *more)
    assert json.loads(result.stdout)["position"] == position


def test_analyze_shows_who_owns_what(sgf_file):
    line = ("analyze", "--game", "go", "--sgf", sgf_file, "--simulations", "200", "--ownership")
    assert "owned by black, white" in invoke(*line).output
    owners = json.loads(invoke(*line, "--json").stdout)["ownership"]
    assert [len(row) for row in owners] == [5] * 5
    assert all(-1 <= owner <= 1 and owner == round(owner, 4) for row in owners for owner in row)


# --- gtp ------------------------------------------------------------------------------------------------------------


def test_gtp_plays_go_of_the_size_asked_for_and_loads_sgf(sgf_file):
    commands = f"1 unforced-position\n2 loadsgf {sgf_file} 2\n3 unforced-position\n4 undo\n5 unforced-position\nquit\n"
    words = ("gtp", "--game", "go", "--size", 3, "--komi", 0.5, "--agent", "random_agent")
    done = finished(RUNNER, *words, text=commands)
    assert done.returncode == 0, done.stderr
    answers = [answer.strip() for answer in done.stdout.split("\n\n")]
    assert answers[0] == "=1 .../.../... b - 0.5"
    assert answers[2] == "=3 ...../...../..b../...../..... w - 3.5"
    assert answers[4] == "=5 ...../...../...../...../..... b - 3.5"


def test_gtp_calls_an_agent_in_a_folder_by_the_folders_name(monkeypatch, tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "agent.py").touch()
    served = []
    monkeypatch.setattr("simulator.player.agent_process.serve", lambda order, **_: served.append(order.name) or 0)
    assert invoke("gtp", "--agent", tmp_path / "ann").exit_code == 0
    assert served == ["ann"]


def test_analyze_says_that_it_compiles_before_the_board(monkeypatch, tmp_path):
    monkeypatch.setattr("simulator.player.compile_ahead.CACHE_FOLDER", tmp_path)
    monkeypatch.setattr("simulator.player.compile_ahead.CACHE_IS_READ_ONLY", False)
    monkeypatch.setattr("simulator.player.compile_ahead._set_up", lambda *arguments: None)
    line = ("analyze", "--simulations", "200", "--top", "1")
    assert invoke(*line).output.startswith("preparing uct_agent (compiling what it needs, once")
    told = invoke(*line, "--json")
    assert told.stderr.startswith("preparing uct_agent") and json.loads(told.stdout)["simulations"] == 200


def test_analyze_warms_up_the_search_that_it_then_makes(monkeypatch):
    warmed = []
    actual = searchers_module.warm_up
    monkeypatch.setattr(searchers_module, "warm_up", lambda *given: warmed.append(given[2]) or actual(*given))
    assert invoke("analyze", "--game", "go", "--size", "5", "--simulations", "50").exit_code == 0
    assert [settings.formula for settings in warmed] == ["rave"]


@pytest.mark.parametrize(
    ("started", "begin"),
    [
        ("runner.py", "python runner.py"),
        ("../my copy/runner.py", "python '../my copy/runner.py'"),
        ("/opt/bin/unforced", "unforced"),
        ("/opt/bin/pytest", "python runner.py"),
    ],
)
def test_commands_to_be_typed_begin_as_the_program_was_started(monkeypatch, started, begin):
    monkeypatch.setattr("sys.argv", [started, "match"])
    assert command_line("check", "my agent.py") == f"{begin} check 'my agent.py'"
    monkeypatch.setattr(simulator, "__file__", "/opt/lib/python3.11/site-packages/simulator/__init__.py")
    assert command_line("check") == "unforced check"  # also in a process of its own, which has another name


@pytest.mark.parametrize("words", [["--help"], ["doctor", "--help"], ["play", "--load", "a.db"]])
def test_an_installed_program_names_no_file_that_is_not_there(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["/opt/bin/unforced"])
    for each in (runner.main, doctor):
        monkeypatch.setattr(each, "help", each.help)  # the program puts its name into it
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\0")
    output = typed(*words).output
    assert "unforced " in output and "runner.py" not in output


def test_the_installed_command_finds_what_was_not_installed(tmp_path):
    with (PROJECT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["scripts"] == {"unforced": "runner:main"}
    for name in ("runner.py", "commands"):  # as an editable installation leads there, folder by folder
        (tmp_path / name).symlink_to(PROJECT / name)
    code = "import runner, benchmarks.bench, game; runner.main(['bench', '--help'])"
    done = finished("-P", "-c", code, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_a_command_whose_input_or_output_is_closed_runs_to_its_end(tmp_path, closed):
    line = f"exec {closed}; exec {sys.executable} {RUNNER} book --positions 1 --workers 2 --file {tmp_path / 'book'}"
    line += " --simulations 10"
    assert subprocess.run(["sh", "-c", line], check=False, timeout=60).returncode == 0
    assert len((tmp_path / "book").read_text().splitlines()) == 2
