"""Compiled code that is carried to other machines: what fits, and what is refused."""

import json
import shutil
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path

import pytest

import jit
from jit.folder import MANIFEST
from jit.processors import PORTABLE, Processor
from simulator.player import kernels
from tests import command_line
from tests.programs import RUNNER, finished, run

V2 = PORTABLE["x86-64-v2"]
READY = {"agents.uct/search.nbc": b"code", "pentago-uct_agent.compiled": b""}


# --- The file -------------------------------------------------------------------------------------------------------


invoke = partial(command_line.invoke, "kernels")


@pytest.fixture
def user(tmp_path, monkeypatch):
    """The cache folder of a user who has compiled nothing."""
    folder = tmp_path / "user" / "native"
    folder.mkdir(mode=0o700, parents=True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", folder)
    monkeypatch.setattr(jit, "CACHE_IS_READ_ONLY", False)
    monkeypatch.setenv("UNFORCED_CACHE", str(folder.parent))
    return folder.parent


def written(path, content=READY, method=zipfile.ZIP_DEFLATED, **changes):
    """Write a file that fits this machine, except for changes in its manifest; returns its path."""
    manifest = kernels.manifest_of(content, V2.name) | changes
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in {MANIFEST: json.dumps(manifest).encode(), **content}.items():
            archive.writestr(name, data)
    return path


def test_what_is_exported_is_imported_and_used_by_the_next_process(tmp_path, user):
    file = tmp_path / "kernels.zip"
    exported = invoke("--export", file, "--processor", V2.name, "--game", "pentago", "--agent", "random_agent")
    assert exported.exit_code == 0, exported.output
    imported = invoke("--import", file)
    assert imported.exit_code == 0, imported.output
    (folder,) = [folder for folder in user.iterdir() if (folder / MANIFEST).is_file()]
    shown = finished(RUNNER, "kernels").stdout
    assert f"{folder.name}  {V2.name} (portable, compiled elsewhere, in use)" in shown
    assert "pentago-random_agent" in shown


def digests(name):
    return {"files": {name: "0" * 64}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"python": "3.99"}, "made for Python 3.99, and this is 3."),
        ({"numba": "0.1"}, "made for numba 0.1, and this is"),
        ({"system": "arm64-apple"}, "made for the system arm64-apple, and this is"),
        ({"processor": "abacus"}, "made for the processor abacus, which is not one of x86-64-v4"),
        ({"sources": {"go/rules.py": "0"}}, "made from other sources, which differ in agents/"),
        ({"format": 99}, "made by another version of this program"),
        ({"numba": None}, "its manifest is incomplete"),
        ({"files": ["a"]}, "its manifest is incomplete"),
        (digests("../a.nbc"), "compiled code cannot be called ../a.nbc"),
        (digests("/a.nbc"), "compiled code cannot be called /a.nbc"),
        (digests("a/../../b.nbc"), "compiled code cannot be called"),
        (digests("a.py"), "compiled code cannot be called a.py"),
        (digests("agents.uct/search.nbc"), "agents.uct/search.nbc in it was changed after it was packed"),
        (digests("missing.nbc"), "There is no item named 'missing.nbc'"),
    ],
)
def test_what_does_not_fit_or_was_changed_is_refused_in_words(tmp_path, user, changes, words):
    result = invoke("--import", written(tmp_path / "kernels.zip", **changes))
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert [folder.name for folder in user.iterdir()] == ["native"]


def test_a_processor_without_the_features_is_told_which(tmp_path, user, monkeypatch):
    monkeypatch.setattr(kernels, "own_processor", lambda: Processor("old", V2.features.replace(",+popcnt", "")))
    result = invoke("--import", written(tmp_path / "kernels.zip"))
    assert "made for x86-64-v2 processors, and this one lacks popcnt" in " ".join(result.output.split())


def test_files_that_are_no_zip_or_too_large_are_refused(tmp_path, user, monkeypatch):
    (tmp_path / "text.zip").write_text("words")
    assert "is not a file of compiled code" in " ".join(invoke("--import", tmp_path / "text.zip").output.split())
    assert invoke("--import", tmp_path / "nothing.zip").exit_code == 1
    with_other_method = written(tmp_path / "lzma.zip", method=zipfile.ZIP_LZMA)
    assert "other than deflate" in invoke("--import", with_other_method).output
    monkeypatch.setattr(kernels, "MOST_BYTES", 100_000)
    bomb = written(tmp_path / "bomb.zip", {"a.nbc": bytes(1_000_000)})
    assert bomb.stat().st_size < kernels.MOST_BYTES
    assert "too large when it is unpacked" in invoke("--import", bomb).output


# --- The package ----------------------------------------------------------------------------------------------------


@pytest.mark.slow(2)
def test_an_installed_wheel_plays_from_an_empty_cache_without_compiling(tmp_path):
    pytest.importorskip("setuptools", minversion="77")
    listed = subprocess.run(["git", "ls-files"], cwd=jit.PROJECT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if (file := jit.PROJECT / name).is_file():
            (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, tmp_path / "source" / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*pip, "wheel", *options, "."], cwd=tmp_path / "source", check=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert f"-cp{sys.version_info.major}{sys.version_info.minor}-none-" in wheel.name
    installed = tmp_path / "installed"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(installed), str(wheel)], check=True)
    code = """
import jit
from game import load_game
from agents.limits import Limits
from agents.uct_agent import UctAgent
from numba.core.registry import CPUDispatcher
compiled = []
jit.cache.EntryCache.save_overload = lambda self, *_: compiled.append(self)
UctAgent(load_game("pentago"), Limits(), seed=1).setup()
print(len(compiled), jit.CACHE_FOLDER.parent, jit.__file__)
"""
    count, parent, file = run(code, installed, UNFORCED_CACHE=str(tmp_path / "cache")).split()
    assert (count, parent) == ("0", str(tmp_path / "cache"))
    assert Path(file).is_relative_to(installed)
