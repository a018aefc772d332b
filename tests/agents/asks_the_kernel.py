"""Asks the kernel for what an agent has no business with, one call after the other, and says which were granted.

`asks_the_kernel.py:file=PATH`: PATH is a file that it may read, in whose folder it tries to write. Each
call is well formed, so that only a refusal can fail it. What a call changed, it changes back. `show=refused` names the
calls that failed instead, with the error.
"""

import contextlib
import ctypes
import fcntl
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

libc = ctypes.CDLL(None, use_errno=True)
PAGE = mmap.PAGESIZE
GENERATED = "scoundrel-made-this"


DEEDS = {}  # by name: each is given the file


def deed(function):
    """Add a function to the table."""
    DEEDS[function.__name__] = function
    return function


def call(name, *arguments):
    """A function of libc; raises OSError as Python's own do."""
    result = getattr(libc, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def system_call(number, *arguments):
    """By its number: those above 423 are the same on every machine."""
    return call("syscall", ctypes.c_long(number), *(a if a is None else ctypes.c_long(a) for a in arguments))


def address(buffer):
    return ctypes.addressof(buffer)


@contextlib.contextmanager
def opened(path, flags=os.O_RDONLY):
    descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


# --- Locks, leases and notices on files that others open as well ------------------------------------------------------

F_SETSIG, F_SETOWN_EX, F_SETPIPE_SZ, F_OFD_SETLK, F_OFD_GETLK = 10, 15, 1031, 37, 36
FIOSETOWN, SIOCSPGRP, FIOASYNC = 0x8901, 0x8902, 0x5452
LOCK = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)


def on_file(command, argument):
    def deed(file):
        with opened(file) as descriptor:
            fcntl.fcntl(descriptor, command, argument)

    return deed


def on_pipe(command, argument):
    ends = os.pipe()
    try:
        fcntl.fcntl(ends[0], command, argument)
    finally:
        for end in ends:
            os.close(end)


def on_socket(command, number):
    near, far = socket.socketpair()
    with near, far:
        fcntl.ioctl(near, command, struct.pack("i", number))


@deed
def notice_by_ioctl(file):
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    on_socket(FIOASYNC, 1)


@deed
def notice_by_flag(file):
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    on_pipe(fcntl.F_SETFL, os.O_ASYNC)


@deed
def flock(file):
    with opened(file) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


DEEDS |= {
    "write_lease": on_file(fcntl.F_SETLEASE, fcntl.F_WRLCK),
    "read_lease": on_file(fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "folder_notice": lambda file: on_file(fcntl.F_NOTIFY, fcntl.DN_ACCESS)(os.path.dirname(file)),
    "signal_on_input": lambda file: on_pipe(F_SETSIG, signal.SIGCONT),
    "owner": lambda file: on_pipe(fcntl.F_SETOWN, os.getpid()),
    "owner_ex": lambda file: on_pipe(F_SETOWN_EX, struct.pack("ii", 1, os.getpid())),
    "owner_by_ioctl": lambda file: on_socket(FIOSETOWN, os.getpid()),
    "group_by_ioctl": lambda file: on_socket(SIOCSPGRP, os.getpid()),
    "pipe_size": lambda file: on_pipe(F_SETPIPE_SZ, 1 << 20),
    "posix_lock": on_file(fcntl.F_SETLK, LOCK),
    "posix_lock_seen": on_file(fcntl.F_GETLK, LOCK),
    "description_lock": on_file(F_OFD_SETLK, LOCK),
    "description_lock_seen": on_file(F_OFD_GETLK, LOCK),
    "inotify": lambda file: os.close(call("inotify_init1", 0)),
    "old_inotify": lambda file: os.close(call("inotify_init")),
    "fanotify": lambda file: os.close(call("fanotify_init", 0x200, 0)),  # FAN_REPORT_FID, which needs no privilege
}

# --- Marks on files: modes, owners, times, attributes -----------------------------------------------------------------

FCHMODAT2, SETXATTRAT, REMOVEXATTRAT, FILE_SETATTR, FILE_GETATTR = 452, 463, 466, 469, 468
AT_FDCWD = -100
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR = 0x801C581F, 0x401C5820
ATTRIBUTE = b"user.scoundrel"


@deed
def fchmod(file):
    with opened(file) as descriptor:
        os.fchmod(descriptor, os.stat(file).st_mode)


@deed
def fchmodat(file):
    with opened(os.path.dirname(file)) as folder:
        os.chmod(os.path.basename(file), os.stat(file).st_mode, dir_fd=folder)


@deed
def fchmodat2(file):
    path = ctypes.create_string_buffer(os.fsencode(file))
    system_call(FCHMODAT2, AT_FDCWD, address(path), os.stat(file).st_mode, 0)


@deed
def setuid_bit(file):
    mode = os.stat(file).st_mode
    os.chmod(file, mode | 0o4000)
    os.chmod(file, mode)


@deed
def fchown(file):
    with opened(file) as descriptor:
        os.fchown(descriptor, os.getuid(), -1)


@deed
def fchownat(file):
    with opened(os.path.dirname(file)) as folder:
        os.chown(os.path.basename(file), os.getuid(), -1, dir_fd=folder)


@deed
def utime_by_descriptor(file):
    with opened(file) as descriptor:
        os.utime(descriptor)


@deed
def set_attribute(file):
    os.setxattr(file, ATTRIBUTE, b"1")
    os.removexattr(file, ATTRIBUTE)


@deed
def set_attribute_by_descriptor(file):
    with opened(file) as descriptor:
        os.setxattr(descriptor, ATTRIBUTE, b"1")
        os.removexattr(descriptor, ATTRIBUTE)


@deed
def set_attribute_of_link(file):
    os.setxattr(file, ATTRIBUTE, b"1", follow_symlinks=False)
    os.removexattr(file, ATTRIBUTE, follow_symlinks=False)


@deed
def set_attribute_at(file):
    value = ctypes.create_string_buffer(b"1")
    arguments = ctypes.create_string_buffer(struct.pack("QII", address(value), 1, 0))
    name, path = ctypes.create_string_buffer(ATTRIBUTE), ctypes.create_string_buffer(os.fsencode(file))
    system_call(SETXATTRAT, AT_FDCWD, address(path), 0, address(name), address(arguments), 16)
    system_call(REMOVEXATTRAT, AT_FDCWD, address(path), 0, address(name))


@deed
def inode_flags(file):
    with opened(file) as descriptor:
        flags = bytearray(8)
        fcntl.ioctl(descriptor, FS_IOC_GETFLAGS, flags)
        fcntl.ioctl(descriptor, FS_IOC_SETFLAGS, bytes(flags))


@deed
def inode_attributes(file):
    with opened(file) as descriptor:
        attributes = bytearray(28)
        fcntl.ioctl(descriptor, FS_IOC_FSGETXATTR, attributes)
        fcntl.ioctl(descriptor, FS_IOC_FSSETXATTR, bytes(attributes))


@deed
def file_setattr(file):
    path, attributes = ctypes.create_string_buffer(os.fsencode(file)), ctypes.create_string_buffer(24)
    system_call(FILE_GETATTR, AT_FDCWD, address(path), address(attributes), 24, 0)
    system_call(FILE_SETATTR, AT_FDCWD, address(path), address(attributes), 24, 0)


DEEDS |= {
    "chmod": lambda file: os.chmod(file, os.stat(file).st_mode),
    "chown": lambda file: os.chown(file, os.getuid(), -1),
    "lchown": lambda file: os.lchown(file, os.getuid(), -1),
    "utime": lambda file: os.utime(file),
    "utimes": lambda file: call("utimes", os.fsencode(file), None),
}

# --- Making, changing and removing files ------------------------------------------------------------------------------

OPENAT2 = 437


def beside(file):
    return os.path.join(os.path.dirname(file), GENERATED)


def opens(flags):
    def deed(file):
        with opened(file, flags):
            pass

    return deed


@deed
def opens_truncating(file):
    content = Path(file).read_bytes()
    opens(os.O_RDONLY | os.O_TRUNC)(file)
    Path(file).write_bytes(content)


@deed
def opens_through_proc(file):
    with opened(file) as descriptor, opened(f"/proc/self/fd/{descriptor}", os.O_RDWR):
        pass


@deed
def creates(file):
    with opened(beside(file), os.O_RDONLY | os.O_CREAT | os.O_EXCL):
        pass
    os.unlink(beside(file))


@deed
def creates_without_a_name(file):
    with opened(os.path.dirname(file), os.O_RDWR | os.O_TMPFILE):
        pass


@deed
def creates_by_creat(file):
    os.close(call("creat", os.fsencode(beside(file)), 0o600))
    os.unlink(beside(file))


@deed
def opens_by_openat2(file):
    path, how = ctypes.create_string_buffer(os.fsencode(file)), ctypes.create_string_buffer(24)
    struct.pack_into("QQQ", how, 0, os.O_RDWR, 0, 0)
    os.close(system_call(OPENAT2, AT_FDCWD, address(path), address(how), 24))


@deed
def makes_folder(file):
    os.mkdir(beside(file))
    os.rmdir(beside(file))


@deed
def makes_folder_at(file):
    with opened(os.path.dirname(file)) as folder:
        os.mkdir(GENERATED, dir_fd=folder)
        os.rmdir(GENERATED, dir_fd=folder)


@deed
def makes_fifo(file):
    os.mkfifo(beside(file))
    os.unlink(beside(file))


@deed
def makes_node(file):
    os.mknod(beside(file))
    os.unlink(beside(file))


@deed
def makes_symbolic_link(file):
    os.symlink(file, beside(file))
    os.unlink(beside(file))


@deed
def makes_link(file):
    os.link(file, beside(file))
    os.unlink(beside(file))


@deed
def makes_socket(file):
    near, far = socket.socketpair()
    with near, far:
        near.bind(beside(file))
    os.unlink(beside(file))


@deed
def renames(file):
    os.rename(file, beside(file))
    os.rename(beside(file), file)


@deed
def renames_at(file):
    with opened(os.path.dirname(file)) as folder:
        os.rename(os.path.basename(file), GENERATED, src_dir_fd=folder, dst_dir_fd=folder)
        os.rename(GENERATED, os.path.basename(file), src_dir_fd=folder, dst_dir_fd=folder)


@deed
def removes(file):
    content = Path(file).read_bytes()
    os.unlink(file)
    Path(file).write_bytes(content)


@deed
def removes_at(file):
    content = Path(file).read_bytes()
    with opened(os.path.dirname(file)) as folder:
        os.unlink(os.path.basename(file), dir_fd=folder)
    Path(file).write_bytes(content)


DEEDS |= {
    "opens_for_writing": opens(os.O_WRONLY),
    "opens_for_both": opens(os.O_RDWR),
    "opens_for_appending": opens(os.O_WRONLY | os.O_APPEND),
    "truncates": lambda file: os.truncate(file, os.path.getsize(file)),
}

# --- Objects of the kernel that outlive a process, and carry messages -------------------------------------------------

IPC_CREAT, IPC_RMID = 0o1000, 0


@deed
def shared_segment(file):
    call("shmctl", call("shmget", 0, ctypes.c_size_t(PAGE), IPC_CREAT | 0o600), IPC_RMID, None)


@deed
def posix_message_queue(file):
    name = f"/{GENERATED}".encode()
    os.close(call("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None))
    call("mq_unlink", name)


@deed
def asynchronous_input(file):
    """A ring of the kernel's own, which the next one to look finds."""
    numbers = {"x86_64": (206, 207), "aarch64": (0, 1)}[os.uname().machine]
    ring = ctypes.c_ulong(0)
    system_call(numbers[0], 8, address(ring))
    system_call(numbers[1], ring.value)


DEEDS |= {
    "semaphores": lambda file: call("semctl", call("semget", 0, 1, IPC_CREAT | 0o600), 0, IPC_RMID),
    "message_queue": lambda file: call("msgctl", call("msgget", 0, IPC_CREAT | 0o600), IPC_RMID, None),
}

# --- What wakes a process that is stopped, or hides it ----------------------------------------------------------------

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SCHED_CORE = 1, 4, 36, 62


@deed
def wakes_by_timer(file):
    event, timer = ctypes.create_string_buffer(64), ctypes.c_void_p()
    struct.pack_into("qii", event, 0, 0, signal.SIGCONT, 0)  # SIGEV_SIGNAL
    call("timer_create", 1, event, ctypes.byref(timer))
    call("timer_delete", timer)


@deed
def is_not_to_be_looked_at(file):
    call("prctl", PR_SET_DUMPABLE, 0, 0, 0, 0)
    call("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)


@deed
def wakes_by_message(file):
    name = f"/{GENERATED}".encode()
    queue = call("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None)
    call("mq_unlink", name)
    event = ctypes.create_string_buffer(64)
    struct.pack_into("qii", event, 0, 0, signal.SIGCONT, 0)
    try:
        call("mq_notify", queue, event)
    finally:
        os.close(queue)


DEEDS |= {
    "wakes_by_parents_death": lambda file: call("prctl", PR_SET_PDEATHSIG, signal.SIGCONT, 0, 0, 0),
    "adopts_nobody": lambda file: call("prctl", PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0),
}

# --- New processes ----------------------------------------------------------------------------------------------------

CLONE_VM, CLONE_VFORK, CLONE_PARENT = 0x100, 0x4000, 0x8000
CLONE3 = 435


@deed
def fork(file):
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)


@deed
def forkpty(file):
    child, terminal = os.forkpty()
    if child == 0:
        os._exit(0)
    os.close(terminal)
    os.waitpid(child, 0)


@deed
def runs_shell(file):
    if os.system("exit 7") != 7 << 8:
        raise PermissionError(1, "no shell")


def clone(flags):
    def deed(file):
        stack = ctypes.create_string_buffer(1 << 16)
        top = (address(stack) + len(stack)) & ~0xFF
        child = call("clone", libc._exit, ctypes.c_void_p(top), flags | signal.SIGCHLD, None)
        if not flags & CLONE_PARENT:
            os.waitpid(child, 0)

    return deed


@deed
def clone3(file):
    arguments = ctypes.create_string_buffer(88)
    struct.pack_into("QQQQQ", arguments, 0, 0, 0, 0, 0, signal.SIGCHLD)
    child = system_call(CLONE3, address(arguments), 88)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


DEEDS |= {
    "spawn": lambda file: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
    "runs_program": lambda file: subprocess.run(["/bin/true"], check=True),
    "shares_its_memory": clone(CLONE_VM),
    "shares_its_memory_and_waits": clone(CLONE_VM | CLONE_VFORK),
    "gives_it_to_its_own_parent": clone(CLONE_PARENT),
}

# --- Memory that a process's own figures do not show, or that takes the kernel long -----------------------------------

MADV_COLD, MADV_PAGEOUT, MADV_POPULATE_READ, MADV_POPULATE_WRITE = 20, 21, 22, 23
MEMFD_SECRET = 447
MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS, MAP_HUGETLB = 0x01, 0x02, 0x20, 0x40000
PROT_READ, PROT_WRITE = 1, 2


def populates(advice):
    def deed(file):
        with mmap.mmap(-1, PAGE, flags=MAP_PRIVATE | MAP_ANONYMOUS) as page:
            page.madvise(advice)

    return deed


@deed
def drops_what_is_kept_of_a_file(file):
    with opened(file) as descriptor:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


@deed
def shares_pages(file):
    with mmap.mmap(-1, PAGE, flags=MAP_SHARED | MAP_ANONYMOUS):
        pass


@deed
def shares_zeros(file):
    with opened("/dev/zero", os.O_RDWR) as zeros, mmap.mmap(zeros, PAGE, flags=MAP_SHARED):
        pass


@deed
def file_in_memory(file):
    descriptor = os.memfd_create(GENERATED)
    try:
        os.write(descriptor, b"x")
    finally:
        os.close(descriptor)


@deed
def mapped_file_in_memory(file):
    descriptor = os.memfd_create(GENERATED)
    try:
        os.ftruncate(descriptor, PAGE)
        with mmap.mmap(descriptor, PAGE) as page:
            page[0] = 1
    finally:
        os.close(descriptor)


@deed
def pages_given_to_a_pipe(file):
    ends, page = os.pipe(), ctypes.create_string_buffer(PAGE)
    vector = ctypes.create_string_buffer(struct.pack("QQ", address(page), PAGE))
    try:
        call("vmsplice", ends[1], vector, ctypes.c_size_t(1), 0)
    finally:
        for end in ends:
            os.close(end)


DEEDS |= {
    "reads_many_pages_at_once": populates(MADV_POPULATE_READ),
    "writes_many_pages_at_once": populates(MADV_POPULATE_WRITE),
    "cools_pages": populates(MADV_COLD),
    "pages_out": populates(MADV_PAGEOUT),
    "secret_memory": lambda file: os.close(system_call(MEMFD_SECRET, 0)),
}

# --- Sockets made in pairs, which `socketpair` allows, used for reaching others ---------------------------------------


@deed
def named_end(file):
    near, far = socket.socketpair()
    with near, far:
        near.bind(f"\0{GENERATED}-{os.getpid()}")


def outcome(deed, file):
    """Empty if it was granted, else the error."""
    try:
        deed(file)
    except (OSError, subprocess.SubprocessError) as error:
        return f"{error}"
    return ""


@register_agent("asks_the_kernel_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"file": __file__, "show": "granted"}

    def step(self, position, clock):
        file, show = self.options["file"], self.options["show"]
        outcomes = {name: outcome(deed, file) for name, deed in DEEDS.items()}
        granted = [name for name, error in outcomes.items() if not error]
        for name in granted if show == "granted" else sorted(outcomes.keys() - granted):
            print(f"{show} {name}: {outcomes[name]}", file=sys.stderr)
        if granted:
            return f"SUCCEEDED: {' '.join(granted)}"
        raise PermissionError(1, f"all {len(outcomes)} were refused")
