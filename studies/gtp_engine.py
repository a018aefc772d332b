"""A GTP engine of Go as a process, trusted to answer: no sandbox, no limits."""

import os
import shlex
import subprocess
import time
from typing import Any

from agents.agent import RESIGN
from game import IllegalMove
from options import Failure
from simulator.gtp.client import Client, EngineError
from simulator.sandbox.visible_files import search_path

GNU_GO = "gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead --never-resign --cache-size 1"
ANSWER_SECONDS = 300.0


class GtpEngine:
    """An engine, started by a command, as a player of one game."""

    def __init__(self, command: str, game: Any) -> None:
        self._command, self._game = command, game
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
        try:
            self._ask(f"boardsize {game.size}", "clear_board", f"komi {game.komi:g}")
        except Exception:
            self.close()
            raise

    def step(self, position: Any, clock: object) -> Any:
        """The engine's move; RESIGN also for a move that is illegal here, as when GNU Go repeats a position."""
        commands = [f"genmove {self._game.players[position.to_move]}"]
        if position.last_move is not None:
            played = self._game.format_move(position.last_move)
            commands.insert(0, f"play {self._game.players[1 - position.to_move]} {played}")
        answer = self._ask(*commands)
        if answer.lower() == RESIGN:
            return RESIGN
        move = self._game.parse_move(answer, position)
        try:
            position.play(move)
        except IllegalMove:
            return RESIGN
        return move

    def _ask(self, *commands: str) -> str:
        """The answer to the last of these commands. Raises Failure without a proper answer to each."""
        deadline = time.monotonic() + ANSWER_SECONDS
        text = ""
        try:
            for number in self._client.send(commands, deadline):
                text = self._client.receive(number, deadline)
        except EngineError as error:
            asked = ", ".join(commands)
            raise Failure(f"{self._command!r} did not answer {asked}: {error!r}") from error
        return text

    def close(self) -> None:
        """End the process, and close its pipes."""
        with self._process:
            self._process.kill()
