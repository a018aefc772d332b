"""`docs/verdicts.md` says what the code does: it has every ending, every row, every field, and the code's figures."""

import re
from dataclasses import fields

import pytest

from agents.limits import Limits
from simulator.gtp.client import WAIT_SECONDS
from simulator.player.launch import enforced_limits
from simulator.player.log import SHOWN_LINES
from simulator.player.player import ANALYSIS_SECONDS, PAUSED_BUSY_SECONDS
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.sandbox.isolation import MAX_PROCESSES, Mechanisms
from simulator.sandbox.visible_files import SYSTEM
from tests.programs import PROJECT

TEXT = (PROJECT / "docs" / "verdicts.md").read_text()
ROWS = [row.limit for row in enforced_limits(Mechanisms(), Limits(), (0,))]
RECORDS = {"": GameRecord, "verdict.": Verdict, "moves[i].": MoveRecord}


def section(title):
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text):
    """The code words in the first column of a section's tables."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| ")]
    return [word for cell in cells for word in re.findall("`([^`]+)`", cell)]


def test_every_reason_has_a_row_and_every_row_a_reason():
    assert set(first_cells(TEXT.split("\n## ")[0])) == {reason.value for reason in Reason}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_an_example(reason):
    assert re.search(rf"^{reason}: .", section("Examples"), re.MULTILINE)


def test_every_row_of_the_enforcement_is_described_in_its_order():
    assert first_cells(section("What enforces it")) == ROWS


def test_fields_of_the_record_are_the_records():
    described = first_cells(section("What the record says"))
    assert described
    known = {prefix + field.name for prefix, record in RECORDS.items() for field in fields(record)}
    described = [f"moves[i]{word}" if word.startswith(".") else word for word in described]
    assert set(described) <= known


@pytest.mark.parametrize("field", ["delay_seconds", "startup_seconds", "enforcement", "measured", "stderr"])
def test_fields_that_need_words_have_them(field):
    assert any(word.endswith(field) for word in first_cells(section("What the record says")))


def test_the_row_of_the_output_says_how_much_of_it_is_shown():
    output = next(row for row in enforced_limits(Mechanisms(), Limits(), (0,)) if row.limit == "output")
    assert f"shows the last {SHOWN_LINES} lines" in output.mechanism


@pytest.mark.parametrize(
    "words",
    [
        f"the loser's last {SHOWN_LINES} lines",
        f"more than {MAX_PROCESSES} processes and threads",
        f"more than {PAUSED_BUSY_SECONDS:g} s of processor time",
        f"polled every {WAIT_SECONDS * 1000:g} ms",
        f"has {ANALYSIS_SECONDS:g} s.",
        f"{Limits().first_move_seconds:g} s for the first move",
        f"a cushion of {Limits().cushion_seconds:g} s, {Limits().memory_mb} MB",
        *(f"`{folder}`" for folder in SYSTEM[:2]),
    ],
)
def test_figures_are_the_codes(words):
    assert words in " ".join(TEXT.split())
