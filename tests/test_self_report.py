"""What an agent's process says of itself while it is checked, and what is believed of that."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from simulator.player.contract import Order
from simulator.player.self_report import PREFIX
from simulator.submission.reports import Attempt, read_reports
from tests.submissions import FIRST, agent

PROJECT = Path(__file__).parents[1]

STEP = f"""for _ in range(3):
            with suppress(OSError):
                open("nowhere/x", "w")
        Path(__file__).read_text()
        {FIRST}"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """What a worker outside of any sandbox says in two moves."""
    folder = tmp_path_factory.mktemp("said")
    (folder / "agent.py").write_text("import helper\n" + agent(STEP.replace("nowhere", f"{folder}/none")))
    (folder / "helper.py").write_text("")
    done = subprocess.run(
        Order("pentago", str(folder / "agent.py"), reports=True).command(),
        input="genmove w\ngenmove b\nquit\n",
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        timeout=120,
        check=False,
    )
    return folder, read_reports(done.stderr)


def test_the_name_the_modules_and_the_threads_are_said(reports):
    _, said = reports
    assert said.agent == "my_agent"
    assert said.modules == ["agent", "helper"]
    assert 0 < said.load_seconds <= said.ready_seconds
    assert said.threads >= 1


def test_an_attempt_is_said_once_for_a_line_and_reads_only_after_the_first_move(reports):
    folder, said = reports
    assert said.attempts == [
        Attempt("write", f"{folder}/none/x", f"{folder}/agent.py:15"),
        Attempt("read", f"{folder}/agent.py", f"{folder}/agent.py:16"),
    ]


@pytest.mark.parametrize(
    "content", ["", "{", "[1]", '"x"', "null", '{"kind": 7}', '{"kind": "loaded", "seconds": "x", "modules": 3}']
)
def test_what_an_agent_forges_does_no_harm(content):
    said = read_reports(f"before\n{PREFIX}{content}\nafter")
    assert said.rest == ["before", "after"]
    assert (said.load_seconds, said.modules, said.attempts) == (None, [], [])


def test_forged_numbers_and_texts_are_bounded():
    forged = {"kind": "attempt", "attempt": "write", "what": "a\x1b[2J\n" + "x" * 1000, "place": ["y"]}
    lines = [PREFIX + json.dumps(forged), PREFIX + '{"kind": "moved", "threads": 1e300}']
    said = read_reports("\n".join(lines))
    assert said.threads == 0
    assert len(said.attempts[0].what) <= 200 and said.attempts[0].what.isprintable()
