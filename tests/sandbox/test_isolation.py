"""`--isolation` and `runner.py doctor` on systems that have all mechanisms or none."""

import json
from dataclasses import replace

import pytest

from agents.limits import Limits
from simulator.player.launch import enforced_limits
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.sandbox import bubblewrap
from simulator.sandbox import isolation as isolation_module
from simulator.sandbox.isolation import Mechanisms
from simulator.terminal.match_summary import match_json
from tests.command_line import invoke, typed
from tests.leagues import record_of
from tests.scoundrels.games import HONEST, PLAYS_ON, play, quiet_opening
from tests.test_match_summary import match_of, summary_of

MISSING = "bubblewrap is not installed"
BARE = Mechanisms()  # nothing enforces network, files and privileges
WELL = Mechanisms(bubblewrap=True, filter=True)


@pytest.fixture
def bare(monkeypatch):
    """A system that offers no mechanism."""
    monkeypatch.setattr(bubblewrap, "missing", lambda: MISSING)
    monkeypatch.setattr(isolation_module, "available_mechanisms", lambda isolation="best": BARE)


@pytest.fixture
def well(monkeypatch):
    """A system on which everything is enforced."""
    monkeypatch.setattr(isolation_module, "available_mechanisms", lambda isolation="best": WELL)


# --- Required -------------------------------------------------------------------------------------------------------


PLAYERS = f"--player_1 {HONEST} --player_2 {HONEST}"


@pytest.mark.parametrize(
    "line",
    [
        f"match {HONEST} {HONEST}",
        f"play --agent {HONEST} --hints {HONEST}",
        f"simulator {PLAYERS}",
        f"simulator {PLAYERS} --autoplay",
        f"simulator {PLAYERS} --player_1 human_agent",
    ],
)
def test_required_refuses_before_anything_starts_where_a_limit_is_not_enforced(bare, line):
    """The exit code is 1 and the only output is an error that names the rows and the reason."""
    result = typed(f"{line} --isolation required")
    assert result.exit_code == 1
    (error,) = result.output.splitlines()
    assert error.startswith(
        "Error: isolation is required, but nothing enforces network: bubblewrap is not installed; files: "
    )
    assert "privileges" in error
    assert "memory" not in error


# --- What a match says ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "isolation", "said"),
    [
        (BARE, "best", ["not enforced: network, files, privileges (see python runner.py doctor)"]),
        (Mechanisms(is_off=True), "none", ["not enforced: network, files, privileges (isolation is off)"]),
        (WELL, "best", []),
    ],
)
def test_a_match_says_what_was_not_enforced(system, isolation, said):
    enforced = {row.limit: row.mechanism for row in enforced_limits(system, Limits(), (0,))}
    record = replace(record_of(), enforcement=enforced)
    match = match_of(record, conditions=Conditions(isolation=isolation))
    assert match_json(match)["settings"]["isolation"] == isolation
    assert [line for line in summary_of(match).splitlines() if "not enforced" in line] == said


def test_an_honest_game_is_played_without_isolation():
    record = play(HONEST, PLAYS_ON, opening=quiet_opening(30), isolation="none")
    assert record.verdict.reason == Reason.NORMAL
    open_rows = {name for name, held in record.enforcement.items() if held.startswith("none")}
    assert open_rows == {"network", "files", "privileges"}


# --- doctor ---------------------------------------------------------------------------------------------------------


def test_doctor_succeeds_where_everything_is_enforced(well):
    result = invoke("doctor")
    assert result.exit_code == 0
    assert result.output.endswith("8 of 8 limits are enforced.\n")  # no reason follows why agents are not prepared


def test_doctor_names_what_is_missing_once_and_fails(bare):
    result = invoke("doctor")
    assert result.exit_code == 1
    assert "5 of 8 limits are enforced." in result.output
    text = " ".join(result.output.split())
    assert text.count(MISSING) == 1
    assert f"Better for processes, network, files, privileges: {MISSING}" in text
    assert "Agents that compile their own code do so in every game: to do it once, namespaces" in text


def test_doctor_prints_json(bare):
    result = invoke("doctor", "--json", "--memory", "300")
    rows = json.loads(result.output)
    assert result.exit_code == 1
    assert [row["limit"] for row in rows if not row["enforced"]] == ["network", "files", "privileges"]
    assert "300 MB" in rows[0]["mechanism"]
    assert {row["advice"] for row in rows if not row["enforced"]} == {MISSING}
