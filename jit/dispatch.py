"""Single dispatch in compiled code: verbs whose bodies are chosen by the class of their first argument."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import numba.core.caching as nb_caching
from numba.extending import overload

from jit.cache import HASHED, is_kept

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
    """Give a `dispatched` function its body for first arguments of the class `kernel`, a class of NamedTuples.

    A body that is compiled (by `jit`) is called; a plain function is written into its caller, which suits bodies of a
    line or two. Raises TypeError for other parameters than the function's.
    """
    plain = getattr(body, "py_func", body)
    wanted, got = _parameters(function), _parameters(plain)
    if wanted != got:
        raise TypeError(f"{kernel.__name__}: {function.__name__} takes ({', '.join(wanted)}), not ({', '.join(got)})")
    if not is_kept(kernel) and Path(plain.__code__.co_filename).resolve() not in HASHED:
        _leave_the_cache_alone()
    _bodies[function, kernel] = body


def _parameters(function: Body) -> tuple[str, ...]:
    """The names of a function's parameters; `inspect.signature` takes a hundred times as long."""
    code: CodeType = inspect.unwrap(function).__code__
    return code.co_varnames[: code.co_argcount]


def _leave_the_cache_alone() -> None:
    """From now on this process compiles all that it calls.

    The name of the cache's folder says nothing of files outside this project: of a game or a formula in a notebook, for
    example. Bodies from there become part of code that is compiled from other files, so the next process would run
    them as they were before an edit.
    """
    nb_caching.Cache._load_overload = lambda self, signature, context: None
    nb_caching.Cache.save_overload = lambda self, signature, data: None


def _chooser(function: Body, inlined: bool) -> Body:
    """The function that `overload` needs: from the types of the arguments to a plain function, or None."""
    names = ", ".join(_parameters(function))

    @functools.wraps(function)
    def choose(kernel: Any, *arguments: Any) -> Any:
        """The body for this class of kernels, as numba's `overload` asks for it."""
        body = _bodies.get((function, getattr(kernel, "instance_class", type(None))))
        if body is None or inlined is hasattr(body, "py_func"):
            return None
        # numba wants the parameters' very names. The code that is kept of a caller does not refer to this lambda, so it
        # need not be kept itself: the next process would not find it.
        return body if inlined else eval(f"lambda {names}: body({names})", {"body": body})

    return choose
