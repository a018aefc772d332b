"""Makes system calls that an agent does not need, one after the other, and says which of them the kernel granted.

`asks_the_kernel.py:file=PATH`: PATH is a file that the agent may read; it tries to write in the folder of that file.
Each call is well formed, so that only a refusal makes it fail. What a call has changed, the agent changes back. With
`show=refused`, it names the calls that failed instead, with their errors.
"""

import ctypes
import fcntl
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
from contextlib import contextmanager, suppress
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
    """Call a function of libc; raise OSError if it returns -1, as Python's own functions do."""
    result = getattr(libc, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def system_call(number, *arguments):
    """Make a system call by its number (above 423, the same on every machine) with numbers and buffers."""
    return call("syscall", ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))


def address(buffer):
    return ctypes.addressof(buffer)


def text(path):
    return ctypes.create_string_buffer(os.fsencode(path))


# --- What a deed works on: opened before the deed, closed after it ----------------------------------------------------


@contextmanager
def closing(*descriptors):
    try:
        yield descriptors
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


@contextmanager
def opened(path, flags=os.O_RDONLY):
    with closing(os.open(path, flags)) as (descriptor,):
        yield descriptor


@contextmanager
def pair_of_sockets():
    near, far = socket.socketpair()
    with near, far:
        yield near


def on_file(act):
    """A deed that gives `act` a descriptor of the file, and its path."""

    def deed(file):
        with opened(file) as descriptor:
            act(descriptor, file)

    return deed


def in_folder(act):
    """A deed that gives `act` a descriptor of the folder, and the name of the file in it."""

    def deed(file):
        with opened(os.path.dirname(file)) as folder:
            act(folder, os.path.basename(file))

    return deed


# --- Locks, leases and notices on files that others open as well ------------------------------------------------------

F_SETSIG, F_SETOWN_EX, F_SETPIPE_SZ, F_OFD_SETLK, F_OFD_GETLK = 10, 15, 1031, 37, 36
FIOSETOWN, SIOCSPGRP, FIOASYNC = 0x8901, 0x8902, 0x5452
LOCK = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)


def file_control(command, argument):
    return on_file(lambda descriptor, _: fcntl.fcntl(descriptor, command, argument))


def on_pipe(command, argument):
    with closing(*os.pipe()) as (near, _):
        fcntl.fcntl(near, command, argument)


def on_socket(command, number):
    with pair_of_sockets() as near:
        fcntl.ioctl(near, command, struct.pack("i", number))


@deed
def notice_by_ioctl(file):
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    on_socket(FIOASYNC, 1)


@deed
def notice_by_flag(file):
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    on_pipe(fcntl.F_SETFL, os.O_ASYNC)


DEEDS |= {
    "flock": on_file(lambda descriptor, _: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)),
    "write_lease": file_control(fcntl.F_SETLEASE, fcntl.F_WRLCK),
    "read_lease": file_control(fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "folder_notice": in_folder(lambda folder, _: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)),
    "signal_on_input": lambda file: on_pipe(F_SETSIG, signal.SIGCONT),
    "owner": lambda file: on_pipe(fcntl.F_SETOWN, os.getpid()),
    "owner_ex": lambda file: on_pipe(F_SETOWN_EX, struct.pack("ii", 1, os.getpid())),
    "owner_by_ioctl": lambda file: on_socket(FIOSETOWN, os.getpid()),
    "group_by_ioctl": lambda file: on_socket(SIOCSPGRP, os.getpid()),
    "pipe_size": lambda file: on_pipe(F_SETPIPE_SZ, 1 << 20),
    "posix_lock": file_control(fcntl.F_SETLK, LOCK),
    "posix_lock_seen": file_control(fcntl.F_GETLK, LOCK),
    "description_lock": file_control(F_OFD_SETLK, LOCK),
    "description_lock_seen": file_control(F_OFD_GETLK, LOCK),
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


def mode_of(file):
    return os.stat(file).st_mode


@deed
def setuid_bit(file):
    mode = mode_of(file)
    os.chmod(file, mode | 0o4000)
    os.chmod(file, mode)


def set_attribute(file, **how):
    os.setxattr(file, ATTRIBUTE, b"1", **how)
    os.removexattr(file, ATTRIBUTE, **how)


@deed
def set_attribute_at(file):
    value = ctypes.create_string_buffer(b"1")
    arguments = ctypes.create_string_buffer(struct.pack("QII", address(value), 1, 0))
    name, path = ctypes.create_string_buffer(ATTRIBUTE), text(file)
    system_call(SETXATTRAT, AT_FDCWD, path, 0, name, arguments, 16)
    system_call(REMOVEXATTRAT, AT_FDCWD, path, 0, name)


def gets_and_sets(get, put, size):
    """A deed that gets a value by one ioctl and sets the same value by another."""

    def act(descriptor, _):
        value = bytearray(size)
        fcntl.ioctl(descriptor, get, value)
        fcntl.ioctl(descriptor, put, bytes(value))

    return on_file(act)


@deed
def file_setattr(file):
    path, attributes = text(file), ctypes.create_string_buffer(24)
    system_call(FILE_GETATTR, AT_FDCWD, path, attributes, 24, 0)
    system_call(FILE_SETATTR, AT_FDCWD, path, attributes, 24, 0)


DEEDS |= {
    "chmod": lambda file: os.chmod(file, mode_of(file)),
    "fchmod": on_file(lambda descriptor, file: os.fchmod(descriptor, mode_of(file))),
    "fchmodat": lambda file: in_folder(lambda folder, name: os.chmod(name, mode_of(file), dir_fd=folder))(file),
    "fchmodat2": lambda file: system_call(FCHMODAT2, AT_FDCWD, text(file), mode_of(file), 0),
    "chown": lambda file: os.chown(file, os.getuid(), -1),
    "lchown": lambda file: os.lchown(file, os.getuid(), -1),
    "fchown": on_file(lambda descriptor, _: os.fchown(descriptor, os.getuid(), -1)),
    "fchownat": in_folder(lambda folder, name: os.chown(name, os.getuid(), -1, dir_fd=folder)),
    "utime": lambda file: os.utime(file),
    "utimes": lambda file: call("utimes", os.fsencode(file), None),
    "utime_by_descriptor": on_file(lambda descriptor, _: os.utime(descriptor)),
    "set_attribute": set_attribute,
    "set_attribute_by_descriptor": on_file(lambda descriptor, _: set_attribute(descriptor)),
    "set_attribute_of_link": lambda file: set_attribute(file, follow_symlinks=False),
    "inode_flags": gets_and_sets(FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, 8),
    "inode_attributes": gets_and_sets(FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR, 28),
}

# --- Making, changing and removing files ------------------------------------------------------------------------------

OPENAT2 = 437


def beside(file):
    return os.path.join(os.path.dirname(file), GENERATED)


def opens(flags):
    return lambda file: os.close(os.open(file, flags))


def makes(make, remove=os.unlink):
    """A deed that makes something beside the file, at the path that `make` is given, and removes it again."""

    def deed(file):
        make(beside(file))
        remove(beside(file))

    return deed


def removes(remove):
    """A deed that removes or empties the file, then writes its content again."""

    def deed(file):
        content = Path(file).read_bytes()
        remove(file)
        Path(file).write_bytes(content)

    return deed


def bind(path):
    with pair_of_sockets() as near:
        near.bind(path)


@deed
def opens_through_proc(file):
    with opened(file) as descriptor:
        opens(os.O_RDWR)(f"/proc/self/fd/{descriptor}")


@deed
def opens_by_openat2(file):
    how = ctypes.create_string_buffer(struct.pack("QQQ", os.O_RDWR, 0, 0), 24)
    os.close(system_call(OPENAT2, AT_FDCWD, text(file), how, 24))


@in_folder
def makes_folder_at(folder, name):
    os.mkdir(GENERATED, dir_fd=folder)
    os.rmdir(GENERATED, dir_fd=folder)


@deed
def renames(file):
    os.rename(file, beside(file))
    os.rename(beside(file), file)


@in_folder
def renames_at(folder, name):
    os.rename(name, GENERATED, src_dir_fd=folder, dst_dir_fd=folder)
    os.rename(GENERATED, name, src_dir_fd=folder, dst_dir_fd=folder)


DEEDS |= {
    "opens_for_writing": opens(os.O_WRONLY),
    "opens_for_both": opens(os.O_RDWR),
    "opens_for_appending": opens(os.O_WRONLY | os.O_APPEND),
    "opens_truncating": removes(opens(os.O_RDONLY | os.O_TRUNC)),
    "truncates": lambda file: os.truncate(file, os.path.getsize(file)),
    "creates": makes(opens(os.O_RDONLY | os.O_CREAT | os.O_EXCL)),
    "creates_without_a_name": lambda file: opens(os.O_RDWR | os.O_TMPFILE)(os.path.dirname(file)),
    "creates_by_creat": makes(lambda path: os.close(call("creat", os.fsencode(path), 0o600))),
    "makes_folder": makes(os.mkdir, os.rmdir),
    "makes_folder_at": makes_folder_at,
    "makes_fifo": makes(os.mkfifo),
    "makes_node": makes(os.mknod),
    "makes_symbolic_link": lambda file: makes(lambda path: os.symlink(file, path))(file),
    "makes_link": lambda file: makes(lambda path: os.link(file, path))(file),
    "makes_socket": makes(bind),
    "renames_at": renames_at,
    "removes": removes(os.unlink),
    "removes_at": removes(in_folder(lambda folder, name: os.unlink(name, dir_fd=folder))),
}

# --- Objects of the kernel that outlive a process, and carry messages -------------------------------------------------

IPC_CREAT, IPC_RMID = 0o1000, 0


def message_queue():
    """Return the descriptor of an open queue that has no name any more."""
    name = f"/{GENERATED}".encode()
    queue = call("mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None)
    call("mq_unlink", name)
    return queue


def gets(get, arguments, control, removing):
    """A deed that makes an object of the kernel and, if it may, removes that object again."""

    def deed(file):
        number = call(get, 0, *arguments, IPC_CREAT | 0o600)
        with suppress(OSError):
            call(control, number, *removing)

    return deed


@deed
def asynchronous_input(file):
    """Makes and removes a ring for asynchronous input and output (io_setup, io_destroy)."""
    numbers = {"x86_64": (206, 207), "aarch64": (0, 1)}[os.uname().machine]
    ring = ctypes.c_ulong(0)
    system_call(numbers[0], 8, ctypes.byref(ring))
    system_call(numbers[1], ring.value)


DEEDS |= {
    "shared_segment": gets("shmget", (ctypes.c_size_t(PAGE),), "shmctl", (IPC_RMID, None)),
    "semaphores": gets("semget", (1,), "semctl", (0, IPC_RMID)),
    "message_queue": gets("msgget", (), "msgctl", (IPC_RMID, None)),
    "posix_message_queue": lambda file: os.close(message_queue()),
}

# --- What wakes a process that is stopped, or hides it ----------------------------------------------------------------

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
WAKING = ctypes.create_string_buffer(struct.pack("qii48x", 0, signal.SIGCONT, 0))  # SIGEV_SIGNAL


@deed
def wakes_by_timer(file):
    timer = ctypes.c_void_p()
    call("timer_create", 1, WAKING, ctypes.byref(timer))
    call("timer_delete", timer)


@deed
def wakes_by_message(file):
    with closing(message_queue()) as (queue,):
        call("mq_notify", queue, WAKING)


@deed
def is_not_to_be_looked_at(file):
    call("prctl", PR_SET_DUMPABLE, 0, 0, 0, 0)
    call("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)


DEEDS |= {
    "wakes_by_parents_death": lambda file: call("prctl", PR_SET_PDEATHSIG, signal.SIGCONT, 0, 0, 0),
    "adopts_nobody": lambda file: call("prctl", PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0),
}

# --- New processes ----------------------------------------------------------------------------------------------------

CLONE_VM, CLONE_VFORK, CLONE_PARENT = 0x100, 0x4000, 0x8000
CLONE3 = 435


def begins(begin):
    """A deed that begins a child and waits for its end: `begin` returns the child's pid, and 0 in the child."""

    def deed(file):
        if (child := begin()) == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return deed


def fork_with_terminal():
    child, terminal = os.forkpty()
    if child != 0:
        os.close(terminal)
    return child


def clone3():
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQ48x", 0, 0, 0, 0, signal.SIGCHLD), 88)
    return system_call(CLONE3, arguments, 88)


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


DEEDS |= {
    "fork": begins(os.fork),
    "forkpty": begins(fork_with_terminal),
    "clone3": begins(clone3),
    "spawn": begins(lambda: os.posix_spawn("/bin/true", ["true"], {})),
    "runs_program": lambda file: subprocess.run(["/bin/true"], check=True),
    "shares_its_memory": clone(CLONE_VM),
    "shares_its_memory_and_waits": clone(CLONE_VM | CLONE_VFORK),
    "gives_it_to_its_own_parent": clone(CLONE_PARENT),
}

# --- Memory that a process's own figures do not show, or that takes the kernel long -----------------------------------

MADV_COLD, MADV_PAGEOUT, MADV_POPULATE_READ, MADV_POPULATE_WRITE = 20, 21, 22, 23
MEMFD_SECRET = 447
MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS = 0x01, 0x02, 0x20


def populates(advice):
    def deed(file):
        with mmap.mmap(-1, PAGE, flags=MAP_PRIVATE | MAP_ANONYMOUS) as page:
            page.madvise(advice)

    return deed


@deed
def shares_zeros(file):
    with opened("/dev/zero", os.O_RDWR) as zeros, mmap.mmap(zeros, PAGE, flags=MAP_SHARED):
        pass


@deed
def file_in_memory(file):
    with closing(os.memfd_create(GENERATED)) as (descriptor,):
        os.write(descriptor, b"x")


@deed
def mapped_file_in_memory(file):
    with closing(os.memfd_create(GENERATED)) as (descriptor,):
        os.ftruncate(descriptor, PAGE)
        with mmap.mmap(descriptor, PAGE) as page:
            page[0] = 1


@deed
def pages_given_to_a_pipe(file):
    page = ctypes.create_string_buffer(PAGE)
    vector = ctypes.create_string_buffer(struct.pack("QQ", address(page), PAGE))
    with closing(*os.pipe()) as (_, far):
        call("vmsplice", far, vector, ctypes.c_size_t(1), 0)


DEEDS |= {
    "drops_what_is_kept_of_a_file": on_file(
        lambda descriptor, _: os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    ),
    "shares_pages": lambda file: mmap.mmap(-1, PAGE, flags=MAP_SHARED | MAP_ANONYMOUS).close(),
    "reads_many_pages_at_once": populates(MADV_POPULATE_READ),
    "writes_many_pages_at_once": populates(MADV_POPULATE_WRITE),
    "cools_pages": populates(MADV_COLD),
    "pages_out": populates(MADV_PAGEOUT),
    "secret_memory": lambda file: os.close(system_call(MEMFD_SECRET, 0)),
}

# --- Calls that are meant for other processes, made for the agent's own: they change nothing --------------------------

DEEDS |= {
    "memory_as_of_another": lambda file: call("process_vm_readv", os.getpid(), None, 0, None, 0, 0),
    "priority": lambda file: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)),
    "scheduling": lambda file: os.sched_setscheduler(0, os.sched_getscheduler(0), os.sched_param(0)),
    "processors": lambda file: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "namespaces": lambda file: call("unshare", 0),
    "socket": lambda file: socket.socket().close(),
}

# --- Sockets made in pairs, which `socketpair` allows, used for reaching others ---------------------------------------

DEEDS["named_end"] = lambda file: bind(f"\0{GENERATED}-{os.getpid()}")


def outcome(deed, file):
    """Do a deed; return the error as text, or an empty text if the deed was granted."""
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
