"""A GTP engine as a process, trusted to answer: no sandbox, no limits."""

import os
import shlex
import subprocess
import time

from simulator.gtp.client import Client
from simulator.sandbox.visible_files import search_path

GNU_GO = "gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead --never-resign --cache-size 1"
ANSWER_SECONDS = 300.0


class GtpEngine:
    """An engine that was started with a command."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, "PATH": search_path()},
        )
        assert self._process.stdin and self._process.stdout
        self._client = Client(self._process.stdout.fileno(), self._process.stdin.fileno())

    def ask(self, *commands: str) -> str:
        """The answer to the last of the commands."""
        deadline = time.monotonic() + ANSWER_SECONDS
        text = ""
        for number in self._client.send(commands, deadline):
            text = self._client.receive(number, deadline)
        return text

    def close(self) -> None:
        """End the process, and close its pipes."""
        with self._process:
            self._process.kill()
