"""Memory that a process's own figures do not show is counted, or not to be had, in every mode of the sandbox."""

import pytest

from simulator.referee.game_record import Reason
from simulator.sandbox.isolation import MAX_PROCESSES
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import QUICK, assert_denied, assert_lost, play, scoundrel
from tests.scoundrels.test_memory import LIMIT_MB, LIMITS

# The others are refused as such: see test_calls.
COUNTED = ("sockets", "page_tables", "threads")
REFUSED = ("memfd", "zeros", "pipes", "queues", "gifts")


def assert_not_hidden(deed: str) -> None:
    record = play(scoundrel("hides_memory", f"deed={deed}"), QUICK, LIMITS)
    if record.verdict.reason == Reason.MEMORY:
        assert_lost(record, Reason.MEMORY, f"{LIMIT_MB} MB")
    elif record.verdict.reason == Reason.PROCESSOR:
        assert_lost(record, Reason.PROCESSOR, f", the limit is {MAX_PROCESSES}")
    else:
        assert "SUCCEEDED" not in record.verdict.text, record.enforcement["memory"]
        assert_denied(record, "memory")


@pytest.mark.parametrize("deed", COUNTED)
@modes(FULL, PLAIN)
def test_memory_that_is_in_no_process_is_counted_or_limited(deed: str, environment: str) -> None:
    assert_not_hidden(deed)


@pytest.mark.slow
@pytest.mark.parametrize("deed", REFUSED)
def test_memory_that_can_be_left_in_the_kernel_is_counted_or_refused(deed: str, environment: str) -> None:
    assert_not_hidden(deed)
