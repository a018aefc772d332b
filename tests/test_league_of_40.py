"""A course's tournament from end to end: forty submissions, some of which break every rule that there is."""

import json
import shutil
import sqlite3
import subprocess
import sys

import pytest

from simulator.records.database import read_store
from simulator.referee.game_record import Reason
from simulator.statistics.standings import league_of
from tests.programs import AGENTS, RUNNER

pytestmark = pytest.mark.slow(minutes=8)

SUBMITTED = 40
SCOUNDRELS = {  # how they may lose, unless their games are won before
    "exits": {Reason.CRASH},
    "raises_in_step": {Reason.CRASH},
    "segfaults": {Reason.CRASH},
    "returns_garbage": {Reason.ILLEGAL},
    "returns_taken_cell": {Reason.ILLEGAL},
    "allocates": {Reason.MEMORY, Reason.CRASH},
    "sleeps": {Reason.TIMEOUT},
    "spins": {Reason.TIMEOUT},
}
# They inherit, because a submission compiles its own code on its clock, in each game.
HONEST = [
    f"""\
from agents.agent import register_agent
from agents.{module} import {base}

@register_agent("student_{{number:02}}_agent")
class Student({base}):
    pass
"""
    for module, base in (("random_agent", "RandomAgent"), ("greedy_agent", "GreedyAgent"))
]
ABSENT = ("raises_in_import", "raises_in_setup")
NO_ANSWER = "sleeps"  # nobody need wait for its first move as long as for those of others
LIMITS = ["--first-move-time=30", "--move-time=1", "--cushion=6", "--opening-plies=14", "--workers=2", "--force"]


@pytest.fixture(scope="module")
def submissions(tmp_path_factory):
    """A folder for each submission, as a course collects them."""
    folder = tmp_path_factory.mktemp("submissions")
    misbehaves = (AGENTS / "misbehaves.py").read_text()
    for name in (*SCOUNDRELS, *ABSENT):
        if (AGENTS / f"{name}.py").exists():
            shutil.copy(AGENTS / f"{name}.py", folder)
        else:
            (folder / f"{name}.py").write_text(misbehaves.replace('"deed": "returns_none"', f'"deed": "{name}"'))
    for number in range(SUBMITTED - len(SCOUNDRELS) - len(ABSENT)):
        (folder / f"student_{number:02}.py").write_text(HONEST[number % len(HONEST)].format(number=number))
    return folder


def test_forty_agents_play_two_pairs_each_and_nobody_suffers_for_another(submissions):
    files = sorted(submissions.glob("*.py"))
    assert len(files) == SUBMITTED
    agents = [f"{file}@first_move_time=10" if file.stem == NO_ANSWER else str(file) for file in files]
    command = [sys.executable, RUNNER, "tournament", *agents, "--format", "swiss", "--rounds", "2", *LIMITS, "--json"]
    done = subprocess.run(command, cwd=submissions, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # some are absent
    assert "Traceback" not in done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["name"] for event in events if event.get("absence")} == set(ABSENT)
    present = SUBMITTED - len(ABSENT)
    assert sum(event["event"] == "game" for event in events) == 2 * present
    with read_store(submissions / "league.db") as store:
        assert {pair.state for pair in store.pairs()} == {"played"}
        assert [row.results.games for row in league_of(store).standings().rows] == [4] * present
        for game in store.games():
            expected = SCOUNDRELS.get(game.loser, ())
            assert not game.reason.is_fault or game.reason in expected, store.record(game.id).verdict
        assert {agent.name for agent in league_of(store).violations()} == set(SCOUNDRELS)
    with sqlite3.connect(submissions / "league.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
