"""Makes numba compile faster: work of its own that it repeats, and whose results are not needed here, is left out.

This depends on private parts of numba, as `whole_program.py` does, and is switched off in the same way.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from llvmlite.binding import ffi
from numba.core import base, event, postproc, targetconfig, transforms


def _hash(self: Any) -> int:
    """Numba's sorts the names of all options at each look-up of a function: a tenth of its time."""
    return hash(type(self))


_numbas_equal = targetconfig.TargetConfig.__eq__


def _equal(self: Any, other: Any) -> Any:
    """As numba's, which first lists all options of both, even those that were not set."""
    is_same = type(self) is type(other) and self._values == other._values
    return is_same or _numbas_equal(self, other)


_numbas_run = postproc.PostProcessor.run


def _post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """As numba's, which computes the lifetimes of variables after each pass: here only after the last."""
    if emit_dels or self.func_ir.is_generator:
        _numbas_run(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.generator_info = None
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)  # finds out when it is asked


_numbas_timer = event.install_timer


def _timer(kind: str, callback: Any) -> AbstractContextManager[Any]:
    """As numba's, but no timers of compiling: each function has two, which are called at each call of LLVM."""
    return nullcontext() if kind in ("numba:compiler_lock", "numba:llvm_lock") else _numbas_timer(kind, callback)


def install() -> None:
    """Make numba in this process compile so."""
    targetconfig.TargetConfig.__hash__ = _hash
    targetconfig.TargetConfig.__eq__ = _equal
    postproc.PostProcessor.run = _post_process
    event.install_timer = _timer
    for callbacks in tuple(ffi.lib._lock._cblist):  # numba's own, which call those timers
        if callbacks[0].__module__ == base.__name__:
            ffi.unregister_lock_callback(*callbacks)
