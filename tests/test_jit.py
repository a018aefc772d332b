"""The ground under compiled code: random numbers, bits, and a compile cache that never runs old code."""

import os
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import NamedTuple

import jit  # first: it decides where compiled code is kept
from jit import cache

import numpy as np  # isort: skip
import pytest
from hypothesis import given
from hypothesis import strategies as st

import game

WORDS = st.integers(0, 2**64 - 1)


@jit.jit
def select(mask, k):
    return jit.select_bit(mask, k)


@jit.jit
def select_portable(mask, k):
    return jit.select_bit_portable(mask, k)


@jit.jit
def count_and_lowest(word):
    return jit.popcount(word), jit.lowest_bit(word)


# --- Random numbers -------------------------------------------------------------------------------------------------


def test_pcg32_gives_the_reference_numbers_for_seed_42_sequence_54():
    rng = jit.new_rng(42, 54)
    numbers = [f"{int(jit.pcg32(rng)):08x}" for _ in range(6)]
    assert " ".join(numbers) == "a15c02b7 7b47f409 ba1d3330 83d2f293 bfa4784b cbed606e"


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, 2**64 - 1, 2**70 + 3])
def test_any_seed_gives_the_numbers_of_plain_integer_arithmetic(seed):
    mask = 2**64 - 1
    state, increment = 0, 54 << 1 | 1
    state = (state * 6364136223846793005 + increment) & mask
    state = ((state + seed) * 6364136223846793005 + increment) & mask
    rng = jit.new_rng(seed)
    for _ in range(5):
        shifted = ((state >> 18 ^ state) >> 27) & 0xFFFFFFFF
        rotation = state >> 59
        expected = (shifted >> rotation | shifted << (32 - rotation)) & 0xFFFFFFFF
        assert jit.pcg32(rng) == expected
        state = (state * 6364136223846793005 + increment) & mask


def test_sequences_differ():
    assert jit.pcg32(jit.new_rng(42, 54)) != jit.pcg32(jit.new_rng(42, 55))


@pytest.mark.parametrize("n", [1, 2, 7, 288, 2**32])
def test_random_below_is_uniform(n):
    rng, draws, bins = jit.new_rng(1), 7_000, min(n, 7)
    numbers = [int(jit.random_below(rng, n)) for _ in range(draws)]
    assert 0 <= min(numbers) <= max(numbers) < n
    counts = np.bincount([number * bins // n for number in numbers], minlength=bins)
    shares = np.bincount([number * bins // n for number in range(n)], minlength=bins) / n if n < 10**6 else 1 / bins
    expected = draws * shares * np.ones(bins)
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert chi_square < 30  # six degrees of freedom: above 30 once in 25,000 seeds


# --- Bits -----------------------------------------------------------------------------------------------------------


@given(mask=st.integers(1, 2**64 - 1), data=st.data())
def test_select_bit_finds_the_kth_set_bit(mask, data):
    set_bits = [i for i in range(64) if mask >> i & 1]
    k = data.draw(st.integers(0, len(set_bits) - 1))
    expected = 1 << set_bits[k]
    assert int(select(np.uint64(mask), np.uint64(k))) == expected
    assert int(select_portable(np.uint64(mask), np.uint64(k))) == expected


@given(word=WORDS)
def test_popcount_and_lowest_bit(word):
    count, lowest = count_and_lowest(np.uint64(word))
    assert count == word.bit_count()
    assert lowest == (64 if word == 0 else (word & -word).bit_length() - 1)


# --- The compile cache ----------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of one game, in place of the real one, and nowhere else to write."""
    folder = tmp_path / "project"
    (folder / "pentago").mkdir(parents=True)
    (folder / "pentago" / "rules.py").write_text("A = 1\n")
    (folder / "pentago" / "game.py").write_text("")
    (folder / "README.md").write_text("words\n")
    monkeypatch.setattr(cache, "PROJECT", folder)
    monkeypatch.delenv("UNFORCED_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    return folder


def blocked(path):
    """Make a path unwritable as a folder, for every user: a file stands there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("in the way")


def test_an_edited_source_gets_another_cache_and_the_old_source_its_old_one(project):
    before = cache.cache_folder()
    (project / "pentago" / "rules.py").write_text("A = 2\n")
    edited = cache.cache_folder()
    (project / "pentago" / "rules.py").write_text("A = 1\n")
    assert edited != before
    assert cache.cache_folder() == before


def test_a_file_without_compiled_code_does_not_change_the_cache(project):
    before = cache.cache_folder()
    (project / "README.md").write_text("other words\n")
    assert cache.cache_folder() == before


def test_every_file_that_compiles_something_for_others_decides_about_the_cache():
    sources = set(jit.jitted_sources())
    folders = [*jit.game_folders(), *(jit.PROJECT / "agents").glob("*/")]
    assert {"pentago", "go", "uct", "alphabeta"} <= {folder.name for folder in folders}
    left_out = {path for folder in folders for path in folder.rglob("*.py")} - sources
    assert {path.name for path in left_out} <= set(cache.VIEWS)
    assert not any("jit" in path.read_text() for path in left_out)
    for path in jit.PROJECT.glob("*.py"):
        text = path.read_text()
        if "import jit" in text or "from jit import" in text:
            assert path in sources, f"{path} compiles code, but an edit to it would run old code"


def test_the_folder_of_a_new_game_decides_about_the_cache(project):
    before = cache.cache_folder()
    (project / "toy").mkdir()
    (project / "toy" / "rules.py").write_text("B = 1\n")
    assert cache.cache_folder() == before
    (project / "toy" / "game.py").write_text("C = 1\n")
    assert cache.cache_folder() != before


def test_the_cache_is_with_the_user_else_in_the_project_else_among_temporary_files(project, tmp_path):
    user, here = tmp_path / "user", project / ".cache"
    assert cache.cache_folder().parent == user / "unforced" / "kernels"
    shutil.rmtree(user)
    blocked(user)
    assert cache.cache_folder().parent == here / "kernels"
    shutil.rmtree(here)
    blocked(here)
    assert cache.cache_folder().parent.parent == tmp_path


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_that_others_can_write_is_not_used(project, tmp_path, monkeypatch, mode):
    parent = tmp_path / "user" / "unforced" / "kernels"
    folder = cache.cache_folder()
    assert folder.stat().st_mode & 0o777 == 0o700
    for open_to_others in (folder, parent):
        open_to_others.chmod(mode)
        assert cache.cache_folder().parent == project / ".cache" / "kernels"
        open_to_others.chmod(0o700)
    parent.chmod(mode)
    monkeypatch.setenv("UNFORCED_CACHE", str(parent))
    with pytest.warns(UserWarning, match="others can write there; no compiled code is kept"):
        assert cache.cache_folder() is None


def test_a_folder_of_somebody_else_is_used_only_if_it_is_named(project, tmp_path, monkeypatch):
    folder = cache.cache_folder()
    monkeypatch.setattr(cache.os, "getuid", lambda: folder.stat().st_uid + 1)
    assert cache.cache_folder() is None
    monkeypatch.setenv("UNFORCED_CACHE", str(folder.parent))
    assert cache.cache_folder() == folder


def test_no_writable_folder_means_no_cache(project, tmp_path, monkeypatch):
    blocked(tmp_path / "file")
    monkeypatch.setenv("UNFORCED_CACHE", str(tmp_path / "file"))
    assert cache.cache_folder() is None


def test_the_caches_of_old_sources_are_removed_but_for_those_used_last(project, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_FOLDERS_KEPT", 3)
    parent, old = tmp_path / "user" / "unforced" / "kernels", [f"{age:016x}" for age in range(6)]
    for age, name in enumerate((*old, "agents")):
        (parent / name).mkdir(parents=True, mode=0o700)
        os.utime(parent / name, (1e9 - age, 1e9 - age))
    folder = cache.cache_folder()
    assert {path.name for path in parent.iterdir()} == {*old[:3], "agents", folder.name}


# Python takes a source that is as long as before, and was edited in the same second, for the one it has bytecode of.
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


def run(code, folder, **environment):
    """What a new Python process in a folder prints."""
    environment = {**os.environ, **NO_BYTECODE, "PYTHONPATH": str(folder), **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def started(code, folder, **environment):
    """A new Python process in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder), **environment}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], cwd=folder, env=environment, **pipes)


def test_unforced_cache_names_the_folder_that_numba_uses(tmp_path):
    code = "import jit, numba; print(jit.CACHE_FOLDER); print(numba.config.CACHE_DIR)"
    folder, numba_cache = run(code, jit.PROJECT, UNFORCED_CACHE=str(tmp_path)).splitlines()
    assert Path(folder).parent == tmp_path
    assert numba_cache == folder


def test_without_a_cache_folder_code_is_compiled_all_the_same(tmp_path):
    blocked(tmp_path / "file")
    code = "import jit; print(jit.CACHE_FOLDER, hex(jit.pcg32(jit.new_rng(42))))"
    assert run(code, jit.PROJECT, UNFORCED_CACHE=str(tmp_path / "file")) == "None 0xa15c02b7"


def test_an_edit_to_a_called_function_in_another_file_is_seen_by_the_next_process(tmp_path):
    shutil.copytree(jit.PROJECT / "jit", tmp_path / "jit")
    (tmp_path / "pentago").mkdir()
    for name in ("__init__.py", "game.py"):
        (tmp_path / "pentago" / name).write_text("")
    inner, outer = tmp_path / "game.py", tmp_path / "pentago" / "rules.py"
    inner.write_text("from jit import jit\n@jit\ndef inner():\n    return 1\n")
    outer.write_text("from jit import jit\nfrom game import inner\n@jit\ndef outer():\n    return inner()\n")
    code = "from pentago.rules import outer; print(outer(), sum(outer.stats.cache_hits.values()))"
    kept = {"UNFORCED_CACHE": str(tmp_path / "cache")}
    assert run(code, tmp_path, **kept) == "1 0"
    assert run(code, tmp_path, **kept) == "1 1"
    inner.write_text("from jit import jit\n@jit\ndef inner():\n    return 2\n")
    assert run(code, tmp_path, **kept) == "2 0"


def test_what_is_kept_of_an_older_file_may_be_of_a_class_that_is_no_more(tmp_path, monkeypatch):
    module, key = types.ModuleType("older"), ((), "key")
    exec("class Result:\n    pass", vars(module))
    monkeypatch.setitem(sys.modules, "older", module)
    cache._Files(str(tmp_path), "make", "then").save(key, module.Result)
    assert cache._Files(str(tmp_path), "make", "then").load(key) is module.Result
    del module.Result
    assert cache._Files(str(tmp_path), "make", "now").load(key) is None


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-1], lambda content: b"X" + content[1:], lambda content: b""]
)
def test_what_is_kept_in_a_damaged_file_is_made_anew(tmp_path, damage):
    files, key = cache._Files(str(tmp_path), "make", "now"), ((), "key")
    files.save(key, "result")
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert files.load(key) is None
    files.save(key, "result")
    assert files.load(key) == "result"


def test_what_was_edited_after_its_import_is_not_kept_and_what_has_gone_is_compiled(tmp_path):
    file = tmp_path / "edited.py"
    file.write_text("from jit import jit\n@jit\ndef number():\n    return 1\n")
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    begin = f"import edited, pathlib; file = pathlib.Path({str(file)!r}); "
    for more, number in (("file.write_text(file.read_text().replace('1', '2'))", 1), ("", 2), ("file.unlink()", 2)):
        assert run(f"{begin}{more}\nprint(edited.number())", tmp_path, **environment) == str(number)


def test_a_copy_of_the_project_runs_what_another_one_compiled(tmp_path):
    code = "import jit; print(hex(jit.pcg32(jit.new_rng(42))), sum(jit.pcg32.stats.cache_hits.values()))"
    kept = {"UNFORCED_CACHE": str(tmp_path / "cache")}
    for name, hits in (("one", 0), ("another", 1)):
        (tmp_path / name).mkdir()
        shutil.copytree(jit.PROJECT / "jit", tmp_path / name / "jit")
        assert run(code, tmp_path / name, **kept) == f"0xa15c02b7 {hits}"


def test_another_processor_or_way_of_compiling_has_a_folder_of_its_own(tmp_path):
    code = "import jit; print(jit.CACHE_FOLDER.name, jit.HAS_BIT_DEPOSIT, hex(jit.pcg32(jit.new_rng(42))))"
    other, plain = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "+avx2"}, {"UNFORCED_PLAIN_NUMBA": "1"}
    found = [run(code, jit.PROJECT, UNFORCED_CACHE=str(tmp_path), **more).split() for more in ({}, other, plain)]
    folders, deposits, numbers = zip(*found, strict=True)
    assert len(set(folders)) == 3
    assert set(numbers) == {"0xa15c02b7"}
    assert deposits == (deposits[0], "False", deposits[0])  # BMI2 is not among the other's features


def test_the_next_process_finds_what_a_verb_was_compiled_to_in_the_cache(tmp_path):
    code = """
from tests import contract
from tests.extra_turn_nim import ExtraTurnNim
nim = ExtraTurnNim()
contract.children_of(nim, nim.initial())
stats = [verb.stats for verb in (contract.children, contract.max_children)]
print(sum(sum(found.cache_hits.values()) for found in stats), sum(sum(found.cache_misses.values()) for found in stats))
"""
    assert run(code, jit.PROJECT, UNFORCED_CACHE=str(tmp_path)) == "0 2"
    assert run(code, jit.PROJECT, UNFORCED_CACHE=str(tmp_path)) == "2 0"


# --- Entries and waiting --------------------------------------------------------------------------------------------


NESTED = """
import jit
@jit.jit
def inner(n):
    return n + 1
@jit.jit
def outer(n):
    return inner(n) * 2
def kept(function):
    return [jit.compiled._has_entry(found) for found in function.overloads.values()]
def found(function):
    return sum(function.stats.cache_hits.values())
"""


def test_what_only_compiled_code_calls_has_no_entry_until_python_calls_it(tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    code = (
        "from nested import *; print(outer(1), kept(outer), kept(inner), inner(1), kept(inner), outer(1), outer(1.5))"
    )
    assert run(code, tmp_path, **environment) == "4 [True] [False] 2 [True] 4 5.0"
    code = "from nested import *; print(inner(1), found(inner), outer(1), found(outer), inner(1.5), found(inner))"
    assert run(code, tmp_path, **environment) == "2 1 4 1 2.5 1"
    code = "from nested import *; print(inner(1.5), outer(1.5), found(inner), found(outer))"
    assert run(code, tmp_path, **environment) == "2.5 5.0 1 1"


@pytest.mark.parametrize("cache", ["cache", "file"])
def test_what_is_not_kept_is_not_compiled_where_only_kept_code_is_wanted(cache, tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    (tmp_path / "file").touch()  # which is no folder: nothing can be kept
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / cache)}
    code = """
from nested import *
try:
    with jit.kept_code_only():
        print("kept", outer(1))
except jit.NotKept as error:
    print(error, len(outer.overloads), outer(1))
"""
    nowhere = "no compiled code is kept on this system 0 4"
    assert run(code, tmp_path, **environment) == {"cache": "outer 0 4", "file": nowhere}[cache]
    assert run(code, tmp_path, **environment) == {"cache": "kept 4", "file": nowhere}[cache]


def test_what_was_loaded_for_python_is_compiled_again_for_compiled_code(tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    for hits in (0, 1):
        code = "from nested import *; print(inner(1), outer(1), inner(1), found(inner))"
        assert run(code, tmp_path, **environment) == f"2 4 2 {hits}"
        for kept in (tmp_path / "cache").rglob("nested.outer*.nbc"):
            kept.unlink()


def test_threads_that_compile_and_call_the_same_functions_do_not_meet_one_without_an_entry(tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    code = (
        "from nested import *; from concurrent.futures import ThreadPoolExecutor as Pool; "
        "calls = [(f, x) for x in (1, 1.5, 1j) for f in (outer, inner)]; "
        "print(list(Pool(6).map(lambda call: call[0](call[1]), calls)))"
    )
    assert run(code, tmp_path, **environment) == "[4, 2, 5.0, 2.5, (2+2j), (1+1j)]"


def test_processes_that_want_the_same_function_compile_it_once(tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    code = (
        "from nested import *; import sys; jit.wait_for_others(600); print(flush=True); sys.stdin.readline(); "
        "print(outer(1), found(outer))"
    )
    together = [started(code, tmp_path, **environment) for _ in range(3)]
    for process in together:
        assert process.stdout.readline() == "\n"
    for process in together:
        process.stdin.write("now\n")
        process.stdin.flush()
    assert sorted(process.communicate()[0].strip() for process in together) == ["4 0", "4 1", "4 1"]


def test_who_is_killed_while_it_compiles_holds_nobody_up(tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    waits = "from nested import *; import time; jit.wait_for_others(600); sleep = time.sleep; "
    holds = waits + "jit.cache.EntryCache(outer)._lock(); print(flush=True); sleep(600)"
    holder = started(holds, tmp_path, **environment)
    assert holder.stdout.readline() == "\n"
    says_so = "jit.cache.time.sleep = lambda seconds: (print('waits', flush=True), sleep(seconds)); print(outer(1))"
    waiting = started(waits + says_so, tmp_path, **environment)
    assert waiting.stdout.readline() == "waits\n"
    holder.kill()
    holder.communicate()
    assert waiting.communicate()[0].split()[-1] == "4"


@pytest.mark.slow
def test_nobody_waits_for_ever(tmp_path):
    (tmp_path / "nested.py").write_text(NESTED)
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    reads = "import fcntl, jit, time; file = (jit.CACHE_FOLDER.parent / 'functions.lock').open('w+'); "
    holder = started(
        reads + "fcntl.lockf(file, fcntl.LOCK_SH); print(flush=True); time.sleep(600)", tmp_path, **environment
    )
    assert holder.stdout.readline() == "\n"
    code = "from nested import *; jit.wait_for_others(0.2); print(outer(1), jit.cache.EntryCache.patience <= 0)"
    assert run(code, tmp_path, **environment) == "4 True"
    assert (
        run("from nested import *; print(outer(1.5), jit.cache.EntryCache.patience)", tmp_path, **environment)
        == "5.0 0.0"
    )
    holder.kill()
    holder.communicate()


# --- Single dispatch ------------------------------------------------------------------------------------------------


MIXED = """
from typing import NamedTuple
import jit
class Red(NamedTuple):
    shade: int
class Blue(NamedTuple):
    shade: int
@jit.dispatched
def mixed(kernel, n):
    pass
@jit.jit
def call_mixed(kernel, n):
    return mixed(kernel, n)
jit.give_body(mixed, Red, lambda kernel, n: kernel.shade + n)
jit.give_body(mixed, Blue, jit.jit(lambda kernel, n: kernel.shade * n))
"""


def test_the_class_of_the_first_argument_decides_which_body_runs(tmp_path):
    (tmp_path / "mixed.py").write_text(MIXED)
    code = (
        "from mixed import *; print([caller(kernel(5), 4) for caller in (mixed, call_mixed) for kernel in (Red, Blue)])"
    )
    assert run(code, tmp_path, PYTHONPATH=f"{jit.PROJECT}:{tmp_path}") == "[9, 20, 9, 20]"


def test_a_body_from_outside_the_project_is_compiled_by_every_process(tmp_path):
    """The cache's name says nothing of that file: what is kept would be run as it was before an edit."""
    code = "from mixed import *; print(call_mixed(Red(5), 4), sum(call_mixed.stats.cache_hits.values()))"
    environment = {"PYTHONPATH": f"{jit.PROJECT}:{tmp_path}", "UNFORCED_CACHE": str(tmp_path / "cache")}
    for _ in range(2):
        (tmp_path / "mixed.py").write_text(MIXED)
        assert run(code, tmp_path, **environment) == "9 0"


class Red(NamedTuple):
    """A kernel."""

    shade: int


def test_a_body_with_other_parameters_is_refused():
    with pytest.raises(TypeError, match=r"Red: step takes \(kernel, state, word0, word1\), not \(kernel, state\)"):
        jit.give_body(game.step, Red, lambda kernel, state: 0)


def test_a_game_without_a_body_that_it_needs_is_refused():
    with pytest.raises(TypeError, match="Red: children lacks its body"):
        game.implement(Red)
    with pytest.raises(TypeError, match="Red: there is no verb stepp"):
        game.implement(Red, stepp=lambda kernel: 0)


def test_numba_does_not_load_scipy_which_an_agent_may_still_import():
    code = """
import sys, types
stand_in = types.ModuleType("scipy")
stand_in.__version__ = "0.1"  # which numba would refuse if it saw it
class Finder:
    def find_spec(name, path=None, target=None):
        if name == "scipy":
            raise AssertionError("numba looked for scipy")
sys.meta_path.insert(0, Finder)
import jit
assert "scipy" not in sys.modules
sys.modules["scipy"] = stand_in
jit.cache.nb.njit(lambda x: x + 1)(1)
import scipy
assert scipy is stand_in
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=jit.PROJECT)
