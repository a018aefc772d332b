"""After every game nothing is left: no process, no file, no control group, no descriptor, no socket."""

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from simulator.player.launch import Launch
from simulator.sandbox.cgroups import PREFIX
from simulator.sandbox.processes import TOKEN_VARIABLE
from tests.programs import AGENTS
from tests.scoundrels import environments
from tests.scoundrels.games import PLAYS_ON, play, quiet_opening

CGROUPS = Path("/sys/fs/cgroup")
LITTERED = ("/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"))
PATIENCE_SECONDS = 10.0  # the kernel may take a while to remove killed processes from its lists; other tests on this
# machine may run at the same time, and their files are gone when their games are over


@pytest.fixture(scope="session")
def referee_has_played():
    """A referee has opened everything that it opens once and keeps."""
    play(PLAYS_ON, PLAYS_ON, opening=quiet_opening(30))


@pytest.fixture(params=environments.ALL)
def environment(request):
    """The name of a mode of the sandbox, used by all games of a test; the test runs once in each available mode."""
    with environments.forced(request.param):
        yield request.param


@pytest.fixture
def tokens(monkeypatch):
    """The tokens in the environment of the processes that this test's agents start, and of no others."""
    found = set()
    environment = Launch.environment

    def noted(launch, token):
        found.add(token)
        return environment(launch, token)

    monkeypatch.setattr(Launch, "environment", noted)
    return found


@pytest.fixture(autouse=True)
def nothing_is_left(referee_has_played, tokens, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    before, agents = _own(), _agents_files()
    others = set(psutil.Process().children(recursive=True))  # such as the tracker that multiprocessing keeps
    yield
    assert _gone(lambda: set(psutil.Process().children(recursive=True)) - others) == []
    assert _gone(lambda: _strays(tokens)) == []
    assert _gone(_control_groups) == []
    assert _own() == before
    assert _agents_files() == agents
    assert list(folder.iterdir()) == []
    assert _gone(_litter) == []


def _gone(find):
    """What is still found when patience ends: empty if all has gone."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := list(find())) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _own():
    """The number of this process's open descriptors, and the addresses where it listens."""
    process = psutil.Process()
    listening = [c.laddr for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
    return process.num_fds(), listening


def _agents_files():
    return set(os.listdir(AGENTS)) - {"__pycache__"}


def _strays(tokens):
    """The ids of processes that this test's agents began, or whose command line says that they escaped from here."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            escaped = any(f"escaped-{os.getpid()}" in word for word in process.cmdline())
            if escaped or process.environ().get(TOKEN_VARIABLE) in tokens:
                found.append(process.pid)
    return found


def _litter():
    return [path for place in LITTERED if Path(place).is_dir() for path in Path(place).glob("scoundrel*")]


def _control_groups():
    """This referee's control groups, whose names have its process id; others' may vanish during the search."""
    found = (Path(folder, name) for folder, names, _ in os.walk(CGROUPS) for name in names)
    return [path for path in found if path.name.startswith(f"{PREFIX}{os.getpid()}-")]
