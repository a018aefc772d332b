"""Processes are found that work while they should be stopped, that have left the tree, or that hide.

tests/scoundrels has processes that live on without their first thread, and memory that their sizes do not show.
"""

import errno
import os
import signal
import subprocess
import time

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game
from simulator.player.faults import Fault
from simulator.player.launch import Launch
from simulator.player.move_time import MoveTime
from simulator.player.player import PAUSED_BUSY_SECONDS, Player
from simulator.referee.game_record import Reason
from simulator.sandbox import linux, proc
from simulator.sandbox import sandbox as sandbox_module
from simulator.sandbox.isolation import Mechanisms
from simulator.sandbox.processes import TOKEN_VARIABLE, ProcessTree
from simulator.sandbox.sandbox import HELD_UP_BUSY_SECONDS, HELD_UP_SECONDS, Sandbox
from simulator.sandbox.visible_files import VisibleFiles
from tests.programs import busy_ticks, wait_until
from tests.scoundrels.games import PATIENT, program

START = load_game("pentago").initial()


@pytest.fixture
def player():
    """An agent whose thread never rests; only signals stop it."""
    player = Player(Launch(parse_agent(program("ponders")), load_game("pentago"), PATIENT, mechanisms=Mechanisms()))
    yield player
    player.close()


def test_a_machine_without_descriptors_does_not_look_like_a_process_that_is_gone(monkeypatch):
    def fail(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("builtins.open", fail)
    for look in (proc.stat, proc.sizes, proc.children):
        with pytest.raises(OSError, match="Too many open files"):
            look(os.getpid())


def test_who_is_busy_between_its_turns_loses_by_processor(player):
    moved = player.ask([START], MoveTime(60)).played()
    player.pause()
    pid = player.sandbox._tree.root
    before = busy_ticks(pid)
    os.kill(pid, signal.SIGCONT)  # as a helper that got away would do
    enough = 2 * PAUSED_BUSY_SECONDS * os.sysconf("SC_CLK_TCK")
    wait_until(lambda: busy_ticks(pid) - before >= enough)
    with pytest.raises(Fault, match=r"used the processor out of turn: .* s of processor time") as fault:
        player.ask([START, moved, moved.play(moved.legal_moves()[0])], MoveTime(20))
    assert fault.value.reason is Reason.PROCESSOR
    assert fault.value.measured is not None and fault.value.measured > PAUSED_BUSY_SECONDS


def test_who_is_stopped_between_its_turns_goes_on(player):
    moved = player.ask([START], MoveTime(60)).played()
    player.pause()
    time.sleep(3 * PAUSED_BUSY_SECONDS)
    assert player.ask([START, moved, moved.play(moved.legal_moves()[0])], MoveTime(20)).played()


def test_processes_that_have_ended_are_forgotten():
    root = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    tree = ProcessTree(root.pid, "token")
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    tree._seen[ended.pid] = "1"  # as if it had belonged to the tree
    try:
        assert set(tree.members()) == {root.pid} == set(tree._seen)
    finally:
        tree.kill()
        root.wait()


def test_processes_that_left_a_tree_are_found_and_other_trees_roots_are_not_taken_for_them():
    roots = [subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) for _ in range(2)]
    stray = subprocess.Popen(["/bin/sleep", "60"], env={TOKEN_VARIABLE: "mine"}, start_new_session=True)
    trees = [ProcessTree(root.pid, token) for root, token in zip(roots, ("mine", "other"), strict=True)]
    try:
        wait_until(lambda: set(trees[0].members()) == {roots[0].pid, stray.pid})
        assert set(trees[1].members()) == {roots[1].pid}
    finally:
        for tree in trees:
            tree.kill()
        for process in (*roots, stray):
            process.wait()


def test_a_process_that_a_control_group_never_listed_is_reaped():
    linux.adopt_orphans()
    root = subprocess.Popen(["/bin/sh", "-c", "/bin/true & exec /bin/sleep 60"], start_new_session=True)
    tree = ProcessTree(root.pid, "token", listed=lambda: [root.pid])
    wait_until(lambda: [s.state for pid in proc.children(root.pid) if (s := proc.stat(pid))] == ["Z"])
    (dead,) = proc.children(root.pid)  # nobody waits for it: `sleep` has taken the shell's place
    assert tree.kill()
    root.wait()
    assert proc.stat(dead) is None


def test_a_stranger_that_was_given_the_number_of_a_process_that_has_ended_is_not_killed():
    roots = [subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) for _ in range(2)]
    tree, other = (ProcessTree(root.pid, "token", listed=list) for root in roots)
    try:
        for stranger in (os.getppid(), other.root):
            tree.include(stranger)
        assert set(tree.members()) == {tree.root}
    finally:
        for each, root in zip((tree, other), roots, strict=True):
            each.kill()
            root.wait()


def test_a_process_that_hides_what_it_shares_counts_whole(monkeypatch):
    tree = ProcessTree(1, "token", listed=lambda: [1, 2])
    monkeypatch.setattr(ProcessTree, "members", lambda tree: {1: None, 2: None})
    monkeypatch.setattr(proc, "sizes", lambda pid: proc.Sizes(200 << 20, 200 << 20))
    monkeypatch.setattr(proc, "proportional_bytes", {1: 50 << 20, 2: None}.get)
    assert (tree.memory_mb(500), tree.memory_mb(300)) == (400, 250)


def test_nothing_is_known_of_a_process_that_is_gone():
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    assert proc.stat(process.pid) is None
    assert proc.sizes(process.pid) == proc.Sizes(0, 0)
    assert (list(proc.links(process.pid)), proc.children(process.pid), proc.task_states(process.pid)) == ([], [], [])
    assert proc.proportional_bytes(process.pid) is None
    assert proc.is_still(process.pid)


def test_a_process_that_hides_its_descriptors_is_taken_for_one_that_holds_files_and_a_failing_machine_is_not(
    monkeypatch,
):
    errors = [OSError(errno.EMFILE, "too many open files"), PermissionError()]

    def hidden(pid):
        raise errors.pop()
        yield ""

    with subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) as process:
        tree = ProcessTree(process.pid, "token")
        assert tree.open_below([]) is None
        monkeypatch.setattr(proc, "links", hidden)
        assert str(tree.open_below([])[1]) == f"/proc/{process.pid}/fd"
        with pytest.raises(OSError, match="too many open files"):
            tree.open_below([])
        tree.kill()


# --- Waiting until a process stands still -----------------------------------------------------------------------------


class Held(Sandbox):
    """A sandbox whose attempts to stop succeed or fail by a script, and that uses processor time for each attempt."""

    def __init__(self, stands_still, seconds_each):
        super().__init__(Mechanisms(), VisibleFiles((), ()), Limits(), ())
        self.attempts, self._stands_still, self._seconds_each = 0, stands_still, seconds_each

    def _try_to_stop(self):
        self.attempts += 1
        return next(self._stands_still)

    def busy_seconds(self):
        return self.attempts * self._seconds_each


@pytest.mark.parametrize(
    ("stands_still", "seconds_each", "patience", "is_stopped"),
    [
        ([False, False, True], HELD_UP_BUSY_SECONDS / 3, HELD_UP_SECONDS, True),
        ([False], 2 * HELD_UP_BUSY_SECONDS, HELD_UP_SECONDS, False),
        ([False], 0.0, 0.0, False),
    ],
    ids=["could not run meanwhile", "has run meanwhile", "is not waited for without end"],
)
def test_who_could_not_run_is_waited_for(monkeypatch, stands_still, seconds_each, patience, is_stopped):
    monkeypatch.setattr(sandbox_module, "HELD_UP_SECONDS", patience)
    held = Held(iter(stands_still), seconds_each)
    assert held.stop() is is_stopped
    assert held.attempts == len(stands_still)
