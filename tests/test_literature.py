"""Every row of docs/literature.md names agents, tests, files and studies that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from agents.agent import AgentError, parse_agent
from agents.limits import Limits
from agents.loading import load_agent
from agents.process_memory import held_bytes
from game import load_game
from studies import STUDIES

ROOT = Path(__file__).parents[1]
GAMES = ("Go", "Kalah", "Pentago")
HEADINGS = ("| formula ", "| method ", "| claim ", "| --", "|--")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "literature.md").read_text().splitlines()
    if line.startswith("|") and not line.startswith(HEADINGS)
]
METHODS = [row for row in ROWS if len(row) == 5]  # the rows of formulas too


def codes(text):
    return re.findall(r"`([^`]+)`", text)


def codes_like(pattern):
    return sorted({code for row in ROWS for code in codes("|".join(row)) if re.match(pattern, code)})


AGENTS = codes_like(r"(studies/)?\w+_agent\b")
FILES = codes_like(r"\w+/[^:]*\.py$")
TESTS = codes_like(r"tests/.*\.py::\w+$")


@cache
def names_of_tests(path):
    return {node.name for node in ast.parse((ROOT / path).read_text()).body if isinstance(node, ast.FunctionDef)}


def plays(text, name):
    """Whether an agent with these options can be made for a game."""
    spec = parse_agent(text)
    game, limits = load_game(name.lower()), Limits(memory_mb=held_bytes() // 1_000_000 + 300)
    try:
        load_agent(spec.source)(game, limits, 1, dict(spec.options))
    except AgentError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in METHODS if any(code in AGENTS for code in codes(row[2]))])
def test_the_agents_of_a_row_play_the_games_that_it_names_and_no_others(row):
    named = GAMES if row[3] == "all" else row[3].split(", ")
    assert set(named) <= set(GAMES)
    for code in codes(row[2]):
        if code in AGENTS:
            assert [game for game in GAMES if plays(code, game)] == list(named), code


def test_files_tests_and_studies_are_there_and_every_study_has_a_row():
    assert [path for path in FILES if not (ROOT / path).is_file()] == []
    for path, test in (name.split("::") for name in TESTS):
        assert test.startswith("test_") and test in names_of_tests(path)
    assert {code for row in ROWS if len(row) == 3 for code in codes(row[2])} - {*TESTS, *FILES} == set(STUDIES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_every_row_names_a_study_or_a_test(row):
    assert any(code in STUDIES or code in TESTS for code in codes(row[-1]))
    assert len(row) == 3 or codes(row[2])
