"""Plays honestly with many libraries: it compiles, has threads, reads an opening book, and plays on."""

import asyncio
import bisect
import json
import os
import pickle
import queue
import resource
import signal
import socket
import sqlite3
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numba
import numpy as np

from agents.agent import Agent, register_agent

FOLDER = Path(__file__).resolve().parent


@numba.njit
def total(numbers):
    result = 0.0
    for number in numbers:
        result += number
    return result


async def later(seconds):
    await asyncio.sleep(seconds)
    return seconds


async def all_later():
    return sum(await asyncio.gather(later(0.001), asyncio.to_thread(time.monotonic), later(0.002)))


def book():
    """Read a book of openings with SQLite, which is told that nobody writes the file."""
    with closing(sqlite3.connect(f"file:{FOLDER / 'book.sqlite'}?immutable=1", uri=True)) as database:
        return dict(database.execute("SELECT position, move FROM book"))


def weights():
    with np.load(FOLDER / "weights.npz") as file:
        return {name: file[name] for name in file.files}


@register_agent("uses_libraries_agent")
class Honest(Agent):
    def setup(self):
        assert total(np.arange(10.0)) == 45.0
        self.book, self.weights = book(), weights()
        self.table = json.loads((FOLDER / "table.json").read_text())
        self.prior = pickle.loads((FOLDER / "prior.pickle").read_bytes())
        assert (len(self.book), len(self.table), len(self.prior)) == (1, 3, 2)
        self.pool = ThreadPoolExecutor(2)
        self.asked, self.answered = queue.Queue(), queue.Queue()
        threading.Thread(target=self.serve, daemon=True).start()
        resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))
        self.signals = []
        signal.signal(signal.SIGUSR1, lambda number, frame: self.signals.append(number))

    def serve(self):
        while True:
            self.answered.put(self.asked.get() + 1)

    def step(self, position, clock):
        assert sum(self.pool.map(abs, (-1, -2, -3))) == 6
        self.asked.put(1)
        assert self.answered.get(timeout=10) == 2
        assert asyncio.run(all_later()) > 0
        assert np.linalg.norm(np.eye(50) @ self.weights["first"]) > 0
        with tempfile.SpooledTemporaryFile() as file:  # in memory, as long as it is small
            file.write(b"notes")
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE TABLE seen (move)")
        near, far = socket.socketpair()
        with near, far:
            near.sendall(b"hello")
            assert far.recv(10) == b"hello"
        os.kill(os.getpid(), signal.SIGUSR1)
        assert self.signals.pop() == signal.SIGUSR1
        lock = threading.Lock()
        with lock:
            assert bisect.bisect(self.table, 2) == 2
        return self.rng.choice(position.legal_moves())

    def close(self):
        self.pool.shutdown()
