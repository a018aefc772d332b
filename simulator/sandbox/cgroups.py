"""Control groups, by which the kernel counts, limits, freezes and kills all processes of an agent together.

For each agent, a group is made below the referee's own group: in version 2 of the interface if that offers the
controller, else in version 1. Both can be mounted at once; then version 2 still freezes and kills. If the referee may
not write there (an ordinary user without delegation), there are no groups, and `ADVICE` says what to do.

Sources: the kernel's `admin-guide/cgroup-v2` and `admin-guide/cgroup-v1`.
"""

import errno
import functools
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from simulator import command_line

MB = 1 << 20
PREFIX = "unforced-"  # of the groups' names: unforced-REFEREE'S PID-RANDOM NUMBER
REFEREE = "-referee"  # how the name of the group ends into which the referee itself moves
AT_LIMIT = 0.98  # a group that has used this share of its memory has reached its limit
REMOVE_SECONDS = 2.0  # how long to try: the kernel keeps a group busy for a moment after its last process

CONTROLLERS = ("memory", "pids", "cpuset")  # the names are the same in both versions
CORE = "core"  # freezing and killing, for which version 2 needs no controller

ADVICE = (
    "this user may not make control groups; run the referee as root, or in a delegated scope: "
    f"systemd-run --user --scope -p Delegate=yes {command_line('...')}"
)


@dataclass(frozen=True)
class Place:
    """A folder in which groups for one purpose can be made, and the version of its interface."""

    folder: Path
    version: int


def _mounts() -> list[tuple[Path, str, set[str]]]:
    """Where cgroup file systems are mounted: for each its folder, type and options."""
    with suppress(OSError):
        lines = Path("/proc/self/mountinfo").read_text().splitlines()
        fields = [line.split() for line in lines]
        tails = [(entry[4], entry[entry.index("-") + 1 :]) for entry in fields]
        return [(Path(at), tail[0], set(tail[2].split(","))) for at, tail in tails if tail[0].startswith("cgroup")]
    return []


def _own_paths() -> dict[str, str]:
    """The path of this process's group in each hierarchy, by controller; version 2's under the empty name."""
    paths: dict[str, str] = {}
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            paths |= dict.fromkeys(controllers.split(","), path)
    return paths


@functools.cache
def places() -> dict[str, Place]:
    """Where groups can be made, by purpose (`CONTROLLERS` and `CORE`); purposes that are not possible are missing."""
    own = _own_paths()
    found: dict[str, Place] = {}
    for at, kind, options in _mounts():
        if kind == "cgroup2":
            found |= _of_version_2(at, at / own.get("", "/").lstrip("/"))
        else:
            for controller in CONTROLLERS:
                if controller in options and controller in own:
                    found.setdefault(controller, Place(at / own[controller].lstrip("/"), 1))
    return {purpose: place for purpose, place in found.items() if _can_make(place)}


def _of_version_2(root: Path, own: Path) -> dict[str, Place]:
    """The purposes of groups below this process's own group, or below the root group, whichever offers more.

    In version 2, only the root group can both hold processes and divide memory among groups below it. So groups can be
    made below the own group only if it was delegated to this process alone, which then moves out of the way.
    """
    if own.name.endswith(REFEREE):  # a process that had moved started this one
        own = own.parent
    else:
        _move_out_of_the_way(own)
    offers = [(folder, _offered(folder)) for folder in dict.fromkeys((own, root)) if os.access(folder, os.W_OK)]
    folder, purposes = max(offers, key=lambda offer: len(offer[1]), default=(own, []))
    return {purpose: Place(folder, 2) for purpose in purposes}


def _move_out_of_the_way(own: Path) -> None:
    if _read_words(own / "cgroup.procs") != [str(os.getpid())] or not _read_words(own / "cgroup.type"):
        return  # there are other processes in it, or it is the root, which has no type
    with suppress(OSError):  # this process may not divide the group
        leaf = own / f"{PREFIX}{os.getpid()}{REFEREE}"
        leaf.mkdir(exist_ok=True)
        (leaf / "cgroup.procs").write_text(str(os.getpid()))


def _offered(folder: Path) -> list[str]:
    """The purposes of groups below a folder of version 2. Raises nothing: those that fail are left out."""
    purposes = [CORE] if (folder / "cgroup.procs").exists() else []
    try:
        offered = (folder / "cgroup.subtree_control").read_text().split()
        wanted = set(CONTROLLERS) & set((folder / "cgroup.controllers").read_text().split()) - set(offered)
        if wanted:
            (folder / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(wanted)))
            offered += wanted
    except OSError:  # this process may not change the group, or the group has processes in it: see `ADVICE`
        offered = _read_words(folder / "cgroup.subtree_control")
    return purposes + [name for name in CONTROLLERS if name in offered]


def _read_words(file: Path) -> list[str]:
    with suppress(OSError):
        return file.read_text().split()
    return []


def _can_make(place: Place) -> bool:
    """Whether a group can be made there; also removes groups of referees that have ended."""
    if not os.access(place.folder, os.W_OK):
        return False
    _sweep(place.folder)
    probe = place.folder / _new_name()
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return False
    return True


def _new_name() -> str:
    """A name that no group has had: one that a referee with the same pid left behind may have run out of memory."""
    return f"{PREFIX}{os.getpid()}-{secrets.token_hex(8)}"


def _sweep(folder: Path) -> None:
    """Remove groups whose referee was killed before it could remove them."""
    for group in folder.glob(f"{PREFIX}*-*"):
        referee = group.name.removeprefix(PREFIX).split("-")[0]
        if referee.isdigit() and not Path(f"/proc/{referee}").exists():
            with suppress(OSError):
                _write_if_there(group / "cgroup.kill", 1)
                group.rmdir()


@dataclass
class Group:
    """The groups of one agent, one for each purpose that is available. Before `make` there are none, and no limits.

    Attributes:
        limit_mb: memory that all processes may have together, MB.
        cores: the cores on which they may run; if empty, all.
        processes: how many processes there may be, threads included.
        folders: the groups that were made, by purpose (`CONTROLLERS` and `CORE`).
    """

    limit_mb: int
    cores: tuple[int, ...]
    processes: int
    folders: dict[str, Place] = field(default_factory=dict)

    def make(self) -> None:
        """Make the groups. Raises OSError if one cannot be made; then none is left."""
        name = _new_name()
        try:
            for purpose, place in places().items():
                if purpose == "cpuset" and not self.cores:
                    continue
                made = Place(place.folder / name, place.version)
                made.folder.mkdir(exist_ok=True)
                self.folders[purpose] = made
            self._write_limits()
        except OSError:
            self.remove()
            raise

    def _write_limits(self) -> None:
        if memory := self.folders.get("memory"):
            limit, folder = self.limit_mb * MB, memory.folder
            if memory.version == 2:
                _write(folder / "memory.max", limit)
                _write_if_there(folder / "memory.swap.max", 0)
                _write_if_there(folder / "memory.oom.group", 1)
            else:
                _write(folder / "memory.limit_in_bytes", limit)
                _write_if_there(folder / "memory.memsw.limit_in_bytes", limit)
                _write_if_there(folder / "memory.swappiness", 0)  # in case swap is not counted
        if pids := self.folders.get("pids"):
            _write(pids.folder / "pids.max", self.processes)
        if cpuset := self.folders.get("cpuset"):
            if cpuset.version == 1:  # a group of version 1 begins without processors and memory nodes
                nodes = (cpuset.folder.parent / "cpuset.mems").read_text().strip()
                _write(cpuset.folder / "cpuset.mems", nodes)
            _write(cpuset.folder / "cpuset.cpus", ",".join(map(str, self.cores)))

    def add(self, pid: int) -> None:
        """Put a process into all groups; processes that it starts from now on are in them, too. Raises OSError."""
        for place in set(self.folders.values()):
            _write(place.folder / "cgroup.procs", pid)

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel killed a process in the group because the group had no memory left.

        Raises OSError if the group never reached its limit: then the machine itself had no memory left.
        """
        memory = self.folders.get("memory")
        if memory is None:
            return False
        events = memory.folder / ("memory.events" if memory.version == 2 else "memory.oom_control")
        counts = dict(line.split(" ") for line in events.read_text().splitlines())
        if int(counts.get("oom_kill", "0")) == 0:
            return False
        if memory.version == 2:
            at_limit = int(counts["oom"]) > 0
        else:  # version 1 counts no failures in new kernels, so the peaks with and without swap are compared
            peaks = (int(path.read_text()) for path in memory.folder.glob("memory.*max_usage_in_bytes"))
            at_limit = max(peaks) > AT_LIMIT * self.limit_mb * MB
        if not at_limit:
            raise OSError(errno.ENOMEM, "the kernel killed a process of the agent: this machine has no memory left")
        return True

    def processes_listed(self) -> list[int]:
        """The pids of all processes in the group with a thread that lives. Raises OSError if this machine fails."""
        place = self.folders.get(CORE) or next(iter(self.folders.values()))
        return [int(word) for word in (place.folder / "cgroup.procs").read_text().split()]

    def memory_mb(self) -> float | None:
        """The memory charged to the group now, MB, without the cache of files, which the kernel can simply drop.

        None if no group limits memory. Raises OSError.
        """
        memory = self.folders.get("memory")
        if memory is None:
            return None
        is_first = memory.version == 1
        charged = int((memory.folder / ("memory.usage_in_bytes" if is_first else "memory.current")).read_text())
        parts = dict(line.split() for line in (memory.folder / "memory.stat").read_text().splitlines())
        prefix = "total_" if is_first else ""
        cache = sum(int(parts.get(f"{prefix}{kind}_file", 0)) for kind in ("active", "inactive"))
        return max(0, charged - cache) / MB

    def busy_seconds(self) -> float | None:
        """Processor time, in seconds, of all processes that ever were in the group; None if the kernel does not say.

        Raises OSError.
        """
        if CORE not in self.folders or not (file := self.folders[CORE].folder / "cpu.stat").exists():
            return None
        usage = dict(line.split() for line in file.read_text().splitlines()).get("usage_usec")
        return None if usage is None else int(usage) / 1e6

    @property
    def can_freeze(self) -> bool:
        """Whether `freeze` works here."""
        return CORE in self.folders and (self.folders[CORE].folder / "cgroup.freeze").exists()

    def freeze(self, seconds: float) -> bool:
        """Stop all processes at once; returns whether every thread stands still within `seconds`.

        Most do within a millisecond.
        """
        core = self.folders[CORE].folder
        _write(core / "cgroup.freeze", 1)
        deadline = time.monotonic() + seconds
        is_over = False
        while "frozen 1" not in (core / "cgroup.events").read_text():
            if is_over:
                return False
            is_over = time.monotonic() > deadline  # one more look follows, because this process may be held up itself
            time.sleep(0.0001)
        return True

    def thaw(self) -> None:
        """Let all processes go on."""
        if CORE in self.folders:
            _write_if_there(self.folders[CORE].folder / "cgroup.freeze", 0)

    def kill(self) -> None:
        """Kill all processes at once, if the kernel can."""
        if CORE in self.folders:
            _write_if_there(self.folders[CORE].folder / "cgroup.kill", 1)

    def remove(self) -> None:
        """Remove the groups, after their processes were killed and reaped. Raises OSError if they are still in use."""
        deadline = time.monotonic() + REMOVE_SECONDS
        made, self.folders = self.folders, {}
        for folder in {place.folder for place in made.values()}:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.001)


def _write(file: Path, value: object) -> None:
    file.write_text(str(value))


def _write_if_there(file: Path, value: object) -> None:
    """Write, unless the kernel has no such file."""
    if file.exists():
        _write(file, value)
