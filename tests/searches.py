"""What tests of several searches want: open positions, exact values, and a machine whose clock they move."""

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from agents import time_control
from agents.uct import base, memory
from game import Game, play_moves


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
    """1, 0 or -1 for the first player, by looking at everything; `known` gets it of all that is looked at."""
    if position not in known:
        if position.result is not None:
            known[position] = {None: 0, 0: 1, 1: -1}[position.result.winner]
        else:
            values = [exact_value(position.play(move), known) for move in position.legal_moves()]
            known[position] = max(values) if position.to_move == 0 else min(values)
    return known[position]


class FakeMachine:
    """A clock that goes on only while simulations run and while places are freed.

    Attributes:
        now: the time.
        speed: simulations a second.
        chunks: when each chunk began, how many simulations it was to do, and how many it did.
    """

    def __init__(self, monkeypatch: Any, searcher: Any, speed: float, freeing: float = 0.0) -> None:
        self.now, self.speed, self.chunks = 100.0, speed, []
        for clocked in (base, memory, time_control):
            monkeypatch.setattr(clocked, "time", SimpleNamespace(monotonic=lambda: self.now))
        run, recycle = searcher._run, searcher._recycler.recycle

        def timed_run(chunk: int, end: float | None) -> bool:
            began, before = self.now, searcher.simulations
            has_run: bool = run(chunk, end)
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
