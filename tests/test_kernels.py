"""Compiled code that is carried to other machines: what is used where, what fits, and what is refused."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import jit
import runner
from jit import cache
from jit.processors import PORTABLE, Processor
from simulator.player import kernels
from tests.test_jit import project, run  # noqa: F401  (a fixture)

V2, V3 = PORTABLE["x86-64-v2"], PORTABLE["x86-64-v3"]
OWN = Processor("zebra", f"{V3.features},+stripes,-spots")
READY = {"agents.uct/search.nbc": b"code", "pentago-uct_agent.compiled": b""}


@pytest.fixture
def machine(project, tmp_path, monkeypatch):  # noqa: F811
    """A machine with a processor of its own; returns the folder for a processor's compiled code."""
    monkeypatch.setattr(cache, "own_processor", lambda: OWN)
    monkeypatch.setattr(cache, "PACKAGED", tmp_path / "package" / "kernels")
    return lambda processor, parent=None: (parent or cache._places()[0]) / cache.folder_names(processor)[0]


def carried(folder, files=READY):
    cache.put(folder, {**files, cache.MANIFEST: json.dumps({"files": dict.fromkeys(files, "")}).encode()}.items())


# --- Which folder is used -------------------------------------------------------------------------------------------


def test_a_processor_runs_what_is_made_for_one_with_some_of_its_features():
    assert not OWN.lacks(V3)
    assert V3.lacks(OWN) == ["stripes"]
    assert set(V2.lacks(V3)) >= {"avx2", "bmi2"}


def test_carried_code_is_used_until_the_machine_has_compiled_all_of_it_itself(machine):
    carried(machine(V3), READY | {"go-uct_agent.compiled": b""})
    own = machine(OWN)
    own.mkdir(mode=0o700)
    assert cache.better_portable() == V3
    for mark, better in (("kalah-uct_agent", V3), ("pentago-uct_agent", V3), ("go-uct_agent", None)):
        (own / f"{mark}.compiled").touch()
        assert cache.better_portable() == better


def test_code_compiled_here_for_a_portable_processor_is_used_by_those_who_name_it(machine):
    machine(V3).mkdir(mode=0o700, parents=True)
    (machine(V3) / "pentago-uct_agent.compiled").touch()
    assert cache.better_portable() is None


def test_the_fastest_carried_code_is_used_that_the_processor_runs(machine, monkeypatch):
    carried(machine(V2))
    carried(machine(V3))
    assert machine(V3).stat().st_mode & 0o777 == 0o700
    assert cache.better_portable() == V3
    monkeypatch.setattr(cache, "own_processor", lambda: Processor("old", V2.features))
    assert cache.better_portable() == V2


def test_carried_code_of_other_sources_or_in_a_folder_that_others_can_write_is_not_used(machine, project):  # noqa: F811
    carried(machine(V3))
    machine(V3).chmod(0o770)
    assert cache.better_portable() is None
    machine(V3).chmod(0o700)
    assert cache.better_portable() == V3
    (project / "pentago" / "rules.py").write_text("A = 2\n")
    assert cache.better_portable() is None


def test_what_came_with_a_package_is_copied_to_the_users_folder_or_used_where_it_is(machine, monkeypatch, tmp_path):
    carried(machine(V3, cache.PACKAGED))
    assert cache.better_portable() == V3
    monkeypatch.setattr(cache, "processor", lambda: V3)
    folder = cache.cache_folder()
    assert folder == machine(V3)
    assert {name: (folder / name).read_bytes() for name in READY} == READY
    assert cache.ready_in(folder) == {"pentago-uct_agent.compiled"}
    (tmp_path / "file").touch()
    monkeypatch.setenv("UNFORCED_CACHE", str(tmp_path / "file"))
    assert cache.cache_folder() == machine(V3, cache.PACKAGED)


def test_a_process_compiles_for_the_processor_of_carried_code_and_finds_it(tmp_path):
    code = "import jit; print(hex(jit.pcg32(jit.new_rng(42))), sum(jit.pcg32.stats.cache_hits.values()), end=' ');"
    code += "from jit.processors import processor; print(processor().name, jit.CACHE_FOLDER)"
    for name in ("one", "another"):
        shutil.copytree(jit.PROJECT / "jit", tmp_path / name / "jit", copy_function=shutil.copyfile)
    named = {"NUMBA_CPU_NAME": V2.name, "NUMBA_CPU_FEATURES": V2.features}
    number, hits, processor, folder = run(
        code, tmp_path / "one", UNFORCED_CACHE=str(tmp_path / "made"), **named
    ).split()
    assert (number, hits, processor) == ("0xa15c02b7", "0", V2.name)
    carried(tmp_path / "carried" / Path(folder).name, kernels.files_of(Path(folder)) | READY)
    found = run(code, tmp_path / "another", UNFORCED_CACHE=str(tmp_path / "carried")).split()
    assert found[:3] == ["0xa15c02b7", "1", V2.name]


# --- The file -------------------------------------------------------------------------------------------------------


def invoke(*arguments):
    return CliRunner().invoke(runner.main, ["kernels", *map(str, arguments)])


@pytest.fixture
def user(tmp_path, monkeypatch):
    """A user who has compiled nothing."""
    folder = tmp_path / "user" / "native"
    folder.mkdir(mode=0o700, parents=True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", folder)
    monkeypatch.setattr(jit, "CACHE_IS_READ_ONLY", False)
    monkeypatch.setenv("UNFORCED_CACHE", str(folder.parent))
    return folder.parent


def written(path, content=READY, method=zipfile.ZIP_DEFLATED, **changes):
    """A file for this machine, but for changes in its manifest."""
    manifest = kernels.manifest_of(content, V2.name) | changes
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in {cache.MANIFEST: json.dumps(manifest).encode(), **content}.items():
            archive.writestr(name, data)
    return path


def test_what_is_exported_is_imported_and_used_by_the_next_process(tmp_path, user):
    file = tmp_path / "kernels.zip"
    exported = invoke("--export", file, "--processor", V2.name, "--game", "pentago", "--agent", "random_agent")
    assert exported.exit_code == 0, exported.output
    imported = invoke("--import", file)
    assert imported.exit_code == 0, imported.output
    (folder,) = [folder for folder in user.iterdir() if (folder / cache.MANIFEST).is_file()]
    shown = subprocess.run(
        [sys.executable, runner.__file__, "kernels"], capture_output=True, text=True, check=True, env=os.environ
    ).stdout
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
        (digests("../a.nbc"), "no compiled code can be called ../a.nbc"),
        (digests("/a.nbc"), "no compiled code can be called /a.nbc"),
        (digests("a/../../b.nbc"), "no compiled code can be called"),
        (digests("a.py"), "no compiled code can be called a.py"),
        (digests("agents.uct/search.nbc"), "agents.uct/search.nbc in it is not what was packed"),
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
    assert "is no file of compiled code" in " ".join(invoke("--import", tmp_path / "text.zip").output.split())
    assert invoke("--import", tmp_path / "nothing.zip").exit_code == 1
    with_other_method = written(tmp_path / "lzma.zip", method=zipfile.ZIP_LZMA)
    assert "other than deflate" in invoke("--import", with_other_method).output
    monkeypatch.setattr(kernels, "MOST_BYTES", 100_000)
    bomb = written(tmp_path / "bomb.zip", {"a.nbc": bytes(1_000_000)})
    assert bomb.stat().st_size < kernels.MOST_BYTES
    assert "unpacked it is too large" in invoke("--import", bomb).output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--export", "a.zip", "--compile"), "take one of them"),
        (("--export", "a.zip", "--processor", "abacus"), "no portable processor"),
        (("--export", "a.zip", "--agent", "uct_agen"), "did you mean uct_agent?"),
        (("--compile", "--game", "chess"), "there is no game 'chess' to compile for"),
    ],
)
def test_wrong_input_gets_a_message(arguments, words):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())


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
