"""How functions are compiled: to machine code once, with all that they call, and not again for each literal number.

The private parts of numba that `jit` replaces must also be as they were.
"""

import inspect

import numba
import pytest
from llvmlite.binding import ffi
from numba.core import base, codegen, compiler, dispatcher, event, postproc, targetconfig

import jit  # first: it decides where compiled code is kept
from jit import shortcuts, whole_program
from jit.folder import IS_PLAIN
from tests.programs import run

CHAIN = """
import jit, numpy as np
from jit import whole_program
made = []
make = whole_program.Library._make_machine_code
whole_program.Library._make_machine_code = lambda library: (made.append(library.name), make(library))

@jit.jit
def bottom(n):
    return max(n, 2)
@jit.jit(allocates=True)
def middle(n):
    return np.arange(bottom(n)).sum()
@jit.jit
def is_even(n):
    return True if n == 0 else is_odd(n - 1)
@jit.jit
def is_odd(n):
    return False if n == 0 else is_even(n - 1)
@jit.jit
def top(n):
    return middle(n), bottom(n), is_even(n), is_odd(n)
"""


@pytest.fixture
def chain(tmp_path):
    """Runs code after CHAIN, which is a module, in new processes that share a cache."""
    (tmp_path / "chain.py").write_text(CHAIN)
    kept = {"UNFORCED_CACHE": str(tmp_path / "cache")}
    return lambda code, **more: run(f"from chain import *; {code}", tmp_path, **kept, **more)


def test_only_what_python_calls_is_compiled_and_kept_and_what_is_loaded_can_not_be_linked(chain, tmp_path):
    names = "[name for name in made if name in ('top', 'middle', 'bottom', 'is_even', 'is_odd')]"
    linked = "*(found.library.can_be_linked for found in top.overloads.values())"
    assert chain(f"print(*top(5), {names}, {linked})") == "10 5 False True ['top'] True"
    assert {path.name.split("-")[0] for path in (tmp_path / "cache").rglob("chain.*.nbc")} == {"chain.top"}
    then = f"print(middle(5), bottom(1), *top(5), {names}, {linked})"  # top is loaded
    assert chain(then) == "10 2 10 5 False True ['middle', 'bottom'] False"


def test_numbas_own_way_gives_the_same(chain):
    assert chain("print(*top(5), made)", UNFORCED_PLAIN_NUMBA="1") == "10 5 False True []"


def test_compiled_code_of_others_may_call_ours_and_is_kept_with_its_code(chain, tmp_path):
    (tmp_path / "other.py").write_text(
        "import numba, chain\n"
        "@numba.njit(cache=True)\ndef twice(n):\n    return 2 * chain.bottom(n)\n"
        "@numba.njit\ndef fourfold(n):\n    return 2 * twice(n)\n"
    )
    for hits in (0, 1):
        code = "import other; print(bottom(3), other.twice(3), other.fourfold(3), len(other.twice.stats.cache_hits))"
        assert chain(code) == f"3 6 12 {hits}"


def test_numba_has_the_parts_that_are_replaced():
    """If this fails with a new numba, compare `whole_program.py` with its `core/codegen.py`."""
    if IS_PLAIN:
        pytest.skip("numba compiles in its own way here: UNFORCED_PLAIN_NUMBA is set")
    added = {"_closure", "_make_machine_code", "can_be_linked", "is_for_callers", "_is_machine_code", "_shared_module"}
    for name in (
        vars(whole_program.Library).keys() - added - {"__module__", "__doc__", "__abstractmethods__", "_abc_impl"}
    ):
        theirs, ours = (getattr(kind, name) for kind in (codegen.JITCodeLibrary, whole_program.Library))
        if callable(ours):
            assert len(inspect.signature(theirs).parameters) == len(inspect.signature(ours).parameters), name
    function = jit.jit(lambda n: n + 1)
    assert function(1) == 2
    (found,) = function.overloads.values()
    assert isinstance(found.library, whole_program.Library)
    assert {"_final_module", "_linking_libraries", "_reload_init", "_codegen", "_finalized"} <= set(vars(found.library))


def test_numba_has_what_is_left_out():
    """If this fails with a new numba, compare `shortcuts.py` with what it names."""
    if IS_PLAIN:
        pytest.skip("numba compiles in its own way here: UNFORCED_PLAIN_NUMBA is set")
    assert targetconfig.TargetConfig.__hash__ is shortcuts._hash
    assert "hash(tuple(sorted(self.values())))" in inspect.getsource(targetconfig.TargetConfig)
    assert "self.values() == other.values()" in inspect.getsource(shortcuts._numbas_equal)
    theirs = inspect.signature(shortcuts._numbas_run).parameters
    assert list(theirs) == list(inspect.signature(postproc.PostProcessor.run).parameters)
    assert '"numba:compiler_lock"' in (source := inspect.getsource(dispatcher.Dispatcher.compile))
    assert '"numba:llvm_lock"' in source
    assert event.install_timer is shortcuts._timer
    assert not [enter for enter, _ in ffi.lib._lock._cblist if enter.__module__ == base.__name__]


def test_the_timers_of_others_run():
    durations, function = [], jit.jit(lambda n: n + 1)
    function.source = None  # as if its file were edited: then no kept code is looked for
    with event.install_timer("numba:compile", durations.append):
        function(1)
    assert len(durations) == 1
    assert durations[0] > 0


def test_settings_of_numba_are_equal_as_before():
    first, second = compiler.Flags(), compiler.Flags()
    assert first == second
    first.nrt = False  # as by default
    assert first == second
    second.nrt = True
    assert first != second
    assert first != 1


def test_a_number_that_the_caller_writes_down_is_an_argument_like_any_other():
    @jit.jit
    def double(n):
        return 2 * n

    @jit.jit
    def sums(n):
        return double(1) + double(n=2) + double(n)

    assert sums(3) == 12
    assert len(double.overloads) == 1


def test_a_number_that_a_function_has_to_know_is_known():
    @jit.jit
    def place(pair, n):
        return pair[n]

    @jit.jit
    def known(n):
        return numba.literally(n)

    @jit.jit
    def places(pair):
        return place(pair, 0), place(pair, 1), known(3)

    assert places((1, 2.5)) == (1, 2.5, 3)


@pytest.mark.slow
def test_searches_are_the_same_in_numbas_own_way():
    signatures = [
        run("from benchmarks.bench import signature; print(signature())", UNFORCED_PLAIN_NUMBA=plain)
        for plain in ("0", "1")
    ]
    assert signatures[0] == signatures[1] != ""
