"""numba, imported as every process here uses it: with one thread, without scipy, and without looking for garbage."""

import gc
import os
import sys

# numba reads these when it is imported. One thread is all that an agent may use, and every BLAS thread that starts
# costs 40 MB of address space.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

# numba imports scipy where it is installed, for linear algebra that nothing here needs: 13 MB, a quarter of a second.
_hides_scipy = "scipy" not in sys.modules
if _hides_scipy:
    sys.modules["scipy"] = None  # type: ignore[assignment]
# What is imported stays: to look for garbage in it takes a tenth of a second, now and whenever all is looked through.
_was_enabled = gc.isenabled()
gc.disable()
try:
    import numba.np.arraymath  # noqa: F401 (which looks for scipy, and would be imported by the first compiled call)
finally:
    if _hides_scipy:
        del sys.modules["scipy"]
    gc.freeze()
    if _was_enabled:
        gc.enable()
