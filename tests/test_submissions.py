"""Bad submissions, each with a fault of its own: a check says of each what is wrong, where, and how to mend it."""

from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from agents.limits import Limits
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import Mechanisms, available_mechanisms
from simulator.submission import files
from simulator.submission.check import STEPS, CheckTask
from simulator.submission.conduct import check_games
from simulator.submission.files import find_submission
from simulator.submission.findings import Level
from simulator.submission.steps import check_imports
from simulator.submission.trials import Played

SUBMISSIONS = Path(__file__).parent / "submissions"
LIMITS = Limits(first_move_seconds=60, move_seconds=1, cushion_seconds=5, memory_mb=300)
IMPATIENT = Limits(first_move_seconds=15, move_seconds=1, cushion_seconds=1, memory_mb=300)
SYNTAX = "from agents import Agent\n\nclass Mine(Agent)\n    pass\n"
INDENTATION = "from agents import Agent\n\nclass Mine(Agent):\npass\n"


class Case(NamedTuple):
    """A submission and what is to be said of it.

    Attributes:
        name: of the folder.
        step: in which it is found.
        text: part of what is wrong.
        advice: part of what to do.
        quoted: part of a line that is shown.
    """

    name: str
    step: str
    text: str
    advice: str
    quoted: str = ""
    limits: Limits = LIMITS


FILES, START, ANSWERS, TIME, REFUSED = STEPS[0], STEPS[2], STEPS[5], STEPS[6], STEPS[8]

OF_FILES = [
    Case("no_agent_file", FILES, "there is no agent.py in the folder", "call the file with your agent agent.py"),
    Case("two_files", FILES, "which of one.py, two.py has the agent", "call the one with your agent agent.py"),
    Case("folder_too_high", FILES, "there is a src/agent.py: submit that folder", "agent.py"),
    Case("hides_a_module", FILES, "game.py has the name of a module of the tournament", "rename it"),
]
MADE = [
    Case("link", FILES, "book.txt is a symbolic link", "replace it by the file that it leads to"),
    Case("too_large", FILES, "the largest file is weights.bin with 11.0 MB", "np.savez_compressed"),
    Case("too_many_files", FILES, "files, the limit is 500", "such as data"),
    Case("syntax", START, "SyntaxError", "correct the line that the caret points at", "class Mine(Agent)"),
    Case("indentation", START, "IndentationError", "indent the line", "line 4"),
]
OF_STARTS = [
    Case("registers_none", START, "registers no agent", "write @register_agent"),
    Case("registers_two", START, "registers 2 agents", "above one class only"),
    Case("bad_name", START, "'superbot' is no name for an agent", "register a name such as"),
    Case("taken_name", START, "'uct_agent' is taken", "another name than uct_agent"),
    Case("no_subclass", START, "is not a subclass of", "class AnnAgent(Agent)"),
    Case("missing_package", START, "No module named 'deep_thought'", "put deep_thought into your folder", "line 3"),
    Case("relative_path", START, "'weights.npz'", "Path(__file__).parent", 'Path("weights.npz")'),
    Case("path_of_its_author", START, "'/home/ann/weights.npz'", "put /home/ann/weights.npz into your folder"),
    Case("setup_raises", START, "KeyError: 'width'", "mend the line", "in setup"),
    Case("constructor_of_its_own", START, "__init__() takes 1 positional", "leave `__init__` out"),
    Case("exits_in_import", START, "this machine has no GPU", "take exit() out", "line 14"),
    Case("too_much_memory", START, "used too much memory", "use small types"),
]
OF_GAMES = [
    Case("hangs_in_import", START, "no answer within 15 s", "clock.remaining", "agent.py", IMPATIENT),
    Case("no_step", ANSWERS, "has no method `step`", "define `def step(self, position, clock)`"),
    Case("other_signature", ANSWERS, "missing 2 required", "simulators call `step` differently"),
    Case("returns_nothing", ANSWERS, "can't read 'None'", "return a move on every path"),
    Case("returns_text", ANSWERS, "can't read 'the middle'", "no move at all"),
    Case("plays_on_a_stone", ANSWERS, "is taken", "that cell is not free"),
    Case("late", TIME, "answers came late, by up to 0.", "while clock.remaining is still 0.1 or more"),
    Case("hangs", ANSWERS, "lost on time", "inside your loops", "in step", IMPATIENT),
    Case("raises", ANSWERS, "IndexError: tuple index out of range", "runner.py debug", "10_000"),
    Case("writes", REFUSED, "tries to write: /tmp/my.log", "keep it in memory"),
    Case("writes_and_fails", ANSWERS, "/tmp/learned.txt", "write nothing", "write_text"),
    Case("calls_home", REFUSED, "tries to reach the network", "there is no network"),
    Case("reads_late", REFUSED, "reads its own files after its first move", "load it in `setup`"),
    Case("imports_late", ANSWERS, "No module named 'opening_book'", "import opening_book at the top of the file"),
    Case("begins_programs", REFUSED, "tries to begin another process: /bin/true", "do it in this process"),
    Case("stops_for_a_debugger", ANSWERS, "breakpoint() cannot stop a game", "take breakpoint() out"),
    Case("asks_the_keyboard", ANSWERS, "EOFError", "take input() out"),
    Case("breaks_python", ANSWERS, "SIGSEGV", "compiled code went outside an array", "in step"),
    Case("ends_its_process", ANSWERS, "ended with exit status 0", "take os._exit() and sys.exit() out"),
    Case("keeps_a_file_open", ANSWERS, "kept a file open", "by `with open(...)`"),
    Case("recurses", ANSWERS, "RecursionError", "use a loop"),
]


def name_of(case):
    return case.name


def check_of(path, limits=LIMITS):
    return CheckTask(path, Conditions(limits=limits)).run(lambda step: None, choose_cores(1))


def assert_found(case, path):
    report = check_of(path, case.limits)
    assert not report.passed
    faults = {
        finding.text: (step.name, finding)
        for step in report.steps
        for finding in step.findings
        if finding.level == "fault"
    }
    assert len(faults) == 1, list(faults)
    ((step, finding),) = faults.values()
    assert step == case.step
    assert case.text in finding.text
    assert case.advice in finding.advice
    assert any(case.quoted in line for line in finding.quoted) or not case.quoted, finding.quoted
    assert "unforced-check-" not in "\n".join([finding.text, *finding.quoted])  # but the paths that its author knows


def test_there_are_more_than_twenty_five_and_each_is_told_something_else():
    cases = [*OF_FILES, *MADE, *OF_STARTS, *OF_GAMES]
    assert len(cases) > 25
    assert len({(case.text, case.advice) for case in cases}) == len(cases)
    assert {case.name for case in cases} - {case.name for case in MADE} == {path.name for path in SUBMISSIONS.iterdir()}


@pytest.mark.parametrize("case", OF_FILES, ids=name_of)
def test_files_that_are_no_submission_are_explained(case):
    assert_found(case, SUBMISSIONS / case.name)


def test_where_nothing_is_prepared_a_check_says_that_code_is_compiled_in_every_game(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    monkeypatch.setattr("simulator.submission.steps.available_mechanisms", Mechanisms)
    (found,) = check_imports(find_submission(tmp_path))
    assert "it compiles code of its own: a tournament on this system does so in every game" in found.text


@pytest.mark.parametrize(("decorator", "remarks"), [("@njit", 1), ("@numba.njit()", 1), ("@njit(cache=True)", 0)])
def test_compiled_code_that_is_not_kept_is_remarked_on(tmp_path, decorator, remarks):
    (tmp_path / "agent.py").write_text(
        f"import numba\nfrom numba import njit\n\n{decorator}\ndef f(x):\n    return x\n"
    )
    found = [finding for finding in check_imports(find_submission(tmp_path)) if "cache=True" in finding.text]
    assert len(found) == remarks


@pytest.mark.parametrize("case", MADE, ids=name_of)
def test_files_that_cannot_be_kept_here_are_explained(case, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "agent.py").write_text({"syntax": SYNTAX, "indentation": INDENTATION}.get(case.name, ""))
    if case.name == "link":
        (folder / "book.txt").symlink_to("/etc/passwd")
    if case.name == "too_large":
        (folder / "weights.bin").write_bytes(bytes(11 * files.MB))
    if case.name == "too_many_files":
        for number in range(files.MOST_FILES):
            (folder / f"{number}.txt").touch()
    assert_found(case, folder)


@pytest.mark.parametrize("case", OF_STARTS, ids=name_of)
def test_agent_that_does_not_start_is_explained(case):
    assert_found(case, SUBMISSIONS / case.name)


@pytest.mark.slow
@pytest.mark.parametrize("case", OF_GAMES, ids=name_of)
def test_agent_that_breaks_a_rule_is_explained(case):
    if case.name in ("reads_late", "imports_late", "keeps_a_file_open") and not available_mechanisms().bubblewrap:
        pytest.skip("reading does not end without namespaces")
    assert_found(case, SUBMISSIONS / case.name)


@pytest.mark.slow
def test_a_harmless_agent_passes_every_step(tmp_path):
    folder = tmp_path / "fine"
    folder.mkdir()
    step = "        return self.rng.choice(position.legal_moves())\n"
    text = (SUBMISSIONS / "raises" / "agent.py").read_text()
    (folder / "agent.py").write_text(text[: text.index("        return")] + step)
    report = check_of(folder)
    assert report.passed, report.faults
    assert [step.name for step in report.steps] == list(STEPS)
    assert report.agent == "raises_agent"
    assert report.figures["games"] == 4 and report.figures["threads"] == 1


def test_a_check_without_a_game_on_either_side_is_not_passed():
    void = SimpleNamespace(text="the machine failed", reason=Reason.VOID, loser=None, winner=None)
    normal = SimpleNamespace(text="random_agent resigned", reason=Reason.NORMAL, loser=1, winner=0)
    games = [
        Played(SimpleNamespace(verdict=verdict, is_void=verdict is void), side, "random_agent", None)
        for verdict, side in ((normal, 0), (void, 1))
    ]
    faults = [finding.text for finding in check_games(games, 2) if finding.level is Level.FAULT]
    assert faults == ["no game in which it moves second was completed"]
