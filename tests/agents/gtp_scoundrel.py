"""A program that speaks GTP badly: `gtp_scoundrel.py MISDEED`, with which it answers `genmove`."""

import os
import sys
import time

MISDEEDS = {
    "noise": lambda number: bytes(range(128, 256)) * 10,
    "half": lambda number: f"={number} a1/0r\n".encode(),  # the blank line never comes
    "endless": lambda number: f"={number} ".encode() + b"x" * (3 << 20),
    "newlines": lambda number: b"\n" * (1 << 16),
    "byte_by_byte": lambda number: b"=",
    "unnumbered": lambda number: b"= a1/0r\n\n",
    "twice": lambda number: f"={number} a1/0r\n\n={int(number) + 1}\n\n={int(number) + 2} a1/1r\n\n".encode(),
    "refuses": lambda number: f"?{number} I would rather not\n\n".encode(),
    "binary": lambda number: f"={number} ".encode() + b"\x00\xff\xfe\x1b[2J\n\n",
    "ends": lambda number: os._exit(0),
    "hangs_up": lambda number: os.close(1) or b"",
    "goes_deaf": lambda number: os.close(0) or f"={number} a1/0r\n\n".encode(),
}


def main() -> None:
    """Answer every command properly except `genmove`."""
    misdeed = MISDEEDS[sys.argv[1]]
    for line in sys.stdin:
        number, command = line.split()[:2]
        if command == "genmove":
            if answer := misdeed(number):
                os.write(1, answer)
            while sys.argv[1] in ("newlines", "byte_by_byte"):
                os.write(1, misdeed(number))
            time.sleep(3600)
        os.write(1, f"={number} \n\n".encode())


main()
