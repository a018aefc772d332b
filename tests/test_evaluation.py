"""Pentago's learned evaluation: features, sums that agree with a slow twin, weights, and agents that use them."""

import json
from dataclasses import replace
from io import BytesIO

from jit import U64, has_feature  # first: it decides where compiled code is kept

import numba as nb  # isort: skip
import numpy as np
import pytest

import game
from agents.agent import AgentError
from agents.limits import Clock
from benchmarks.evaluation import random_weights
from game.weights import WeightsError
from pentago import features, vectors
from pentago.boards import FULL
from pentago.evaluation import WEIGHTS, load_network, make_network
from pentago.game import Pentago
from pentago.lines import LINE_COUNT
from pentago.vectors import LANES, add_four, clipped_dot
from tests import contract
from tests.searches import agent_of
from tests.slow import evaluation as slow

LARGEST_ERROR = 1 / 500  # of a logit: half a step of the table of chances, 1/510, and rounding to float32
TOP = 1020
PENTAGO = game.load_game("pentago")


# --- Features -------------------------------------------------------------------------------------------------------


def active(state):
    found = np.zeros(PENTAGO.active_features, np.int32)
    bucket = features.active_features(PENTAGO.kernel, state, found)
    return list(found), bucket


def test_features_are_what_the_board_shows():
    for position in contract.open_sample(PENTAGO):
        found, bucket = active(PENTAGO.state(position))
        assert (found, bucket) == slow.features(*map(int, PENTAGO.state(position)))
        assert max(found) < PENTAGO.feature_count and bucket < PENTAGO.feature_buckets


@pytest.mark.parametrize("plies", [1, 2])
def test_a_mirrored_position_has_as_many_move_sequences_and_the_same_outcome(plies):
    for position in contract.open_sample(PENTAGO)[::10]:
        state = PENTAGO.state(position)
        game.mirror(PENTAGO.kernel, state)
        turned = replace(position, words=state)
        assert np.array_equal(turned.board, position.board[::-1, ::-1])
        assert contract.evaluate(PENTAGO.kernel, state) == pytest.approx(
            contract.evaluate(PENTAGO.kernel, PENTAGO.state(position))
        )
        assert (turned.result, game.perft(turned, plies)) == (position.result, game.perft(position, plies))
        successors = {frozenset(map(int, PENTAGO.state(position.play(move)))) for move in position.legal_moves()}
        again = np.array([0, 0], np.uint64)
        for move in turned.legal_moves():
            again[:] = PENTAGO.state(turned.play(move))
            game.mirror(PENTAGO.kernel, again)
            assert frozenset(map(int, again)) in successors


# --- Sums by vector instructions: AVX-512, AVX2, or what LLVM generates ------------------------------------------

WIDTHS = [LANES, 4 * LANES]


def numbers(rng, size, largest):
    return rng.integers(-largest, largest, size, np.int16, endpoint=True)


@pytest.mark.parametrize("width", WIDTHS)
def test_four_rows_are_added_from_any_place_of_a_table(width):
    @nb.njit
    def add(vectors, sums, table, a, b, c, d):
        add_four(vectors, sums, table, a, b, c, d)

    rng = np.random.default_rng(1)
    table, sums = numbers(rng, 10 * width, 8000), np.zeros(width, np.int16)
    starts = [int(start) for start in rng.integers(0, 9 * width, 4)]
    add((0,) * (width // LANES), sums, table, *starts)
    assert np.array_equal(sums, sum(table[start : start + width] for start in starts))


AVX2 = [("llvm.x86.avx2.pmadd.wd", 16)] if has_feature("avx2") else []


@pytest.mark.parametrize("instruction", dict.fromkeys([vectors._MULTIPLY_ADD, *AVX2, None]), ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_sums_are_clipped_and_weighted(width, instruction, monkeypatch):
    monkeypatch.setattr(vectors, "_MULTIPLY_ADD", instruction)

    @nb.njit  # not cached: its machine code depends on the switch
    def dot(vectors, sums, table, start, weights, weights_start):
        return clipped_dot(vectors, sums, table, start, np.int16(TOP), weights, weights_start)

    rng = np.random.default_rng(2)
    for _ in range(20):
        sums, table, weights = (numbers(rng, size * width, 2000) for size in (1, 5, 3))
        start, weights_start = int(rng.integers(0, 4 * width)), int(rng.integers(0, 2 * width))
        clipped = np.clip(sums + table[start : start + width], 0, TOP).astype(np.int64)
        expected = int(clipped @ weights[weights_start : weights_start + width])
        assert dot((0,) * (width // LANES), sums, table, start, weights, weights_start) == expected


# --- The network ----------------------------------------------------------------------------------------------------


def logit(chance):
    return np.log(chance / (1 - chance))


def shipped_weights():
    with np.load(WEIGHTS) as file:
        return {name: file[name] for name in file.files if name != "meta"}


@pytest.mark.parametrize("width", [None, *(pytest.param(width, marks=pytest.mark.slow) for width in (32, 64, 128))])
def test_whole_numbers_agree_with_the_slow_twin(width):
    """The shipped weights and random weights of other widths give the same logits as the slow twin."""
    weights = random_weights(width) if width else shipped_weights()
    kernel = PENTAGO.kernel._replace(evaluation=make_network(weights))
    for position in contract.open_sample(PENTAGO):
        state = PENTAGO.state(position)
        wanted = np.clip(slow.logit(weights, int(state[0]), int(state[1])), -7.9, 7.9)
        assert logit(float(contract.evaluate(kernel, state))) == pytest.approx(wanted, abs=LARGEST_ERROR)


def test_the_shipped_weights_are_small_and_say_how_they_were_made():
    assert WEIGHTS.stat().st_size <= 1_000_000
    with np.load(WEIGHTS) as file:
        assert json.loads(str(file["meta"]))["game"] == "pentago"


def test_the_values_of_all_children_are_those_of_one_after_the_other():
    """That holds of a network, too; the contract's checks look at the evaluation by open lines."""
    network = Pentago(PENTAGO.kernel._replace(evaluation=load_network()))  # another width would be compiled anew
    contract.check_the_values_of_all_children_are_their_evaluations_or_results(network)


def broken(**changes):
    return random_weights(32) | changes


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (broken(fragments=np.zeros((1008, 33), np.float32)), "not those of a network of Pentago"),
        (broken(bias=np.zeros((8, 32), np.float32)), "not those of a network of Pentago"),
        (broken(fragments=np.full((1008, 32), 9, np.float32)), "too large"),
        (broken(output=np.full((9, 32), 100, np.float32)), "output"),
        (broken(offset=np.full(9, np.nan, np.float32)), "offset"),
        (broken(fragments=np.full((1008, 32), np.nan, np.float32)), "not a number"),
        (broken(fragments=np.float32(1)), "not those of a network of Pentago"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights, message):
    with pytest.raises(WeightsError, match=message):
        make_network(weights)


def lone_array():
    """A file of one array as `np.save` writes it, which is not an archive."""
    file = BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no archive", b"\x93NUMPY", lone_array()])
def test_a_file_that_holds_no_weights_is_refused(tmp_path, content):
    path = tmp_path / "weights.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WeightsError, match="cannot be used as weights"):
        load_network(path)


def test_an_unknown_evaluation_is_named_with_those_that_there_are():
    with pytest.raises(ValueError, match="it has to be lines, learned"):
        PENTAGO.kernel_with(evaluation="magic")


# --- Agents use the evaluation that is asked for --------------------------------------------------------------------

POSITION = PENTAGO.parse_position(".w..../...b../.w..../....b./..w.../.....b w")
AGENTS = ["alphabeta_agent:depth=1", "greedy_agent:"]


def step(spec):
    agent = agent_of(spec.removesuffix(":"))
    agent.setup()
    return agent.step(POSITION, Clock(1.0))


def with_evaluation(spec, evaluation):
    return f"{spec}{'' if spec.endswith(':') else ','}evaluation={evaluation}"


def best_moves(evaluation):
    """The moves to the open children with the highest value by an evaluation."""
    kernel, worth = PENTAGO.kernel._replace(evaluation=evaluation), {}
    for child in contract.children_of(PENTAGO, POSITION):
        if child.flags & game.RESOLVED == U64(0):
            state = np.array([child.word0 & FULL, child.word1], np.uint64)
            move = PENTAGO.move_of(POSITION, int(child.word0), int(child.word1))
            worth[move] = 1 - float(contract.evaluate(kernel, state))
    return {move for move, value in worth.items() if value > max(worth.values()) - 1e-6}


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "random.npz"
    np.savez(path, **random_weights(32))
    return path


@pytest.mark.parametrize("spec", AGENTS)
def test_open_lines_are_counted_unless_told_otherwise(spec):
    for asked in (spec, with_evaluation(spec, "lines")):
        assert step(asked) in best_moves(LINE_COUNT)


@pytest.mark.slow
@pytest.mark.parametrize("spec", AGENTS)
def test_the_weights_of_a_file_are_used(spec, weights):
    learned = best_moves(load_network(weights))
    assert learned.isdisjoint(best_moves(LINE_COUNT))
    assert step(with_evaluation(spec, weights)) in learned


@pytest.mark.parametrize("spec", AGENTS)
def test_an_unknown_evaluation_and_a_missing_file_are_refused_by_name(spec, tmp_path):
    for wrong in ("guesses", tmp_path / "none.npz"):
        with pytest.raises(AgentError, match=f"{wrong}"):
            step(with_evaluation(spec, wrong))


@pytest.mark.parametrize("spec", AGENTS)
def test_a_game_with_one_evaluation_has_no_such_option(spec):
    with pytest.raises(AgentError, match="evaluation"):
        agent_of(with_evaluation(spec, "lines"), game.load_game("go", size=5))
