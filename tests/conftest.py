"""Fixtures and hooks of all tests; registers the tiny games of the tests beside the real ones."""

import gc
import os
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import psutil
import pytest

import game
import jit  # before numba: then numba is imported without scipy
from agents.agent import AgentError, parse_agent
from agents.process_memory import resident_bytes
from game import Game, load_game
from jit.cache import remove_damaged
from simulator.player import compile_ahead as ahead
from simulator.sandbox.cores import available_cores, choose_cores
from tests.played_here import Here
from tests.programs import reap_adopted

from numba.core import event  # isort: skip

# The fixtures of these are costly: each worker of xdist begins with one of them, so that no other steals a part of it.
BEGUN_WITH = ("test_report_browser.py", "test_cluster.py", "test_tournament_command.py", "test_new_game.py")

psutil.cpu_percent()  # measures from here to the next call
jit.wait_for_others(600)  # several processes run the tests: none compiles what another one is compiling

game.register_game("tictactoe", "tests.tictactoe:TicTacToe")
game.register_game("extra_turn_nim", "tests.extra_turn_nim:ExtraTurnNim")

# A busy machine is no fault of the code: no test depends on how long something takes.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")

# Each test process lets its agents play on a core of its own: without this, all of them would share the last core.
choose_cores.__defaults__ = (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")),)

# A shell makes background programs ignore Ctrl-C, and the programs that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than cores: tests wait for other processes during two fifths of their time."""
    return len(available_cores()) + 2


UNFROZEN: list[None] = []  # an entry for each time that something in this test called gc.unfreeze
unfreeze = gc.unfreeze
gc.unfreeze = lambda: UNFROZEN.append(unfreeze())


class Compiling(event.Listener):
    """Counts the seconds of CPU that go into compiling."""

    seconds, _began, _depth = 0.0, 0.0, 0

    def on_start(self, event: event.Event) -> None:
        self._began = self._began if self._depth else time.thread_time()
        self._depth += 1

    def on_end(self, event: event.Event) -> None:
        self._depth -= 1
        self.seconds += 0 if self._depth else time.thread_time() - self._began


COMPILING = Compiling()
event.register("numba:compile", COMPILING)


def pytest_sessionfinish(session: pytest.Session) -> None:
    getattr(session.config, "workeroutput", {})["compiling"] = COMPILING.seconds


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the seconds that one of xdist's processes spent compiling."""
    COMPILING.seconds += getattr(node, "workeroutput", {}).get("compiling", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much CPU the tests used, so that a heavy new test is noticed; `--durations` lists the slowest tests."""
    cpu = f"{sum(os.times()[:4]):.0f} s of CPU, processes that tests began included"
    terminalreporter.write_line(f"{cpu}; {COMPILING.seconds:.0f} s of them compiling in those that run tests")
    terminalreporter.write_line(f"the machine was {psutil.cpu_percent():.0f} % busy, by these and whatever else ran")


@pytest.hookimpl(trylast=True)  # after tests that nobody asked for are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that no process is left with one at the end.

    A short test follows each of them: xdist begins by handing out two tests to each process.
    """
    if not any(map(minutes, items)):
        begin_with_modules(items, getattr(config, "workerinput", {}).get("workercount", 0))
        return
    longest = sorted(filter(minutes, items), key=minutes, reverse=True)
    others = [item for item in items if not minutes(item)]
    pairs = zip(longest, others, strict=False)
    items[:] = [*(item for pair in pairs for item in pair), *longest[len(others) :], *others[len(longest) :]]


def begin_with_modules(items: list[pytest.Item], workers: int) -> None:
    """Put a module of BEGUN_WITH at the start of each part of the tests that xdist's `worksteal` hands to a worker."""
    names = BEGUN_WITH[:workers]
    modules = [[item for item in items if item.path.name == name] for name in names]
    count, start = len(items), 0
    items[:] = [item for item in items if item.path.name not in names]
    for taken, module in enumerate(modules):
        items[start:start] = module
        start += (count - start) // (workers - taken)


def minutes(item: pytest.Item) -> int:
    """How long a test takes, as its mark says; 0 if it says nothing."""
    mark = item.get_closest_marker("slow")
    return mark.kwargs.get("minutes", 0) if mark is not None else 0


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Switch garbage collection off while tests are collected: what is loaded then stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(autouse=True, scope="module")
def garbage_is_looked_for_in_what_is_new() -> Iterator[None]:
    """Exclude what the tests, their modules and earlier compiled code hold from garbage collection.

    An agent that measures its memory collects garbage each time: with 5,000 tests, that took half a second. An agent in
    plain Python would look through everything before each move: the process already holds more than an agent may.
    """
    gc.collect()
    gc.freeze()
    held = resident_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.plain.heap.resident_bytes", lambda: resident_bytes() - held)
        yield


@pytest.fixture(autouse=True)
def what_an_agent_unfroze_is_frozen_again() -> Iterator[None]:
    """Freeze again what an agent in plain Python unfreezes when it closes."""
    yield
    if UNFROZEN:
        UNFROZEN.clear()
        gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def random_agent_is_compiled() -> None:
    """Compile random_agent first: otherwise, the first command that plays it would print that it prepares it."""
    ahead.compile_ahead(load_game("pentago"), [parse_agent("random_agent")])


@pytest.fixture(autouse=True, scope="session")
def the_common_cache_is_filled_here_and_checked_once(random_agent_is_compiled: None) -> Iterator[None]:
    """Compile agents ahead in this process, and do not check the common cache of compiled code again for each game.

    This process waits for functions that other tests compile; one that is started for it would compile them once more.
    Each check would read 14 MB, in 40 ms or more. Other folders, as in `test_warmup.py`, are treated as in the product.
    """
    from tests.searches import agent_of

    set_up = ahead._set_up

    def remove_others(folder: Path) -> None:
        if folder != jit.CACHE_FOLDER:
            remove_damaged(folder)

    def set_up_here(game: Game, agent: str, mark: Path, on_look: Callable[[], None]) -> None:
        if mark.parent != jit.CACHE_FOLDER:
            set_up(game, agent, mark, on_look)
            return
        with suppress(AgentError):  # the referee will judge it
            agent_of(agent, game).setup()
            mark.touch()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ahead, "remove_damaged", remove_others)
        patch.setattr(ahead, "_set_up", set_up_here)
        yield


@pytest.fixture
def played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands play in this process, not in workers."""
    monkeypatch.setattr("simulator.tournament.workers.local.LocalExecutor", Here)


@pytest.fixture
def games_of_the_user_are_left_alone(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep games that people play in a folder of this test; compiled code is found where it is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("UNFORCED_CACHE", str(jit.CACHE_FOLDER.parent))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask cluster on this machine."""
    from tests.clusters import started_cluster

    with started_cluster(tmp_path_factory.mktemp("cluster")) as (address, _):
        yield address


@pytest.fixture(autouse=True)
def nothing_is_left_to_reap() -> Iterator[None]:
    """Reap orphans after each test: a process that has been a referee adopts them, and the next test must find none."""
    yield
    reap_adopted()
