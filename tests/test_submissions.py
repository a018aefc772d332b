"""Bad submissions, each with its own fault: a check says what is wrong, where, and how to correct it."""

import os
import sys
import time
from functools import partial
from io import StringIO
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

import pytest
from rich.console import Console

from agents.agent import AgentError, registered
from agents.limits import Limits
from agents.loading import load_agent
from game import load_game
from simulator.gtp.agent_host import guarded
from simulator.gtp.syntax import GtpError
from simulator.player.faults import not_loaded
from simulator.player.self_report import READ, WRITE
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.sandbox.cores import choose_cores
from simulator.sandbox.isolation import Mechanisms, available_mechanisms
from simulator.submission import files, trials
from simulator.submission.advice import advice_for, finding_of
from simulator.submission.check import STEPS, CheckTask
from simulator.submission.conduct import check_games, check_memory, check_rules, check_time
from simulator.submission.files import Submission, SubmissionError, find_submission
from simulator.submission.findings import Level, Step, fault, remark
from simulator.submission.reports import Attempt, Reports
from simulator.submission.steps import check_files, check_imports
from simulator.submission.trials import Played
from simulator.terminal.check import print_step
from tests.submissions import agent, write_submission

LIMITS = Limits(first_move_seconds=60, move_seconds=1, cushion_seconds=5, memory_mb=300)
IMPATIENT = Limits(first_move_seconds=15, move_seconds=1, cushion_seconds=1, memory_mb=300)


class Case(NamedTuple):
    """A submission and what a check must say of it.

    Attributes:
        name: the name of the folder, and the key in `SUBMISSIONS`.
        step: the step that finds the fault.
        text: a part of the finding's text.
        advice: a part of the finding's advice.
        quoted: a part of a line that the finding quotes.
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
    Case("no_agent_but_zips", FILES, "there is no agent.py in the folder", "name the zip files in it: FOLDER/*.zip"),
    Case(
        "two_files",
        FILES,
        "it is not clear which of one.py, two.py has the agent",
        "call the file with your agent agent.py",
    ),
    Case("folder_too_high", FILES, "no agent.py in the folder, but src/agent.py", "submit the folder src"),
    Case("hides_a_module", FILES, "game.py has the name of a module of the tournament", "rename it"),
]
MADE = [
    Case("link", FILES, "book.txt is a symbolic link", "replace it by the file that it leads to"),
    Case("too_large", FILES, "the largest file is weights.bin with 11.0 MB", "np.savez_compressed"),
    Case("unprintable", FILES, "'a b' has characters that cannot be printed", "rename"),
    Case("too_many_files", FILES, "files, the limit is 500", "such as data"),
    Case("windows", FILES, "w:0.npy would lead to another folder on Windows", "rename"),
    Case("environment", FILES, "its folder is a virtual environment", "into a folder of its own"),
    Case("manifest", FILES, "packing adds a manifest.json of its own", "give your file another name"),
]
OF_STARTS = [
    Case("relative_path", START, "'weights.npz'", "Path(__file__).parent", 'Path("weights.npz")'),
    Case("imports_by_its_folder", START, "No module named 'imports_by", "without the folder's name: `import table`"),
    Case("setup_raises", START, "KeyError: 'width'", "correct the line", "in setup"),
    Case("too_much_memory", START, "used too much memory", "use small types"),
]
OF_LOADING = [  # told apart by the error alone
    Case("syntax", START, "SyntaxError", "correct the line that the caret points at", "class Mine(Agent)"),
    Case("missing_package", START, "No module named 'deep_thought'", "put deep_thought into your folder", "line 1"),
    Case("indentation", START, "IndentationError", "indent the line", "line 4"),
    Case("registers_none", START, "registers no agent", "write @register_agent"),
    Case("registers_two", START, "registers 2 agents", "above one class only"),
    Case("bad_name", START, "'superbot' is no name for an agent", "register a name such as"),
    Case("taken_name", START, "'uct_agent' is taken", "another name than uct_agent"),
    Case("no_subclass", START, "is not a subclass of", "class AnnAgent(Agent)"),
    Case("relative_import", START, "attempted relative import", "without a dot: `import table`", "line 1"),
    Case("path_of_its_author", START, "'/home/ann/weights.npz'", "put /home/ann/weights.npz into your folder"),
    Case("constructor_of_its_own", START, "__init__() takes 1 positional", "leave `__init__` out"),
    Case("exits_in_import", START, "this machine has no GPU", "take exit() out", "line 13"),
]
OF_GAMES = [
    Case("hangs_in_import", START, "no answer within 15 s", "load and compute less", "agent.py", IMPATIENT),
    Case("constructor_alone", ANSWERS, "no attribute 'rng'", "leave `__init__` out"),
    Case("no_step", ANSWERS, "has no method `step`", "define `def step(self, position, clock)`"),
    Case("other_signature", ANSWERS, "missing 2 required", "simulators call `step` differently"),
    Case("numpy_chooses", ANSWERS, "a must be 1-dimensional", "write self.rng.choice(moves)", "in step"),
    Case("returns_nothing", ANSWERS, "can't read 'None'; `step` returns one of", "return a move on every path"),
    Case("returns_text", ANSWERS, "can't read 'the middle'", "no move at all"),
    Case("plays_on_a_stone", ANSWERS, "is taken", "that cell is not free"),
    Case("late", TIME, " came late, by up to 0.", "while clock.remaining is still 0.1 or more"),
    Case("hangs", ANSWERS, "lost on time", "inside your loops", "in step", IMPATIENT),
    Case("raises", ANSWERS, "IndexError: tuple index out of range", "runner.py debug", "10_000"),
    Case("writes", REFUSED, "tries to write: /tmp/my.log", "keep it in memory"),
    Case("writes_and_fails", ANSWERS, "/tmp/learned.txt", "write nothing", "write_text"),
    Case("calls_home", REFUSED, "tries to reach the network", "there is no network"),
    Case("reads_late", REFUSED, "reads its own files after its first move", "load it at the top of the file or"),
    Case("imports_late", ANSWERS, "No module named 'opening_book'", "import opening_book at the top of the file"),
    Case("opens_late", ANSWERS, "/book.txt'", "load book.txt at the top of the file or in `setup`", "in step"),
    Case("begins_programs", REFUSED, "tries to begin another process: /bin/true", "do it in this process"),
    Case("stops_for_a_debugger", ANSWERS, "breakpoint() cannot stop a game", "take breakpoint() out"),
    Case("asks_the_keyboard", ANSWERS, "EOFError", "take input() out"),
    Case("breaks_python", ANSWERS, "SIGSEGV", "compiled code went outside an array", "in step"),
    Case("ends_its_process", ANSWERS, "ended with exit status 0", "take os._exit() and sys.exit() out"),
    Case("keeps_a_file_open", ANSWERS, "kept a file open", "by `with open(...)`"),
    Case("changes_folder", ANSWERS, "stayed in its own folder", "leave os.chdir() out"),
    Case("leaves_a_timer_on", ANSWERS, "TimeoutError: time is over (raised between its moves", "switch timers off"),
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
    assert "unforced-check-" not in str(report)  # only paths that its author knows


@pytest.mark.parametrize(
    "case", [*OF_FILES, *OF_STARTS, *(pytest.param(case, marks=pytest.mark.slow) for case in OF_LOADING)], ids=name_of
)
def test_a_submission_that_cannot_be_started_is_explained(case, tmp_path):
    assert_found(case, write_submission(case.name, tmp_path))


@pytest.mark.parametrize("case", OF_LOADING, ids=name_of)
def test_an_error_of_loading_is_explained(case, tmp_path, monkeypatch):
    """This runs without another process; the slow set runs these cases in one."""
    submission = find_submission(write_submission(case.name, tmp_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    with patch.dict(registered), pytest.raises((AgentError, GtpError)) as caught:
        made = load_agent(submission.spec.text)
        guarded(lambda: made(load_game("pentago")).setup())
    log = str(caught.value).splitlines()
    found = finding_of(Reason.CRASH, str(not_loaded(log[-1])), log, submission)
    assert case.text in found.text
    assert case.advice in found.advice
    assert any(case.quoted in line for line in found.quoted), found.quoted


def test_where_nothing_is_prepared_a_check_says_that_code_is_compiled_in_every_game(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text(
        "from numba import njit\n\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    monkeypatch.setattr("simulator.submission.steps.available_mechanisms", Mechanisms)
    (found,) = check_imports(find_submission(tmp_path))
    assert "it compiles code of its own, which a tournament on this system compiles anew in every game" in found.text


@pytest.mark.parametrize(("decorator", "remarks"), [("@njit", 1), ("@numba.njit()", 1), ("@njit(cache=True)", 0)])
def test_compiled_code_that_is_not_kept_is_remarked_on(tmp_path, decorator, remarks):
    (tmp_path / "agent.py").write_text(
        f"import numba\nfrom numba import njit\n\n{decorator}\ndef f(x):\n    return x\n"
    )
    found = [finding for finding in check_imports(find_submission(tmp_path)) if "cache=True" in finding.text]
    assert len(found) == remarks


@pytest.mark.parametrize(
    "source",
    [
        "from " + "a" * 200_000,
        "from a" + ".a" * 100_000,
        "import " + " ," * 100_000,
        "from store import (\n" * 100_000,
    ],
)
def test_imports_that_are_written_against_readers_take_no_time(tmp_path, source):
    (tmp_path / "agent.py").write_text(f"\ufeffimport nowhere\n{source}\n")
    started = time.process_time()
    assert any("nowhere" in finding.text for finding in check_imports(find_submission(tmp_path)))
    assert time.process_time() - started < 10  # it takes some hundredths; quadratic time would be minutes


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
@pytest.mark.parametrize("name", ["venv/lib", "mine/lib", "__pycache__/x", ".git/x"])
def test_folders_that_no_game_needs_are_not_looked_into(tmp_path, name):
    (tmp_path / "agent.py").write_text("")
    closed = tmp_path / name
    closed.mkdir(parents=True)
    (closed.parent / "pyvenv.cfg").write_text("")
    closed.chmod(0)
    assert list(find_submission(tmp_path).files) == [PurePosixPath("agent.py")]
    closed.chmod(0o700)


def test_a_file_that_cannot_be_read_is_named_with_advice(tmp_path, monkeypatch):
    for name in ("agent.py", "table.py"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr("os.access", lambda path, mode: path.name != "table.py")  # root may read every file
    with pytest.raises(SubmissionError, match=r"table\.py cannot be read") as caught:
        find_submission(tmp_path)
    assert "permission" in caught.value.advice


@pytest.mark.parametrize("case", MADE, ids=name_of)
def test_files_that_cannot_be_kept_here_are_explained(case, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "agent.py").touch()
    if case.name == "link":
        (folder / "book.txt").symlink_to("/etc/passwd")
    made = {"windows": "w:0.npy", "environment": "pyvenv.cfg", "manifest": "manifest.json"}
    if case.name in made:
        (folder / made[case.name]).touch()
    if case.name == "unprintable":
        (folder / "a\nb").touch()
    if case.name == "too_large":
        (folder / "weights.bin").write_bytes(bytes(11 * files.MB))
    if case.name == "too_many_files":
        for number in range(files.MOST_FILES):
            (folder / f"{number}.txt").touch()
    assert_found(case, folder)


def test_files_that_were_changed_since_they_were_packed_have_to_be_packed_again(tmp_path):
    (tmp_path / "agent.py").write_text("")
    (tmp_path / "manifest.json").write_text('{"agent": "agent.py", "files": {"agent.py": "0"}}')
    _, found = check_files(find_submission(tmp_path))
    assert (found.level, found.advice) == (Level.REMARK, "pack it again with `python runner.py pack`")
    assert "agent.py is not the file that its manifest.json lists" in found.text


def test_modules_that_a_match_would_not_show_are_remarked_on(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for place, remarks in ((tmp_path, 1), (tmp_path / "ann", 0)):
        place.mkdir(exist_ok=True)
        (place / "ann.py").write_text("import table")
        (place / "table.py").write_text("")
        found = [finding.text for finding in check_files(find_submission(place / "ann.py"))]
        assert sum("in a match it sees nothing but ann.py" in text for text in found) == remarks


@pytest.mark.parametrize("name", ["M\udcfcller.zip", "\u200cann", "\xa0ann.py"])
def test_a_submission_whose_name_a_tournament_could_not_print_is_refused(name, tmp_path):
    (found,) = check_of(tmp_path / name).faults
    assert found.text == "its name has characters that cannot be printed"


@pytest.mark.slow
@pytest.mark.parametrize("case", OF_GAMES, ids=name_of)
def test_agent_that_breaks_a_rule_is_explained(case, tmp_path, monkeypatch):
    monkeypatch.setattr(trials, "BUDGET_SECONDS", -1.0)  # a game from each side
    if (
        case.name in ("reads_late", "imports_late", "opens_late", "keeps_a_file_open")
        and not available_mechanisms().bubblewrap
    ):
        pytest.skip("reading does not end without namespaces")
    assert_found(case, write_submission(case.name, tmp_path))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("book.txt", "load book.txt at the top of the file or in `setup`: after the first move files can no longer be"),
        ("data", "load data at the top"),
        ("none.txt", "put none.txt into your folder"),
        ("beside.txt", "submit the folder: of a single file, only the modules that it imports come along"),
        ("x" * 300, "into your folder"),
    ],
)
def test_a_file_of_its_own_that_is_not_found_is_told_from_one_that_is_not_there(name, advice, tmp_path):
    (tmp_path / "beside.txt").touch()
    copy, listed = Path("/tmp/unforced-check-x/ann"), dict.fromkeys(map(PurePosixPath, ("book.txt", "data/x.npy")), 1)
    submission = Submission(tmp_path / "agent.py", "ann", copy, PurePosixPath("agent.py"), listed)
    text = f"ann (w) crashed at move 5: FileNotFoundError: [Errno 2] No such file or directory: '{copy}/{name}'"
    found = advice_for(Reason.CRASH, text, (), submission)
    assert advice in found and "/tmp/" not in found


def test_who_was_too_late_before_a_move_was_asked_for_has_to_load_less(tmp_path):
    (tmp_path / "agent.py").touch()
    submission = Submission(tmp_path, "ann", tmp_path, PurePosixPath("agent.py"), {})
    assert advice_for(Reason.TIMEOUT, "it lost on time: no answer within 30 s", (), submission).startswith("load and")
    assert "clock.remaining" in advice_for(Reason.TIMEOUT, "ann (w) lost on time at move 5", (), submission)


def test_a_stack_that_repeats_itself_is_a_recursion(tmp_path):
    submission = Submission(tmp_path, "ann", tmp_path, PurePosixPath("agent.py"), {})
    text, frame = "ann (w) crashed at move 5: its process was killed by SIGSEGV", '  File "agent.py", line 7 in deep'
    assert "recursion" in advice_for(Reason.CRASH, text, ["Current thread 0x1", *[frame] * 9], submission)
    assert "outside an array" in advice_for(Reason.CRASH, text, ["Current thread 0x1", frame], submission)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: '/psm_cfc33507'", "do it in this process"),
        ("FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp']", "write nothing"),
        ("sqlite3.OperationalError: unable to open database file", "write nothing"),
        ("OSError: Matplotlib requires access to a writable cache directory", "leave the package out"),
        ("EOFError", "do it in this process"),
        ("ModuleNotFoundError: No module named 'helpers.deep'", "import helpers.deep at the top"),
    ],
)
def test_errors_of_libraries_have_advice_of_their_own(error, advice):
    submission = Submission(
        Path("a"), "a", Path("/a"), PurePosixPath("agent.py"), {PurePosixPath("helpers/deep.py"): 1}
    )
    assert advice_for(Reason.CRASH, f"ann (w) crashed at move 5: {error}", (), submission).startswith(advice)


def lost_game(reason):
    """A game that was lost by a fault, but whose figures look harmless."""
    verdict = SimpleNamespace(reason=reason, loser=0, text="")
    moves = (SimpleNamespace(player=0, seconds=0.1, replaced=False),) * 2
    record = SimpleNamespace(verdict=verdict, is_void=False, moves=moves, peak_memory_mb=(LIMITS.memory_mb, 0))
    return Played(record, 0, "random_agent", SimpleNamespace(threads=1))


TIME = partial(check_time, submission=None)


@pytest.mark.parametrize(
    ("step", "reason", "text"),
    [
        (TIME, Reason.TIMEOUT, "without the answer that did not come: see above"),
        (check_memory, Reason.MEMORY, "at most 300 MB of 300 MB, but it asked for more: see above"),
        (check_memory, Reason.PROCESSOR, "its threads or processes ended a game: see above"),
    ],
)
def test_the_step_of_the_limit_that_ended_a_game_says_so(step, reason, text):
    found = step([lost_game(reason)], LIMITS)
    assert text in [finding.text for finding in found if finding.level is Level.REMARK]
    assert text not in [finding.text for finding in step([lost_game(Reason.CRASH)], LIMITS)]


def test_an_attempt_that_ended_a_game_is_named_and_no_second_fault(tmp_path):
    submission = find_submission(write_submission("writes_and_fails", tmp_path))
    place = f"{submission.folder}/agent.py:11"
    file = str(submission.path / "agent.py")
    ended = fault("it crashed", "write nothing", [f'  File "{file}", line 11, in step'])
    attempt = Attempt(WRITE, "/tmp/learned.txt", place)
    (found,) = check_rules([Reports(attempts=[attempt])], [ended], submission)
    assert found.level is Level.REMARK and found.text.endswith("agent.py:11), and that ended it: see above")
    (found,) = check_rules([Reports(attempts=[attempt])], [], submission)
    assert found.level is Level.FAULT
    (found,) = check_rules([Reports()], [ended], submission)
    assert found.text.endswith(", until the fault above")


def test_a_line_of_code_that_python_prints_is_no_attempt(tmp_path):
    submission = find_submission(write_submission("writes_and_fails", tmp_path))
    (found,) = check_rules([Reports(attempts=[Attempt(READ, f"{submission.folder}/agent.py", "")])], [], submission)
    assert found.level is Level.GOOD


def test_of_an_agent_that_prints_too_much_nobody_says_what_it_did_not_try(tmp_path):
    submission = find_submission(write_submission("writes", tmp_path))
    cut = Reports(is_cut=True)
    (found,) = check_rules([Reports(), cut], [], submission)
    assert found.level is Level.REMARK and "printed more than its log keeps" in found.text
    said = [Reports(attempts=[Attempt(WRITE, "/tmp/x", "")]), cut]
    assert [found.level for found in check_rules(said, [], submission)] == [Level.FAULT, Level.REMARK]


def test_a_step_is_headed_by_the_worst_of_its_findings():
    stream = StringIO()
    step = Step(2, "imports", (remark("agent.py imports torch, which a tournament does not have"),))
    print_step(Console(file=stream, width=100), step)
    assert stream.getvalue().startswith(" 2. imports: note")


def test_a_long_line_of_an_agent_is_cut_off():
    stream = StringIO()
    print_step(Console(file=stream, width=100), Step(6, "answers", (fault("x", "", ["x" * 30_000]),)))
    assert len(stream.getvalue()) < 1000


@pytest.mark.slow
def test_a_harmless_agent_passes_every_step(tmp_path):
    (tmp_path / "agent.py").write_text(agent("return self.rng.choice(position.legal_moves())"))
    report = check_of(tmp_path)
    assert report.passed, report.faults
    assert [step.name for step in report.steps] == list(STEPS)
    assert report.agent == "my_agent"
    assert report.figures["games"] == 4 and report.figures["threads"] == 1


def test_a_check_without_a_game_on_either_side_is_not_passed(tmp_path):
    void = SimpleNamespace(text="the machine failed", reason=Reason.VOID, loser=None, winner=None)
    normal = SimpleNamespace(text="random_agent resigned", reason=Reason.NORMAL, loser=1, winner=0)
    games = [
        Played(SimpleNamespace(verdict=verdict, is_void=verdict is void), side, "random_agent", None)
        for verdict, side in ((normal, 0), (void, 1))
    ]
    submission = find_submission(write_submission("raises", tmp_path))
    faults = [finding.text for finding in check_games(games, 2, submission) if finding.level is Level.FAULT]
    assert faults == ["no game in which it moves second was completed"]
