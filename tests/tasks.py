"""Tasks for executors; this module imports the standard library alone, so that a process unpickles tasks quickly."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MINUTE = ["-c", "import time; time.sleep(60)"]


@dataclass(frozen=True)
class Square:
    number: int

    def run(self, tell, cores):
        tell(cores)
        return self.number**2


@dataclass(frozen=True)
class Prints:
    def run(self, tell, cores):
        print("as rules may")


@dataclass(frozen=True)
class KillsItsProcess:
    """Kills its process the first `times` times that it runs; it counts the runs by files in a folder."""

    folder: Path
    times: int
    number: int = signal.SIGKILL

    def run(self, tell, cores):
        before = len(list(self.folder.iterdir()))
        if before < self.times:
            (self.folder / str(before)).touch()
            os.kill(os.getpid(), self.number)
        return "alive"


@dataclass(frozen=True)
class Waits:
    """Waits for long enough that a stop comes before its end."""

    seconds: float = 1.0

    def run(self, tell, cores):
        tell("begun")
        time.sleep(self.seconds)
        return "waited"


@dataclass(frozen=True)
class SaysWho:
    def run(self, tell, cores):
        return os.getpid()


@dataclass(frozen=True)
class Fails:
    def run(self, tell, cores):
        raise LookupError("a bug")


@dataclass(frozen=True)
class HasChildren:
    """Starts a process and waits for a minute; if `tidy`, ends the process by `finally`, as with agents."""

    tidy: bool

    def run(self, tell, cores):
        child = subprocess.Popen([sys.executable, "-S", *MINUTE])
        try:
            tell(child.pid)
            time.sleep(60)
        finally:
            if self.tidy:
                child.kill()
                child.wait()
