"""The cache of compiled functions: the next process finds them, never old ones; several processes compile each once."""

import shutil
import sys
import types
from pathlib import Path

import numba.core.caching as nb_caching
import pytest

import jit
from agents.uct.search import has_room
from agents.uct.tree import allocate
from jit import cache
from tests.extra_turn_nim import ExtraTurnNim
from tests.programs import run, started

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


@pytest.fixture
def nested(tmp_path, monkeypatch):
    """A folder with the module NESTED, and an empty cache."""
    (tmp_path / "nested.py").write_text(NESTED)
    monkeypatch.setenv("UNFORCED_CACHE", str(tmp_path / "cache"))
    return tmp_path


# --- What is kept ---------------------------------------------------------------------------------------------------


def test_nothing_that_tests_import_switches_the_cache_off():
    """A kernel would do so, for the whole process, if its file were not among those that name the cache's folder."""
    assert nb_caching.Cache._load_overload.__module__ == nb_caching.__name__


def test_what_is_compiled_is_found_in_another_copy_until_a_called_function_in_another_file_is_edited(tmp_path):
    """A file that compiles nothing, such as a game's for people, may differ in the other copy."""
    verbs = Path("game", "verbs", "search.py")
    for name in ("one", "another"):
        folder = tmp_path / name
        shutil.copytree(jit.PROJECT / "jit", folder / "jit")
        for package in ("pentago", "game", "game/verbs"):
            (folder / package).mkdir()
            (folder / package / "__init__.py").touch()
        (folder / "pentago" / "game.py").touch()
        (folder / verbs).write_text("from jit import jit\n@jit\ndef inner():\n    return 1\n")
        rules = "from jit import jit\nfrom game.verbs.search import inner\n@jit\ndef outer():\n    return inner()\n"
        (folder / "pentago" / "rules.py").write_text(rules)
    code = "from pentago.rules import outer; print(outer(), sum(outer.stats.cache_hits.values()))"
    kept = {"UNFORCED_CACHE": str(tmp_path / "cache")}
    assert run(code, tmp_path / "one", **kept) == "1 0"
    (tmp_path / "another" / "pentago" / "game.py").write_text("TITLE = 'Pentago'\n")
    assert run(code, tmp_path / "another", **kept) == "1 1"
    (tmp_path / "one" / verbs).write_text("from jit import jit\n@jit\ndef inner():\n    return 2\n")
    assert run(code, tmp_path / "one", **kept) == "2 0"


def test_what_was_edited_after_its_import_is_not_kept_and_what_has_gone_is_compiled(tmp_path):
    for name in ("edited", "gone"):
        (tmp_path / f"{name}.py").write_text("from jit import jit\n@jit\ndef number():\n    return 1\n")
    edits = """
from pathlib import Path
Path("edited.py").write_text(Path("edited.py").read_text().replace("1", "2"))
Path("gone.py").unlink()
"""
    for more, numbers in ((edits, "1 1"), ("", "2 1")):
        code = f"import edited, gone\n{more}\nprint(edited.number(), gone.number())"
        assert run(code, tmp_path, UNFORCED_CACHE=str(tmp_path / "cache")) == numbers
        (tmp_path / "gone.py").write_text("from jit import jit\n@jit\ndef number():\n    return 1\n")


def test_what_is_kept_of_an_older_file_may_be_of_a_class_that_is_no_more(tmp_path, monkeypatch):
    module, key = types.ModuleType("older"), ((), "key")
    exec("class Result:\n    pass", vars(module))
    monkeypatch.setitem(sys.modules, "older", module)
    cache._Files(str(tmp_path), "make", "then", "module").save(key, module.Result)
    assert cache._Files(str(tmp_path), "make", "then", "module").load(key) is module.Result
    del module.Result
    assert cache._Files(str(tmp_path), "make", "now", "module").load(key) is None


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-1], lambda content: b"X" + content[1:], lambda content: b""]
)
def test_what_is_kept_in_a_damaged_file_is_made_anew(tmp_path, damage):
    files, key = cache._Files(str(tmp_path), "make", "now", "module"), ((), "key")
    files.save(key, "result")
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert files.load(key) is None
    files.save(key, "result")
    assert files.load(key) == "result"


def test_what_cannot_be_kept_or_read_is_compiled_in_each_process(nested):
    code = """
import warnings, errno, jit.cache
def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
def forbidden(path):
    raise PermissionError(errno.EACCES, "Permission denied")
jit.cache.write_at_once, jit.cache.Path.read_bytes = full, forbidden
from nested import outer
with warnings.catch_warnings(record=True) as said:
    print(outer(3), [str(one.message) for one in said])
"""
    said = "['compiled code cannot be kept: [Errno 28] No space left on device']"
    assert run(code, nested, UNFORCED_CACHE=str(nested / "cache")).endswith(said)


def test_the_next_process_finds_what_a_verb_was_compiled_to():
    """The folder that all tests use is a new one after every edit that matters here."""
    has_room(ExtraTurnNim().kernel, allocate(2))
    code = """
from agents.uct.search import has_room
from agents.uct.tree import allocate
from tests.extra_turn_nim import ExtraTurnNim
has_room(ExtraTurnNim().kernel, allocate(2))
stats = has_room.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
    assert run(code) == "1 0"


# --- Entries --------------------------------------------------------------------------------------------------------


def test_what_only_compiled_code_calls_has_no_entry_until_python_calls_it(nested):
    """A function that was loaded for Python is compiled again for compiled code: `inner(1j)` for `outer(1j)`."""
    for calls, printed in (
        (
            "outer(1), kept(outer), kept(inner), inner(1), kept(inner), outer(1), outer(1.5), inner(1j)",
            "4 [True] [False] 2 [True] 4 5.0 (1+1j)",
        ),
        (
            "inner(1), found(inner), outer(1), found(outer), inner(1.5), inner(1j), found(inner), outer(1j), inner(1j)",
            "2 1 4 1 2.5 (1+1j) 2 (2+2j) (1+1j)",
        ),
        ("inner(1.5), outer(1.5), found(inner), found(outer)", "2.5 5.0 1 1"),
    ):
        assert run(f"from nested import *; print({calls})", nested) == printed


@pytest.mark.parametrize(
    ("cache", "printed"),
    [
        ("cache", ["outer 0 4 True", "kept 4 False"]),
        ("nested.py", ["no compiled code is kept on this system 0 4 True"]),
    ],
)
def test_what_is_not_kept_is_not_compiled_where_only_kept_code_is_wanted(cache, printed, nested):
    """That holds with a cache, and with a file in the cache's place, so that nothing can be kept.

    Kept code runs without the modules that numba compiles with; their import takes longer than the rest of the start.
    """
    code = """
import sys
from nested import *
try:
    with jit.kept_code_only():
        print("kept", outer(1), end=" ")
except jit.NotKept as error:
    print(error, len(outer.overloads), outer(1), end=" ")
print("numba.np.arraymath" in sys.modules)
"""
    for line in printed:
        assert run(code, nested, UNFORCED_CACHE=str(nested / cache)) == line


def test_threads_that_compile_and_call_the_same_functions_do_not_meet_one_without_an_entry(nested):
    code = (
        "from nested import *; from concurrent.futures import ThreadPoolExecutor as Pool; "
        "calls = [(f, x) for x in (1, 1.5, 1j) for f in (outer, inner)]; "
        "print(list(Pool(6).map(lambda call: call[0](call[1]), calls)))"
    )
    assert run(code, nested) == "[4, 2, 5.0, 2.5, (2+2j), (1+1j)]"


# --- Waiting --------------------------------------------------------------------------------------------------------


def test_processes_that_want_the_same_function_compile_it_once_and_who_is_killed_while_it_does_holds_nobody_up(nested):
    begins = "from nested import *; import time; jit.wait_for_others(600); sleep = time.sleep; "
    holder = started(begins + "jit.cache.EntryCache(outer)._lock(); print(flush=True); sleep(600)", nested)
    assert holder.stdout.readline() == "\n"
    says_so = "jit.cache.time.sleep = lambda seconds: (print('waits', flush=True), sleep(seconds)); "
    waiting = [started(f"{begins}{says_so}print(outer(1), found(outer))", nested) for _ in range(2)]
    for process in waiting:
        assert process.stdout.readline() == "waits\n"
    holder.kill()
    holder.communicate()
    assert sorted(process.communicate()[0].splitlines()[-1] for process in waiting) == ["4 0", "4 1"]


@pytest.mark.slow
def test_nobody_waits_for_ever(nested):
    holds = "import fcntl, jit, time; file = (jit.CACHE_FOLDER.parent / 'functions.lock').open('w+'); "
    holder = started(holds + "fcntl.lockf(file, fcntl.LOCK_SH); print(flush=True); time.sleep(600)", nested)
    assert holder.stdout.readline() == "\n"
    code = "from nested import *; jit.wait_for_others(0.2); print(outer(1), jit.cache.EntryCache.patience <= 0)"
    assert run(code, nested) == "4 True"
    assert run("from nested import *; print(outer(1.5), jit.cache.EntryCache.patience)", nested) == "5.0 0.0"
    holder.kill()
    holder.communicate()


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
jit.compiled.nb.njit(lambda x: x + 1)(1)  # as an agent compiles by itself
assert "scipy" not in sys.modules
sys.modules["scipy"] = stand_in
jit.compiled.nb.njit(lambda x: x + 2)(1)
import scipy
assert scipy is stand_in
"""
    run(code)
