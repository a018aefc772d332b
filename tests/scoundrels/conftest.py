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
PATIENCE_SECONDS = 10.0  # for the kernel, which takes killed processes off its lists when it gets to it; and for
# other tests at the same time on this machine, whose files are gone when their games are


@pytest.fixture(scope="session")
def referee_has_played():
    """What a referee opens once and keeps, it has opened."""
    play(PLAYS_ON, PLAYS_ON, opening=quiet_opening(30))


@pytest.fixture(params=environments.ALL)
def environment(request):
    """The name of a mode of the sandbox, which is the one of all games meanwhile; once for each that there is here."""
    with environments.forced(request.param):
        yield request.param


@pytest.fixture
def tokens(monkeypatch):
    """What the processes of this test's agents have in their environment, and nobody else's have."""
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
    """What is still found after a while."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := list(find())) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _own():
    """This process's open descriptors, and where it listens."""
    process = psutil.Process()
    listening = [c.laddr for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
    return process.num_fds(), listening


def _agents_files():
    return set(os.listdir(AGENTS)) - {"__pycache__"}


def _strays(tokens):
    """Processes that this test's agents began, or that say in their command line that they escaped from here."""
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
    """Those of this referee, which has its number in their names; others' may go while they are looked through."""
    found = (Path(folder, name) for folder, names, _ in os.walk(CGROUPS) for name in names)
    return [path for path in found if path.name.startswith(f"{PREFIX}{os.getpid()}-")]
