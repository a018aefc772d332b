"""Learn what positions of Go on 9x9 are worth (`go/evaluation.py`) from games that the search plays against itself.

    python experiments/go_evaluation.py record games --games 4000
    python experiments/go_evaluation.py fit games --export go/evaluation.npz

`record` adds files of games to a folder until there are so many. After Ctrl-C the same command goes on; another process
with a larger `--first` can play beside it. Recorded are, as in `learning/self_play.py`, roots, with half the game's
result and half the searched value, and nodes with many visits, with their mean value. `fit` prints how well the network
predicts the games held out: the log loss of roots, and the root mean square error of roots and of nodes.
"""

import argparse
import json
import math
import random
import sys
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import natural, positive, run_script
from jit import U64, jit, new_rng, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from agents.uct.tree import NODES, ROOT, parent_of, score_of, visits_of
from game import AMAF_MOVE_BITS, RESOLVED
from game.network import SAVED, Network, add_up, logit_of, sigmoid, zeros
from go import layout, rules
from go.evaluation import ACTIVE, BUCKETS, FEATURES, KOMI, POINTS, SIZE, write_features
from go.game import Go
from learning.files import FileError, load_arrays, save_arrays
from learning.network import make_fresh
from learning.positions import Positions, save_positions
from learning.training import Optimiser, adam, add_gradient, is_held_out, share_of_rate

GAMES_A_FILE = 50
NODES_OF_SEARCH = 120_000
RANDOM_PLIES, RANDOM_STARTS = 9, 0.8  # this share of games begins with fewer random plies than that
VARIED_PLIES = (4, 24)  # after them, moves are drawn by visits for so many plies
RANDOM_MOVES = 0.03  # the share of later moves that are random
CLEAR, CLEAR_MOVES = 0.04, 4  # a game ends when so many searches in a row give a side at most this chance;
PLAYED_OUT = 0.25  # this share of games is played to its end
LONGEST_GAME = 200
SPREAD = 0.4  # the number of simulations of a move varies by this share, up and down
LEAST_VISITS = 20  # a recorded node has at least so many visits
MOST_NODES, NODE_WEIGHT = 200, 0.2  # nodes recorded of a game at most, and the weight of each; a root weighs 1
WORDS = POINTS + 2  # of a position: the colours of its points, who is to move, and the ko

WIDTH, EPOCHS, BATCH, RATE = 32, 4, 512, 2e-3
WEIGHT_DECAY = 3.0  # log loss of results held out, 2,850 games: 0.516 with 1.5, 0.515 with 4
DEVIATION = 0.03  # of the untrained weights, of which 162 are added up
TURNS_AND_MIRRORS = 8


# --- Games ----------------------------------------------------------------------------------------------------------


def record(folder: Path, games: int, first: int, simulations: int) -> None:
    """Add files of games to a folder, each of GAMES_A_FILE, until there are so many from game `first` on."""
    folder.mkdir(exist_ok=True)
    game = Go(SIZE, KOMI)
    for start in range(first, first + games, GAMES_A_FILE):
        path = folder / f"games-{start:06}.npz"
        if path.exists():
            continue
        parts = []
        for seed in range(start, start + GAMES_A_FILE):
            parts.append(play(game, simulations, seed))
            print(f"\rgame {seed + 1 - first} of {games}", end="", file=sys.stderr, flush=True)
        save_positions(path, Positions.joined(parts))


class _Record:
    """What is recorded of a game while it is played: roots, their values, and nodes of the searches."""

    def __init__(self, game: Go) -> None:
        self._game = game
        self._roots: list[np.ndarray] = []
        self._values: list[float] = []
        self._movers: list[int] = []
        self._found: dict[bytes, tuple[int, float]] = {}  # by position: the most visits and the value then
        self._state = game.state(game.initial())
        self._words, self._of_nodes = np.zeros((NODES_OF_SEARCH // 10, WORDS), np.uint8), np.zeros((2, NODES_OF_SEARCH))

    def add_search(self, searcher: Any) -> None:
        """Record the last search, unless the last move was a pass."""
        if searcher.position.passes:
            return
        root = self._game.state(searcher.position)
        words = np.zeros(WORDS, np.uint8)
        _write_words(self._game.kernel, root, words)
        self._roots.append(words)
        self._values.append(searcher.value)
        self._movers.append(searcher.position.to_move)
        path = np.zeros(512, np.int64)
        size = _visited_often(self._game.kernel, searcher.tree, root, self._state, path, self._words, self._of_nodes)
        for i in range(size):
            key, visits = self._words[i].tobytes(), int(self._of_nodes[0, i])
            if visits > self._found.get(key, (0, 0.0))[0]:
                self._found[key] = (visits, float(self._of_nodes[1, i]))

    def positions(self, black: float, number: int, rng: random.Random) -> Positions:
        """The recorded positions of a game whose result was `black` for Black: 1, 0.5 or 0."""
        chosen = rng.sample(sorted(self._found), min(MOST_NODES, len(self._found)))
        results = [black if mover == 0 else 1 - black for mover in self._movers]
        targets = [(result + value) / 2 for result, value in zip(results, self._values, strict=True)]
        states = np.array([*self._roots, *(np.frombuffer(key, np.uint8) for key in chosen)], np.uint8)
        weights = [1.0] * len(targets) + [NODE_WEIGHT] * len(chosen)
        targets += [self._found[key][1] for key in chosen]
        numbers = np.full(len(targets), number, np.int32)
        return Positions(
            states.reshape(-1, WORDS), np.array(targets, np.float32), np.array(weights, np.float32), numbers
        )


def play(game: Go, simulations: int, seed: int) -> Positions:
    """Play a game; returns its positions."""
    rng = random.Random(seed)
    searcher: Any = Searcher(game, NODES_OF_SEARCH, seed, Settings.for_game(game))
    position, found, clear, value = game.initial(), _Record(game), 0, 0.5
    random_plies = rng.randrange(RANDOM_PLIES) if rng.random() < RANDOM_STARTS else 0
    varied_until = random_plies + rng.randrange(*VARIED_PLIES)
    played_out = rng.random() < PLAYED_OUT
    while position.result is None and (clear < CLEAR_MOVES or played_out) and position.ply < LONGEST_GAME:
        stones = [move for move in position.legal_moves() if move.row >= 0]
        if stones and (position.ply < random_plies or rng.random() < RANDOM_MOVES):
            position = position.play(rng.choice(stones))
            continue
        searcher.advance(position)
        searcher.search(simulations=round(simulations * rng.uniform(1 - SPREAD, 1 + SPREAD)))
        value = searcher.value if position.to_move == 0 else 1 - searcher.value
        if searcher.proven:
            break
        found.add_search(searcher)
        clear = clear + 1 if not CLEAR < value < 1 - CLEAR else 0
        move, children = searcher.best_move(), [child for child in searcher.children() if child.visits]
        if children and position.ply < varied_until:
            drawn = rng.choices(children, [child.visits for child in children])[0]
            move = searcher.move_to(position, drawn.node)
        position = position.play(move)
    likely = 0.5 if value == 0.5 else float(value > 0.5)  # komi 7 allows draws
    black = likely if position.result is None else position.result.value_for(0)
    return found.positions(black, seed, rng)


@jit
def _write_words(kernel, state, words):  # type: ignore[no-untyped-def]
    for i in range(POINTS):
        words[i] = np.uint8(state[kernel.points[i]])
    words[POINTS] = np.uint8(state[layout.TO_MOVE])
    words[POINTS + 1] = np.uint8(state[layout.KO])  # below 200 on this board


@jit
def _visited_often(kernel, tree, root, state, path, words, found):  # type: ignore[no-untyped-def]
    """Write the words, visits and values of open nodes with many visits; returns how many."""
    size = 0
    for node in range(1, tree.used[NODES]):
        stats = tree.stats[node]
        if visits_of(stats) < LEAST_VISITS or stats & RESOLVED != U64(0) or size == len(words):
            continue
        depth, at = 0, np.int64(node)
        while at != ROOT:
            path[depth] = np.int64(tree.payload0[at] & U64((1 << AMAF_MOVE_BITS) - 1))
            depth, at = depth + 1, parent_of(tree.links[at])
        rules.copy(kernel, state, root)
        for i in range(depth - 1, -1, -1):
            rules.play(state, U64(path[i]))
        if state[layout.PASSES] == layout.ZERO:
            _write_words(kernel, state, words[size])
            found[0, size] = visits_of(stats)
            found[1, size] = 1 - score_of(stats) / (16 * visits_of(stats))
            size += 1
    return size


# --- Training -------------------------------------------------------------------------------------------------------


class Space(NamedTuple):
    """Working space for one position.

    Attributes:
        turns: int64[8, 81], for each turn or mirror image the point that comes to each point.
        state: a state of the game.
        colours: uint64[AREA], by point.
        hidden: float32[WIDTH].
        rng: draws turns and mirror images.
    """

    turns: np.ndarray
    state: np.ndarray
    colours: np.ndarray
    hidden: np.ndarray
    rng: np.ndarray


def working_space(game: Go) -> Space:
    """New working space for a game."""
    square = np.arange(POINTS).reshape(SIZE, SIZE)
    turns = [np.rot90(side, turn).ravel() for side in (square, square.T) for turn in range(4)]
    return Space(
        np.stack(turns),
        game.state(game.initial()),
        np.zeros(int(layout.AREA), np.uint64),
        np.zeros(WIDTH, np.float32),
        new_rng(1),
    )


@jit
def _set_up(kernel, space, words, turn):  # type: ignore[no-untyped-def]
    """Make the state of `space` a recorded position, turned or mirrored."""
    state = space.state
    for i in range(POINTS):
        space.colours[kernel.points[i]] = U64(words[space.turns[turn, i]])
    rules.set_up(kernel, state, space.colours)
    state[layout.TO_MOVE] = U64(words[POINTS])
    for i in range(POINTS):
        if words[POINTS + 1] != 0 and kernel.points[space.turns[turn, i]] == U64(words[POINTS + 1]):
            state[layout.KO] = kernel.points[i]


@jit
def _learn(kernel, evaluation, optimiser, positions, order, space, rate):  # type: ignore[no-untyped-def]
    """Take a step on the positions with these numbers, each turned or mirrored at random."""
    network, active, share = optimiser.network, evaluation.work[:ACTIVE], np.float32(1 / len(order))
    for index in order:
        _set_up(kernel, space, positions.states[index], np.int64(random_below(space.rng, U64(TURNS_AND_MIRRORS))))
        bucket = write_features(kernel, space.state, evaluation)
        add_up(network, active, bucket, space.hidden)
        error = sigmoid(logit_of(network, bucket, space.hidden)) - positions.targets[index]
        slope = error * positions.weights[index] * share
        add_gradient(network, optimiser.gradient, active, bucket, space.hidden, slope)
    adam(optimiser, rate[0], np.int64(rate[1]), WEIGHT_DECAY)


@jit
def _values(kernel, network, evaluation, positions, space, values):  # type: ignore[no-untyped-def]
    active = evaluation.work[:ACTIVE]
    for index in range(len(values)):
        _set_up(kernel, space, positions.states[index], 0)
        bucket = write_features(kernel, space.state, evaluation)
        add_up(network, active, bucket, space.hidden)
        values[index] = sigmoid(logit_of(network, bucket, space.hidden))


def read(folder: Path) -> Positions:
    """All positions in a folder. Raises FileError if there are none, or a file is broken."""
    files = sorted(folder.glob("games-*.npz"))
    if not files:
        raise FileError(f"{folder} has no files of games: make some with `record`")
    return Positions.joined([Positions(**load_arrays(path, Positions._fields)) for path in files])


def fit(folder: Path, export: Path | None) -> None:
    """Learn from a folder of games, print how good the network is, and write it to `export`."""
    positions, game, rng = read(folder), Go(SIZE, KOMI), np.random.default_rng(1)
    held_out = is_held_out(positions)
    known, unknown = positions.chosen(~held_out), positions.chosen(held_out)
    network, gradient = (zeros(FEATURES, BUCKETS, WIDTH) for _ in range(2))
    make_fresh(network, DEVIATION, 1)
    optimiser = Optimiser(network, gradient, np.zeros_like(network.all), np.zeros_like(network.all))
    evaluation, space = game.kernel.learned, working_space(game)  # for its working space
    steps = known.size // BATCH
    for epoch in range(EPOCHS):
        order = rng.permutation(known.size)
        for step in range(steps):
            done = epoch * steps + step
            rate = (RATE * share_of_rate(done, EPOCHS * steps), done + 1)
            chosen = order[step * BATCH : (step + 1) * BATCH]
            _learn(game.kernel, evaluation, optimiser, known, chosen, space, rate)
        print(f"epoch {epoch + 1}: {quality(game, network, unknown, space)}", flush=True)
    if export:
        games = len(np.unique(positions.games))
        meta = {"command": f"python experiments/go_evaluation.py fit, {games} games, {positions.size} positions"}
        whole = {name: getattr(network, name).astype(np.float16) for name in SAVED}
        save_arrays(export, whole | {"meta": json.dumps(meta)})


def quality(game: Go, network: Network, positions: Positions, space: Space) -> str:
    """How well a network predicts positions, as text."""
    values = np.zeros(positions.size, np.float32)
    _values(game.kernel, network, game.kernel.learned, positions, space, values)
    roots = positions.weights == 1
    errors = (values - positions.targets) ** 2
    loss = -np.mean(
        positions.targets * np.log(np.maximum(values, 1e-6))
        + (1 - positions.targets) * np.log(np.maximum(1 - values, 1e-6)),
        where=roots,
    )
    spread = np.std(positions.targets[~roots])
    far = [math.sqrt(errors[which].mean()) for which in (roots, ~roots)]
    return f"log loss of roots {loss:.4f}; far from roots by {far[0]:.4f}, from nodes by {far[1]:.4f} of {spread:.4f}"


def main() -> None:
    """Parse, record or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "fit"))
    parser.add_argument("folder", type=Path, help="of files of games")
    parser.add_argument("--games", type=positive, default=4000, help=f"a multiple of {GAMES_A_FILE}")
    parser.add_argument("--first", type=natural, default=0, help="the number of the first game, for a second command")
    parser.add_argument("--simulations", type=positive, default=1000, help="a move")
    parser.add_argument("--export", type=Path, help="the file of weights to write")
    given = parser.parse_args()
    if given.games % GAMES_A_FILE or given.first % GAMES_A_FILE:
        parser.error(f"--games and --first are multiples of {GAMES_A_FILE}, the games of a file")
    if given.what == "record":
        record(given.folder, given.games, given.first, given.simulations)
    else:
        fit(given.folder, given.export)


if __name__ == "__main__":
    run_script(main)
