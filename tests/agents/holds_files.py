"""Takes a lease on a file that others open too, keeps it, and plays on: `holds_files.py:file=PATH`."""

import contextlib
import fcntl
import os
import signal
from typing import ClassVar

from agents.agent import Agent, register_agent


@register_agent("holds_files_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"file": ""}
    kept = None

    def step(self, position, clock):
        if self.kept is None:
            signal.signal(signal.SIGIO, signal.SIG_IGN)  # by which it would be asked to give the lease back
            self.kept = os.open(self.options["file"], os.O_RDONLY)
            with contextlib.suppress(OSError):
                fcntl.fcntl(self.kept, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        return self.rng.choice(position.legal_moves())
