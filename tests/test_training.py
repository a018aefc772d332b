"""The network, the mathematics of its training, and the first games from which it learns."""

import numpy as np
import pytest

import game
from game import load_game
from game.network import logit_of
from learning.bootstrap import greedy_games
from learning.network import fresh, load_learned, zeros
from learning.positions import Positions
from learning.steps import add_gradient, forward, scratch_for
from learning.training import measure, train
from options import InputError

game.register_game("learned_tictactoe", "tests.learned_tictactoe:LearnedTicTacToe")
TICTACTOE = load_game("learned_tictactoe")


# --- The network and its training -----------------------------------------------------------------------------------


def working_space(network):
    """For the channels and the hidden units."""
    return np.zeros((len(network.windows), network.around.shape[1]), np.float32), np.zeros(network.width, np.float32)


def logit(network, active, bucket):
    channels, hidden = working_space(network)
    forward(network, active, bucket, channels, hidden)
    return float(logit_of(network, bucket, hidden))


@pytest.mark.parametrize(
    ("name", "step", "tolerance"), [("learned_tictactoe", 1e-2, 2e-4), ("pentago", 1e-2, 2e-4), ("go", 1e-3, 1e-3)]
)
def test_the_gradient_is_that_of_numerical_differences(name, step, tolerance):
    the_game, rng = load_learned(name, {}), np.random.default_rng(1)
    network, gradient = fresh(the_game, 5, seed=1), zeros(the_game, 5)
    count, features = the_game.active_features, the_game.feature_count
    active = rng.choice(features, count, replace=False)
    if name == "go":  # one feature of each point
        kinds = features // count
        active = np.arange(0, features, kinds) + rng.integers(kinds, size=count)
        network.around[-1, ::2], network.around[-1, 1::2] = 1.5, -1.5  # no channel is near 0, where its slope jumps
    active = active.astype(np.int32)
    network.bias[1] = [-0.5, 0.2, 0.4, 0.6, 1.5]
    channels, hidden = working_space(network)
    forward(network, active, 1, channels, hidden)
    assert (hidden > 0).any() and ((hidden < 0) | (hidden > 1)).any()  # both sides of a clip are tried
    add_gradient(network, gradient, active, 1, channels, hidden, np.float32(0.5))
    found = np.flatnonzero(gradient.all)
    for weight in [*rng.choice(found, min(400, len(found)), replace=False), *rng.integers(0, len(network.all), 20)]:
        before, values = network.all[weight], []
        for changed in (before + step, before - step):
            network.all[weight] = changed
            values.append(logit(network, active, 1))
        network.all[weight] = before
        assert gradient.all[weight] == pytest.approx(0.5 * (values[0] - values[1]) / (2 * step), abs=tolerance)


def test_the_network_is_the_formula_of_its_docstring():
    network = fresh(TICTACTOE, 8, seed=3)
    active = np.array([0, 30, 60, 90, 110, 140, 170, 200], np.int32)
    hidden = np.clip(network.bias[2] + network.fragments[active].sum(axis=0), 0, 1)
    assert logit(network, active, 2) == pytest.approx(float(network.output[2] @ hidden + network.offset[2]), abs=1e-5)


def test_training_makes_the_loss_smaller_and_is_the_same_with_the_same_seed():
    positions = greedy_games(TICTACTOE, 1000, seed=1)
    networks = [fresh(TICTACTOE, 8, seed=1) for _ in range(2)]
    before = measure(TICTACTOE, networks[0], positions)
    qualities = [train(TICTACTOE, network, positions, epochs=2, seed=5) for network in networks]
    assert qualities[0] == qualities[1] and np.array_equal(networks[0].all, networks[1].all)
    after = measure(TICTACTOE, networks[0], positions)
    assert after.log_loss < before.log_loss and after.rmse < before.rmse and after.accuracy > 0.6


def test_what_is_measured_is_the_loss_of_the_games_held_out():
    positions = greedy_games(TICTACTOE, 400, seed=1)
    network = fresh(TICTACTOE, 8, seed=1)
    quality = train(TICTACTOE, network, positions, epochs=1, seed=1)
    held_out = positions.chosen(positions.games % 20 == 0)
    assert 15 < len(set(held_out.games.tolist())) <= 20
    scratch, losses, errors = scratch_for(TICTACTOE, network, 0), [], []
    for state, target in zip(held_out.states, held_out.targets, strict=True):
        bucket = game.features(TICTACTOE.kernel, state, scratch.active)
        value = 1 / (1 + np.exp(-logit(network, scratch.active, bucket)))
        losses.append(-target * np.log(value) - (1 - target) * np.log(1 - value))
        errors.append((value - target) ** 2)
    assert quality.log_loss == pytest.approx(np.mean(losses), rel=1e-4)
    assert quality.rmse == pytest.approx(np.sqrt(np.mean(errors)), rel=1e-4)


def test_training_wants_games_to_learn_from_and_games_to_hold_out():
    positions = greedy_games(TICTACTOE, 5, seed=1, first=1)
    with pytest.raises(InputError, match="20 games"):
        train(TICTACTOE, fresh(TICTACTOE, 8, seed=1), positions, epochs=1, seed=1)


def test_a_position_counts_as_much_as_its_weight():
    """Wrong targets with weight 0 change nothing."""
    positions = greedy_games(TICTACTOE, 400, seed=1)
    wrong = positions._replace(targets=1 - positions.targets, weights=np.zeros_like(positions.weights))
    both = Positions.joined([positions, wrong])
    network = fresh(TICTACTOE, 8, seed=1)
    train(TICTACTOE, network, both, epochs=3, seed=1)
    assert measure(TICTACTOE, network, positions).accuracy > 0.6
    assert measure(TICTACTOE, network, both).log_loss == measure(TICTACTOE, network, positions).log_loss


# --- First games ----------------------------------------------------------------------------------------------------


def test_first_games_say_who_won_to_both_players():
    pentago = load_game("pentago")
    positions = greedy_games(pentago, 50, seed=1, first=7)
    assert set(positions.games.tolist()) <= set(range(7, 57)) and len(set(positions.games.tolist())) > 45
    assert set(positions.targets.tolist()) <= {0.0, 0.5, 1.0}
    for number in set(positions.games.tolist()):
        one = positions.chosen(positions.games == number)
        plies = [sum(int(word).bit_count() for word in state) for state in one.states]
        assert plies == list(range(plies[0], plies[0] + len(plies)))
        assert len(set(one.targets[::2].tolist())) == 1 and len(set(one.targets[1::2].tolist())) <= 1
        assert one.targets[:2].sum() == len(one.targets[:2]) / 2 or one.targets.size == 1


def test_a_game_without_features_cannot_be_learned():
    with pytest.raises(InputError, match="kalah has no features"):
        load_learned("kalah", {})
