"""An agent's process: what goes over the wire, what goes to stderr, and its exit status."""

import io
import json
import os
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from simulator.player import agent_process
from simulator.player.contract import LOAD_FAILED, Order
from simulator.player.log import BoundedText
from simulator.player.self_report import PREFIX, SelfReport
from simulator.sandbox.confine import Confinement, this_python
from simulator.submission.reports import Attempt, read_reports
from tests.programs import AGENTS, PROJECT, finished
from tests.submissions import FIRST, agent


def answers_of(agent, *lines, **more):
    command = Order("pentago", str(agent), **more).command()
    return finished(*command[1:], text="".join(f"{line}\n" for line in lines), PYTHONPATH=str(PROJECT))


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("nobody_agent", "no agent is called 'nobody_agent'"),
        ("random_agent:depth=3", "random_agent has no option 'depth'"),
        ("gtp:gnugo", "speaks GTP by itself"),
        (AGENTS / "exits_in_import.py", "fails when it is imported:"),
    ],
)
def test_agent_that_cannot_be_loaded_ends_with_its_reason(monkeypatch, capsys, agent, reason):
    monkeypatch.setattr(agent_process, "_private_wire", lambda: (io.BytesIO(), io.BytesIO()))
    spec = parse_agent(str(agent))
    assert agent_process.serve(Order("pentago", spec.source, spec.options)) == LOAD_FAILED
    said = capsys.readouterr()
    assert said.out == "" and reason in said.err and ("not today" in said.err) == ("imported" in reason)


LATER = "import time; now = time.monotonic; time.monotonic = lambda: now() + 3"  # as if three seconds had gone by


def test_what_setup_takes_is_part_of_the_first_moves_time(tmp_path):
    text = (AGENTS / "resigns.py").read_text().replace("        if", "        print(clock.remaining)\n        if")
    (tmp_path / "slow.py").write_text(f"{text}\n    def setup(self):\n        {LATER}\n")
    done = answers_of(tmp_path / "slow.py", "genmove w", "quit")
    assert 0 < float(done.stderr.splitlines()[-1]) < Limits().first_move_seconds - 3


ONLY_THREADS = "start other processes here, because only control groups count all of them (`python runner.py doctor`)"


@pytest.mark.parametrize(
    ("deed", "confinement", "said", "times", "attempts"),
    [
        (
            "try: os.fork()\nexcept OSError as error: print(error)\nsubprocess.run('true')",
            {"allows_processes": False},
            ONLY_THREADS,
            2,
            2,
        ),
        # The threads of numba.njit(parallel=True) want a lock and do without, with a warning.
        ("import numba; numba.set_num_threads(1); multiprocessing.Pool(2)", {"file_bytes": 0}, "need /dev/shm", 2, 0),
        ("multiprocessing.Lock(); subprocess.run('true')", {}, "registers no agent", 1, 1),
    ],
)
def test_processes_and_semaphores_are_refused_in_words(deed, confinement, said, times, attempts, tmp_path):
    (tmp_path / "agent.py").write_text(f"import multiprocessing, os, subprocess\n{deed}")
    done = answers_of(str(tmp_path / "agent.py"), confinement=Confinement(**confinement), reports=True)
    assert said in done.stderr.rstrip().splitlines()[-1]
    assert (done.stderr.count(said), done.stderr.count('"attempt": "process"')) == (times, attempts)


def test_the_error_of_an_agent_that_has_closed_stderr_is_in_the_answer(tmp_path):
    (tmp_path / "agent.py").write_text(
        (AGENTS / "resigns.py").read_text().replace("return ", "import sys; sys.stderr.close(); 1 / 0; return ")
    )
    done = answers_of(tmp_path / "agent.py", "genmove w")
    assert "agent failed: ZeroDivisionError" in done.stdout


def test_python_is_found_where_the_way_to_it_leads_through_a_folder_that_is_not_there(tmp_path, monkeypatch):
    here = Path(sys.executable)
    monkeypatch.setattr(
        sys, "executable", f"{tmp_path}/../{tmp_path.name}/../../{os.path.relpath(here, tmp_path.parent.parent)}"
    )
    assert Path(sys.executable).exists() and Path(this_python()) == here.parent.resolve() / here.name


def test_file_named_like_ours_does_not_go_before_it(tmp_path):
    (tmp_path / "game.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "pentago").mkdir()
    (tmp_path / "pentago" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "mine.py").write_text((AGENTS / "resigns.py").read_text())
    done = answers_of(tmp_path / "mine.py", "genmove w")
    assert done.stdout.startswith("= ")
    assert done.returncode == 0  # at the end of its input


# --- What an agent's process reports while it is checked --------------------------------------------------------------


STEP = f"""for _ in range(3):
            with suppress(OSError):
                open("nowhere/x", "w")
        Path(__file__).read_text()
        if position.ply:
            sys.path_importer_cache.clear()  # as if the folder had changed: the next import lists it
            import colorsys
            import late
        {FIRST}"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """What an agent's process outside of any sandbox reports in two moves."""
    folder = tmp_path_factory.mktemp("said")
    (folder / "agent.py").write_text("import helper\n" + agent(STEP.replace("nowhere", f"{folder}/none")))
    (folder / "helper.py").write_text("")
    (folder / "late.py").write_text("")
    done = answers_of(folder / "agent.py", "genmove w", "genmove b", "quit", reports=True)
    return folder, read_reports(done.stderr)


def test_the_name_the_modules_and_the_threads_are_said(reports):
    _, said = reports
    assert said.agent == "my_agent"
    assert said.modules == ["agent", "helper"]
    assert said.load_seconds > 0
    assert said.threads >= 1


def test_an_attempt_is_said_once_for_a_line_and_reads_only_after_the_first_move(reports):
    folder, said = reports
    assert said.attempts == [
        Attempt("write", f"{folder}/none/x", f"{folder}/agent.py:15"),
        Attempt("read", f"{folder}/agent.py", f"{folder}/agent.py:16"),
        Attempt("read", cache_from_source(folder / "late.py"), f"{folder}/agent.py:20"),
    ]


def test_to_import_a_module_of_python_late_is_no_attempt(reports):
    folder, said = reports
    assert f"{folder}/agent.py:19" not in [attempt.place for attempt in said.attempts]


def test_what_is_written_beside_the_cache_is_said_and_not_what_is_written_into_it(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("simulator.player.self_report.CACHE_FOLDER", tmp_path / "kernels")
    report = SelfReport(tmp_path, 0.0)
    for path in (tmp_path / "kernels" / "x.nbc", tmp_path / "kernels_of_mine"):
        report._audit("os.mkdir", (str(path),))
    assert [attempt.what for attempt in read_reports(capfd.readouterr().err).attempts] == [str(path)]


@pytest.mark.parametrize(
    "content", ["", "{", "[1]", '"x"', "null", '{"kind": 7}', '{"kind": "loaded", "seconds": "x", "modules": 3}']
)
def test_what_an_agent_forges_does_no_harm(content):
    said = read_reports(f"before\n{PREFIX}{content}\nafter")
    assert said.rest == ["before", "after"]
    assert (said.load_seconds, said.modules, said.attempts) == (None, [], [])


def test_a_report_is_found_behind_what_was_printed_without_an_end_of_its_line():
    said = read_reports(f'thinking ...{PREFIX}{{"kind": "moved", "threads": 2}}\nthought')
    assert (said.threads, said.rest) == (2, ["thinking ...", "thought"])


def test_a_log_of_which_a_part_is_missing_is_known():
    log = BoundedText(1000)
    log.add(b"a line\n" * 100)
    assert not read_reports(log.text()).is_cut
    log.add(b"a line\n" * 1000)
    assert read_reports(log.text()).is_cut


def test_forged_numbers_and_texts_are_bounded():
    forged = {"kind": "attempt", "attempt": "write", "what": "a\x1b[2J\n" + "x" * 1000, "place": ["y"]}
    lines = [PREFIX + json.dumps(forged), PREFIX + '{"kind": "moved", "threads": 1e300}']
    said = read_reports("\n".join(lines))
    assert said.threads == 0
    assert len(said.attempts[0].what) <= 200 and said.attempts[0].what.isprintable()
