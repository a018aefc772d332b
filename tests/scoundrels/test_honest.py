"""An honest agent can play in every mode of the sandbox, whatever it needs for that."""

import json
import pickle
import shlex
import shutil
import sqlite3
from contextlib import closing
from itertools import product

import numpy as np
import pytest

from agents.limits import Limits
from simulator.gtp.analysis import STATS_KEYS
from simulator.referee.game_record import Reason
from tests.programs import AGENTS
from tests.scoundrels.environments import FULL, NAMESPACES, PLAIN, everywhere, modes
from tests.scoundrels.games import PATIENT, PLAYS_ON, QUICK, assert_lost, play, program, quiet_opening, scoundrel

HELD_MB = 240  # what the agent itself holds, by its own figures

# A program for the shell that plays a move and then resigns.
ENGINE = r"""
set -- f6/3f resign
while read -r number command rest; do
    case "$command" in
        genmove) printf '=%s %s\n\n' "$number" "$1"; shift;;
        *) printf '=%s\n\n' "$number";;
    esac
done
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Agents' folder with the files that they need; the code that they compile is compiled only once."""
    folder = tmp_path_factory.mktemp("folder")
    np.savez(folder / "weights.npz", first=np.ones((50, 50)))
    np.save(folder / "weights.npy", np.ones((50, 50)))
    (folder / "table.json").write_text(json.dumps([1, 2, 3]))
    (folder / "prior.pickle").write_bytes(pickle.dumps([0.5, 0.5]))
    with closing(sqlite3.connect(folder / "book.sqlite")) as database, database:
        database.execute("CREATE TABLE book (position, move)")
        database.execute("INSERT INTO book VALUES ('', 'a1/0r')")
    for name in ("uses_libraries", "uses_a_pool"):
        shutil.copy(AGENTS / f"{name}.py", folder)
    return folder


def test_agent_that_uses_threads_books_and_compiled_code_plays(folder, environment):
    record = play(scoundrel("uses_libraries", folder=folder), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)


def test_agents_of_ours_play_in_every_mode_and_what_they_say_of_their_moves_is_recorded(environment, monkeypatch):
    monkeypatch.setattr("simulator.player.player.ANALYSIS_SECONDS", 30)  # on a busy machine, too
    limits = Limits(first_move_seconds=60, move_seconds=30, cushion_seconds=10)
    record = play("uct_agent:simulations=50", PLAYS_ON, limits, opening=quiet_opening(30))
    assert record.verdict.reason == Reason.NORMAL, "\n".join(record.verdict.stderr)
    assert record.incidents == ()
    said = record.moves[0].analysis.to_json()
    assert {"simulations", "playouts", "seconds", "peak_rss_mb", "value", "pv"} <= set(said) <= set(STATS_KEYS)
    assert list(said) == [key for key in STATS_KEYS if key in said]


@everywhere(
    "deed",
    ("children", "program", "fork", "spawn", "fork_and_become"),
    [*product(["children", "program", "fork"], [FULL]), ("children", NAMESPACES), ("program", PLAIN), ("fork", PLAIN)],
)
def test_memory_that_processes_share_counts_once(deed, environment):
    """Counted one by one, the processes would be far above the limit; where agents may start none, that is refused."""
    record = play(program("shares_memory", f"deed={deed},hold_mb={HELD_MB}"), QUICK, PATIENT, opening=quiet_opening(30))
    if environment != FULL:
        assert_lost(record, Reason.CRASH, "Operation not permitted")
        return
    assert record.verdict.loser != 0, record.verdict
    assert all(move.analysis.nodes > 0.7 * PATIENT.memory_mb for move in record.moves if move.player == 0)


@modes(FULL, PLAIN)
def test_program_that_begins_others_plays_where_control_groups_count_them(folder, environment):
    record = play(scoundrel("uses_a_pool", "deed=program", folder), QUICK, PATIENT)
    if environment == FULL:
        assert record.verdict.loser != 0, record.verdict
    else:
        assert_lost(record, Reason.CRASH, "could not be loaded at move 1: PermissionError")
        assert "only control groups count all of them (`python runner.py doctor`)" in record.verdict.text


@modes(FULL)
def test_pool_of_processes_cannot_be_had_and_the_log_says_what_was_wanted(folder, environment):
    record = play(scoundrel("uses_a_pool", "deed=pool", folder), QUICK, PATIENT)
    assert_lost(
        record, Reason.CRASH, "could not be loaded at move 1: OSError: [Errno 38] multiprocessing's pools, queues"
    )
    assert "in pool" in "\n".join(record.verdict.stderr)


@modes(FULL, PLAIN)
def test_array_that_stays_mapped_keeps_its_file_open_and_the_verdict_names_it(folder, environment):
    record = play(scoundrel("uses_a_pool", "deed=mapped", folder), QUICK, PATIENT)
    if environment == PLAIN:
        assert record.verdict.loser != 0, record.verdict
    else:
        assert_lost(record, Reason.FILES, "weights.npy")


@modes(FULL, PLAIN)
def test_compiled_program_in_a_folder_of_its_own_plays(tmp_path, environment):
    """Its own file lies in the folder that is taken away; it must run on."""
    engine = shutil.copy("/bin/sh", tmp_path / "engine")
    agent = f"gtp:{engine} -c {shlex.quote(ENGINE)}"
    record = play(agent, QUICK.replace("f6/3f", "a1/0r"), PATIENT)
    assert record.verdict.reason == Reason.RESIGNATION, record.verdict
    assert len(record.moves) == 2


@modes(FULL, PLAIN)
def test_exit_status_that_may_mean_a_signal_is_said_to_be_either(environment):
    record = play(program("exits", "status=137"), QUICK, PATIENT)
    is_clear = environment == PLAIN
    assert_lost(
        record, Reason.CRASH, "exit status 137" if is_clear else "SIGKILL, or ended by itself with exit status 137"
    )
