"""What a learned evaluation sees of a position: features, buckets, symmetry."""

import random
from dataclasses import replace

import numpy as np
import pytest

import game
from game import load_game
from pentago import features
from pentago.tables import row_and_column
from tests import contract

PENTAGO = load_game("pentago")


def random_positions(count, seed=1):
    rng = random.Random(seed)
    for _ in range(count):
        position = PENTAGO.initial()
        for _ in range(rng.randrange(36)):
            after = position.play(rng.choice(position.legal_moves()))
            if after.result is not None:
                break
            position = after
        yield position


def slowly(position):
    """The features by the words of `pentago/features.py`, from the board that people see."""
    digit = [0, 1, 2] if position.to_move == game.FIRST else [0, 2, 1]
    found = []
    for quadrant in range(4):
        start = 252 * quadrant
        for cells in features.FRAGMENTS:
            owners = [position.board[row_and_column(9 * quadrant + cell)] for cell in cells]
            found.append(start + sum(digit[owner] * 3**i for i, owner in enumerate(owners)))
            start += 3 ** len(cells)
    return found


def active(state):
    found = np.zeros(PENTAGO.active_features, np.int32)
    bucket = features.active_features(PENTAGO.kernel, state, found)
    return list(found), bucket


def test_features_are_what_the_board_shows():
    for position in random_positions(100):
        found, bucket = active(PENTAGO.state(position))
        assert found == slowly(position)
        assert bucket == min(position.ply // 4, 8)
        assert max(found) < PENTAGO.feature_count and bucket < PENTAGO.feature_buckets


def test_the_state_of_a_quadrant_says_its_features():
    for position in random_positions(50):
        mine, theirs = (int(stones) for stones in PENTAGO.state(position))
        found, _ = active(PENTAGO.state(position))
        for quadrant in range(4):
            patterns = (mine >> 9 * quadrant & 511, theirs >> 9 * quadrant & 511)
            state = int(features.TERNARY[patterns[0]]) + 2 * int(features.TERNARY[patterns[1]])
            in_quadrant = 252 * quadrant + features.STATE_FEATURES[state].astype(int)
            assert list(in_quadrant) == found[12 * quadrant : 12 * quadrant + 12]


@pytest.mark.parametrize("plies", [1, 2])
def test_a_mirrored_position_has_as_many_move_sequences_and_the_same_outcome(plies):
    for position in random_positions(10):
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
