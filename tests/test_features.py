"""What a learned evaluation sees of a position: features, buckets, symmetry."""

from dataclasses import replace

import numpy as np
import pytest

import game
from game import load_game
from pentago import features
from tests import contract
from tests.slow import evaluation as slow

PENTAGO = load_game("pentago")


def active(state):
    found = np.zeros(PENTAGO.active_features, np.int32)
    bucket = features.active_features(PENTAGO.kernel, state, found)
    return list(found), bucket


def test_features_are_what_the_board_shows():
    for position in contract.open_sample(PENTAGO):
        found, bucket = active(PENTAGO.state(position))
        assert (found, bucket) == slow.features(*map(int, PENTAGO.state(position)))
        assert max(found) < PENTAGO.feature_count and bucket < PENTAGO.feature_buckets


def test_the_state_of_a_quadrant_says_its_features():
    for position in contract.open_sample(PENTAGO)[::2]:
        mine, theirs = (int(stones) for stones in PENTAGO.state(position))
        found, _ = active(PENTAGO.state(position))
        for quadrant in range(4):
            patterns = (mine >> 9 * quadrant & 511, theirs >> 9 * quadrant & 511)
            state = int(features.TERNARY[patterns[0]]) + 2 * int(features.TERNARY[patterns[1]])
            in_quadrant = 252 * quadrant + features.STATE_FEATURES[state].astype(int)
            assert list(in_quadrant) == found[12 * quadrant : 12 * quadrant + 12]


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
