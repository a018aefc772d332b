"""Control groups in a fake kernel: where they are made, what is written into them, their removal; then real ones."""

import errno
import os
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simulator.sandbox import cgroups
from simulator.sandbox.cgroups import CORE, MB, PREFIX, Group, Place
from tests.programs import busy_ticks, wait_until

V2 = {
    "cgroup.procs": "",
    "cgroup.freeze": "0",
    "cgroup.kill": "",
    "cgroup.events": "populated 1\nfrozen 1\n",
    "cpuset.cpus": "",
    "memory.events": "low 0\noom 0\noom_kill 0\n",
    "memory.max": "max",
    "memory.oom.group": "0",
    "memory.swap.max": "max",
    "pids.max": "max",
}
V1 = {
    "cgroup.procs": "",
    "cpuset.cpus": "",
    "cpuset.mems": "",
    "memory.limit_in_bytes": "9223372036854771712",
    "memory.memsw.limit_in_bytes": "9223372036854771712",
    "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n",
    "memory.max_usage_in_bytes": "0\n",
    "pids.max": "max",
}


class FakeKernel:
    """A tree of files in which a new folder gets the files of a group, and rmdir removes the folder with these."""

    def __init__(self, root, monkeypatch):
        self.root = root
        self.mounts = []
        self.own = {}
        self.groups = []
        self._files = {}
        make, remove = Path.mkdir, Path.rmdir

        def mkdir(folder, *arguments, **options):
            make(folder, *arguments, **options)
            for name, text in self._files_in(folder).items():
                (folder / name).write_text(text)

        def rmdir(folder):
            for file in folder.iterdir() if self._files_in(folder) else ():
                file.unlink()
            remove(folder)

        monkeypatch.setattr(Path, "mkdir", mkdir)
        monkeypatch.setattr(Path, "rmdir", rmdir)
        monkeypatch.setattr(cgroups, "_mounts", lambda: self.mounts)
        monkeypatch.setattr(cgroups, "_own_paths", lambda: self.own)

    def _files_in(self, folder):
        return next((files for root, files in self._files.items() if root in folder.parents), {})

    def mount_v2(self, controllers, enabled=""):
        """Mount version 2, with the referee in the group `me`."""
        root = self.root / "unified"
        (root / "me").mkdir(parents=True)
        for folder in (root, root / "me"):
            (folder / "cgroup.procs").write_text("")
            (folder / "cgroup.controllers").write_text(controllers)
            (folder / "cgroup.subtree_control").write_text(enabled)
        self._files[root / "me"] = V2
        self.mounts.append((root, "cgroup2", {"rw"}))
        self.own[""] = "/me"
        return root / "me"

    def mount(self, version, *controllers):
        """Mount these controllers in version 1 or 2."""
        if version == 2:
            self.mount_v2(controllers="", enabled=" ".join(controllers))
        for controller in controllers if version == 1 else ():
            self.mount_v1(controller)

    def mount_v1(self, controller):
        """Mount one controller of version 1, with the referee in the root group."""
        root = self.root / controller
        root.mkdir(parents=True)
        (root / "cpuset.mems").write_text("0\n")
        self._files[root] = V1
        self.mounts.append((root, "cgroup", {"rw", controller}))
        self.own[controller] = "/"
        return root

    def make_group(self):
        """Make a group, which is removed at the end of the test."""
        self.groups.append(Group(limit_mb=300, cores=(2, 3), processes=64))
        self.groups[-1].make()
        return self.groups[-1]


def assert_removed(group):
    """Remove a group and check that nothing is left of it."""
    folders = [place.folder for place in group.folders.values()]
    group.remove()
    assert not any(folder.exists() for folder in folders)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    cgroups.places.cache_clear()
    kernel = FakeKernel(tmp_path, monkeypatch)
    yield kernel
    for group in kernel.groups:
        assert_removed(group)
    cgroups.places.cache_clear()


def written(group, purpose, name):
    return (group.folders[purpose].folder / name).read_text()


# --- Where they can be made -----------------------------------------------------------------------------------------


def test_without_control_groups_there_are_no_places(kernel):
    assert cgroups.places() == {}


def test_version_2_offers_freezing_and_what_is_enabled_below_the_referees_group(kernel):
    me = kernel.mount_v2(controllers="cpu memory pids", enabled="memory pids")
    assert cgroups.places() == dict.fromkeys((CORE, "memory", "pids"), Place(me, 2))


def test_controllers_that_are_offered_are_enabled(kernel):
    me = kernel.mount_v2(controllers="cpu cpuset memory pids")
    assert set(cgroups.places()) == {CORE, "cpuset", "memory", "pids"}
    assert (me / "cgroup.subtree_control").read_text() == "+cpuset +memory +pids"


def test_controllers_that_cannot_be_enabled_are_left_out(kernel, monkeypatch):
    me = kernel.mount_v2(controllers="memory pids")
    write = Path.write_text

    def busy(file, text):
        if file.name == "cgroup.subtree_control":
            raise OSError(16, "Device or resource busy")
        return write(file, text)

    monkeypatch.setattr(Path, "write_text", busy)
    assert cgroups.places() == {CORE: Place(me, 2)}


def test_where_the_referees_own_group_holds_other_processes_the_root_is_used(kernel):
    me = kernel.mount_v2(controllers="")
    (kernel.root / "unified" / "cgroup.subtree_control").write_text("memory pids")
    kernel._files[kernel.root / "unified"] = V2
    assert cgroups.places() == dict.fromkeys((CORE, "memory", "pids"), Place(me.parent, 2))


def test_in_a_group_of_its_own_the_referee_moves_out_of_the_way(kernel):
    me = kernel.mount_v2(controllers="memory")
    (me / "cgroup.type").write_text("domain\n")
    (me / "cgroup.procs").write_text(f"{os.getpid()}\n")
    assert cgroups.places()["memory"] == Place(me, 2)
    leaf = me / f"{PREFIX}{os.getpid()}{cgroups.REFEREE}"
    assert (leaf / "cgroup.procs").read_text() == str(os.getpid())

    kernel.own[""] = f"/me/{leaf.name}"  # where a child of this process finds itself
    cgroups.places.cache_clear()
    assert cgroups.places()["memory"] == Place(me, 2)


def test_both_versions_at_once_are_used_for_what_each_has(kernel):
    memory, pids, core = kernel.mount_v1("memory"), kernel.mount_v1("pids"), kernel.mount_v2(controllers="")
    assert cgroups.places() == {"memory": Place(memory, 1), "pids": Place(pids, 1), CORE: Place(core, 2)}


def test_two_threads_that_look_for_places_at_once_both_find_them(kernel, monkeypatch):
    place, both, make = Place(kernel.mount_v1("memory"), 1), threading.Barrier(2), Path.mkdir

    def mkdir(folder, *arguments, **options):
        make(folder, *arguments, **options)
        both.wait(60)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    with ThreadPoolExecutor(2) as threads:
        found = [threads.submit(cgroups.places.__wrapped__) for _ in range(2)]
    assert [future.result() for future in found] == [{"memory": place}] * 2


def test_folders_that_cannot_be_written_are_no_places(kernel, monkeypatch):
    kernel.mount_v1("memory")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert cgroups.places() == {}


def test_groups_of_referees_that_have_ended_are_removed_and_others_kept(kernel):
    memory = kernel.mount_v1("memory")
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    dead, living = memory / f"{PREFIX}{ended.pid}-1", memory / f"{PREFIX}{os.getppid()}-1"
    strangers = memory / f"{PREFIX}x-1"
    for folder in (dead, living, strangers):
        folder.mkdir()
    cgroups.places()
    assert [folder.exists() for folder in (dead, living, strangers)] == [False, True, True]
    for folder in (living, strangers):
        folder.rmdir()


# --- What is written ------------------------------------------------------------------------------------------------


LIMITS = {  # by version, what is written into the files of each controller
    1: {
        "memory": dict.fromkeys(("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), str(300 * MB)),
        "pids": {"pids.max": "64"},
        "cpuset": {"cpuset.mems": "0", "cpuset.cpus": "2,3"},
    },
    2: {
        "memory": {"memory.max": str(300 * MB), "memory.swap.max": "0", "memory.oom.group": "1"},
        "pids": {"pids.max": "64"},
        "cpuset": {"cpuset.cpus": "2,3"},
    },
}


@pytest.mark.parametrize(("version", "limits"), LIMITS.items())
def test_limits_are_written(kernel, version, limits):
    kernel.mount(version, *limits)
    group = kernel.make_group()
    for purpose, files in limits.items():
        assert {name: written(group, purpose, name) for name in files} == files


def test_a_group_that_a_killed_referee_with_the_same_pid_left_behind_is_not_used_again(kernel):
    kernel.mount(2)
    names = {kernel.make_group().folders[CORE].folder.name for _ in range(2)}
    assert len(names) == 2
    assert not names & {f"{PREFIX}{os.getpid()}-{number}" for number in range(10_000)}


def test_a_process_is_put_into_every_hierarchy(kernel):
    kernel.mount(1, "memory", "pids")
    kernel.mount(2)
    group = kernel.make_group()
    group.add(1234)
    assert {written(group, purpose, "cgroup.procs") for purpose in ("memory", "pids", CORE)} == {"1234"}


@pytest.mark.parametrize(
    ("version", "events", "limit_met", "prefix", "charged"),
    [
        (1, "memory.oom_control", ("memory.max_usage_in_bytes", "0", f"{300 * MB}"), "total_", "memory.usage_in_bytes"),
        (2, "memory.events", ("memory.events", "oom 0", "oom 7"), "", "memory.current"),
    ],
)
def test_killed_processes_are_counted_and_the_cache_of_files_is_not(
    kernel, version, events, limit_met, prefix, charged
):
    kernel.mount(version, "memory")
    group = kernel.make_group()
    folder = group.folders["memory"].folder
    assert not group.ran_out_of_memory()
    (folder / events).write_text((folder / events).read_text().replace("oom_kill 0", "oom_kill 1"))
    with pytest.raises(OSError, match="this machine has no memory left"):
        group.ran_out_of_memory()
    file, before, after = limit_met
    (folder / file).write_text((folder / file).read_text().replace(before, after))
    assert group.ran_out_of_memory()
    (folder / charged).write_text(f"{100 * MB}\n")
    (folder / "memory.stat").write_text(
        f"{prefix}anon 5\n{prefix}active_file {10 * MB}\n{prefix}inactive_file {20 * MB}\n"
    )
    assert group.memory_mb() == 70


def test_freezing_thawing_and_killing_are_written(kernel):
    kernel.mount(2)
    group = kernel.make_group()
    assert group.can_freeze
    assert group.freeze(1.0)
    assert written(group, CORE, "cgroup.freeze") == "1"
    group.thaw()
    group.kill()
    assert (written(group, CORE, "cgroup.freeze"), written(group, CORE, "cgroup.kill")) == ("0", "1")
    (group.folders[CORE].folder / "cgroup.events").write_text("populated 1\nfrozen 0\n")
    assert not group.freeze(0.01)  # it does not freeze in time


def test_version_1_alone_does_not_freeze(kernel):
    kernel.mount(1, "memory")
    assert not kernel.make_group().can_freeze


def test_processor_time_and_processes_are_read_from_the_group_or_the_machine_has_failed(kernel, monkeypatch):
    kernel.mount(2)
    group = kernel.make_group()
    folder = group.folders[CORE].folder
    assert group.busy_seconds() is None  # an older kernel says nothing of it
    (folder / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\n")
    (folder / "cgroup.procs").write_text("12\n34\n")
    assert group.busy_seconds() == 2.5
    assert group.processes_listed() == [12, 34]

    def fail(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Path, "read_text", fail)
    for look in (group.busy_seconds, group.processes_listed):
        with pytest.raises(OSError, match="Too many open files"):
            look()


def test_a_group_that_cannot_be_made_completely_is_removed_and_an_error(kernel):
    kernel.mount(1, "memory", "cpuset")
    (kernel.root / "cpuset" / "cpuset.mems").unlink()
    with pytest.raises(FileNotFoundError, match=r"cpuset\.mems"):
        kernel.make_group()
    assert list(kernel.root.rglob(f"{PREFIX}*")) == []


# --- Real ones ------------------------------------------------------------------------------------------------------


def real(purpose):
    return pytest.mark.skipif(purpose not in cgroups.places(), reason=f"no group for {purpose} can be made here")


@pytest.fixture
def group():
    group = Group(limit_mb=64, cores=(max(os.sched_getaffinity(0)),), processes=8)
    group.make()
    yield group
    group.thaw()
    assert_removed(group)


def started(group, *command):
    """Start a program that is in the group from its beginning."""
    waiting = ["/bin/sh", "-c", 'read -r _; exec "$@"', "sh", *command]
    process = subprocess.Popen(
        waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    group.add(process.pid)
    assert process.stdin is not None
    process.stdin.write(b"\n")
    return process


@real("memory")
@pytest.mark.parametrize(
    ("script", "codes", "ran_out"),
    [("tail /dev/zero", (-9, 137), True), ("exit 3", (3,), False)],  # tail keeps the last line, which never ends
)
def test_the_kernel_kills_a_process_that_wants_too_much_memory(group, script, codes, ran_out):
    process = started(group, "/bin/sh", "-c", script)
    process.communicate(timeout=60)
    assert process.returncode in codes
    assert group.ran_out_of_memory() is ran_out


@real("pids")
def test_the_kernel_makes_no_more_processes_than_allowed(group):
    process = started(group, "/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do sleep 5 >/dev/null 2>&1 & done; wait")
    _, complaint = process.communicate(timeout=60)
    assert process.returncode != 0
    assert b"fork" in complaint
    group.kill()


@real("cpuset")
def test_processes_run_on_their_cores_only(group):
    process = started(group, "/bin/sh", "-c", "grep Cpus_allowed_list /proc/self/status")
    out, _ = process.communicate(timeout=60)
    assert out.split()[1].decode() == str(group.cores[0])


@real(CORE)
def test_frozen_processes_do_nothing_until_they_are_thawed_and_can_be_killed(group):
    process = started(group, "/bin/sh", "-c", "while :; do :; done")
    assert group.freeze(30)
    before = busy_ticks(process.pid)
    time.sleep(0.2)
    assert busy_ticks(process.pid) == before
    group.thaw()
    wait_until(lambda: busy_ticks(process.pid) > before)
    assert group.freeze(30)
    assert group.processes_listed() == [process.pid]
    group.kill()
    process.communicate(timeout=60)
    assert process.returncode == -9
