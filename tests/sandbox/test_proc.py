"""What is read of processes from /proc, and that a process lives as long as any of its threads."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.sandbox import proc
from simulator.sandbox.processes import ProcessTree
from tests.programs import PATIENCE_SECONDS, wait_until
from tests.sandbox.processes import stat_of

pytestmark = pytest.mark.skipif(not proc.HAS_PROC, reason="this system has no /proc")

MB = 1 << 20

# Its first thread ends; the other holds memory, and works or waits, as the argument says.
HEADLESS = """
import ctypes, sys, threading, time

def live():
    held = bytearray(50 << 20)
    print("ready", flush=True)
    while sys.argv[1] == "works":
        sum(range(1000))
    time.sleep(600)

threading.Thread(target=live).start()
ctypes.CDLL(None).pthread_exit(None)
"""


@pytest.fixture(params=["works", "waits"])
def headless(request: pytest.FixtureRequest) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(
        [sys.executable, "-c", HEADLESS, request.param], stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        wait_until(lambda: stat_of(process.pid)[0] == "Z")
        yield process
        process.kill()


def test_a_process_whose_first_thread_has_ended_lives(headless: "subprocess.Popen[bytes]") -> None:
    stat = proc.stat(headless.pid)
    assert stat is not None
    assert stat.state not in proc.DEAD
    assert headless.pid in ProcessTree(headless.pid, "token").members()


def test_its_memory_is_counted_and_its_files_are_seen(headless: "subprocess.Popen[bytes]") -> None:
    sizes = proc.sizes(headless.pid)
    assert 50 * MB < sizes.now <= sizes.peak < 500 * MB
    assert any(link.endswith("/fd/1") for link in proc.links(headless.pid))


def test_it_is_stopped_resumed_and_killed(headless: "subprocess.Popen[bytes]") -> None:
    tree = ProcessTree(headless.pid, "token")
    assert not proc.is_still(headless.pid)
    assert tree.stop()
    assert proc.is_still(headless.pid)
    tree.resume()
    wait_until(lambda: not proc.is_still(headless.pid))
    assert tree.kill()
    assert headless.wait(PATIENCE_SECONDS) == -signal.SIGKILL


def test_page_tables_are_memory() -> None:
    """A page in every 2 MB of a mapping wants a page of the table each, and is itself the one page of zeros."""
    code = (
        "import mmap, sys\n"
        "held = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)\n"
        "total = sum(held[at] for at in range(0, len(held), 2 << 20))\n"
        "print(total, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"0\n"
        resident = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        assert proc.sizes(process.pid).now - resident > 100 * MB
        process.kill()


def test_nothing_is_known_of_a_process_that_is_gone() -> None:
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    assert proc.stat(process.pid) is None
    assert proc.sizes(process.pid) == proc.Sizes(0, 0)
    assert (list(proc.links(process.pid)), proc.children(process.pid), proc.task_states(process.pid)) == ([], [], [])
    assert proc.proportional_bytes(process.pid) is None
    assert proc.is_still(process.pid)


def test_a_process_that_hides_its_descriptors_is_taken_for_one_that_holds_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hidden(pid: int) -> Iterator[str]:
        raise PermissionError
        yield ""

    with subprocess.Popen(["/bin/sleep", "60"], start_new_session=True) as process:
        tree = ProcessTree(process.pid, "token")
        assert tree.open_below([]) is None
        monkeypatch.setattr(proc, "links", hidden)
        assert str(tree.open_below([])) == f"/proc/{process.pid}/fd"
        tree.kill()
