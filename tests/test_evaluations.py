"""Agents with a static evaluation use the one that is asked for."""

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

import game
from agents.agent import AgentError
from agents.limits import Clock
from benchmarks.evaluation import random_weights
from pentago.boards import FULL
from pentago.evaluation import load_network
from pentago.lines import LINE_COUNT
from tests import contract
from tests.searches import agent_of

PENTAGO = game.load_game("pentago")
POSITION = PENTAGO.parse_position(".w..../...b../.w..../....b./..w.../.....b w")
AGENTS = ["alphabeta_agent:depth=1", "greedy_agent:"]


def step(spec):
    agent = agent_of(spec.removesuffix(":"))
    agent.setup()
    return agent.step(POSITION, Clock(1.0))


def with_evaluation(spec, evaluation):
    return f"{spec}{'' if spec.endswith(':') else ','}evaluation={evaluation}"


def best_moves(evaluation):
    """The moves to the open children that are worth most by an evaluation."""
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
