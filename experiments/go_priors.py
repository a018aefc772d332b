"""Learn priors of moves in Go (`go/priors.py`) from games that the search plays against itself.

    python experiments/go_priors.py record games.jsonl --games 1500 --simulations 800
    python experiments/go_priors.py fit games.jsonl --export go/priors.npz

`record` adds games to a file until there are so many; after Ctrl-C the same command goes on. `fit` prints how well the
priors predict the visits of searches that were held out: the cross-entropy in nats, after that of equal weights and
the entropy of the visits, which is the least possible.
"""

import argparse
import json
import math
import random
import sys
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import positive, run_script
from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from go import patterns, priors
from go.game import Go
from go.kinds import REACH, SEEN_STRIDE, place_of, write_kinds
from go.layout import EMPTY, TO_MOVE
from go.position import move_with_code, orientations
from go.rules import is_legal, is_own_eye
from go.surroundings import AROUND, BIAS, FIRST, OTHERS, OUTPUT, ROWS_A_POINT, SECOND, SECOND_BIAS, SIDE, WINDOW
from go.tables import LARGEST
from learning.files import FileError, load_json_lines
from learning.steps import adam, share_of_rate
from learning.workers import Workers
from options import InputError
from simulator.records.json_lines import remove_half_a_line

NODES = 600_000
RANDOM_PLIES, RANDOM_STARTS = 7, 0.7  # this share of games begins with fewer random plies than that
RANDOM_MOVES = 0.03  # the share of later moves that are random
CLEAR, CLEAR_MOVES = 0.04, 4  # a game ends when so many searches in a row give a side at most this chance
LEAST_SHARE = 0.005  # of the visits, for a move to be recorded
HELD_OUT = 20  # one game in so many
EPOCHS, BATCH, RATE = 12, 128, 0.01  # the highest rate of Adam, see `learning.steps.share_of_rate`
DEVIATION = 0.1  # of initial weights
MOST_MOVES = LARGEST**2  # of a position
BEGINNING = b'{"seed": '  # of a game in a file


# --- Games ----------------------------------------------------------------------------------------------------------


def record(path: Path, games: int, size: int, simulations: int, workers: int) -> None:
    """Add games to a file, a line each, until it has so many."""
    path.touch()
    if not BEGINNING.startswith(path.read_bytes()[: len(BEGINNING)]):
        raise FileError(f"{path} holds no games of this script: name another file")
    remove_half_a_line(path)
    played = games_in(path)
    if other := [game for game in played if (game["size"], game["simulations"]) != (size, simulations)]:
        begun = "size {size} and {simulations} simulations".format(**other[0])
        raise InputError(f"{path} was begun with {begun}: name another file")
    seeds = {*range(games)} - {game["seed"] for game in played}
    with Workers(workers) as processes:
        for (_, _, seed), moves in processes.results(play, ((size, simulations, seed) for seed in sorted(seeds))):
            with path.open("a") as file:
                file.write(json.dumps({"seed": seed, "size": size, "simulations": simulations, "moves": moves}) + "\n")
            seeds.remove(seed)
            print(f"\r{games - len(seeds)} of {games} games", end="", file=sys.stderr, flush=True)


def games_in(path: Path) -> list[dict[str, Any]]:
    """The games in a file, as `record` wrote them. Raises FileError."""
    found = load_json_lines(path)
    for number, game in enumerate(found, 1):
        if not isinstance(game, dict) or not game.keys() >= {"seed", "size", "simulations", "moves"}:
            raise FileError(f"{path}, line {number}, holds no game of this script")
    return found


def play(size: int, simulations: int, seed: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """A game: each move, and the visits of the moves that the search before it tried; [] for a random move."""
    rng, game = random.Random(seed), Go(size)
    searcher = Searcher(game, NODES, seed, Settings.for_game(game))
    position, moves, clear = game.initial(), [], 0
    random_plies = rng.randrange(RANDOM_PLIES) if rng.random() < RANDOM_STARTS else 0
    while position.result is None and clear < CLEAR_MOVES:
        shares: list[tuple[int, int]] = []
        stones = [move for move in position.legal_moves() if move.row >= 0]
        if stones and (position.ply < random_plies or rng.random() < RANDOM_MOVES):
            move = rng.choice(stones)
        else:
            searcher.advance(position)
            searcher.search(simulations=simulations)
            children = searcher.children()
            least = LEAST_SHARE * sum(child.visits for child in children)
            if not searcher.proven:
                tried = [child for child in children if child.visits > least]
                shares = [(searcher.move_to(position, child.node).code, child.visits) for child in tried]
            move = searcher.best_move()
            clear = clear + 1 if not CLEAR < searcher.value < 1 - CLEAR else 0
        moves.append((move.code, shares))
        position = position.play(move)
    return moves


# --- Weights --------------------------------------------------------------------------------------------------------


class Examples(NamedTuple):
    """Positions with the visits of their moves; n positions, m moves altogether.

    Attributes:
        kinds: uint8[n, ...], what is on each point, see `go.kinds.Seen`.
        points: int32[m], the point of each move.
        features: int32[m, KINDS]; a shape is replaced by the smallest of its turned and mirrored ones.
        shares: float32[m], of the visits.
        starts: int64[n + 1], the index of the first move of each position.
        games: int64[n], the number of the game.
    """

    kinds: np.ndarray
    points: np.ndarray
    features: np.ndarray
    shares: np.ndarray
    starts: np.ndarray
    games: np.ndarray


def read_examples(path: Path) -> Examples:
    """The examples in a file of games. Raises InputError if there are none."""
    kinds, played, features, shares, starts, games = [], [], [], [], [0], []
    rows, points = np.zeros((MOST_MOVES, priors.KINDS), np.int32), np.zeros(MOST_MOVES, np.int64)
    same = patterns.smallest_alike()
    for number, content in enumerate(games_in(path)):
        game = Go(content["size"])
        kernel, position = game.kernel_with(ladders=True), game.initial()
        for code, visits in content["moves"]:
            size = write_features(kernel, position.state, rows, points)
            by_point = dict(visits)
            found = np.array([by_point.get(point, 0) for point in points[:size].tolist()], np.float32)
            if size > 1 and found.any():
                kinds.append(kernel.seen.kinds.astype(np.uint8))
                played.append(points[:size].astype(np.int32))
                features.append(rows[:size].copy())
                shares.append(found / found.sum())
                starts.append(starts[-1] + size)
                games.append(number)
            position = position.play(move_with_code(code))
    if not features:
        raise InputError(f"{path} has no games to learn from: record some first")
    together = np.concatenate(features)
    together[:, 0] = same[together[:, 0]]
    return Examples(
        np.array(kinds), np.concatenate(played), together, np.concatenate(shares), np.array(starts), np.array(games)
    )


@jit
def write_features(kernel: Any, state: np.ndarray, rows: np.ndarray, points: np.ndarray) -> int:
    """Write features and points of all legal moves, without passes and own eyes, and kinds; returns how many."""
    write_kinds(kernel, state)
    count = 0
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        if state[p] == EMPTY and is_legal(state, p) and not is_own_eye(state, p, state[TO_MOVE]):
            found = priors.features_of(kernel, state, p)
            for k in range(len(found)):
                rows[count, k] = np.int32(found[k])
            points[count] = np.int64(p)
            count += 1
    return count


# int64[8, WINDOW]: where each point around a move is when the board is turned or mirrored.
_TURNED = np.array([turned.ravel() for turned in orientations(np.arange(WINDOW).reshape(SIDE, SIDE))])
_SHAPE_COUNT = int(priors.NEARNESS)


@jit
def _write_rows(kinds: np.ndarray, point: int, features: np.ndarray, places: np.ndarray, rows: np.ndarray) -> None:
    """Write which rows of `go.surroundings` a move adds up: its bias, what is around it, its features."""
    rows[0] = BIAS
    first = place_of(U64(point)) - REACH * SEEN_STRIDE - REACH
    for i in range(WINDOW):
        kind = np.int64(kinds[first + i // SIDE * SEEN_STRIDE + i % SIDE])
        rows[1 + i] = AROUND + places[i] * ROWS_A_POINT + kind
    for i in range(1, len(features)):
        rows[WINDOW + i] = OTHERS + features[i] - _SHAPE_COUNT


class Weights(NamedTuple):
    """What is learned, or another number for each weight, such as its gradient.

    Attributes:
        all: float32[number of weights]; the others are views of it, in this order.
        features: float32[FEATURES].
        first, second: float32[rows, FIRST] and [rows, SECOND], see `go.surroundings`.
    """

    all: np.ndarray
    features: np.ndarray
    first: np.ndarray
    second: np.ndarray


def zeros() -> Weights:
    """Weights that are all 0."""
    shapes = ((int(priors.FEATURES),), (OTHERS + int(priors.FEATURES) - _SHAPE_COUNT, FIRST), (OUTPUT + 1, SECOND))
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    weights = np.zeros(ends[-1], np.float32)
    return Weights(weights, *map(np.ndarray.reshape, np.split(weights, ends[:-1]), shapes))


class Layers(NamedTuple):
    """What the network makes of the moves of one position, at most MOST_MOVES.

    Attributes:
        rows: int64[MOST_MOVES, WINDOW + KINDS], the rows of the first layer that are added up.
        first, second: float32[MOST_MOVES, FIRST] and [MOST_MOVES, SECOND], the units.
        chances: float64[MOST_MOVES].
    """

    rows: np.ndarray
    first: np.ndarray
    second: np.ndarray
    chances: np.ndarray


def new_layers() -> Layers:
    """Working space for one position."""
    first, second = (np.zeros((MOST_MOVES, width), np.float32) for width in (FIRST, SECOND))
    return Layers(np.zeros((MOST_MOVES, WINDOW + priors.KINDS), np.int64), first, second, np.zeros(MOST_MOVES))


@jit(fastmath=True)  # type: ignore[untyped-decorator]
def forward(weights: Weights, examples: Examples, index: int, turn: int, layers: Layers) -> Any:
    """Write what the network makes of a position, turned so; returns how many moves there are."""
    start, count = examples.starts[index], examples.starts[index + 1] - examples.starts[index]
    for i in range(count):
        features, first, second = examples.features[start + i], layers.first[i], layers.second[i]
        _write_rows(examples.kinds[index], examples.points[start + i], features, _TURNED[turn], layers.rows[i])
        weight = np.float32(0)
        first[:] = 0
        for k in range(SECOND):
            second[k] = weights.second[SECOND_BIAS, k]
        for row in layers.rows[i]:
            for k in range(FIRST):
                first[k] += weights.first[row, k]
        for unit in range(FIRST):
            first[unit] = max(first[unit], np.float32(0))
            for k in range(SECOND):
                second[k] += first[unit] * weights.second[unit, k]
        for feature in features:
            weight += weights.features[feature]
        for k in range(SECOND):
            second[k] = max(second[k], np.float32(0))
            weight += second[k] * weights.second[OUTPUT, k]
        layers.chances[i] = weight
    _write_softmax(layers.chances[:count])
    return count


@jit(allocates=True)  # type: ignore[untyped-decorator]
def _write_softmax(weights: np.ndarray) -> None:
    """Write the chances of moves in place of their weights."""
    weights[:] = np.exp(weights - weights.max())
    weights /= weights.sum()


@jit(fastmath=True)  # type: ignore[untyped-decorator]
def _add_gradient(weights: Weights, gradient: Weights, examples: Examples, index: int, layers: Layers) -> None:
    """Add the gradient of a position's cross-entropy; `forward` wrote `layers`, which is overwritten."""
    start = examples.starts[index]
    for i in range(examples.starts[index + 1] - start):
        first, second = layers.first[i], layers.second[i]
        excess = np.float32(layers.chances[i] - examples.shares[start + i])
        for feature in examples.features[start + i]:
            gradient.features[feature] += excess
        for k in range(SECOND):
            gradient.second[OUTPUT, k] += excess * second[k]
            second[k] = excess * weights.second[OUTPUT, k] if second[k] > 0 else np.float32(0)
            gradient.second[SECOND_BIAS, k] += second[k]
        for unit in range(FIRST):
            total = np.float32(0)
            if first[unit] > 0:
                for k in range(SECOND):
                    gradient.second[unit, k] += first[unit] * second[k]
                for k in range(SECOND):
                    total += weights.second[unit, k] * second[k]
            first[unit] = total
        for row in layers.rows[i]:
            for k in range(FIRST):
                gradient.first[row, k] += first[k]


@jit
def add_gradients(
    weights: Weights, gradient: Weights, examples: Examples, indices: np.ndarray, turns: np.ndarray, layers: Layers
) -> None:
    """Write the mean gradient of the cross-entropy of these positions, turned so; `gradient` is all 0 before."""
    for index, turn in zip(indices, turns):  # noqa: B905  (numba knows no `strict`)
        forward(weights, examples, index, turn, layers)
        _add_gradient(weights, gradient, examples, index, layers)
    for i in range(len(gradient.all)):
        gradient.all[i] /= np.float32(len(indices))


@jit
def _add_losses(weights: Weights, examples: Examples, indices: np.ndarray, layers: Layers, sums: np.ndarray) -> None:
    for index in indices:
        for i in range(forward(weights, examples, index, 0, layers)):
            share = np.float64(examples.shares[examples.starts[index] + i])
            if share > 0:
                sums[0] -= share * math.log(layers.chances[i])
                sums[1] -= share * math.log(share)


def mean_losses(weights: Weights, examples: Examples, indices: np.ndarray) -> np.ndarray:
    """float64[2], the means of cross-entropy and entropy of these positions."""
    sums = np.zeros(2)
    _add_losses(weights, examples, indices, new_layers(), sums)
    return sums / len(indices)


def fit(path: Path, export: Path | None) -> None:
    """Learn weights from a file of games, print how good they are, and write them to `export`. Raises InputError."""
    examples, rng = read_examples(path), np.random.default_rng(1)
    weights, gradient, layers = zeros(), zeros(), new_layers()
    moments = (np.zeros_like(weights.all), np.zeros_like(weights.all))
    held_out = np.flatnonzero(examples.games % HELD_OUT == 0)
    known = np.flatnonzero(examples.games % HELD_OUT)
    batches = len(known) // BATCH
    if not batches or not len(held_out):
        raise InputError(f"{path} has {len(known)} positions to learn from, at least {BATCH} are needed: record more")
    loss, entropy = mean_losses(weights, examples, held_out)
    print(f"{len(examples.games):,} positions; equal weights {loss:.3f}, entropy {entropy:.3f}")
    weights.first[:] = rng.normal(0, DEVIATION, weights.first.shape)
    weights.second[:] = rng.normal(0, DEVIATION, weights.second.shape)
    for epoch in range(EPOCHS):
        order, turns = rng.permutation(known), rng.integers(8, size=len(known))
        for i in range(batches):
            batch, step = slice(i * BATCH, (i + 1) * BATCH), epoch * batches + i
            add_gradients(weights, gradient, examples, order[batch], turns[batch], layers)
            rate = RATE * share_of_rate(step, EPOCHS * batches)
            adam(weights.all, gradient.all, *moments, 0, rate, step + 1)
        print(f"cross-entropy {mean_losses(weights, examples, held_out)[0]:.4f}", flush=True)
    shapes = weights.features[:_SHAPE_COUNT]
    shapes[:] = shapes[patterns.smallest_alike()]
    if export:
        games = int(examples.games[-1]) + 1
        meta = f"python experiments/go_priors.py fit, {games} games, {len(examples.games)} positions"
        np.savez_compressed(export, weights=weights.features, first=weights.first, second=weights.second, meta=meta)


def main() -> None:
    """Parse, record or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "fit"))
    parser.add_argument("file", type=Path, help="of games, a line of JSON each")
    parser.add_argument("--games", type=positive, default=1500)
    parser.add_argument("--size", type=positive, default=9, help="rows and columns of the board")
    parser.add_argument("--simulations", type=positive, default=800, help="a move")
    parser.add_argument("--workers", type=positive, default=2, help="processes that play")
    parser.add_argument("--export", type=Path, help="the file of weights to write")
    given = parser.parse_args()
    if given.what == "record":
        record(given.file, given.games, given.size, given.simulations, given.workers)
    else:
        fit(given.file, given.export)


if __name__ == "__main__":
    run_script(main)
