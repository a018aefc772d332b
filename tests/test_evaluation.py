"""The learned evaluation of Pentago: it agrees with its slow twin, and weights that cannot be used are refused."""

import numpy as np
import pytest

from benchmarks.evaluation import random_weights
from game import load_game
from pentago.evaluation import WEIGHTS, WeightsError, describe_weights, load_network, make_network
from pentago.game import Pentago
from tests import contract
from tests.slow import evaluation as slow

# Of a logit: sums of 5 rows, each rounded to 1/1020 and weighted by up to a few units, and a table in steps of 1/255.
LARGEST_ERROR = 0.012
PENTAGO = load_game("pentago")


def logit(chance):
    return np.log(chance / (1 - chance))


def shipped_weights():
    with np.load(WEIGHTS) as file:
        return {name: file[name] for name in file.files if name != "meta"}


@pytest.mark.parametrize("width", [None, *(pytest.param(width, marks=pytest.mark.slow) for width in (32, 64, 128))])
def test_whole_numbers_agree_with_the_slow_twin_in_floating_point(width):
    """For the weights that are shipped, and random ones of other widths."""
    weights = random_weights(width) if width else shipped_weights()
    kernel = PENTAGO.kernel._replace(evaluation=make_network(weights))
    for position in contract.open_sample(PENTAGO):
        state = PENTAGO.state(position)
        wanted = np.clip(slow.logit(weights, int(state[0]), int(state[1])), -7.9, 7.9)
        assert logit(float(contract.evaluate(kernel, state))) == pytest.approx(wanted, abs=LARGEST_ERROR)


def test_the_shipped_weights_are_small_and_say_how_they_were_made():
    assert WEIGHTS.stat().st_size <= 1_000_000
    assert describe_weights()["game"] == "pentago"


def test_the_values_of_all_children_are_those_of_one_after_the_other():
    """Of a network too; those of open lines are looked at with every game's."""
    network = Pentago(PENTAGO.kernel._replace(evaluation=make_network(random_weights(32))))
    contract.check_the_values_of_all_children_are_their_evaluations_or_results(network)


def broken(**changes):
    return random_weights(32) | changes


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
