"""What a move's prior in Go is computed from, compared with a slow twin, and how it is learned."""

import json

import numpy as np
import pytest

from experiments.go_priors import add_gradients, fit, layers, mean_losses, read_examples, record, zeros
from go.game import Go
from go.kinds import OFF_BOARD, write_kinds
from go.position import PASS
from go.priors import NEARNESS, features_of, weight_of
from go.surroundings import AROUND, BIAS, FIRST, OTHERS, OUTPUT, ROWS_A_POINT, SECOND_BIAS
from jit import jit
from options import InputError
from tests.searches import position_after
from tests.test_go_evaluation import kind
from tests.test_go_rules import rows_of


@jit
def features_and_weight(kernel, state, point):
    """Both are in one function, so that what they share is compiled once."""
    return features_of(kernel, state, point), weight_of(kernel, state, point)


def slow_weight(kernel, position, move, features):
    """The sum of the features' weights, and the network, unit by unit."""
    rows, own, size = rows_of(position.board), "bw"[position.to_move], len(position.board)
    ko = (position.ko.row, position.ko.column) if position.ko else None
    used = [BIAS, *(OTHERS + feature - int(NEARNESS) for feature in features[1:])]
    for place in range(25):
        row, column = move.row + place // 5 - 2, move.column + place % 5 - 2
        inside = 0 <= row < size and 0 <= column < size
        used.append(AROUND + ROWS_A_POINT * place + (kind(rows, (row, column), own, ko) if inside else OFF_BOARD))
    first = np.concatenate([rows[used].sum(axis=0) for rows in kernel.first_rows])
    second = kernel.second_rows[SECOND_BIAS] + np.maximum(first, 0) @ kernel.second_rows[:FIRST]
    return kernel.move_weights[features].sum() + kernel.second_rows[OUTPUT] @ np.maximum(second, 0)


@pytest.mark.parametrize(("size", "plies"), [(2, 2), (5, 12), (9, 40), (9, 70), (13, 100), (19, 60)])
def test_the_weight_of_a_move_is_that_of_the_slow_twin(size, plies):
    game = Go(size)
    kernel, position = game.kernel_with(surroundings=True, ladders=True), position_after(game, plies, size)
    state = position.search_state()
    write_kinds(kernel, state)
    for move in position.legal_moves():
        if move != PASS:
            features, found = features_and_weight(kernel, state, np.uint64(move.code))
            assert found == pytest.approx(slow_weight(kernel, position, move, [*map(int, features)]), abs=1e-4)


def test_lines_that_are_no_games_are_named(tmp_path):
    games = tmp_path / "games.jsonl"
    games.write_text(json.dumps({"seed": 1}) + "\n")
    with pytest.raises(InputError, match="line 1, holds no game"):
        fit(games, None)
    games.write_text("mine")
    with pytest.raises(InputError, match="name another file"):
        record(games, 1, 5, 60, workers=1)
    assert games.read_text() == "mine"


def gradient_differs(weights, examples, indices, gradient, size=1e-3):
    """How far the slope of the loss along a gradient is from the gradient's square, as a share of it."""
    square, start = float(gradient.all @ gradient.all), weights.all.copy()
    losses = []
    for sign in (1, -1):
        weights.all[:] = start + sign * size * gradient.all
        losses.append(mean_losses(weights, examples, indices)[0])
    weights.all[:] = start
    return abs((losses[0] - losses[1]) / (2 * size) / square - 1)


@pytest.mark.slow
def test_weights_are_learned_from_recorded_games(tmp_path, capsys):
    games = tmp_path / "games.jsonl"
    record(games, 10, 5, 60, workers=1)
    record(games, 21, 5, 60, workers=2)
    with pytest.raises(InputError, match="begun with size 5 and 60 simulations"):
        record(games, 22, 5, 70, workers=1)
    few = tmp_path / "few.jsonl"
    few.write_text("".join(games.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(InputError, match="at least 128 are needed"):
        fit(few, None)
    fit(games, tmp_path / "priors.npz")
    losses = [float(line.split()[1]) for line in capsys.readouterr().out.splitlines() if line.startswith("cross")]
    assert losses[-1] < losses[0]
    with np.load(tmp_path / "priors.npz") as arrays:
        assert {*arrays} == {"weights", "first", "second", "meta"}
    examples, weights, gradient = read_examples(games), zeros(), zeros()
    weights.all[:] = np.random.default_rng(2).normal(0, 0.1, weights.all.shape)
    indices = np.arange(50)
    add_gradients(weights, gradient, examples, indices, np.zeros(50, np.int64), layers())
    assert gradient_differs(weights, examples, indices, gradient) < 0.01
