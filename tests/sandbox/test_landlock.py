"""Landlock: what is given up, what stays, and for whom."""

from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.sandbox import landlock
from tests.sandbox.processes import in_a_process

pytestmark = pytest.mark.skipif(landlock.version() == 0, reason="no Landlock on this system")

# What a program has for its attempts: `tried(deed)` says "done" or the name of the error.
TRYING = """
import errno, os, socket, subprocess, sys, threading
from pathlib import Path
from simulator.sandbox import landlock

SYSTEM = [sys.prefix, sys.base_prefix, "/usr", "/lib", "/lib64", "/bin", "/proc/self"]

def tried(deed):
    try:
        deed()
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]

folder = Path(sys.argv[1])
mine, other = folder / "mine", folder / "other"
"""


@pytest.fixture
def attempt(tmp_path: Path) -> Callable[[str], list[str]]:
    """Runs a program that knows two folders, `mine` and `other`, with a file `text` in each."""
    for name in ("mine", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "text").write_text(name)
    return lambda code: in_a_process(TRYING + code, tmp_path)


def test_what_is_allowed_can_be_read_and_nothing_else(attempt: Callable[[str], list[str]]) -> None:
    code = """
landlock.restrict([*SYSTEM, str(mine)])
print(tried((mine / "text").read_text), tried(lambda: os.listdir(mine)))
print(tried((other / "text").read_text), tried(lambda: os.listdir(other)), tried(lambda: os.listdir("/")))
"""
    assert attempt(code) == ["done done", "EACCES EACCES EACCES"]


def test_nothing_can_be_written_made_or_removed(attempt: Callable[[str], list[str]], tmp_path: Path) -> None:
    code = """
landlock.restrict([*SYSTEM, str(mine)])
text = mine / "text"
print(*map(tried, [
    lambda: text.write_text("new"), lambda: text.open("a"), text.unlink,
    lambda: (mine / "new").mkdir(), lambda: (mine / "new").symlink_to("text"), lambda: text.rename(mine / "new"),
    lambda: os.link(text, mine / "new"), lambda: (other / "new").write_text("new"),
]))
"""
    assert attempt(code)[0].split() == ["EACCES"] * 8
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["mine", "other", "text", "text"]
    assert (tmp_path / "mine" / "text").read_text() == "mine"


@pytest.mark.skipif(landlock.version() < 3, reason="this kernel's Landlock knows nothing of truncating")
def test_nothing_can_be_truncated(attempt: Callable[[str], list[str]]) -> None:
    code = """
landlock.restrict([*SYSTEM, str(mine)])
print(tried(lambda: os.truncate(mine / "text", 0)), (mine / "text").read_text())
"""
    assert attempt(code) == ["EACCES mine"]


def test_devices_can_be_written(attempt: Callable[[str], list[str]]) -> None:
    code = """
landlock.restrict(SYSTEM, ["/dev/null"])
print(tried(lambda: open("/dev/null", "w").write("x")), tried(lambda: open("/dev/zero", "rb")))
"""
    assert attempt(code) == ["done EACCES"]


def test_a_second_restriction_takes_away_and_gives_nothing_back(attempt: Callable[[str], list[str]]) -> None:
    code = """
landlock.restrict([*SYSTEM, str(mine)])
landlock.restrict([*SYSTEM, str(other)])
print(tried((mine / "text").read_text), tried((other / "text").read_text))
"""
    assert attempt(code) == ["EACCES EACCES"]


def test_what_is_open_stays_open(attempt: Callable[[str], list[str]]) -> None:
    code = """
file = open(mine / "text")
landlock.restrict(SYSTEM)
print(file.read(), tried((mine / "text").read_text))
"""
    assert attempt(code) == ["mine EACCES"]


def test_threads_and_programs_begun_afterwards_are_held_and_threads_begun_before_are_not(
    attempt: Callable[[str], list[str]],
) -> None:
    code = """
wanted, found = threading.Event(), []

def read():
    wanted.wait()
    found.append(tried((mine / "text").read_text))

before = threading.Thread(target=read)
before.start()
landlock.restrict(SYSTEM)
wanted.set()
before.join()
after = threading.Thread(target=read)
after.start()
after.join()
program = subprocess.run(["/bin/cat", mine / "text"], capture_output=True, text=True)
print(found, program.stdout == "", "denied" in program.stderr)
"""
    assert attempt(code) == ["['done', 'EACCES'] True True"]


def test_paths_that_do_not_exist_are_left_out(attempt: Callable[[str], list[str]]) -> None:
    code = """
landlock.restrict([*SYSTEM, str(folder / "missing"), str(mine)])
print(tried((mine / "text").read_text))
"""
    assert attempt(code) == ["done"]


@pytest.mark.skipif(not landlock.holds_tcp(), reason="this kernel's Landlock knows nothing of TCP")
def test_tcp_is_given_up_and_udp_is_not(attempt: Callable[[str], list[str]]) -> None:
    code = """
server = socket.create_server(("127.0.0.1", 0))
landlock.restrict(SYSTEM)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print(tried(lambda: socket.create_connection(server.getsockname())))
print(tried(lambda: socket.create_server(("127.0.0.1", 0))), tried(lambda: udp.bind(("127.0.0.1", 0))))
"""
    assert attempt(code) == ["EACCES", "EACCES done"]


@pytest.mark.skipif(not landlock.holds_signals(), reason="this kernel's Landlock knows nothing of signals")
def test_signals_reach_what_is_inside_only(attempt: Callable[[str], list[str]]) -> None:
    code = """
landlock.restrict(SYSTEM)
inside = subprocess.Popen(["/bin/sleep", "60"])
print(tried(lambda: os.kill(os.getppid(), 0)), tried(inside.kill), inside.wait())
"""
    assert attempt(code) == ["EPERM done -9"]


def test_a_kernel_without_it_is_an_error_and_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "_CREATE_RULESET", 100_000)
    assert landlock.version() == 0
    with pytest.raises(OSError, match="Landlock: Function not implemented"):
        landlock.restrict(["/"])
