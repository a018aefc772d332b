"""The folder of compiled code: which folder a process uses for its sources and processor, and which it trusts."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

import jit
from jit import folder as kept
from jit.processors import PORTABLE, Processor
from tests.programs import run

V2, V3 = PORTABLE["x86-64-v2"], PORTABLE["x86-64-v3"]
OWN = Processor("zebra", f"{V3.features},+stripes,-spots")
COMPILES = re.compile(r"^@(jit|dispatched|intrinsic)\b|^(game\.)?implement\(|^give_body\(|^class \w*Kernel\b", re.M)
READY = {"agents.uct/search.nbc": b"code", "pentago-uct_agent.compiled": b""}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of one game in place of the real one; user and temporary folders lie below tmp_path."""
    folder = tmp_path / "project"
    for package in ("pentago", "game/verbs", "agents/uct"):
        (folder / package).mkdir(parents=True)
    (folder / "pentago" / "rules.py").write_text("A = 1\n")
    (folder / "pentago" / "game.py").write_text("")
    (folder / "game" / "verbs" / "flags.py").touch()
    (folder / "README.md").write_text("words\n")
    monkeypatch.setattr(kept, "PROJECT", folder)
    for of_this_project in ("jitted_sources", "_hash_of_sources"):  # cached, because a process looks once
        monkeypatch.setattr(kept, of_this_project, getattr(kept, of_this_project).__wrapped__)
    monkeypatch.delenv("UNFORCED_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr(kept.tempfile, "tempdir", str(tmp_path))
    return folder


@pytest.fixture
def parent(tmp_path):
    """The user's folder, which holds a folder for each version of the sources."""
    return tmp_path / "user" / "unforced" / "kernels"


@pytest.fixture
def machine(project, tmp_path, monkeypatch):
    """A machine with the processor OWN; the value is a function from a processor to its folder of compiled code."""
    monkeypatch.setattr(kept, "own_processor", lambda: OWN)
    monkeypatch.setattr(kept, "PACKAGED", tmp_path / "package" / "kernels")
    return lambda processor, parent=None: (parent or kept._places()[0]) / kept.folder_names(processor)[0]


def carried(folder, files=READY):
    kept.put(folder, {**files, kept.MANIFEST: json.dumps({"files": dict.fromkeys(files, "")}).encode()}.items())


def blocked(path):
    """Put a file at a path, so that no user, not even root, can make a folder there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way")


# --- Sources --------------------------------------------------------------------------------------------------------


def test_sources_that_compile_decide_about_the_folder(project):
    before = kept.cache_folder()
    (project / "toy").mkdir()
    for name, content, changes in (
        ("README.md", "other words\n", False),
        ("toy/rules.py", "B = 1\n", False),  # in a folder that is not a game
        ("game/position.py", "B = 1\n", False),  # this file compiles nothing, nor do the next in a search and a game
        ("agents/uct/settings.py", "B = 1\n", False),
        *((f"pentago/{name}", "B = 1\n", False) for name in ("game.py", "position.py", "board_view.py")),
        ("pentago/rules.py", "A = 2\n", True),
        ("pentago/rules.py", "A = 1\n", False),
        ("game/verbs/flags.py", "B = 1\n", True),
        ("game/verbs/flags.py", "", False),
        ("toy/game.py", "C = 1\n", True),
    ):
        (project / name).write_text(content)
        assert (kept.cache_folder() != before) == changes, name


def test_every_file_that_compiles_something_for_others_decides_about_the_folder():
    sources = set(jit.jitted_sources())
    folders = [*jit.game_folders(), *(jit.PROJECT / "agents").glob("*/")]
    assert {"pentago", "go", "uct", "alphabeta"} <= {folder.name for folder in folders}
    files = {path for folder in (*folders, jit.PROJECT / "game") for path in folder.rglob("*.py")}
    for path in (files | {*jit.PROJECT.glob("*.py")}) - sources:
        assert not COMPILES.search(path.read_text()), f"{path} compiles code, but an edit to it would run old code"


# --- Places ---------------------------------------------------------------------------------------------------------


def test_it_is_with_the_user_else_in_the_project_else_among_temporary_files_else_nowhere(
    project, parent, tmp_path, monkeypatch
):
    user, here = tmp_path / "user", project / ".cache"
    assert kept.cache_folder().parent == parent
    shutil.rmtree(user)
    blocked(user)
    assert kept.cache_folder().parent == here / "kernels"
    shutil.rmtree(here)
    blocked(here)
    assert kept.cache_folder().parent.parent == tmp_path
    refused = f"/{300 * 'n'}"  # os.stat raises, as for a place that may not be searched: such a place is passed over
    monkeypatch.setenv("XDG_CACHE_HOME", refused)
    assert kept.cache_folder().parent.parent == tmp_path
    for is_named in (user, refused):
        monkeypatch.setenv("UNFORCED_CACHE", str(is_named))
        assert kept.cache_folder() is None


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_that_others_can_write_is_not_used(project, parent, monkeypatch, mode):
    folder = kept.cache_folder()
    assert folder.stat().st_mode & 0o777 == 0o700
    for open_to_others in (folder, parent):
        open_to_others.chmod(mode)
        assert kept.cache_folder().parent == project / ".cache" / "kernels"
        open_to_others.chmod(0o700)
    parent.chmod(mode)
    monkeypatch.setenv("UNFORCED_CACHE", str(parent))
    with pytest.warns(UserWarning, match="others can write there; no compiled code is kept"):
        assert kept.cache_folder() is None


def test_a_folder_of_somebody_else_is_used_only_if_it_is_named(project, monkeypatch):
    folder = kept.cache_folder()
    monkeypatch.setattr(kept.os, "getuid", lambda: folder.stat().st_uid + 1)
    assert kept.cache_folder() is None
    monkeypatch.setenv("UNFORCED_CACHE", str(folder.parent))
    assert kept.cache_folder() == folder


def test_a_folder_of_somebody_else_that_cannot_be_read_is_not_used(project, monkeypatch):
    folder = kept.cache_folder()
    monkeypatch.setenv("UNFORCED_CACHE", str(folder.parent))
    monkeypatch.setattr(kept, "_is_writable", lambda folder: False)
    assert kept.cache_folder() == folder
    monkeypatch.setattr(kept.os, "access", lambda path, mode: Path(path) != folder)
    assert kept.cache_folder() is None


def test_a_relative_name_means_the_same_folder_wherever_a_process_goes(project, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNFORCED_CACHE", "here")
    assert kept.cache_folder().parent == tmp_path / "here"


def test_folders_of_old_sources_are_removed_but_for_those_used_last(project, parent, monkeypatch):
    monkeypatch.setattr(kept, "_FOLDERS_KEPT", 3)
    old = [f"{age:016x}" for age in range(6)]
    for age, name in enumerate((*old, "agents")):
        (parent / name).mkdir(parents=True, mode=0o700)
        os.utime(parent / name, (1e9 - age, 1e9 - age))
    folder = kept.cache_folder()
    assert {path.name for path in parent.iterdir()} == {*old[:3], "agents", folder.name}


# --- Processors -----------------------------------------------------------------------------------------------------


def test_carried_code_is_used_until_the_machine_has_compiled_all_of_it_itself(machine):
    carried(machine(V3), READY | {"go-uct_agent.compiled": b""})
    own = machine(OWN)
    own.mkdir(mode=0o700)
    assert kept.better_portable() == V3
    for mark, better in (("kalah-uct_agent", V3), ("pentago-uct_agent", V3), ("go-uct_agent", None)):
        (own / f"{mark}.compiled").touch()
        assert kept.better_portable() == better


def test_the_fastest_carried_code_is_used_that_the_processor_runs(machine, monkeypatch):
    """Code for a processor with fewer features runs; code compiled here is only for those who name its processor."""
    assert (OWN.lacks(V3), V3.lacks(OWN)) == ([], ["stripes"])
    assert set(V2.lacks(V3)) >= {"avx2", "bmi2"}
    machine(V3).mkdir(mode=0o700, parents=True)
    (machine(V3) / "pentago-uct_agent.compiled").touch()
    assert kept.better_portable() is None
    shutil.rmtree(machine(V3))
    carried(machine(V2))
    carried(machine(V3))
    assert machine(V3).stat().st_mode & 0o777 == 0o700
    assert kept.better_portable() == V3
    monkeypatch.setattr(kept, "own_processor", lambda: Processor("old", V2.features))
    assert kept.better_portable() == V2


def test_carried_code_of_other_sources_or_in_a_folder_that_others_can_write_is_not_used(machine, project):
    carried(machine(V3))
    machine(V3).chmod(0o770)
    assert kept.better_portable() is None
    machine(V3).chmod(0o700)
    assert kept.better_portable() == V3
    (project / "pentago" / "rules.py").write_text("A = 2\n")
    assert kept.better_portable() is None


def test_what_came_with_a_package_is_copied_to_the_users_folder_or_used_where_it_is(machine, monkeypatch, tmp_path):
    carried(machine(V3, kept.PACKAGED))
    assert kept.better_portable() == V3
    monkeypatch.setattr(kept, "processor", lambda: V3)
    folder = kept.cache_folder()
    assert folder == machine(V3)
    assert {name: (folder / name).read_bytes() for name in READY} == READY
    assert kept.ready_in(folder) == {"pentago-uct_agent.compiled"}
    (tmp_path / "file").touch()
    monkeypatch.setenv("UNFORCED_CACHE", str(tmp_path / "file"))
    assert kept.cache_folder() == machine(V3, kept.PACKAGED)


def test_another_processor_or_way_of_compiling_has_a_folder_of_its_own(tmp_path):
    code = (
        "import jit, numba; assert numba.config.CACHE_DIR == str(jit.CACHE_FOLDER); "
        "print(jit.CACHE_FOLDER, jit.HAS_BIT_DEPOSIT, hex(jit.pcg32(jit.new_rng(42))))"
    )
    other, plain = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "+avx2"}, {"UNFORCED_PLAIN_NUMBA": "1"}
    found = [run(code, UNFORCED_CACHE=str(tmp_path), **more).split() for more in (other, plain)]
    folders, deposits, numbers = zip(*found, strict=True)
    assert set(folders) == {str(folder) for folder in tmp_path.iterdir() if folder.is_dir()}
    assert len({jit.CACHE_FOLDER.name, *(Path(folder).name for folder in folders)}) == 3
    assert set(numbers) == {hex(jit.pcg32(jit.new_rng(42)))} == {"0xa15c02b7"}
    assert deposits == ("False", str(jit.HAS_BIT_DEPOSIT))  # BMI2 is not among the other processor's features


def test_a_process_compiles_for_the_processor_of_carried_code_and_finds_it(tmp_path):
    code = "import jit; print(hex(jit.pcg32(jit.new_rng(42))), sum(jit.pcg32.stats.cache_hits.values()), end=' ');"
    code += "from jit.processors import processor; print(processor().name, jit.CACHE_FOLDER)"
    for name in ("one", "another"):
        shutil.copytree(jit.PROJECT / "jit", tmp_path / name / "jit", copy_function=shutil.copyfile)
    named = {"NUMBA_CPU_NAME": V2.name, "NUMBA_CPU_FEATURES": V2.features}
    *made, folder = run(code, tmp_path / "one", UNFORCED_CACHE=str(tmp_path / "made"), **named).split()
    assert made == ["0xa15c02b7", "0", V2.name]
    files = {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*.nbc")}
    carried(tmp_path / "carried" / Path(folder).name, files | READY)
    found = run(code, tmp_path / "another", UNFORCED_CACHE=str(tmp_path / "carried")).split()
    assert found[:3] == ["0xa15c02b7", "1", V2.name]


@pytest.mark.parametrize(("given", "others"), [("", []), ("/lib", ["/lib"])])
def test_other_processes_look_for_modules_in_this_project_and_not_in_the_current_folder(given, others, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", given)
    assert jit.project_environment()["PYTHONPATH"].split(os.pathsep) == [str(jit.PROJECT), *others]
