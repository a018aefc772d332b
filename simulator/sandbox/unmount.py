"""Take folders away from a running sandbox: `python detach.py PID FOLDER...`

Enters the user and mount namespaces of a process and detaches what is mounted at the folders, so that nothing there can
be opened any more. A process of its own, because the kernel lets nobody but a single-threaded process enter a user
namespace; the entering needs no privilege of whoever made the namespace. Nothing of the project is imported.
"""

import ctypes
import os
import sys

CLONE_NEWUSER, CLONE_NEWNS, MNT_DETACH = 0x10000000, 0x00020000, 2


def check(result: int, what: str) -> None:
    """Raise OSError for a call that failed."""
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def main(pid: str, *folders: str) -> None:
    """Detach the folders in the namespaces of a process."""
    libc = ctypes.CDLL(None, use_errno=True)
    namespaces = [(os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY), name) for name in ("user", "mnt")]
    for (descriptor, name), kind in zip(namespaces, (CLONE_NEWUSER, CLONE_NEWNS), strict=True):
        check(libc.setns(descriptor, kind), f"entering the {name} namespace of process {pid}")
    for folder in folders:
        check(libc.umount2(os.fsencode(folder), MNT_DETACH), f"detaching {folder}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(error.strerror)
