"""Every row of docs/literature.md names something that exists, and a test."""

import re
from pathlib import Path

import pytest

from agents.agent import load_agent, parse_agent
from agents.limits import Limits
from agents.process_memory import held_bytes
from game import load_game
from studies import STUDIES

ROOT = Path(__file__).parents[1]
HEADINGS = ("| formula ", "| method ", "| claim ", "| --", "|--")
ROWS = [
    line
    for line in (ROOT / "docs" / "literature.md").read_text().splitlines()
    if line.startswith("|") and not line.startswith(HEADINGS)
]
CODE = sorted({code for row in ROWS for code in re.findall(r"`([^`]+)`", row)})
AGENTS = [code for code in CODE if re.match(r"\w+_agent\b", code)]
FILES = [code for code in CODE if code.endswith(".py")]


@pytest.mark.parametrize("text", AGENTS)
def test_agents_take_these_options(text):
    spec = parse_agent(text)
    agent_class, game = load_agent(spec.source), load_game("pentago")
    limits = Limits(memory_mb=held_bytes() // 1_000_000 + 300)
    assert agent_class(game, limits, 1, dict(spec.options)).game is game


@pytest.mark.parametrize("path", FILES)
def test_files_are_there(path):
    assert (ROOT / path).is_file()


def test_every_study_has_a_row():
    assert {code for code in CODE if code not in (*AGENTS, *FILES)} == set(STUDIES)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_names_a_study_or_a_test_that_exists(row):
    code = re.findall(r"`([^`]+)`", row)
    assert any(word in STUDIES or word.startswith("tests/") for word in code)
