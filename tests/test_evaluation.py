"""The learned evaluation of Pentago: it agrees with its slow twin, and weights that cannot be used are refused."""

import random

import numpy as np
import pytest

from game import load_game, value_for_chooser
from pentago.evaluation import WEIGHTS, WeightsError, describe_weights, load_network, make_network
from tests import contract
from tests.slow import evaluation as slow

# Of a logit: sums of 5 rows, each rounded to 1/1020 and weighted by up to a few units, and a table in steps of 1/255.
LARGEST_ERROR = 0.012
PENTAGO = load_game("pentago")
ALL = (1 << 36) - 1


def random_weights(seed=1, width=32):
    rng = np.random.default_rng(seed)
    return {
        "fragments": rng.normal(0, 0.1, (1008, width)).astype(np.float32),
        "bias": rng.normal(0.3, 0.1, (9, width)).astype(np.float32),
        "output": rng.normal(0, 0.4, (9, width)).astype(np.float32),
        "offset": rng.normal(0, 0.5, 9).astype(np.float32),
    }


def random_positions(count, seed=7):
    """Open positions of all plies, in random play."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        position = PENTAGO.initial()
        for _ in range(rng.randrange(30)):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is None:
            found.append(position)
    return found


def logit(chance):
    return np.log(chance / (1 - chance))


def shipped_weights():
    with np.load(WEIGHTS) as file:
        return {name: file[name] for name in file.files if name != "meta"}


@pytest.mark.slow
@pytest.mark.parametrize("width", [32, 64, 128])
def test_whole_numbers_agree_with_the_slow_twin_in_floating_point(width):
    weights = random_weights(width=width)
    kernel = PENTAGO.kernel._replace(evaluation=make_network(weights))
    for position in random_positions(60):
        state = PENTAGO.state(position)
        wanted = slow.logit(weights, int(state[0]), int(state[1]))
        assert logit(float(contract.evaluate(kernel, state))) == pytest.approx(wanted, abs=LARGEST_ERROR)


def test_the_weights_that_are_shipped_agree_with_the_slow_twin():
    weights = shipped_weights()
    kernel = PENTAGO.kernel_with(evaluation="learned")
    for position in random_positions(60):
        state = PENTAGO.state(position)
        wanted = np.clip(slow.logit(weights, int(state[0]), int(state[1])), -7.9, 7.9)
        assert logit(float(contract.evaluate(kernel, state))) == pytest.approx(wanted, abs=LARGEST_ERROR)


def test_the_shipped_weights_are_small_and_say_how_they_were_made():
    assert WEIGHTS.stat().st_size <= 1_000_000
    assert describe_weights()["game"] == "pentago"


@pytest.mark.parametrize("evaluation", ["lines", "network"])
def test_the_values_of_all_children_are_those_of_one_after_the_other(evaluation):
    kernel = PENTAGO.kernel
    if evaluation == "network":
        kernel = kernel._replace(evaluation=make_network(random_weights()))
    for position in random_positions(40):
        children = contract.children_of(PENTAGO, position, kernel)
        for child, value in zip(children, contract.values_of(PENTAGO, position, kernel), strict=True):
            after = np.array([int(child.word0) & ALL, int(child.word1)], np.uint64)
            wanted = float(value_for_chooser(child.flags, contract.evaluate(kernel, after)))
            assert value == pytest.approx(wanted, abs=1e-6)


def broken(**changes):
    return random_weights() | changes


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "lack fragments, bias, output, offset"),
        (broken(fragments=np.zeros((1008, 33), np.float32)), "no network of Pentago"),
        (broken(bias=np.zeros((8, 32), np.float32)), "no network of Pentago"),
        (broken(fragments=np.full((1008, 32), 9, np.float32)), "too large"),
        (broken(output=np.full((9, 32), 100, np.float32)), "output"),
        (broken(offset=np.full(9, np.nan, np.float32)), "offset"),
        (broken(fragments=np.full((1008, 32), np.nan, np.float32)), "no number"),
        (broken(fragments=np.float32(1)), "no network of Pentago"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights, message):
    with pytest.raises(WeightsError, match=message):
        make_network(weights)


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_a_file_that_holds_no_weights_is_refused(tmp_path, content):
    path = tmp_path / "weights.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WeightsError, match="cannot be used as weights"):
        load_network(path)


def test_an_unknown_evaluation_is_named_with_those_that_there_are():
    with pytest.raises(ValueError, match="there is lines, learned"):
        PENTAGO.kernel_with(evaluation="magic")
