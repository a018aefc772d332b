"""An agent's process: what goes over the wire, what goes to stderr, and what it ends with."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simulator.player.contract import LOAD_FAILED, SEED_VARIABLE, Order
from simulator.sandbox.confine import Confinement

PROJECT = Path(__file__).parent.parent
ENVIRONMENT = os.environ | {"PYTHONPATH": str(PROJECT)}
SCOUNDRELS = Path(__file__).parent / "agents"


def answers_of(agent: str, *lines: str, seed: str = "0", **more: Any) -> subprocess.CompletedProcess[str]:
    command = Order("pentago", agent, **more).command()
    text = "".join(f"{line}\n" for line in lines)
    pipes = {"input": text, "capture_output": True, "text": True, "env": ENVIRONMENT | {SEED_VARIABLE: seed}}
    return subprocess.run(command, **pipes, timeout=120, check=False)


def test_end_of_input_ends_the_process() -> None:
    done = answers_of("random_agent", "protocol_version")
    assert (done.stdout, done.returncode) == ("= 2\n\n", 0)


def test_same_seed_same_moves() -> None:
    games = [answers_of("random_agent", "genmove w", "genmove b", seed=seed).stdout for seed in "778"]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("nobody_agent", "no agent is called 'nobody_agent'"),
        ("no/such/file.py", "there is no file"),
        ("random_agent:depth=3", "random_agent has no option 'depth'"),
        ("gtp:gnugo", "speaks GTP by itself"),
        (str(SCOUNDRELS / "raises_in_import.py"), "no module named genius"),
        (str(SCOUNDRELS / "exits_in_import.py"), "not today"),
        (str(SCOUNDRELS / "raises_in_setup.py"), "no opening book"),
        (str(SCOUNDRELS / "gtp_scoundrel.py"), "fails when it is imported"),
    ],
)
def test_agent_that_cannot_be_loaded_ends_with_its_reason(agent: str, reason: str) -> None:
    done = answers_of(agent, "name")
    assert (done.stdout, done.returncode) == ("", LOAD_FAILED)
    assert reason in done.stderr


@pytest.mark.parametrize(
    ("deed", "confinement", "said"),
    [
        ("import os; os.fork()", {"allows_processes": False}, "no other processes here, because only control groups"),
        ("import subprocess; subprocess.run('true')", {"allows_processes": False}, "(`runner.py doctor`)"),
        ("import subprocess; subprocess.run('true')", {}, "registers no agent"),
        ("import multiprocessing; multiprocessing.Pool(2)", {"file_bytes": 0}, "locks need /dev/shm"),
        ("import multiprocessing; multiprocessing.Lock()", {}, "registers no agent"),
    ],
)
def test_processes_and_semaphores_are_refused_in_words(
    deed: str, confinement: dict[str, Any], said: str, tmp_path: Path
) -> None:
    (tmp_path / "agent.py").write_text(deed)
    done = answers_of(str(tmp_path / "agent.py"), confinement=Confinement(**confinement), reports=True)
    assert said in done.stderr.rstrip().splitlines()[-1]
    assert ('"attempt": "process"' in done.stderr) == ("multiprocessing" not in deed)


def test_fixed_simulations_need_an_agent_that_has_them() -> None:
    command = [sys.executable, "runner.py", "gtp", "--agent", "random_agent", "--simulations", "10"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, timeout=120, check=False)
    assert done.returncode != 0 and "no option 'simulations'" in done.stderr


def test_file_named_like_ours_does_not_go_before_it(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "pentago").mkdir()
    (tmp_path / "pentago" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "mine.py").write_text((SCOUNDRELS / "resigns.py").read_text())
    done = answers_of(str(tmp_path / "mine.py"), "genmove w")
    assert done.stdout.startswith("= ")
