"""Learn priors of moves in Go (`go/priors.py`) from games that the search plays against itself.

    python experiments/go_priors.py record games.jsonl --games 1500 --simulations 800
    python experiments/go_priors.py fit games.jsonl --export go/priors.npz

`record` adds games to a file until there are so many; after Ctrl-C the same command goes on. `fit` prints how well the
priors predict the visits of searches that were held out: the cross-entropy in nats, after that of equal weights and
the entropy of the visits, which is the least possible.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import positive, run_script
from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from experiments.go_priors_network import (
    MOST_MOVES,
    SHAPE_COUNT,
    Examples,
    add_gradients,
    mean_losses,
    new_layers,
    zeros,
)
from game import IllegalMove
from go import patterns, priors
from go.game import Go
from go.kinds import write_kinds
from go.layout import EMPTY, TO_MOVE
from go.position import move_with_code
from go.rules import is_legal, is_own_eye
from learning.files import FileError, add_json_line, load_json_lines
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
            add_json_line(path, {"seed": seed, "size": size, "simulations": simulations, "moves": moves})
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


def read_examples(path: Path) -> Examples:
    """The examples in a file of games. Raises InputError if there are none, FileError for what is no game."""
    kinds, played, features, shares, starts, games = [], [], [], [], [0], []
    for number, content in enumerate(games_in(path)):
        try:
            for kinds_there, points, rows, found in _searched_positions(content):
                kinds.append(kinds_there)
                played.append(points)
                features.append(rows)
                shares.append(found)
                starts.append(starts[-1] + len(points))
                games.append(number)
        except (TypeError, ValueError, IllegalMove) as error:
            raise FileError(f"{path}, line {number + 1}, holds no game of this script: {error}") from error
    if not features:
        raise InputError(f"{path} has no games to learn from: record some first")
    together = np.concatenate(features)
    together[:, 0] = patterns.smallest_alike()[together[:, 0]]
    return Examples(
        np.array(kinds), np.concatenate(played), together, np.concatenate(shares), np.array(starts), np.array(games)
    )


def _searched_positions(content: dict[str, Any]) -> Iterator[tuple[np.ndarray, ...]]:
    """Of each position of a game that was searched: kinds, points, features and shares, as in Examples."""
    rows, points = np.zeros((MOST_MOVES, priors.KINDS), np.int32), np.zeros(MOST_MOVES, np.int64)
    game = Go(content["size"])
    kernel, position = game.kernel_with(ladders=True), game.initial()
    for code, visits in content["moves"]:
        size = write_features(kernel, position.state, rows, points)
        by_point = dict(visits)
        found = np.array([by_point.get(point, 0) for point in points[:size].tolist()], np.float32)
        if size > 1 and found.any():
            yield (
                kernel.seen.kinds.astype(np.uint8),
                points[:size].astype(np.int32),
                rows[:size].copy(),
                found / found.sum(),
            )
        position = position.play(move_with_code(code))


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


def fit(path: Path, export: Path | None) -> None:
    """Learn weights from a file of games, print how good they are, and write them to `export`. Raises InputError."""
    if export and not export.parent.is_dir():
        raise InputError(f"there is no folder {export.parent} to write {export.name} to")
    examples, rng = read_examples(path), np.random.default_rng(1)
    weights, gradient, layers = zeros(), zeros(), new_layers()
    moments = (np.zeros_like(weights.all), np.zeros_like(weights.all))
    held_out = np.flatnonzero(examples.games % HELD_OUT == 0)
    known = np.flatnonzero(examples.games % HELD_OUT)
    batches = len(known) // BATCH
    if not batches or not len(held_out):
        found = f"{len(known)} positions to learn from and {len(held_out)} to test on"
        raise InputError(f"{path} has {found}, at least {BATCH} and 1 are needed: record more")
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
    shapes = weights.features[:SHAPE_COUNT]
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
