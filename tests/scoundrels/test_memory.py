"""Memory of any kind, in any process of the agent, counts."""

import pytest

from agents.limits import Limits
from simulator.referee.game_record import Reason
from simulator.sandbox.isolation import MAX_PROCESSES
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import QUICK, assert_denied, assert_lost, begins_processes, deed, play, program, scoundrel

LIMIT_MB = 300
LIMITS = Limits(first_move_seconds=60, move_seconds=20, cushion_seconds=10, memory_mb=LIMIT_MB)


def assert_too_much(name, start=program):
    """Check that an agent loses by memory; returns the measured megabytes."""
    record = play(deed(name, start), QUICK, LIMITS)
    assert_lost(record, Reason.MEMORY, f"{LIMIT_MB} MB")
    assert record.verdict.limit == LIMIT_MB
    measured = record.verdict.measured
    assert measured is not None
    assert record.peak_memory_mb[0] == measured >= LIMIT_MB > record.peak_memory_mb[1]
    return measured


@pytest.mark.parametrize(
    ("start", "name"),
    [(scoundrel, "allocates"), (program, "allocates_and_returns"), (program, "recurses_without_limit")],
)
def test_too_much_memory_loses(start, name):
    assert_too_much(name, start)


def test_too_much_memory_in_another_process_loses_or_none_begins():
    record = play(deed("allocates_in_child", program), QUICK, LIMITS)
    if begins_processes(record):
        assert_lost(record, Reason.MEMORY, f"{LIMIT_MB} MB")
    else:
        assert_denied(record, "processes")


def test_slow_growth_is_stopped_near_the_limit():
    assert assert_too_much("grows") < 2 * LIMIT_MB


# --- Where a process's own figures do not show it, or nobody takes it back -------------------------------------------


def assert_not_hidden(deed):
    """Check that this memory counts, is limited, or is refused."""
    record = play(program("hides_memory", f"deed={deed}"), QUICK, LIMITS)
    if record.verdict.reason == Reason.MEMORY:
        assert_lost(record, Reason.MEMORY, f"{LIMIT_MB} MB")
    elif record.verdict.reason == Reason.PROCESSOR:
        assert_lost(record, Reason.PROCESSOR, f", the limit is {MAX_PROCESSES}")
    else:
        assert "SUCCEEDED" not in record.verdict.text, record.enforcement["memory"]
        assert_denied(record, "memory")


@pytest.mark.parametrize("deed", ["memfd", "shared", "system_v", "unkillable"])
def test_memory_that_is_hidden_or_defended_counts(deed):
    assert_not_hidden(deed)


@pytest.mark.parametrize("deed", ["sockets", "page_tables", "threads"])
@modes(FULL, PLAIN)
def test_memory_that_is_in_no_process_is_counted_or_limited(deed, environment):
    assert_not_hidden(deed)


@pytest.mark.slow
@pytest.mark.parametrize("deed", ["memfd", "zeros", "pipes", "queues", "gifts"])
def test_memory_that_can_be_left_in_the_kernel_is_counted_or_refused(deed, environment):
    """Other calls that leave memory in the kernel are always refused: see test_calls."""
    assert_not_hidden(deed)
