"""numba, imported as every process here uses it: with one thread, without scipy, and without looking for garbage."""

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

    scipy is for linear algebra, and would take 13 MB and a quarter of a second; yaml reads a file of settings.
    """
    hidden = {"scipy", "yaml"} - sys.modules.keys()
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def import_compiler() -> None:
    """Import what numba needs to compile, and not to run what was compiled before: a tenth of a second."""
    with _without_extras():
        import numba.np.arraymath  # noqa: F401, PLC0415


with no_garbage_collection(), _without_extras():
    import numba  # noqa: F401

    gc.freeze()  # all this stays: no search for garbage looks through it
