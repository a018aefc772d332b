"""For tests of several searches: agents, positions, exact values, and a machine whose clock a test moves."""

import atexit
import json
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from agents import time_control
from agents.agent import parse_agent
from agents.limits import Clock, Limits
from agents.loading import load_agent
from agents.process_memory import held_bytes
from agents.uct import base, memory
from agents.uct.searchers import make_searcher
from agents.uct.settings import Settings
from game import Game, load_game, play_moves
from learning.network import fresh
from learning.weights import save_weights
from pentago.evaluation import load_network

NEVER = 1 << 30  # visits after which the solver is asked, which the slow twin lacks; 0 would compile other code
NEARLY_WON = "wwww../bbbb../....../....../....../...... w"  # Pentago


def agent_of(text: str, game: Game | None = None, seed: int = 1, **limits: Any) -> Any:
    """The agent that a text on the command line names, for Pentago unless another game is given.

    Unless `limits` say otherwise, its memory limit leaves 300 MB beyond what this process already holds.
    """
    agent_class: Any = load_agent(text)
    game = game or load_game("pentago")
    room = {"memory_mb": held_bytes() // 1_000_000 + 300}
    return agent_class.for_game(game)(game, Limits(**room | limits), seed, parse_agent(text).options)


@cache
def unlearned_weights() -> str:
    """The path of random weights for Pentago, so that tests do not depend on learned ones; the same code runs both."""
    folder, pentago = tempfile.mkdtemp(prefix="unforced-test-"), load_game("pentago")
    atexit.register(shutil.rmtree, folder)
    path = Path(folder) / "weights.npz"
    save_weights(path, fresh(pentago, len(load_network().shared), 5), {})
    return str(path)


def new_searcher(
    search: str = "graph", game: Game | None = None, capacity: int = 30_000, seed: int = 1, **settings: Any
) -> Any:
    """A searcher of Pentago or another game with settings for tests; it stops when its memory is full."""
    game = game or load_game("pentago")
    usual: dict[str, Any] = {"memory": "stop", "reuse": False, "stop": "proof"}
    if "evaluation" in game.kernel._fields:  # on a tree games are played out: a network would be compiled for nothing
        usual["evaluation"] = unlearned_weights() if search == "graph" else "lines"
    if search == "graph":
        usual |= {"puct": 0.3, "minimax": 0.8, "solve": NEVER}
    return make_searcher(game, capacity, seed, Settings.for_game(game, search=search, **usual | settings))


def searched(position: Any = None, simulations: int = 2_000, **how: Any) -> Any:
    """A new searcher that has searched a position, by default the initial one."""
    searcher = new_searcher(**how)
    searcher.begin(position or searcher.game.initial())
    searcher.search(simulations=simulations)
    return searcher


def reply_of(searcher: Any) -> tuple[Any, Any]:
    """The position after the best move and the best answer to it, and the child of that answer."""
    mine = searcher.best_child()
    position, theirs = searcher.position.play(searcher.best_move()), searcher.best_child(mine.node)
    return position.play(searcher.move_to(position, theirs.node)), theirs


@cache
def tactics(kind: str, depth: int) -> list[dict[str, Any]]:
    """Positions of Pentago with the moves that win (`win`) or defend (`safe`) within so many plies."""
    lines = (Path(__file__).parent / "data" / "pentago_twist_tactics.jsonl").read_text().splitlines()
    return [case for case in map(json.loads, lines) if (case["kind"], case["depth"]) == (kind, depth)]


def good_ends(position: Any, case: dict[str, Any]) -> set[Any]:
    """The positions that the good moves of a case of tactics lead to."""
    return {played(position.game, text, position) for text in case["moves"]}


def played(game: Game, texts: str, start: Any = None) -> Any:
    """The position after these moves, from the initial one unless another is given."""
    return play_moves(game, texts.split(), start)[-1]


def position_after(game: Game, plies: int, seed: float) -> Any:
    """An open position so many random plies from the start."""
    rng = random.Random(seed)
    while True:
        position = game.initial()
        for _ in range(plies):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is None:
            return position


def exact_value(position: Any, known: dict[Any, int]) -> int:
    """1, 0 or -1 for the first player, from the whole game tree; adds the value of every position in it to `known`."""
    if position not in known:
        if position.result is not None:
            known[position] = {None: 0, 0: 1, 1: -1}[position.result.winner]
        else:
            values = [exact_value(position.play(move), known) for move in position.legal_moves()]
            known[position] = max(values) if position.to_move == 0 else min(values)
    return known[position]


def worth(position: Any, known: dict[Any, int] | None = None) -> float:
    """1, 0.5 or 0 for the player to move, by `exact_value`."""
    value = exact_value(position, {} if known is None else known)
    return (1 + (value if position.to_move == 0 else -value)) / 2


class CountingClock(Clock):
    """A clock that advances by a fixed time whenever it is read, so that no test depends on the machine."""

    def __init__(self, seconds: float, tick: float) -> None:
        super().__init__(seconds)
        self.reads, self.tick = 0, tick

    @property
    def elapsed(self) -> float:
        self.reads += 1
        return self.reads * self.tick


class FakeMachine:
    """A clock that advances only while simulations run and while nodes are freed.

    Attributes:
        now: the time in seconds.
        speed: simulations a second.
        chunks: for each chunk, when it began, how many simulations it should do, and how many it did.
    """

    def __init__(self, monkeypatch: Any, searcher: Any, speed: float, freeing: float = 0.0) -> None:
        self.now, self.speed, self.chunks = 100.0, speed, []
        for clocked in (base, memory, time_control):
            monkeypatch.setattr(clocked, "time", SimpleNamespace(monotonic=lambda: self.now))
        run, recycle = searcher._run, searcher._recycler.recycle

        def timed_run(chunk: int) -> bool:
            began, before = self.now, searcher.simulations
            has_run: bool = run(chunk)
            done = searcher.simulations - before
            self.chunks.append((began, chunk, done))
            self.now += done / self.speed
            return has_run

        def timed_recycle(free: Callable[[], None], end: float | None) -> bool:
            def slowly() -> None:
                free()
                self.now += freeing

            has_freed: bool = recycle(slowly, end)
            return has_freed

        monkeypatch.setattr(searcher, "_run", timed_run)
        monkeypatch.setattr(searcher._recycler, "recycle", timed_recycle)
