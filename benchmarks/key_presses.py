"""How long a key press waits on the full screen while an agent thinks, measured in a pseudoterminal.

    python benchmarks/key_presses.py --presses 40

A key is written to the terminal; the wait ends when the text that it brings up has been drawn. The agent thinks all
the time, at full speed. Printed are the median and the longest waits for each key, the load of the machine, and the
time from the start of the program to the first board.
"""

import os
import pty
import select
import signal
import statistics
import struct
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.append(str(PROJECT))

import click

# Keys, each with a text that it brings up. The first letter of "a move, or a command" is under the blinking cursor.
KEYS = ((b"m", b"move, or a command"), (b"?", b"How to play"))
ESCAPE = b"\x1b"
GOAL_MS = 50
PATIENCE_SECONDS = 120.0


class Terminal:
    """A program in a pseudoterminal of 80x24 characters."""

    def __init__(self, arguments: list[str]) -> None:
        self.started, self.unread = time.perf_counter(), b""  # drawn after the last text that was waited for
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, [sys.executable, *arguments])
        ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for(self, text: bytes) -> float:
        """Seconds until the program has drawn a text, from the last awaited text on. Raises TimeoutError."""
        began, seen = time.perf_counter(), self.unread
        while text not in seen:
            left = PATIENCE_SECONDS - (time.perf_counter() - began)
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise TimeoutError(f"{text!r} was not drawn; the last of what was: {seen[-300:]!r}")
            seen += os.read(self.master, 1 << 16)
        self.unread = seen.partition(text)[2]
        return time.perf_counter() - began

    def drain(self, seconds: float) -> None:
        """Read and drop everything that is drawn within so many seconds."""
        until, self.unread = time.perf_counter() + seconds, b""
        while (left := until - time.perf_counter()) > 0:
            if select.select([self.master], [], [], left)[0]:
                os.read(self.master, 1 << 16)

    def press(self, keys: bytes) -> None:
        """Write keys."""
        os.write(self.master, keys)

    def close(self) -> None:
        """End the program."""
        os.kill(self.process, signal.SIGTERM)
        os.close(self.master)
        os.waitpid(self.process, 0)


@click.command()
@click.option("--agent", default="uct_agent", help="Who thinks.")
@click.option("--presses", type=click.IntRange(min=len(KEYS)), default=40, help="Keys that are pressed.")
def main(agent: str, presses: int) -> None:
    """Measure how long key presses wait while an agent thinks."""
    seconds = presses * 1.5 + 60  # more than the agent needs
    limits = [f"--move-time={seconds:.0f}", f"--first-move-time={seconds:.0f}"]
    terminal = Terminal([str(PROJECT / "runner.py"), "play", "--agent", agent, "--side", "b", *limits])
    terminal.wait_for(b"quadrant")
    first_board = time.perf_counter() - terminal.started
    terminal.wait_for(b"is thinking")
    waits = []
    try:
        for number in range(presses):
            key, text = KEYS[number % len(KEYS)]
            terminal.drain(0.3)
            terminal.press(key)
            waits.append((1000 * terminal.wait_for(text), key.decode()))
            terminal.drain(0.1)
            terminal.press(ESCAPE)
    finally:
        terminal.close()
    load = os.getloadavg()[0]
    print(f"first board after {first_board:.1f} s; {presses} key presses while {agent} thinks, load {load:.1f}")
    for key, _ in KEYS:
        of_key = sorted(milliseconds for milliseconds, pressed in waits if pressed == key.decode())
        longest = ", ".join(f"{milliseconds:.0f}" for milliseconds in of_key[-3:])
        print(f"{key.decode()}: median {statistics.median(of_key):.0f} ms, longest {longest} ms")
    worst, slowest = max(waits)
    print(f"the longest wait was {worst:.0f} ms, for {slowest} (wanted: {GOAL_MS} ms at most)")
    sys.exit(worst > GOAL_MS)


if __name__ == "__main__":
    main()
