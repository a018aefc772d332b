"""What a move's prior in Go is computed from, compared with a slow twin, and how it is learned."""

import json

import numpy as np
import pytest

from experiments.go_priors import fit, record, write_features
from experiments.go_priors_network import Examples, add_gradients, forward, mean_losses, new_layers, zeros
from game.weights import WeightsError
from go import patterns, priors
from go.game import Go
from go.kinds import OFF_BOARD, place_of, write_kinds
from go.position import PASS, orientations
from go.priors import FILE, KINDS, NEARNESS, features_of, weight_of
from go.surroundings import AROUND, BIAS, FIRST_UNITS, OTHERS, OUTPUT, ROWS_A_POINT, SECOND_BIAS
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
    second = kernel.second_rows[SECOND_BIAS] + np.maximum(first, 0) @ kernel.second_rows[:FIRST_UNITS]
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


def test_weights_of_another_form_are_refused(tmp_path, monkeypatch):
    with np.load(FILE) as arrays:
        np.savez(tmp_path / "priors.npz", **{**arrays, "second": arrays["second"][:, :8]})
    monkeypatch.setattr(priors, "FILE", tmp_path / "priors.npz")
    with pytest.raises(WeightsError, match=r"priors.npz cannot be used as weights: second has the shape \(34, 8\)"):
        priors.learned.__wrapped__()


def test_lines_that_are_no_games_are_named(tmp_path):
    games = tmp_path / "games.jsonl"
    games.write_text(json.dumps({"seed": 1}) + "\n")
    with pytest.raises(InputError, match="line 1, holds no game"):
        fit(games, None)
    for size, moves in ((5, 3), (5, [[9999, []]]), (5, [[21, 3]]), ("5", [])):
        games.write_text(json.dumps({"seed": 1, "size": size, "simulations": 60, "moves": moves}) + "\n")
        with pytest.raises(InputError, match="line 1, holds no game"):
            fit(games, None)
    with pytest.raises(InputError, match="no folder"):
        fit(games, tmp_path / "nowhere" / "priors.npz")
    games.write_text("mine")
    with pytest.raises(InputError, match="name another file"):
        record(games, 1, 5, 60, workers=1)
    assert games.read_text() == "mine"


def one_example(kernel, state, shares, turn):
    """A position on 9x9, turned so, as training reads it; also returns the points of its moves before the turn."""
    features, points = np.zeros((81, KINDS), np.int32), np.zeros(81, np.int64)
    count = write_features(kernel, state, features, points)
    features[:, 0] = patterns.smallest_alike()[features[:, 0]]
    on_board = np.array([place_of(np.uint64(point)) for point in kernel.points])
    source = orientations(np.arange(81).reshape(9, 9))[turn].ravel()  # where what is on each point comes from
    kinds = np.full((1, len(kernel.seen.kinds)), OFF_BOARD, np.uint8)
    kinds[0, on_board] = kernel.seen.kinds[on_board][source]
    before = [[*kernel.points].index(point) for point in points[:count]]
    turned = kernel.points[np.argsort(source)[before]].astype(np.int32)
    starts = np.array([0, count])
    return Examples(kinds, turned, features[:count], shares[:count], starts, np.zeros(1, np.int64)), points[:count]


def learned_weights():
    """The weights in the file of priors, as training has them."""
    weights = zeros()
    with np.load(FILE) as arrays:
        weights.features[:], weights.first[:], weights.second[:] = arrays["weights"], arrays["first"], arrays["second"]
    return weights


@pytest.fixture(scope="module")
def middle_game():
    """A kernel and a state of a position on 9x9 with its kinds written."""
    game = Go(9)
    kernel, state = game.kernel_with(surroundings=True, ladders=True), position_after(game, 40, 9).search_state()
    write_kinds(kernel, state)
    return kernel, state


@pytest.mark.parametrize("turn", range(8))
def test_training_has_the_formula_of_play(middle_game, turn):
    layers = new_layers()
    examples, points = one_example(*middle_game, np.zeros(81, np.float32), turn)
    count = forward(learned_weights(), examples, 0, turn, layers)
    odds = np.exp([features_and_weight(*middle_game, np.uint64(point))[1] for point in points])
    assert layers.chances[:count] == pytest.approx(odds / odds.sum(), abs=1e-4)


@pytest.mark.parametrize("part", ["features", "first", "second"])
def test_the_gradient_of_training_is_the_slope_of_its_loss(middle_game, part):
    rng, weights, gradient, direction = np.random.default_rng(2), learned_weights(), zeros(), zeros()
    shares = rng.random(81).astype(np.float32)
    examples, _ = one_example(*middle_game, shares, 0)
    examples.shares[:] /= examples.shares.sum()
    add_gradients(weights, gradient, examples, np.zeros(1, np.int64), np.zeros(1, np.int64), new_layers())
    of_part = getattr(gradient, part)
    getattr(direction, part)[:] = rng.normal(0, 1, of_part.shape)
    start, losses = weights.all.copy(), []
    for sign in (1, -1):
        weights.all[:] = start + sign * 1e-3 * direction.all
        losses.append(mean_losses(weights, examples, np.zeros(1, np.int64))[0])
    slope = float(gradient.all @ direction.all)
    assert (losses[0] - losses[1]) / 2e-3 == pytest.approx(slope, abs=0.001 * float(np.linalg.norm(of_part)))


@pytest.mark.slow
def test_weights_are_learned_from_recorded_games(tmp_path, capsys):
    games = tmp_path / "games.jsonl"
    record(games, 10, 5, 60, workers=1)
    record(games, 21, 5, 60, workers=2)
    with pytest.raises(InputError, match="begun with size 5 and 60 simulations"):
        record(games, 22, 5, 70, workers=1)
    few = tmp_path / "few.jsonl"
    few.write_text("".join(games.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(InputError, match="at least 128 and 1 are needed"):
        fit(few, None)
    fit(games, tmp_path / "priors.npz")
    losses = [float(line.split()[1]) for line in capsys.readouterr().out.splitlines() if line.startswith("cross")]
    assert losses[-1] < losses[0]
    with np.load(tmp_path / "priors.npz") as arrays:
        assert {*arrays} == {"weights", "first", "second", "meta"}
