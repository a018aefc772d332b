"""Processes that a test lost are reaped: this process inherits them, once it has been a referee."""

import os
from collections.abc import Iterator
from contextlib import suppress

import psutil
import pytest


@pytest.fixture(autouse=True)
def nothing_is_left_to_reap() -> Iterator[None]:
    yield
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess, ChildProcessError):
            if child.status() == psutil.STATUS_ZOMBIE:
                os.waitpid(child.pid, os.WNOHANG)
