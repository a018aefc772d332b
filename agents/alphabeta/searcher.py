"""Iterative deepening: one ply deeper with each search, until the time is over or the position is decided."""

import time
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.alphabeta import frames as stack
from agents.alphabeta import table as tt
from agents.alphabeta.frames import LONGEST, NO_CHILD, NODES, ROOT
from agents.alphabeta.search import begin_iteration, follow, generate_children, place_root, run, shuffle_root
from agents.alphabeta.table import GENERATIONS, Table
from agents.alphabeta.values import DRAW, INFINITY, WIN, chance_of, outcome_name
from game import Game, IllegalMove, max_children

WHOLE_ITERATION = 1 << 62  # nodes
UNLIMITED = 1 << 62  # positions expanded
WHOLE_WINDOW = -INFINITY, INFINITY


def _is_last_better(root: Any) -> bool:
    """Whether to prefer the root's child whose search was cut short to the best of the children before it.

    That is so if all those lose, or if the search with an empty window has found the last child better.
    """
    return outcome_name(int(root["value"])) == "loss" or not root["scouting"]


class Searcher:
    """Alpha-beta for one side of one game, with the game's own kernel or another.

    Attributes:
        value: the value that the last search found for the player to move, see `values`.
        depth: the depth, in plies, of its last complete iteration.
        seconds: how long it took.

    >>> from game import load_game
    >>> pentago = load_game("pentago")
    >>> searcher = Searcher(pentago, table_entries=1024)
    >>> searcher.search(pentago.parse_position("wwww../bbbb../....../....../....../...... w"), depth=3)
    >>> searcher.proven, searcher.depth
    ('win', 1)
    """

    def __init__(self, game: Game, table_entries: int, seed: int = 0, kernel: Any = None) -> None:
        self.game = game
        self.kernel = game.kernel if kernel is None else kernel
        self.table: Table = tt.allocate(table_entries)
        self.position: Any = None
        self.value, self.depth, self.seconds = DRAW, 0, 0.0
        root = game.state(game.initial())
        # A state may hold more than what tells its position, such as lists in the order of the moves.
        key_places = np.arange(len(root)) if game.key_places is None else game.key_places
        self.frames = stack.allocate(self.kernel, root, key_places)
        self._rng = new_rng(seed)
        self._width = int(max_children(self.kernel))
        self._generation = self._nodes_before = self._expanded_before = 0
        self._best = 0  # the root's child to play
        self._settled = False

    # --- Searching ----------------------------------------------------------------------------------------------

    def search(
        self,
        position: Any,
        depth: int = LONGEST,
        chunks: Iterator[int] | None = None,
        expansions: int = UNLIMITED,
        window: tuple[int, int] = WHOLE_WINDOW,
    ) -> None:
        """Search an open position to a depth, or as deep as chunks of nodes last; at least one ply deep.

        At most `expansions` positions are expanded, the root included; a position that is expanded again counts again.
        Values outside of `window` are only bounds.

        The search ends earlier when nothing can change the value any more. If the chunks end within an iteration, what
        it has found counts, since it began with the best move of the iteration before.
        """
        start, self.position = time.monotonic(), position
        self._nodes_before, self._expanded_before = self.nodes_in_all, self.expanded_in_all
        self._generation = (self._generation + 1) % GENERATIONS
        self.frames.counters[:] = 0
        self.frames.counters[stack.GENERATION] = self._generation
        self.frames.counters[stack.MOST_EXPANDED] = expansions
        self._plant(position)
        self.frames.counters[stack.EXPANDED] = 1
        self.depth, self._best, self._settled = 0, NO_CHILD, False
        while self.depth < depth and not self._is_decided:
            if not self._iterate(self.depth + 1, chunks, window):
                break
        self.seconds = time.monotonic() - start

    def _plant(self, position: Any) -> None:
        """Make a position the root; in three steps, so that numba need not optimise the game's rules once more."""
        place_root(self.kernel, self.frames, self.game.state(position))
        generate_children(self.kernel, self.frames, ROOT)
        shuffle_root(self.frames, self._rng)

    def _iterate(self, depth: int, chunks: Iterator[int] | None, window: tuple[int, int]) -> bool:
        """Search to one depth; returns whether there was time for all of it."""
        sizes = repeat(WHOLE_ITERATION) if chunks is None or depth == 1 else chunks
        begin_iteration(self.frames, depth, self._best, *window)
        is_whole = self._run(sizes)
        root = self.frames.plies[ROOT]
        if is_whole:
            self.depth, self._settled = depth, bool(root["settled"])
        if root["searched"] and not is_whole and _is_last_better(root):
            self._best = int(root["child"])
        elif root["searched"] or is_whole:
            self.value, self._best = int(root["value"]), int(root["best"])
        return is_whole

    def _run(self, sizes: Iterable[int]) -> bool:
        """Search on in chunks of nodes; returns False if the time or the expansions ended before the iteration."""
        for size in sizes:
            before = self.work
            if run(self.kernel, self.frames, self.table, size):
                return True
            if self.work == before:
                break
        return False

    # --- What it found ------------------------------------------------------------------------------------------

    @property
    def work(self) -> int:
        """The number of positions that the last search has entered, even if it is still going on."""
        return int(self.frames.counters[NODES])

    @property
    def nodes_in_all(self) -> int:
        """As `work`, but for all searches so far together."""
        return self._nodes_before + self.work

    @property
    def expanded(self) -> int:
        """The number of positions whose children the last search has generated."""
        return int(self.frames.counters[stack.EXPANDED])

    @property
    def expanded_in_all(self) -> int:
        """As `expanded`, but for all searches so far together."""
        return self._expanded_before + self.expanded

    @property
    def _is_decided(self) -> bool:
        """Whether no deeper search can find anything better. A win that may not be the shortest does not decide."""
        if self.depth == 0:
            return False
        return self._settled or WIN - abs(self.value) <= self.depth + 1 or outcome_name(self.value) == "loss"

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move: "win", "loss", "draw" or None."""
        if outcome := outcome_name(self.value):
            return outcome
        return "draw" if self._settled and self.value == DRAW else None

    @property
    def chance(self) -> float:
        """The winning chance of the player to move, 0 to 1."""
        return chance_of(self.value)

    def best_move(self) -> Any:
        """The move to play."""
        return self._move_to(self.position, ROOT, self._best)

    @property
    def figures(self) -> dict[str, int]:
        """The numbers of positions entered and expanded, and of plies searched in full."""
        return {"nodes": self.work, "expanded": self.expanded, "depth_max": self.depth}

    def line(self) -> list[Any]:
        """The best moves for both players, as far as the table has kept them."""
        moves: list[Any] = []
        position, child = self.position, self._best
        for ply in range(LONGEST - 1):
            move = self._move_to(position, ply, child)
            try:
                position = position.play(move)
            except IllegalMove:  # by a rule about the whole game
                break
            moves.append(move)
            child = int(follow(self.kernel, self.frames, self.table, ply, child))
            if child == NO_CHILD:
                break
        return moves

    def _move_to(self, position: Any, ply: int, child: int) -> Any:
        """The move from the position of a ply to one of the children in its frame."""
        index = ply * self._width + child
        return self.game.move_of(position, int(self.frames.payload0[index]), int(self.frames.payload1[index]))
