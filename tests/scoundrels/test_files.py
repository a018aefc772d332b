"""An agent reads its own files until its first move is made, and writes none."""

import os
import shutil
from itertools import product
from pathlib import Path

import pytest

from jit import CACHE_FOLDER
from simulator.records.database import files_of
from simulator.referee.game_record import Reason
from tests.programs import AGENTS, PROJECT
from tests.scoundrels.environments import FULL, NAMESPACES, PLAIN, everywhere
from tests.scoundrels.games import (
    PATIENT,
    PLAYS_ON,
    QUICK,
    assert_denied,
    assert_lost,
    begins_processes,
    is_enforced,
    play,
    program,
    quiet_opening,
    scoundrel,
    told,
)

FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", "/", "/proc/self", str(Path.home()), str(PROJECT), str(CACHE_FOLDER)]


@pytest.fixture
def folder(tmp_path):
    """A folder for an agent, with notes in it."""
    (tmp_path / "notes.txt").write_text("secret\n")
    return tmp_path


def settled(folder, *names):
    """Copy these agents into the folder; returns the folder."""
    for name in names:
        shutil.copy(AGENTS / f"{name}.py", folder)
    return folder


def assert_unchanged(folder, *names, program="notes.txt"):
    """Check that the folder has only the files that the agents were given."""
    given = {"notes.txt", program, *(f"{name}.py" for name in names)}
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == given


# --- Writing --------------------------------------------------------------------------------------------------------


def test_nothing_can_be_written_before_the_first_move_or_after_it(folder, environment, tmp_path_factory):
    """The kernel's settings cannot be written either: some belong to a namespace, others to the whole system."""
    records = tmp_path_factory.mktemp("records") / "games.jsonl"
    records.write_text("{}\n")
    code = [PROJECT / name for name in ("simulator/referee/referee.py", "agents/random_agent.py")]
    settings = [Path("/proc/sys/kernel", name) for name in ("hostname", "core_pattern")]
    before = [path.stat().st_mtime_ns for path in (records, *code)]
    files = ";".join(map(str, (folder / "writes.py", records, *code, *settings)))
    options = f"folders={';'.join([str(folder), *FOLDERS])},files={files}"
    record = play(scoundrel("writes", options, settled(folder, "writes")), QUICK)
    assert_lost(record, Reason.CRASH, "crashed at move 3: ")
    assert not told(record, "granted")
    assert told(record, "refused") == {*options.replace(",", ";").replace("=", ";").split(";")} - {"folders", "files"}
    assert [path.stat().st_mtime_ns for path in (records, *code)] == before
    assert_unchanged(folder, "writes")


# --- Reading after the first move -----------------------------------------------------------------------------------


HELD = ", although reading files ends with the first move"


def assert_read_nothing(record):
    """Check that a file kept open is a fault of its own, and that a file opened too late is refused."""
    if record.verdict.reason == Reason.FILES and is_enforced(record, "files"):
        assert_lost(record, Reason.FILES, HELD)
    elif record.moves == () and not begins_processes(record):
        assert_lost(record, Reason.CRASH, "Operation not permitted")  # no child may keep the file open
    else:
        assert_denied(record, "files")


@pytest.mark.parametrize("deed", ["thread", "directory", "path_descriptor", "cwd", "file", "child", "threads_table"])
def test_own_files_cannot_be_read_after_the_first_move_and_what_is_kept_open_is_found(folder, deed):
    start = scoundrel if deed == "file" else program
    record = play(start("reads_late", f"deed={deed}", settled(folder, "reads_late")), QUICK, PATIENT)
    if deed == "thread":  # this deed keeps nothing open
        assert_denied(record, "files")
    else:
        assert_read_nothing(record)
    assert_unchanged(folder, "reads_late")


KEPT = ("threads_folder", "program", "unseen", "in_call")


@everywhere("deed", KEPT, [*product(KEPT, [FULL, NAMESPACES]), ("unseen", PLAIN)])
def test_what_is_kept_where_it_is_hard_to_see_is_found_or_gone(folder, deed, environment):
    shutil.copy(shutil.which("sleep") or "/bin/sleep", folder)
    record = play(program("reads_late", f"deed={deed}", settled(folder, "reads_late")), QUICK, PATIENT)
    if environment == PLAIN:
        assert record.enforcement["files"].startswith("none for reading")
    elif record.verdict.reason == Reason.FILES:
        assert_lost(record, Reason.FILES, HELD)
    else:
        assert_lost(record, Reason.CRASH, "crashed at move")
    assert_unchanged(folder, "reads_late", program="sleep")


def test_a_file_cannot_be_kept_in_a_message_where_no_list_shows_it(folder):
    record = play(program("reads_late", "deed=in_flight", settled(folder, "reads_late")), QUICK, PATIENT)
    if "system call filter" in record.enforcement["privileges"]:
        assert_lost(record, Reason.CRASH, "crashed at move 1: PermissionError")
    assert_unchanged(folder, "reads_late")


# --- Reading what is somebody else's --------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [1, 2])
@pytest.mark.parametrize("is_beside", [True, False])
def test_opponents_files_and_what_lies_beside_the_agents_folder_are_hidden(folder, tmp_path_factory, is_beside, move):
    """So are the records, whose seed gives the opponent's seed; all of these may lie in the agent's own folder."""
    mine = folder / "mine"
    mine.mkdir()
    settled(mine, "reaches_out")
    other = settled(mine if is_beside else tmp_path_factory.mktemp("other"), "resigns")
    records = files_of(mine / "league.db")
    records[1].write_text("seed")
    where = f"file={other / 'resigns.py'},folder={folder}" if is_beside else f"file={records[1]},folder={other}"
    agent = scoundrel("reaches_out", f"deeds=file;folder,{where},move={move}", mine)
    assert_denied(play(agent, scoundrel("resigns", folder=other), hidden=records), "files")


# --- From one game to the next --------------------------------------------------------------------------------------


def test_a_program_whose_command_names_a_link_to_a_folder_plays_to_the_end(tmp_path):
    (tmp_path / "nets-2").mkdir()
    (tmp_path / "nets").symlink_to(tmp_path / "nets-2")
    assert play(f"{PLAYS_ON} {tmp_path / 'nets'}").verdict.reason is Reason.NORMAL


def test_nothing_is_learnt_from_one_game_to_the_next(folder):
    settled(folder, "learns")
    places = ["/tmp", "/var/tmp", "/dev/shm", str(Path.home()), str(CACHE_FOLDER)]
    agent = program("learns", f"folders={';'.join(places)}", folder)
    places.append(os.getcwd())
    try:
        records = [play(agent, opening=quiet_opening(28)) for _ in range(2)]
    finally:
        left = [path for place in (*places, str(folder)) if (path := Path(place, "scoundrel-learnt")).exists()]
        for path in left:
            path.unlink()
    assert not left or not is_enforced(records[0], "files")
    assert "SUCCEEDED" not in records[0].verdict.text
    assert "SUCCEEDED" not in records[1].verdict.text or not is_enforced(records[1], "files")
