"""The tests of scoundrels with a referee that is an ordinary user: no control groups, and the namespaces of users.

Root runs the tests of scoundrels once more as an ordinary user. Each test demands what the record's `enforcement`
claims, and no more; so these claims themselves are tested here.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from jit import CACHE_FOLDER
from tests.programs import PROJECT, reap_adopted

USER = 64999  # nobody's number
NEEDED = ("unshare", "setpriv", "mount")
SECONDS = 3600  # on a busy machine; a quiet one takes a sixth of it

CLAIMS = """
import json
from agents.agent import parse_agent
from agents.limits import Limits
from simulator.referee.conditions import Conditions
from simulator.referee.referee import play_game
specs = (parse_agent("random_agent"), parse_agent("gtp:/no/such/engine"))
record = play_game(specs, Conditions(limits=Limits(60, 60)))
print(json.dumps({"reason": record.verdict.reason, "enforcement": record.enforcement}))
"""

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="wants root, to become somebody else"),
    *(pytest.mark.skipif(shutil.which(name) is None, reason=f"wants {name} (util-linux)") for name in NEEDED),
]


@pytest.fixture
def home():
    """The user's own folder, with root's compiled code, as compiling it again takes a minute."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="unforced-user-") as name:
        folder = Path(name)
        assert CACHE_FOLDER is not None
        shutil.copytree(CACHE_FOLDER, folder / "kernels" / CACHE_FOLDER.name)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, USER, USER)
        yield folder


def closed_folder(path):
    """The first folder on the way to a path that others may not enter; None if they may enter all."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None)


def doors(home):
    """Shell commands that open the way to the interpreter and the project, for use in a new mount namespace.

    They cover each closed folder with an empty one, and mount the needed folders again in it, at their own places.
    """
    lines = ["set -e"]
    wanted = {Path(folder).resolve() for folder in (sys.prefix, sys.base_prefix, PROJECT)}
    closed = {path: folder for path in sorted(wanted) if (folder := closed_folder(path))}
    kept = {path: home / f"kept-{number}" for number, path in enumerate(closed)}
    lines += [f"mkdir {at}; mount --rbind {shlex.quote(str(path))} {at}" for path, at in kept.items()]
    lines += [f"mount -t tmpfs -o mode=755 none {shlex.quote(str(folder))}" for folder in sorted({*closed.values()})]
    for path, at in kept.items():
        lines += [f"mkdir -p {shlex.quote(str(path))}; mount --rbind {at} {shlex.quote(str(path))}"]
    return "\n".join(lines)


def as_user(home, *arguments):
    """Run Python as the ordinary user, in the project's folder."""
    become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"]
    program = shlex.join([*become, sys.executable, "-B", *arguments])
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home),
        "UNFORCED_CACHE": str(home / "kernels"),
    }
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"{doors(home)}\ncd {shlex.quote(str(PROJECT))}\nexec {program}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    reap_adopted()
    return done


def test_an_ordinary_users_record_claims_no_control_group(home):
    done = as_user(home, "-c", CLAIMS)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["reason"] == "crash"
    assert {"memory", "network", "files", "privileges", "processes"} < record["enforcement"].keys()
    assert "cgroup" not in json.dumps(record["enforcement"])
    assert "its one process" in record["enforcement"]["memory"]


def assert_all_pass(home, *tests):
    options = ["-q", "--tb=line", "-p", "no:cacheprovider", f"--basetemp={home / 'pytest'}"]
    done = as_user(home, "-m", "pytest", *options, *tests)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr


@pytest.mark.slow
def test_agents_are_prepared_for_an_ordinary_user(home):
    assert_all_pass(home, "tests/test_prepare.py")


@pytest.mark.slow
def test_all_scoundrels_lose_under_an_ordinary_user(home):
    others = [path for path in sorted(Path(__file__).parent.glob("test_*.py")) if path != Path(__file__)]
    assert_all_pass(home, *(str(path.relative_to(PROJECT)) for path in others))
