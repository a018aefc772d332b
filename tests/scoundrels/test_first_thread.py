"""An agent whose first thread has ended looks dead to /proc, and is stopped, counted and ended all the same."""

import shutil
from itertools import product
from pathlib import Path

from agents.limits import Limits
from simulator.referee.game_record import Reason
from tests.scoundrels.environments import FULL, NAMESPACES, PLAIN, everywhere, modes
from tests.scoundrels.games import PATIENT, QUICK, SCOUNDRELS, SHORT, assert_lost, play, quiet_opening, scoundrel

THINKS_SECONDS = 0.4


def agent(deed: str, **options: int) -> str:
    return scoundrel("ends_its_first_thread", ",".join(f"{k}={v}" for k, v in {"deed": deed, **options}.items()))


def test_it_may_play_on_and_ends_with_the_game(environment: str) -> None:
    record = play(agent("plays", outlives=1), QUICK, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason in (Reason.NORMAL, Reason.ILLEGAL)  # what the other one plays may be taken
    assert record.verdict.loser != 0
    assert record.incidents == ()


@modes(FULL, PLAIN)
def test_its_memory_counts(environment: str) -> None:
    record = play(agent("hoards"), QUICK, PATIENT)
    assert_lost(record, Reason.MEMORY, "300 MB")


@modes(FULL, PLAIN)
def test_it_does_not_think_on_its_opponents_time(environment: str) -> None:
    opponent = scoundrel("late", f"seconds={THINKS_SECONDS}")
    limits = Limits(first_move_seconds=60, move_seconds=20, memory_mb=300)
    record = play(agent("ponders"), opponent, limits, opening=quiet_opening(30))
    used = [move.analysis.seconds for move in record.moves if move.player == 0 and move.analysis.seconds is not None][
        1:
    ]
    assert record.verdict.reason == Reason.NORMAL
    assert used and sum(used) < THINKS_SECONDS * len(used) / 2


READS = ("reads", "reads_by_name")


@everywhere("deed", READS, [*product(READS, [FULL, NAMESPACES]), ("reads", PLAIN)])
def test_it_reads_no_file_after_its_first_move(deed: str, environment: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("secret\n")
    shutil.copy(SCOUNDRELS / "ends_its_first_thread.py", tmp_path)
    record = play(scoundrel("ends_its_first_thread", f"deed={deed}", tmp_path), QUICK, PATIENT)
    if environment == PLAIN:
        assert record.enforcement["files"].startswith("none for reading")
    elif deed == "reads":
        assert_lost(record, Reason.FILES, "notes.txt")
    else:
        assert_lost(record, Reason.CRASH, ": FileNotFoundError")


@modes(PLAIN)
def test_answer_that_ends_the_thread_which_writes_it_loses_in_time(environment: str) -> None:
    assert_lost(play(agent("str"), QUICK, SHORT), Reason.TIMEOUT, "no answer within 0.4 s and the cushion of 0.6 s")
