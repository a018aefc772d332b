"""`jit`, numba's compiler as this project uses it."""

import functools
from typing import Any

import numba as nb
from numba.core import sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from jit import shortcuts, whole_program
from jit.cache import EntryCache, state_of
from jit.folder import CACHE_FOLDER, IS_PLAIN
from jit.numba_import import no_garbage_collection

if not IS_PLAIN:
    shortcuts.install()
    whole_program.install()


def jit(function: Any = None, *, allocates: bool = False, inline: str = "never", **options: Any) -> Any:
    """`numba.njit`, cached on disk wherever a cache folder can be written.

    A function that makes arrays has to say so with `allocates`. The others are compiled without reference counting:
    numba would count every array up and down, atomically, at each call of a compiled function from another, which
    halves the speed of playouts (120 ns of work) and more than halves that of the search.

    With `inline="always"` LLVM writes the function into its callers. numba would do that in Python, and run each copy
    through all of its own passes.

    Division by zero gives infinity or nan as in numpy: the check that raises would keep loops from being vectorised.
    """
    if function is None:
        return functools.partial(jit, allocates=allocates, inline=inline, **options)
    # Nothing here is called from C: without an entry for it, less has to be compiled.
    options |= {"no_cfunc_wrapper": True, "_nrt": allocates, "forceinline": inline == "always"}
    compiled = nb.njit(error_model="numpy", **options)(function)
    if isinstance(compiled, CPUDispatcher):  # not with NUMBA_DISABLE_JIT
        compiled.__class__ = Dispatcher
        compiled.source = state_of(function.__code__.co_filename)
    return compiled


def _without_number(of_argument: Any) -> Any:
    """The type of an argument; for a number that the caller writes down, the type of any such number."""
    return of_argument.literal_type if isinstance(of_argument, types.IntegerLiteral) else of_argument


def _has_entry(compiled: Any) -> bool:
    """Whether Python can call what numba compiled; calling it without an entry would end the process."""
    return bool(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cpython_wrapper_name))


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """numba's dispatcher, but a function that only compiled code calls has no entry; it gets one when Python calls it.

    An entry takes the arguments out of Python's objects. For a NamedTuple of twenty arrays that is more code than most
    functions have.
    """

    is_for_python = True  # whether Python calls what is compiled or loaded now
    source: Any = None  # the `state_of` its file when the file was imported
    _cache: Any

    def _compilation_chain_init_hook(self) -> None:
        """Do nothing: extensions of numba are looked for when something is compiled; kept code runs without."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call means in code that is being compiled.

        numba would compile the function for each number that callers write down. Here such a number is an argument like
        any other, unless the function compiles only if the number is known.
        """
        with global_compiler_lock:  # another thread must not see what `is_for_python` is meanwhile
            before, self.is_for_python = self.is_for_python, False
            plain, plain_kws = tuple(map(_without_number, args)), {key: _without_number(kws[key]) for key in kws}
            try:
                if plain == tuple(args) and plain_kws == kws:
                    return super().get_call_template(args, kws)
                try:
                    return super().get_call_template(plain, plain_kws)
                except Exception:  # whatever the error of numba or an extension: with the number there may be none
                    return super().get_call_template(args, kws)
            finally:
                self.is_for_python = before

    def compile(self, sig: Any) -> Any:
        """Compile or load for these types; returns the entry point, which can be called if it is for Python."""
        arguments = tuple(sigutils.normalize_signature(sig)[0])
        with global_compiler_lock, no_garbage_collection():
            if self.is_for_python and not isinstance(self._cache, EntryCache):
                self._open_cache()
            known = self.overloads.get(arguments)
            if known is not None and not self._suits(known):
                del self.overloads[arguments]
            self.targetoptions["no_cpython_wrapper"] = not self.is_for_python
            try:
                return super().compile(sig)
            finally:
                if not self.is_compiling and isinstance(self._cache, EntryCache):
                    self._cache.unlock()

    def _open_cache(self) -> None:
        """Use kept code, unless the file was edited or removed after it was imported."""
        if CACHE_FOLDER is not None and self.source == state_of(self.py_func.__code__.co_filename):
            self._cache = EntryCache(self)

    def _suits(self, compiled: Any) -> bool:
        """Whether what was compiled or loaded before will do for the present caller."""
        return _has_entry(compiled) if self.is_for_python else getattr(compiled.library, "can_be_linked", True)

    def add_overload(self, cres: Any) -> None:
        """Let compiled code call it, and Python too if it has an entry."""
        if _has_entry(cres):
            super().add_overload(cres)
        else:
            self.overloads[tuple(cres.signature.args)] = cres
