"""Imports numba as every process here uses it: with one thread, without scipy and yaml, without garbage collection."""

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
    """Pause the search for garbage, a tenth of the time: what is imported or compiled makes many objects that stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _without_extras() -> Iterator[None]:
    """Hide modules that numba imports if they are installed, and that nothing here needs.

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


# numba imports the rest when something is compiled. A process that only runs kept code does without it: that saves a
# tenth of a second, and more for registering what was imported (see `EntryCache._load`).
def _import_the_rest(context: cpu.CPUContext) -> None:
    """numba's own `load_additional_registries`, but its first import does not look for scipy."""
    if "numba.np.arraymath" not in sys.modules:
        with _without_extras():
            import numba.np.arraymath  # noqa: F401, PLC0415
    _load_registries(context)


_load_registries = cpu.CPUContext.load_additional_registries
cpu.CPUContext.load_additional_registries = _import_the_rest
