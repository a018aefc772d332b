"""`runner.py check` and `pack` on the command line: tables, JSON, exit codes, and which files are not packed."""

import csv
import errno
import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from rich.console import Console

from simulator.player.source_hashes import MANIFEST
from simulator.records.file_errors import replacing
from simulator.referee.conditions import Conditions
from simulator.submission import check
from simulator.submission.check import STEPS
from simulator.submission.findings import CheckReport
from simulator.terminal.check import print_reports, write_reports
from simulator.tournament.workers.local import LocalExecutor
from simulator.tournament.workers.protocol import TaskGivenUp
from tests.command_line import invoke
from tests.submissions import agent, write_submission


def test_several_submissions_are_a_table_with_a_line_for_each(tmp_path):
    (tmp_path / "eve.zip").write_bytes(b"no zip")
    paths = [*(write_submission(name, tmp_path) for name in ("no_agent_file", "two_files")), tmp_path / "eve.zip"]
    done = invoke("check", *paths, "--jobs", "2", "-o", tmp_path / "report.csv")
    assert done.exit_code == 1, done.output
    assert "0 of 3 passed." in done.output and "not checked" not in done.output
    rows = list(csv.DictReader((tmp_path / "report.csv").read_text().splitlines()))
    assert [row["submission"] for row in rows] == list(map(str, paths))
    assert [row["passed"] for row in rows] == ["no"] * 3
    assert len({row["first_fault"] for row in rows}) == 3 and all(row["advice"] for row in rows)


def test_a_path_from_the_home_folder_may_be_quoted(monkeypatch, tmp_path):
    (tmp_path / "ann.zip").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    found = []
    monkeypatch.setattr("commands.check.check_submissions", lambda paths, *_: found.extend(paths) or [])
    assert invoke("check", "~/ann.zip").exit_code == 0
    assert found == [tmp_path / "ann.zip"]


def test_tables_say_who_has_written_what_without_the_folder_of_all():
    reports = [CheckReport("hw/ann.zip", authors=("Ann Lee", "Bob")), CheckReport("hw/late/eve.zip")]
    screen, file = Console(file=io.StringIO()), io.StringIO()
    print_reports(screen, reports, [Path("hw/gone.zip")])
    write_reports(reports, file)
    assert "│ann.zip " in screen.file.getvalue() and "│late/eve.zip " in screen.file.getvalue()
    assert "0 of 2 passed.\n1 of 3 were not checked: hw/gone.zip\n" in screen.file.getvalue()
    file.seek(0)
    assert [row["authors"] for row in csv.DictReader(file)] == ["Ann Lee, Bob", ""]


@pytest.mark.usefixtures("played_here")
def test_json_has_every_step_also_those_that_could_not_be_done(tmp_path):
    done = invoke("check", write_submission("two_files", tmp_path), "--json")
    report = json.loads(done.stdout.splitlines()[-1])
    assert done.exit_code == 1
    assert [step["name"] for step in report["steps"]] == list(STEPS)
    assert report["passed"] is False and report["steps"][0]["findings"][0]["advice"]


def test_a_check_that_fails_is_a_fault_of_its_own_submission(monkeypatch, tmp_path):
    def fail(submission):
        raise LookupError("a bug\x1b[2J")

    monkeypatch.setattr(check, "check_files", fail)
    told = []
    report = check.CheckTask(write_submission("two_files", tmp_path) / "one.py", Conditions()).run(told.append, (0,))
    assert [finding.text for finding in report.faults] == ["the check itself failed: LookupError: a bug [2J"]
    assert [step.name for step in report.steps] == list(STEPS) and list(report.steps) == told


@pytest.mark.usefixtures("played_here")
def test_steps_that_could_not_be_done_are_one_line(tmp_path):
    said = invoke("check", write_submission("two_files", tmp_path)).output
    assert " 2.-10. not done, because of the faults above: imports; first start, " in " ".join(said.split("\n"))
    assert said.count("not done") == 1


def test_what_is_done_is_handed_out_though_a_check_is_given_up_and_ctrl_c_ends_the_rest(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("ann.py", "bob.py"):
        (tmp_path / name).touch()

    def run(executor, tasks):
        yield tasks[1], TaskGivenUp("3 processes have ended over it")
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalExecutor, "run", run)
    invoke("check", "ann.py", "bob.py", "-o", tmp_path / "report.csv")
    (row,) = csv.DictReader((tmp_path / "report.csv").read_text().splitlines())
    assert row["submission"] == "bob.py"
    assert "3 processes have ended" in row["first_fault"]


def test_the_report_is_written_though_nobody_reads_what_is_printed(monkeypatch, tmp_path):
    def fails(*_):
        raise BrokenPipeError

    monkeypatch.setattr(LocalExecutor, "run", lambda executor, tasks: [(tasks[0], TaskGivenUp("it ended"))])
    monkeypatch.setattr("simulator.terminal.check.print_verdict", fails)
    (tmp_path / "ann.py").touch()
    invoke("check", tmp_path / "ann.py", "-o", tmp_path / "report.csv")
    assert "it ended" in (tmp_path / "report.csv").read_text()


def test_a_report_of_before_stays_where_ctrl_c_comes_before_the_first_one(monkeypatch, tmp_path):
    def run(executor, tasks):
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalExecutor, "run", run)
    agent, report = tmp_path / "ann.py", tmp_path / "report.csv"
    agent.touch()
    report.write_text("an older one")
    invoke("check", agent, agent, "-o", report)
    assert report.read_text() == "an older one"


@pytest.mark.parametrize("name", ["agent.py", "ann.zip", "report.json"])
def test_no_report_is_written_over_a_submission_or_into_a_file_of_another_kind(tmp_path, name):
    (tmp_path / name).write_text("mine")
    for command in ("check", "pack") if name.endswith(".py") else ("check",):
        done = invoke(command, write_submission("hides_a_module", tmp_path), "-o", tmp_path / name)
        assert (done.exit_code, (tmp_path / name).read_text()) == (2, "mine")
        assert {"check": "no report is written to", "pack": "name a .zip file"}[command] in done.output


def test_what_is_written_goes_into_a_pipe_and_into_a_file_that_cannot_be_replaced(tmp_path, monkeypatch):
    pipe, file = tmp_path / "pipe", tmp_path / "report.csv"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as stream:
        stream.write("new")
    assert (os.read(reader, 9), pipe.is_fifo()) == (b"new", True)
    os.close(reader)

    def is_mounted(*_):
        raise OSError(errno.EBUSY, "")

    file.write_text("a longer one of before")
    monkeypatch.setattr(Path, "replace", is_mounted)
    with replacing(file) as stream:
        stream.write("new")
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for a folder that takes no new files
    with replacing(file) as stream:
        assert list(tmp_path.glob(".*")) == []
        stream.write(file.read_text() + "newer")
    assert file.read_text() == "newer"


def test_of_two_programs_that_write_one_file_at_the_same_time_the_last_one_counts(tmp_path):
    file = tmp_path / ("é" * 125 + ".json")  # the longest name that there can be
    with replacing(file) as last:
        with replacing(file) as first:
            last.write("a longer one")
            last.flush()
            first.write("a short one")
        assert file.read_text() == "a short one"
    assert ([*tmp_path.iterdir()], file.read_text()) == ([file], "a longer one")


@pytest.mark.usefixtures("played_here")
def test_what_check_refuses_is_packed_only_by_force(tmp_path):
    target = tmp_path / "x.zip"
    arguments = ("pack", write_submission("hides_a_module", tmp_path), "-o", target)
    refused = invoke(*arguments)
    assert (refused.exit_code, target.exists()) == (1, False)
    assert "Not packed" in refused.output
    forced = invoke(*arguments, "--force")
    assert forced.exit_code == 0
    with zipfile.ZipFile(target) as file:
        found = json.loads(file.read(MANIFEST))["check"]
    assert found["passed"] is False and "game.py has the name" in found["faults"][0]


@pytest.mark.usefixtures("played_here")
@pytest.mark.slow
def test_what_is_packed_plays_in_a_match(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "agent.py").write_text(agent("return self.rng.choice(position.legal_moves())"))
    packed = invoke("pack", tmp_path / "ann", "-o", tmp_path / "ann.zip", "--author", "Ann", "--cushion", "10")
    assert packed.exit_code == 0 and "makes the zip file" not in packed.output, packed.output
    done = invoke("match", tmp_path / "ann.zip", "random_agent", "--cushion", "10", "--first-move-time", "60", "--json")
    assert done.exit_code == 0, done.output
    assert set(json.loads(done.stdout.splitlines()[-1])["agents"]) == {"ann", "random_agent"}
