"""The ground under every compiled kernel: the compile cache, bit intrinsics, random numbers.

Importing this module decides where numba keeps compiled code, so it stands first among the imports of every module
that compiles something. Nothing here knows a game or a search.

Begin reading at `cache_folder` (why the cache is where it is), then `pcg32`.
"""

import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

with suppress(ImportError):  # only systems like Unix have it
    import fcntl

PROJECT = Path(__file__).resolve().parent

# numba reads these when it is imported. One thread is all that an agent may use, and every BLAS thread that starts
# costs 40 MB of address space.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

VIEWS = ("board_view.py", "set_up_view.py")  # files of games that compile nothing
_STALE_CACHES_KEPT = 3
_PAUSE = 0.05  # seconds between two looks at whether another process is still compiling


def game_folders() -> list[Path]:
    """The packages of this project that are games: those with a module `game`."""
    return sorted(path.parent for path in PROJECT.glob("*/game.py"))


def jitted_sources() -> list[Path]:
    """The files of this project whose compiled code, or frozen constants, other files' compiled code uses; sorted.

    An agent that is one file need not be among them: numba sees that the file of a compiled function was edited.
    """
    folders = [*game_folders(), *PROJECT.glob("agents/*/"), PROJECT / "studies" / "synthetic"]
    examples = ("tests/tictactoe.py", "tests/learned_tictactoe.py", "tests/extra_turn_nim.py")
    single = ("jit.py", "options.py", "game.py", "agents/outcomes.py", "learning/network.py", *examples)
    files = [path for folder in folders for path in folder.rglob("*.py")] + [PROJECT / name for name in single]
    return sorted(path for path in files if path.is_file() and path.name not in VIEWS)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _remove_stale(parent: Path, keep: Path) -> None:
    """Delete the caches of older sources but for the newest few, which a branch switched back to will want."""
    others = sorted((f for f in parent.iterdir() if f.is_dir() and f != keep), key=lambda f: f.stat().st_mtime)
    for folder in others[:-_STALE_CACHES_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def cache_folder() -> Path | None:
    """Where compiled kernels are kept between processes, or None if there is no such folder and none can be made.

    numba looks at the file of a cached function only: it does not see that a function called from another file was
    edited, and would run the old code. Therefore the folder's name carries a hash of all compiled sources.

    `UNFORCED_CACHE` names the parent folder; without it, `.cache/kernels` in the project, then the user's cache
    folder, then the system's folder for temporary files.
    """
    digest = hashlib.sha256()
    for path in jitted_sources():
        digest.update(str(path.relative_to(PROJECT)).encode() + b"\0" + path.read_bytes())
    name = digest.hexdigest()[:16]
    parents = [PROJECT / ".cache" / "kernels"]
    with suppress(RuntimeError):  # a user without a home
        user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        parents.append(user_cache / "unforced" / "kernels")
    with suppress(FileNotFoundError):  # a system without a folder for temporary files
        user = os.getuid() if hasattr(os, "getuid") else "user"
        parents.append(Path(tempfile.gettempdir()) / f"unforced-kernels-{user}")
    if named := os.environ.get("UNFORCED_CACHE"):
        parents = [Path(named)]
    for parent in parents:
        folder = parent / name
        fresh = not folder.exists()
        if _writable(folder):
            if fresh:
                _remove_stale(parent, folder)
            return folder
    return next((parent / name for parent in parents if (parent / name).is_dir()), None)


CACHE_FOLDER = cache_folder()
CACHE_IS_READ_ONLY = CACHE_FOLDER is not None and not _writable(CACHE_FOLDER)
if CACHE_FOLDER is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE_FOLDER)

# numba imports scipy where it is installed, for linear algebra that nothing here needs: 13 MB, a quarter of a second.
_hides_scipy = "scipy" not in sys.modules
if _hides_scipy:
    sys.modules["scipy"] = None  # type: ignore[assignment]
try:
    import numba as nb  # (the cache folder has to be set first)
    import numba.np.arraymath  # (which looks for scipy, and would be imported by the first compiled call)
finally:
    if _hides_scipy:
        del sys.modules["scipy"]

import numba.core.caching as nb_caching  # noqa: E402
import numpy as np  # noqa: E402
from llvmlite import binding, ir  # noqa: E402
from numba.core import cgutils, sigutils, types  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

if CACHE_FOLDER is not None:
    nb.config.CACHE_DIR = str(CACHE_FOLDER)  # for a program that had imported numba before us


class ReadOnlyLocator(nb_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Finds what others compiled in a folder that cannot be written; numba's own gives such a folder up."""

    def ensure_cache_path(self) -> None:
        """Nothing is made."""


if CACHE_IS_READ_ONLY:
    # In a sandbox, where an agent runs. What it compiles itself lasts as long as its process; with numba's own
    # locators `cache=True` would be an error where no folder can be written.
    nb.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{ReadOnlyLocator.__name__}"
    nb_caching.Cache.save_overload = lambda self, signature, data: None


def jit(function: Any = None, *, allocates: bool = False, **options: Any) -> Any:
    """`numba.njit`, cached on disk wherever a cache folder can be written.

    A function that makes arrays has to say so with `allocates`. The others are compiled without reference counting:
    numba would count every array up and down, atomically, at each call of a compiled function from another, which
    halves the speed of playouts (120 ns of work) and more than halves that of the search.

    Division by zero gives infinity or nan as in numpy: the check that raises would keep loops from being vectorised.
    """
    if function is None:
        return functools.partial(jit, allocates=allocates, **options)
    # Nothing here is called from C: without an entry for it, less has to be compiled.
    compiled = nb.njit(error_model="numpy", no_cfunc_wrapper=True, _nrt=allocates, **options)(function)
    if isinstance(compiled, CPUDispatcher):  # not with NUMBA_DISABLE_JIT
        compiled.__class__ = Dispatcher
        if CACHE_FOLDER is not None:
            compiled.enable_caching()
    return compiled


# --- What is compiled, and who waits for it --------------------------------------------------------------------------
# What Python calls has an entry, which takes its arguments out of Python's objects. For a NamedTuple of twenty arrays
# that is more code than most functions are, and numba makes one for each function: it had a quarter of the time in
# which a search is compiled. Of processes that want the same function at the same time, numba lets each compile it, and
# of two that keep it for different types, one overwrites what the index says of the other: those that have the time
# (`wait_for_others`) wait for the first one.


def wait_for_others(seconds: float) -> None:
    """Let this process wait for what others compile, so many seconds in all; then it compiles as they do.

    Not for an agent, whose clock would run meanwhile. Where files cannot be locked, nobody waits.
    """
    _Cache.patience = seconds if "fcntl" in sys.modules else 0.0


def _has_entry(compiled: Any) -> bool:
    """Whether Python can call what numba compiled; calling it without an entry would end the process."""
    return bool(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cpython_wrapper_name))


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """As numba's, but what only compiled code calls is compiled without an entry; once Python calls it, with one."""

    _is_for_python = True  # what is compiled or loaded now

    def enable_caching(self) -> None:
        """Keep on disk what is compiled."""
        self._cache = _Cache(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a call means in code that is being compiled."""
        with global_compiler_lock:  # another thread must not see what `_is_for_python` is meanwhile
            before, self._is_for_python = self._is_for_python, False
            try:
                return super().get_call_template(args, kws)
            finally:
                self._is_for_python = before

    def compile(self, sig: Any) -> Any:
        """The entry of what is compiled for these types: one that can be called if that is for Python."""
        arguments = tuple(sigutils.normalize_signature(sig)[0])
        with global_compiler_lock:
            known = self.overloads.get(arguments)
            if self._is_for_python and known is not None and not _has_entry(known):
                del self.overloads[arguments]
            self.targetoptions["no_cpython_wrapper"] = not self._is_for_python
            try:
                return super().compile(sig)
            finally:
                if not self.is_compiling and isinstance(self._cache, _Cache):
                    self._cache.unlock()

    def add_overload(self, cres: Any) -> None:
        """Let it be called: by compiled code, and by Python if it has an entry."""
        if _has_entry(cres):
            super().add_overload(cres)
        else:
            self.overloads[tuple(cres.signature.args)] = cres


class _Cache(nb_caching.FunctionCache):  # type: ignore[misc]
    """What is kept of a function; for Python, only if it has an entry.

    From a search without success until `unlock`, no other process that waits compiles the function. The lock is that of
    a byte in a file that all functions share: such a lock ends with its process. The file is beside the folder, where
    no agent sees it that bubblewrap confines.
    """

    patience: ClassVar[float] = 0.0  # seconds that this process may still wait
    _file: ClassVar[Any] = None  # one for all: to close any would end all locks

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher.py_func)
        self._dispatcher = dispatcher
        self._byte = zlib.crc32(f"{self.cache_path}/{self._impl.filename_base}".encode())
        self._is_locked = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept, perhaps after waiting for the process that compiles it; None if nothing is."""
        found = self._load(sig, target_context)
        if found is None and _Cache.patience > 0 and not (self._is_locked or CACHE_IS_READ_ONLY):
            self._lock()
            found = self._load(sig, target_context)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        return found if found is None or not self._dispatcher._is_for_python or _has_entry(found) else None

    def _lock(self) -> None:
        """Wait for the others, as long as this process has patience."""
        assert CACHE_FOLDER is not None
        start = time.monotonic()
        while True:
            try:
                if _Cache._file is None:
                    _Cache._file = (CACHE_FOLDER.parent / "functions.lock").open("w")
                fcntl.lockf(_Cache._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, self._byte)
                self._is_locked = True
                break
            except (BlockingIOError, PermissionError):  # it is held
                if time.monotonic() - start >= _Cache.patience:
                    break
                time.sleep(_PAUSE)
            except OSError:  # a file system without locks
                break
        _Cache.patience -= time.monotonic() - start

    def unlock(self) -> None:
        """Let the others load it, or compile it for other types."""
        if self._is_locked:
            self._is_locked = False
            fcntl.lockf(_Cache._file, fcntl.LOCK_UN, 1, self._byte)


# --- Single dispatch ------------------------------------------------------------------------------------------------

_HASHED = frozenset(jitted_sources())

Body = Callable[..., Any]
_bodies: dict[tuple[Body, type], Body] = {}


def dispatched(function: Body) -> Body:
    """A decorator: compiled code that calls `function` gets the body that belongs to the class of its first argument.

    That argument is a NamedTuple; `give_body` says which body belongs to which class. The choice is made while the
    caller is compiled and costs nothing later. Called from Python, the function finds its body as well.
    """

    @functools.wraps(function)
    def generic(kernel: Any, *arguments: Any) -> Any:
        return _bodies[generic, type(kernel)](kernel, *arguments)

    overload(generic, inline="always")(_chooser(generic, inlined=True))
    overload(generic)(_chooser(generic, inlined=False))
    return generic


def give_body(function: Body, kernel: type, body: Body) -> None:
    """Let a `dispatched` function do this where its first argument is a `kernel`, a class of NamedTuples.

    A body that is compiled (by `jit`) is called; a plain function is written into its caller, which suits bodies of a
    line or two. Raises TypeError for other parameters than the function's.
    """
    plain = getattr(body, "py_func", body)
    wanted, got = (list(inspect.signature(f).parameters) for f in (function, plain))
    if wanted != got:
        raise TypeError(f"{kernel.__name__}: {function.__name__} takes ({', '.join(wanted)}), not ({', '.join(got)})")
    if Path(plain.__code__.co_filename).resolve() not in _HASHED:
        _leave_the_cache_alone()
    _bodies[function, kernel] = body


def _leave_the_cache_alone() -> None:
    """From now on this process compiles all that it calls.

    Bodies from files that the cache's name says nothing of become part of code that is compiled from others: of a game
    or a formula outside this project, in a notebook, say. The next process would run them as they were before an edit.
    """
    nb_caching.Cache.load_overload = lambda self, signature, context: None
    nb_caching.Cache.save_overload = lambda self, signature, data: None


def _chooser(function: Body, inlined: bool) -> Body:
    """What `overload` wants: from the types of the arguments to a plain function, None if there is none."""
    names = ", ".join(inspect.signature(function).parameters)

    @functools.wraps(function)
    def choose(kernel: Any, *arguments: Any) -> Any:
        """The body for this class of kernels, as numba's `overload` asks for it."""
        body = _bodies.get((function, getattr(kernel, "instance_class", type(None))))
        if body is None or inlined is hasattr(body, "py_func"):
            return None
        # numba wants the parameters' very names. What a caller's cache keeps knows nothing of this closure; one that
        # was cached itself would not be found by the next process.
        return body if inlined else eval(f"lambda {names}: body({names})", {"body": body})

    return choose


# --- Bits -----------------------------------------------------------------------------------------------------------

U64 = np.uint64
HAS_BIT_DEPOSIT = bool(binding.get_host_cpu_features().get("bmi2", False))


@intrinsic
def popcount(typing_context, word):
    """Number of bits set in a uint64, as a uint64."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest_bit(typing_context, word):
    """Index of the lowest bit set in a uint64, as a uint64; 64 when none is."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def _bit_deposit_x86(typing_context, bits, mask):
    """The instruction PDEP: the low bits of `bits`, spread over the places that `mask` has set."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        function_type = ir.FunctionType(word, [word, word])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.x86.bmi.pdep.64")
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def rotate_right(typing_context, word, places):
    """A uint32 rotated right by so many places, one instruction: numba's own shifts work on 64 bits and take nine."""

    def generate(context, builder, signature, arguments):
        half = ir.IntType(32)
        function_type = ir.FunctionType(half, [half, half, half])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.fshr.i32")
        return builder.call(function, [arguments[0], *arguments])

    return types.uint32(types.uint32, types.uint32), generate


@nb.njit(inline="always")
def select_bit_portable(mask, k):
    """As `select_bit`, for processors without PDEP: clear the k lowest bits one by one."""
    while k > U64(0):
        mask &= mask - U64(1)
        k -= U64(1)
    return mask & (~mask + U64(1))


if HAS_BIT_DEPOSIT:

    @nb.njit(inline="always")
    def select_bit(mask, k):
        """The k-th lowest set bit of `mask` (k from 0), as a word with that one bit set; k < popcount(mask)."""
        return _bit_deposit_x86(U64(1) << k, mask)

else:
    select_bit = select_bit_portable


# --- Memory ---------------------------------------------------------------------------------------------------------


@intrinsic
def prefetch(typing_context, array, index):
    """Ask for array[index] (of one dimension, contiguous) to be brought into the cache, and do not wait for it."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        to_read, to_all_levels, data_not_code = (ir.Constant(number, n) for n in (0, 3, 1))
        builder.call(function, [place, to_read, to_all_levels, data_not_code])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


# --- Random numbers -------------------------------------------------------------------------------------------------
# PCG32, XSH-RR 64/32: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
# Number Generation", 2014. The state is an array `rng` of two uint64: [state, increment].

PCG_MULTIPLIER = U64(6364136223846793005)


@nb.njit(inline="always")
def pcg_output(state):
    """The 32 random bits that PCG32 gives out for a state, as a uint64 below 2^32."""
    xorshifted = nb.uint32(((state >> U64(18)) ^ state) >> U64(27))
    return U64(rotate_right(xorshifted, nb.uint32(state >> U64(59))))


@nb.njit(inline="always")
def pcg_step(state, increment):
    """The state after this one."""
    return state * PCG_MULTIPLIER + increment


@jit
def pcg32(rng):
    """Advance `rng` and return 32 random bits as a uint64."""
    state = rng[0]
    rng[0] = pcg_step(state, rng[1])
    return pcg_output(state)


@jit
def random_below(rng, n):
    """A random uint64 below n <= 2^32, by multiply and shift (bias below n / 2^32)."""
    return (pcg32(rng) * U64(n)) >> U64(32)


def new_rng(seed: int, sequence: int = 54) -> np.ndarray:
    """The state of a PCG32 for a seed, as the reference implementation's `pcg32_srandom` makes it: uint64[2]."""
    mask = (1 << 64) - 1
    increment = (sequence << 1 | 1) & mask
    state = ((increment + seed) * int(PCG_MULTIPLIER) + increment) & mask
    return np.array([state, increment], dtype=np.uint64)
