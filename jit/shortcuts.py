"""Makes numba compile faster: leaves out work that numba repeats, or whose results are not needed here.

This depends on private parts of numba, as `whole_program.py` does, and is switched off in the same way.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from llvmlite.binding import ffi
from numba.core import base, event, postproc, targetconfig, transforms


def _hash(self: Any) -> int:
    """Hash only the class: numba sorts the names of all options at each look-up of a function, a tenth of its time."""
    return hash(type(self))


_numbas_equal = targetconfig.TargetConfig.__eq__


def _equal(self: Any, other: Any) -> Any:
    """Compare the options that were set; numba's own comparison, asked if they differ, first lists all of both."""
    is_same = type(self) is type(other) and self._values == other._values
    return is_same or _numbas_equal(self, other)


_numbas_run = postproc.PostProcessor.run


def _post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """numba's post-processing, but the lifetimes of variables are computed after the last pass only, not after each."""
    if emit_dels or self.func_ir.is_generator:
        _numbas_run(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.generator_info = None
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)  # computes them when asked


_numbas_timer = event.install_timer


def _timer(kind: str, callback: Any) -> AbstractContextManager[Any]:
    """numba's own, but without timers of compiling: each function would have two, called at each call of LLVM."""
    return nullcontext() if kind in ("numba:compiler_lock", "numba:llvm_lock") else _numbas_timer(kind, callback)


def install() -> None:
    """Switch these shortcuts on in this process."""
    targetconfig.TargetConfig.__hash__ = _hash
    targetconfig.TargetConfig.__eq__ = _equal
    postproc.PostProcessor.run = _post_process
    event.install_timer = _timer
    for callbacks in tuple(ffi.lib._lock._cblist):  # numba's own, which call those timers
        if callbacks[0].__module__ == base.__name__:
            ffi.unregister_lock_callback(*callbacks)
