"""numba, imported as every process here uses it: with one thread, without scipy and yaml, looking for no garbage."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# numba reads these when it is imported. One thread is all that an agent may use, and every BLAS thread that starts
# costs 40 MB of address space.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Leave garbage alone: what is imported or compiled makes many objects that stay, and to look through them takes
    a tenth of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _without_extras() -> Iterator[None]:
    """Hide what numba imports where it is installed, and nothing here needs.

    scipy, for linear algebra, would take 13 MB and a quarter of a second; yaml, for a file of settings, 5 to 10 ms.
    """
    hidden = [name for name in ("scipy", "yaml") if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


with no_garbage_collection(), _without_extras():
    from numba.core import cpu

    gc.freeze()  # all this stays: no search for garbage looks through it


# numba imports the rest when something is compiled. Whoever only runs what was compiled before does without: that saves
# a tenth of a second, and what is registered then takes longer still (see `EntryCache._load`).
def _import_the_rest(context: cpu.CPUContext) -> None:
    """As numba's, which looks for scipy when it does this first."""
    if "numba.np.arraymath" not in sys.modules:
        with _without_extras():
            import numba.np.arraymath  # noqa: F401, PLC0415
    _load_registries(context)


_load_registries = cpu.CPUContext.load_additional_registries
cpu.CPUContext.load_additional_registries = _import_the_rest
