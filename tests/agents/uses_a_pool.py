"""Uses a pool of `multiprocessing`, other programs, or weights in a file that it maps: `uses_a_pool.py:deed=pool`."""

import asyncio
import multiprocessing
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np

from agents.agent import Agent, register_agent

FOLDER = Path(__file__).resolve().parent


def pool():
    with multiprocessing.Pool(2) as workers:
        return sum(workers.map(abs, (-1, -2, -3)))


async def later():
    """Run a program and wait for it in an event loop; return its output."""
    process = await asyncio.create_subprocess_exec("/bin/echo", "loop", stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0]


def program():
    assert asyncio.run(later()) == b"loop\n"
    return int(subprocess.run([sys.executable, "-c", "print(6)"], capture_output=True, check=True).stdout)


def mapped():
    return np.load(FOLDER / "weights.npy", mmap_mode="r")


@register_agent("uses_a_pool_agent")
class Honest(Agent):
    default_options: ClassVar = {"deed": "pool"}

    def setup(self):
        self.got = globals()[self.options["deed"]]()

    def step(self, position, clock):
        assert np.sum(self.got) >= 6
        return self.rng.choice(position.legal_moves())
