"""What numba does again and again while it compiles, though nobody here looks at it, is left out.

This leans on numba's insides, as `whole_program.py` does, and is as easily switched off.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from llvmlite.binding import ffi
from numba.core import base, event, postproc, targetconfig, transforms


def _hash(self: Any) -> int:
    """As numba's, which sorts the names of all options, each time that it looks a function up: a tenth of its time."""
    return hash(type(self))


_numbas_equal = targetconfig.TargetConfig.__eq__


def _equal(self: Any, other: Any) -> Any:
    """As numba's, which first lists all options of both, those that nobody has set, too."""
    is_same = type(self) is type(other) and self._values == other._values
    return is_same or _numbas_equal(self, other)


_numbas_run = postproc.PostProcessor.run


def _post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """As numba's, which finds out after each change of a function which variables live where: the last time will do."""
    if emit_dels or self.func_ir.is_generator:
        _numbas_run(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.generator_info = None
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)  # finds out when it is asked


_numbas_timer = event.install_timer


def _timer(kind: str, callback: Any) -> AbstractContextManager[Any]:
    """As numba's, but none of the two that it gives each function, and tells of each call of LLVM."""
    return nullcontext() if kind in ("numba:compiler_lock", "numba:llvm_lock") else _numbas_timer(kind, callback)


def install() -> None:
    """From now on, numba compiles like this in this process."""
    targetconfig.TargetConfig.__hash__ = _hash
    targetconfig.TargetConfig.__eq__ = _equal
    postproc.PostProcessor.run = _post_process
    event.install_timer = _timer
    for callbacks in tuple(ffi.lib._lock._cblist):  # numba's announce each call of LLVM to those timers
        if callbacks[0].__module__ == base.__name__:
            ffi.unregister_lock_callback(*callbacks)
