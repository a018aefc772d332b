"""What a Python agent's process reports while it is checked: how long each part took, and what it tried to do.

Python's audit events (PEP 578, `sys.addaudithook`) tell of every attempt to write a file, to reach the network or to
start a process, even if the agent catches the error; a report names the line of the agent's code that made the attempt.
The reports are lines on stderr, so they arrive in the agent's log. An agent can forge or hide them: they help its
author, and enforce nothing.

The agent's process imports this module, so only the standard library and this project's modules may be imported here.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from jit import CACHE_FOLDER

PREFIX = "unforced-report "  # how the lines of reports begin
MOST_ATTEMPTS = 40  # that are reported, each kind once per line of code; the log has room for as many

LOADED, MOVED, ATTEMPT = "loaded", "moved", "attempt"
WRITE, NETWORK, PROCESS, READ = "write", "network", "process", "read"

_WRITES = frozenset(
    ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.chmod", "os.utime")
)
_NETWORK = frozenset(("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"))
_PROCESSES = frozenset(
    ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system", "os.spawn")
)
_LISTS = frozenset(("os.listdir", "os.scandir"))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_INTERNET_FAMILIES = (2, 10)  # AF_INET, AF_INET6 on Linux
_DEVICES = "/dev/"


class SelfReport:
    """Reports of one process, from `begin` on.

    Args:
        folder: the agent's own folder, None for an agent of the project.
        started: when the clock of its first move began (`time.monotonic`).
    """

    def __init__(self, folder: Path | None, started: float) -> None:
        self._folder = None if folder is None else str(folder)
        self._started = started
        self._has_moved = False
        self._seen: set[tuple[str, str]] = set()
        self._modules = frozenset[str]()
        self._own = frozenset[str]()  # the names that its own modules may have
        self._compiled = str(CACHE_FOLDER or os.devnull)  # numba writes there, which is not reported
        self._is_busy = False

    def begin(self) -> None:
        """Report from now on what this process does. To be called before the agent is imported; cannot be undone."""
        self._modules = _top_level_modules()
        if self._folder is not None:
            self._own = frozenset(name.partition(".")[0] for name in os.listdir(self._folder))
        sys.addaudithook(self._audit)

    def loaded(self, name: str) -> None:
        """The agent's file was imported, and registered this name."""
        new = _top_level_modules() - self._modules
        ours = ("agent_file_", "__mp_main__")  # names of the agent's file, and of this program in `multiprocessing`
        names = sorted(name for name in new if name not in sys.stdlib_module_names and not name.startswith(ours))
        self._say(LOADED, name=name, modules=names)

    def moved(self) -> None:
        """The agent has answered; after its first answer, it can no longer read its own files."""
        self._has_moved = True
        self._say(MOVED, threads=_threads())

    def _say(self, kind: str, **more: Any) -> None:
        seconds = round(time.monotonic() - self._started, 3)
        _write({"kind": kind, "seconds": seconds, **more})

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._is_busy:  # the code below raises audit events itself
            return
        find = _FINDERS.get(event)
        if find is None:
            return
        self._is_busy = True
        try:
            kind, what = find(event, arguments)
            imported = _imported(sys._getframe())
            if kind == READ and not self._is_late_read(what):
                return
            if kind == READ and imported and self._own.isdisjoint(imported.split(".")):
                return  # the import system looks for a module of Python here first
            if kind == WRITE and imported:
                return  # the import system writes bytecode
            if kind and not _is_in(self._compiled, what):
                self._attempt(kind, what)
        finally:
            self._is_busy = False

    def _is_late_read(self, path: str) -> bool:
        return self._has_moved and self._folder is not None and _is_in(self._folder, path)

    def _attempt(self, kind: str, what: str) -> None:
        place = _place(sys._getframe(), self._folder)
        if len(self._seen) < MOST_ATTEMPTS and (kind, place) not in self._seen:
            self._seen.add((kind, place))
            _write({"kind": ATTEMPT, "attempt": kind, "what": what[:200], "place": place})


def _top_level_modules() -> frozenset[str]:
    """The top-level names of all modules that were imported so far."""
    return frozenset(name.partition(".")[0] for name in sys.modules)


def _is_in(folder: str, path: str) -> bool:
    """Whether a path is that of a folder or of something in it."""
    return f"{path}/".startswith(f"{folder}/")


def _place(frame: FrameType | None, folder: str | None) -> str:
    """The innermost line of the agent's own code on the stack, as `file:line`; empty if there is none."""
    while frame is not None and folder is not None:
        if _is_in(folder, frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _imported(frame: FrameType | None) -> str:
    """The module for which the import system itself raised the event; empty if a module that is imported raised it."""
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        if "fullname" in frame.f_locals:
            return str(frame.f_locals["fullname"])
        frame = frame.f_back
    return ""


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 0


def _write(content: Mapping[str, Any]) -> None:
    """Write a report in one piece, and not by `sys.stderr`, which the agent may have replaced."""
    try:
        os.write(2, f"{PREFIX}{json.dumps(content)}\n".encode())
    except OSError:  # the agent has closed it
        return


# --- What an audit event means: the kind of attempt (empty if it is none) and its object, such as a path ---

Finder = Callable[[str, tuple[Any, ...]], tuple[str, str]]


def _opened(event: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
    path, mode, flags = (*arguments, None, None)[:3]
    if not isinstance(path, str | bytes):
        return "", ""
    text = os.path.abspath(os.fsdecode(path))
    is_writing = any(letter in mode for letter in "wax+") if isinstance(mode, str) else bool((flags or 0) & _WRITING)
    if is_writing and not text.startswith(_DEVICES):
        return WRITE, text
    return READ, text


def _changed(event: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
    path = arguments[0] if arguments else ""
    return WRITE, os.path.abspath(os.fsdecode(path)) if isinstance(path, str | bytes) else repr(path)


def _listed(event: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
    path = arguments[0] if arguments and isinstance(arguments[0], str) else ""
    return READ, os.path.abspath(path)


def _made_socket(event: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
    is_internet = len(arguments) > 1 and arguments[1] in _INTERNET_FAMILIES
    return (NETWORK, "a socket") if is_internet else ("", "")


def _connected(event: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
    return NETWORK, " ".join(str(part) for part in arguments if isinstance(part, str | tuple))


def _began(event: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
    return PROCESS, " ".join(str(part) for part in arguments[:2] if isinstance(part, str | list)) or event


_FINDERS: Mapping[str, Finder] = {
    "open": _opened,
    "socket.__new__": _made_socket,
    **dict.fromkeys(_WRITES, _changed),
    **dict.fromkeys(_LISTS, _listed),
    **dict.fromkeys(_NETWORK, _connected),
    **dict.fromkeys(_PROCESSES, _began),
}
