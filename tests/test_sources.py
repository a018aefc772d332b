"""What an agent consists of: a file that is changed is noticed, one that does not matter is not."""

import sys
from pathlib import Path

import pytest

from agents.agent import parse_agent
from game import load_game
from simulator.machine import describe_machine
from simulator.sources import sources_of

PENTAGO = load_game("pentago")


@pytest.fixture
def agent(tmp_path) -> Path:
    """A submission of several files, beside one that belongs to somebody else."""
    (tmp_path / "book").mkdir()
    (tmp_path / "my_agent.py").write_text("import numpy\nfrom book import lines\nimport helper as h")
    (tmp_path / "helper.py").write_text("from deeper import x")
    (tmp_path / "deeper.py").write_text("import helper")
    (tmp_path / "book" / "__init__.py").write_text("")
    (tmp_path / "book" / "lines.py").write_text("def broken(:")
    (tmp_path / "somebody_else.py").write_text("")
    return tmp_path / "my_agent.py"


def test_a_file_counts_with_what_it_imports_from_its_folder(agent):
    found = sources_of(parse_agent(str(agent)), PENTAGO)
    assert list(found) == ["book/__init__.py", "book/lines.py", "deeper.py", "helper.py", "my_agent.py"]


def test_only_what_is_changed_has_another_hash(agent):
    before = sources_of(parse_agent(str(agent)), PENTAGO)
    (agent.parent / "deeper.py").write_text("x = 1")
    (agent.parent / "somebody_else.py").write_text("x = 1")
    after = sources_of(parse_agent(str(agent)), PENTAGO)
    assert {file for file in before if before[file] != after[file]} == {"deeper.py"}


def test_imports_within_a_package_lead_from_the_file_that_has_them(agent):
    (agent.parent / "book" / "__init__.py").write_text(
        "from .pages import page\nfrom . import cover\nfrom .. import helper"
    )
    (agent.parent / "book" / "pages.py").write_text("from ...outside import x")
    (agent.parent / "book" / "cover.py").write_text("")
    (agent.parent.parent / "outside.py").write_text("")
    found = set(sources_of(parse_agent(str(agent)), PENTAGO))
    assert {"book/pages.py", "book/cover.py"} <= found
    assert all("outside" not in file for file in found)


@pytest.mark.parametrize("deep", ["x = 1" + "+1" * 100_000, "x = " + "-" * 100_000 + "1"])
def test_an_agent_that_python_cannot_parse_for_its_depth_counts_with_its_file(tmp_path, deep):
    path = tmp_path / "deep_agent.py"
    path.write_text(deep)
    assert list(sources_of(parse_agent(str(path)), PENTAGO)) == ["deep_agent.py"]


def test_an_agent_of_this_project_counts_with_its_search_and_the_game():
    found = set(sources_of(parse_agent("uct_agent:c=0.5"), PENTAGO))
    assert {"agents/uct_agent.py", "agents/uct/search.py", "game.py", "jit.py", "pentago/rules.py"} <= found
    assert not any(file.startswith(("go/", "simulator/", "agents/greedy")) for file in found)


def test_another_program_counts_with_its_file_and_the_files_that_its_command_names(tmp_path):
    script = tmp_path / "engine.py"
    script.write_text("")
    found = sources_of(parse_agent(f"gtp:{sys.executable} {script} --level 3 {'x' * 5000}"), PENTAGO)
    assert set(found) == {str(script), str(Path(sys.executable).resolve())}


def test_a_machine_is_described_without_gaps():
    machine = describe_machine()
    assert all(machine[name] for name in ("host", "processor", "cores", "memory", "system", "python", "numpy", "numba"))
    assert "commit" in machine
