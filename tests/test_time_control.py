"""Time control on fake clocks: chunks use up the time, and the margin follows measured stalls but forgets rare ones."""

from itertools import chain, cycle, pairwise, repeat
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents import limits as limits_module
from agents import time_control
from agents.limits import Clock, Limits
from agents.time_control import DECAY, INTERVALS, REPLY_SECONDS, SHARED_SHARE, STALL_SHARE, Pacer

LIMITS = Limits(move_seconds=2.0)
CHUNK, STALL = 0.004, 1.0  # seconds

# All examples share the fixture, but only the pacer matters, and each example makes a pacer of its own.
A_PACER_EACH = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


class Machine:
    """A machine whose clock advances only when the machine is told to work or think."""

    def __init__(self, limits=LIMITS):
        self.now, self.done, self.limits, self.pacer = 100.0, 0, limits, Pacer()

    def work(self, units, speed):
        """Do some units of work, at a speed in units a second."""
        self.done += units
        self.now += units / speed

    def think(self, intervals, choosing=0.0, seeing=0.0, sending=0.0):
        """Think in chunks that take these seconds, while there is time; returns the seconds until the move is sent.

        The agent sees the question, and its clock begins, after `seeing` seconds, which only the referee measures, as
        it does those of `sending`.
        """
        start, intervals = self.now, iter(intervals)
        self.now += seeing
        deadline = self.pacer.deadline(Clock(self.limits.move_seconds), self.limits)
        for _ in self.pacer.chunks(deadline, lambda: self.done):
            self.now += next(intervals)
            self.done += 1
        self.now += choosing
        self.pacer.answered()
        self.now += sending
        return self.now - start

    def margin(self):
        """The seconds of its time that the next move would leave unused."""
        seconds = self.limits.move_seconds
        return seconds - (self.pacer.deadline(Clock(seconds), self.limits) - self.now)


@pytest.fixture(autouse=True)
def machine():
    """A machine whose clock is the clock of the agents."""
    found = Machine()
    with pytest.MonkeyPatch.context() as patch:
        for module in (time_control, limits_module):
            patch.setattr(module, "time", SimpleNamespace(monotonic=lambda: found.now))
        yield found


# --- The first move -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "factor", "seconds"), [(29, 5, 10), (12, 5, 6), (3, 5, 2), (1, 5, 1), (2, 5, 2), (29, 1, 2)]
)
def test_a_first_move_takes_several_times_a_later_ones_time_if_its_clock_has_twice_that(machine, left, factor, seconds):
    deadline = machine.pacer.deadline(Clock(left), Limits(move_seconds=2.0), first_factor=factor)
    assert deadline - machine.now == pytest.approx(seconds - time_control.REPLY_SECONDS)


# --- Chunks ---------------------------------------------------------------------------------------------------------


def in_chunks(machine, speed, seconds, most=1 << 60):
    """When each chunk of a search began, and how large it was; none does more than `most` units of work."""
    begun = []
    for size in machine.pacer.chunks(machine.now + seconds, lambda: machine.done):
        begun.append((machine.now, size))
        machine.work(min(size, most), speed)
    return begun


@pytest.mark.parametrize("speed", [1e3, 1e5, 4e6])
def test_chunks_use_the_time_and_end_it_by_less_than_a_chunk(machine, speed):
    starts = [start for start, _ in in_chunks(machine, speed, 2.0)]
    shortest = time_control.SMALLEST_CHUNK / speed
    assert 102.0 <= machine.now <= 102.0 + shortest + 1e-6
    assert max(b - a for a, b in pairwise(starts)) <= max(shortest, time_control.CHUNK_SECONDS) + 1e-6


def test_work_that_is_not_done_does_not_make_chunks_grow(machine):
    sizes = [size for _, size in in_chunks(machine, 1e5, 0.5, most=20)]  # a search that finishes early, again and again
    assert max(sizes) <= 1e5 * time_control.CHUNK_SECONDS


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_time_that_is_skipped_neither_changes_the_chunks_nor_widens_the_margin(machine, share):
    sizes = []  # the skipped time lies before, within or after the work of a chunk
    deadline = machine.pacer.deadline(Clock(2.0), LIMITS)
    for size in machine.pacer.chunks(deadline, lambda: machine.done):
        machine.work(int(share * size), 1e5)
        if len(sizes) == 3:
            machine.now += 0.5
            machine.pacer.skip(0.5)
        machine.work(size - int(share * size), 1e5)
        sizes.append(size)
    machine.pacer.answered()
    assert sizes[3:6] == pytest.approx(sizes[2:5], abs=1)
    assert machine.pacer.longest_interval == pytest.approx(CHUNK, abs=1e-4)


# --- The margin -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "thought"),
    [(30.0, 0.5 - REPLY_SECONDS), (0.3, 0.3 - REPLY_SECONDS), (REPLY_SECONDS / 2, 0), (0.0, 0), (-1.0, 0)],
)
def test_a_first_move_thinks_no_longer_than_a_later_one_and_not_at_all_without_time(machine, seconds, thought):
    deadline = Pacer().deadline(Clock(seconds), Limits(move_seconds=0.5))
    assert deadline - machine.now == pytest.approx(thought)


def margins_after(machine, *moves):
    """The margin after each of several moves, which have these intervals and then chunks of the usual length."""
    margins = []
    for intervals in moves:
        machine.think(chain(intervals, repeat(CHUNK)))
        margins.append(machine.margin())
    return margins


@pytest.mark.parametrize(
    ("moves", "margins"),
    [
        ([[0.02]], [INTERVALS * 0.02]),  # room for INTERVALS times the longest interval
        ([repeat(CHUNK + 0.01)] * 20, [INTERVALS * (CHUNK + 0.01)] * 20),  # steady interruptions
        # Intervals that occur in two moves in a row, or more than once in a move, cost up to half of the next move.
        ([[0.2]] * 3, [STALL_SHARE * 2.0, INTERVALS * 0.2, INTERVALS * 0.2]),
        ([[0.2, 0.2], repeat(STALL)], [INTERVALS * 0.2, SHARED_SHARE * 2.0]),
    ],
    ids=["one interval", "steady ones", "in two moves in a row", "more than once"],
)
def test_the_margin_has_room_for_what_was_measured(machine, moves, margins):
    assert margins_after(machine, *moves) == pytest.approx([REPLY_SECONDS + margin for margin in margins])


def test_choosing_the_move_is_measured_too(machine):
    machine.think(repeat(CHUNK), choosing=0.03)
    assert machine.pacer.longest_interval == pytest.approx(0.03)


def test_one_stall_costs_a_quarter_of_the_next_move_and_is_forgotten_after_ten(machine):
    quiet, *margins = margins_after(machine, [], [STALL], *[[]] * 19)
    costs = [margin - quiet for margin in margins]
    assert 0.2 * 2.0 < costs[0] <= STALL_SHARE * 2.0 == 0.5
    assert max(costs[10:]) < 0.01 * 2.0
    assert sum(costs) < 2.0


def test_what_is_remembered_is_the_longest_interval_of_each_move_fading_with_its_age(machine):
    longest = [0.01, 0.08, 3.0, 0.1, 0.01, 0.15, 0.004, 0.004]
    most = STALL_SHARE * 2.0 / INTERVALS
    for moves in range(len(longest)):
        machine.think(chain([longest[moves]], repeat(CHUNK)))
        fading = [min(most, seconds) * DECAY**age for age, seconds in enumerate(reversed(longest[: moves + 1]))]
        assert machine.pacer.longest_interval == pytest.approx(max(fading))


@A_PACER_EACH
@given(
    first=st.lists(st.floats(0.004, 1.0), min_size=1, max_size=5),
    moves=st.lists(st.lists(st.floats(0.2, 1.0), min_size=1, max_size=20), max_size=8),
    others=st.lists(st.tuples(*[st.floats(0.0, 1.0)] * 3), min_size=8, max_size=8),
)
def test_no_answer_is_late_while_no_interval_is_longer_than_what_is_remembered(machine, first, moves, others):
    machine.pacer, machine.limits = Pacer(), Limits(move_seconds=0.2)
    machine.think(cycle(first))
    for shares, of_others in zip(moves, others, strict=False):
        seen = machine.pacer.longest_interval
        seconds = machine.think(cycle([seen * share for share in shares]), *(seen * share for share in of_others))
        assert seconds <= 0.2 - REPLY_SECONDS + 1e-9


def test_without_a_deadline_nothing_is_measured(machine):
    machine.think(repeat(CHUNK))
    before = machine.pacer.longest_interval
    machine.pacer.skip(STALL)
    machine.now += STALL
    machine.pacer.answered()
    assert machine.pacer.longest_interval == before > 0
