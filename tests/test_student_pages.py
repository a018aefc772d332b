"""What one student is shown of a check and of a tournament, and the results for Gradescope."""

import json
import os
import subprocess
import sys

import pytest

from simulator.records.database import read_store, write_store
from simulator.referee.game_record import Reason
from simulator.report.document import Block, as_html, as_text
from simulator.report.gradescope import gradescope_json
from simulator.report.page_data import report_json
from simulator.report.student import check_blocks
from simulator.submission.findings import CheckReport, Step, fault, good, remark
from tests.command_line import invoke, said
from tests.leagues import write_league
from tests.programs import PROJECT

AUTOGRADER = PROJECT / "examples" / "autograder"
NASTY = "</pre><script>alert(1)</script>"
STEPS = (
    Step(1, "files", (good("fine"),)),
    Step(2, "imports", (remark("slow"),)),
    Step(3, "games", (fault("it crashed", "correct the line", ("Traceback", NASTY + "\x1b[2J")),)),
    Step(4, "time", ()),
)
REPORT = CheckReport("ann.zip", "ann", "ann_agent", STEPS, authors=("Ann Lee",))


def test_gradescope_gets_a_test_for_each_step_and_all_points_in_equal_shares():
    results = gradescope_json(REPORT, 10, 12.6)
    assert (results["score"], results["execution_time"]) == (5.0, 13)
    assert [(test["score"], test["max_score"], test["status"]) for test in results["tests"]] == [
        (2.5, 2.5, "passed"),
        (2.5, 2.5, "passed"),
        (0, 2.5, "failed"),
        (0, 2.5, "failed"),
    ]
    assert "correct the line" in results["output"] and "correct the line" in results["tests"][2]["output"]
    assert "not done" in results["tests"][3]["output"]
    assert {results["visibility"], *(test["visibility"] for test in results["tests"])} == {"visible"}


def test_pages_of_a_check_have_its_advice_and_no_markup_of_the_agents():
    page, text = as_html(check_blocks(REPORT)), as_text(check_blocks(REPORT))
    for shown in (page, text):
        assert "Ann Lee" in shown and "correct the line" in shown and "4. time: not done" in shown
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert f"  | {NASTY} [2J\n" in text
    assert as_text([Block("p", "a"), Block("html", "<b>")]) == "  a\n"


@pytest.mark.usefixtures("played_here")
def test_what_cannot_be_loaded_has_results_and_a_page_with_advice_too(tmp_path):
    (tmp_path / "ann").mkdir()
    results, page = tmp_path / "results.json", tmp_path / "ann.html"
    assert "add --gradescope" in said(invoke("check", tmp_path / "ann", "--points", 20))
    done = invoke("check", tmp_path / "ann", "--gradescope", results, "--points", 20, "-o", page)
    assert done.exit_code == 1, done.output
    found = json.loads(results.read_text())
    assert found["score"] == 0 and sum(test["max_score"] for test in found["tests"]) == 20
    assert "->" in found["output"] and "-&gt;" in page.read_text()
    assert "one at a time" in said(invoke("check", tmp_path / "ann", tmp_path / "ann", "-o", page))


# --- A tournament ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    path = tmp_path_factory.mktemp("league") / "league.db"
    faults = {1: Reason.CRASH, 2: Reason.ILLEGAL, 3: Reason.TIMEOUT}
    absent, authors = {"lost": "it fails\nImportError"}, {"alpha": ("Ann Lee",)}
    names = ("alpha", "beta", "gamma", "lost")
    return write_league(path, names, faults=faults, stderr=("last words",), absent=absent, authors=authors, plies=12)


def of(league, name, ending):
    page = league.with_name(f"{name}{ending}")
    assert invoke("report", league, "--for", name, "-o", page).exit_code == 0
    return page.read_text()


def test_the_page_of_a_student_has_the_standing_the_games_and_advice(league):
    with read_store(league) as store:
        records = [store.record(game.id) for game in store.games() if game.loser]
    assert len(records) == 3
    for record in records:
        loser, winner = record.agents[record.verdict.loser], record.agents[1 - record.verdict.loser]
        text, page = of(league, loser, ".txt"), of(league, loser, ".html")
        assert " of 4 points (won " in text and "Rating: " in text
        assert record.verdict.text in text and "  | last words" in text and "  -> " in text
        assert text.count("\nGame ") == page.count("<h2>Game ") == page.count('class="unforced-game"') == 4
        others = of(league, winner, ".html")
        assert f"{loser} lost [{record.verdict.reason}]" in others and record.verdict.text not in others


def test_the_place_is_that_of_the_table_which_decides(tmp_path):
    crashes = dict.fromkeys((1, 2, 3, 5, 6), Reason.CRASH)  # beta and gamma each lose one game and win one
    path = write_league(tmp_path / "league.db", ("alpha", "beta", "gamma", "delta"), faults=crashes, plies=1)
    with write_store(path) as store:
        store.extend(store.settings() | {"format": "swiss"}, [])
    places = {name: of(path, name, ".txt") for name in ("alpha", "beta", "gamma", "delta")}
    for (name, text), place in zip(places.items(), (1, 2, 2, 4), strict=True):
        assert f"Swiss table: place {place} of 4 (" in text and f"Place {place} of 4 by rating: " in text, name
    with read_store(path) as store:
        page = report_json(store)
    assert [[row["place"] for row in table["rows"]] for table in page["tables"]] == [[1, 2, 2, 4]] * 2
    assert "Swiss table" not in of(write_league(tmp_path / "other.db", ("alpha", "beta"), plies=2), "alpha", ".txt")


def test_a_file_without_a_name_has_the_agents_as_a_files_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_league(tmp_path / "league.db", ("gtp:./an engine --quick", "beta"), plies=2)
    assert said(invoke("report", path, "--for", "gtp:./an engine --quick")) == "gtp_._an_engine_quick.html"
    assert (tmp_path / "gtp_._an_engine_quick.html").is_file()


def test_who_took_no_part_is_told_why_and_an_unknown_name_is_refused(league):
    assert "  | ImportError" in of(league, "lost", ".txt")
    assert "did you mean alpha?" in said(invoke("report", league, "--for", "alpa"))


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("could not be loaded: ModuleNotFoundError: No module named 'torch'", "put torch into your folder"),
        ("used too much memory: 512.0 MB, the limit is 500 MB", "free what is no longer needed"),
        ("lost on time: no answer within 30 s", "load and compute less"),
    ],
)
def test_who_took_no_part_gets_advice_too_and_sees_no_folder_of_the_machine(tmp_path, error, advice):
    ours = report_json.__code__.co_filename
    frames = f'  File "/srv/all of them/lost.py", line 1, in <module>\n  File "{ours}", line 2, in report_json'
    absent = {"lost": f"it {error}\n{frames}"}
    text = of(write_league(tmp_path / "league.db", ("alpha", "beta", "lost"), absent=absent, plies=2), "lost", ".txt")
    assert f"  -> {advice}" in text
    assert '  File "lost.py", line 1' in text and '  File "simulator/report/page_data.py", line 2' in text


def test_a_module_of_its_own_that_was_imported_too_late_is_not_called_missing(tmp_path):
    ours = f'  File "{PROJECT}/agents/course/beta.py", line 1, in step'  # as if one of ours had the same name
    stderr = (ours, '  File "/srv/in/beta.py", line 3, in step', "ModuleNotFoundError: No module named 'beta'")
    path = write_league(tmp_path / "league.db", ("alpha", "beta"), faults={1: Reason.CRASH}, stderr=stderr)
    text = of(path, "beta", ".txt")
    assert "  -> import beta at the top" in text and "/srv" not in text


def test_who_wrote_for_a_framework_of_the_course_gets_advice_in_its_words(tmp_path):
    path = write_league(tmp_path / "league.db", ("alpha", "student_agent"), faults={1: Reason.TIMEOUT}, plies=2)
    assert "  -> look at time.time() inside your loops" in of(path, "student_agent", ".txt")


# --- The autograder's scripts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("python", "output"), [(sys.executable, "which of one.py, two.py"), ("/bin/false", "tell the staff")]
)
def test_run_autograder_leaves_results_whatever_happens(tmp_path, python, output):
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "bin" / "python").write_text(f'#!/bin/sh\nexec {python} "$@"\n')
    (tmp_path / "venv" / "bin" / "python").chmod(0o755)
    (tmp_path / "source").symlink_to(PROJECT)
    for folder in ("submission/ann", "submission/__MACOSX", "results"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("one.py", "two.py"):  # in a folder that was handed in as a whole
        (tmp_path / "submission" / "ann" / name).touch()
    done = subprocess.run([AUTOGRADER / "run_autograder"], env=os.environ | {"AUTOGRADER": str(tmp_path)}, check=False)
    assert done.returncode == 0
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert results["score"] == 0 and output in results["output"]


def test_setup_installs_what_the_project_needs(tmp_path):
    """Programs that write down how they are called replace apt-get and Python."""
    (tmp_path / "bin").mkdir()
    note = '#!/bin/sh\necho "${0##*/} $*" >> "$AUTOGRADER/calls"\necho python3.11\n'
    for name in ("apt-get", "python3", "python3.11"):
        (tmp_path / "bin" / name).write_text(note)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    for name in ("pip", "python"):
        (tmp_path / "venv" / "bin" / name).symlink_to(tmp_path / "bin" / "python3")
    environment = {"AUTOGRADER": str(tmp_path), "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    subprocess.run([AUTOGRADER / "setup.sh"], env=environment, check=True)
    calls = (tmp_path / "calls").read_text()
    assert "apt-get install -y python3.11-venv" in calls and f"python3.11 -m venv {tmp_path}/venv" in calls
    assert f"pip install --quiet -r {tmp_path}/source/requirements.txt" in calls
    assert "runner.py match greedy_agent random_agent" in calls
