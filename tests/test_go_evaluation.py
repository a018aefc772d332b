"""What the network of Go sees in a position, compared with a slow twin, and which positions it is asked about."""

import random

import numpy as np
import pytest

from agents.uct.rave import MixedRave
from agents.uct.settings import Settings
from game import evaluate
from go.evaluation import (
    FEATURES,
    FILE,
    POINTS,
    SHAPE_COUNT,
    SHAPES,
    knows,
    shape_numbers,
    value_by_network,
    write_features,
)
from go.game import Go
from go.kinds import KINDS
from go.position import PASS
from tests.slow.go import OTHER, is_eye, touched
from tests.test_go_playouts import liberties
from tests.test_go_rules import rows_of

GAME = Go(9)


def positions(number, seed):
    """Positions from random games, of all lengths."""
    rng = random.Random(seed)
    for _ in range(number):
        position = GAME.initial()
        for _ in range(rng.randrange(120)):
            moves = [move for move in position.legal_moves() if move != PASS]
            if not moves:
                break
            position = position.play(rng.choice(moves))
        yield position


def features(position):
    """The features of a position, and its bucket."""
    evaluation = GAME.kernel.learned
    bucket = int(write_features(GAME.kernel, position.search_state(), evaluation))
    return evaluation.work.tolist(), bucket


# --- What is on a point ----------------------------------------------------------------------------------------------


def kind(rows, point, own, ko):
    """What is on a point, as the player `own` sees it."""
    symbol = rows[point[0]][point[1]]
    if symbol != ".":
        return (7 if symbol == own else 12) + min(len(liberties(rows, point)), 5) - 1
    if point == ko:
        return 6
    beside = touched(rows, {point}) - {"."}
    if len(beside) != 1:
        return 0 if not beside else 3
    (side,) = beside
    eye = is_eye(rows, point, side)
    return (4 if eye else 1) if side == own else (5 if eye else 2)


def test_features_are_those_of_the_slow_twin():
    kinds = set()
    for position in positions(40, 1):
        active, bucket = features(position)
        rows, own = rows_of(position.board), "bw"[position.to_move]
        ko = (position.ko.row, position.ko.column) if position.ko else None
        for i in range(POINTS):
            found = active[i] - KINDS * i
            assert found == kind(rows, divmod(i, 9), own, ko)
            kinds.add(found)
        stones = sum(row.count("b") + row.count("w") for row in rows)
        assert bucket == 2 * min(stones // 10, 7) + position.to_move
    assert kinds >= set(range(KINDS)) - {6}


def square(rows, point, own):
    """The nine symbols around a point: `x` for one's own, `o` for the other's, `#` off the board."""
    row, column = point
    around = [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    inside = [rows[i][j] if 0 <= i < 9 and 0 <= j < 9 else "#" for i, j in around]
    return np.array([{own: "x", OTHER[own]: "o"}.get(symbol, symbol) for symbol in inside]).reshape(3, 3)


def test_a_shape_is_one_feature_however_it_is_turned_and_wherever_it_is():
    by_square, by_feature = {}, {}
    for position in positions(40, 2):
        active, _ = features(position)
        rows, own = rows_of(position.board), "bw"[position.to_move]
        for i in range(POINTS):
            around = square(rows, divmod(i, 9), own)
            turned = min("".join(np.rot90(side, k).ravel()) for side in (around, around.T) for k in range(4))
            feature = active[POINTS + i]
            assert SHAPES <= feature < FEATURES
            assert by_square.setdefault(turned, feature) == feature
            assert by_feature.setdefault(feature, turned) == turned
    assert len(by_square) > 300


def test_every_shape_of_a_board_has_a_number():
    assert sorted({int(number) for number in shape_numbers()}) == list(range(SHAPE_COUNT))


# --- Values ----------------------------------------------------------------------------------------------------------


def test_turned_positions_are_worth_nearly_the_same_and_so_is_a_clear_one():
    # Nothing builds the symmetry in: the network learned it from positions in all rotations and reflections.
    kernel, differences = GAME.kernel, []
    for position in positions(20, 3):
        rows, words = rows_of(position.board), str(position).split()[1:]
        turned = GAME.parse_position(
            " ".join(["/".join("".join(row) for row in zip(*rows, strict=True)), words[0], "- 7"])
        )
        values = [float(value_by_network(kernel, each.search_state())) for each in (position, turned)]
        differences.append(abs(values[0] - values[1]))
    assert np.mean(differences) < 0.1
    black_has_all = GAME.parse_position("/".join([".bbbbbbb."] * 8 + ["w........"]) + " b - 7")
    assert value_by_network(kernel, black_has_all.search_state()) > 0.8


@pytest.mark.parametrize(
    ("game", "moves", "known"),
    [
        (Go(9), [], True),
        (Go(9), [PASS], False),
        (Go(9, 6.5), [], True),
        (Go(9, 0.5), [], False),
        (Go(13, 7), [], False),
    ],
)
def test_the_network_is_asked_about_what_it_has_learned_from(game, moves, known):
    position = game.initial()
    for move in moves:
        position = position.play(move)
    state = position.search_state()
    assert bool(knows(game.kernel, state)) == known
    if known:
        assert evaluate(game.kernel, state) == value_by_network(game.kernel, state)
    if not moves:
        assert isinstance(Settings.for_game(game).make_method(game), MixedRave) == known


def test_other_settings_leave_it_out():
    for chosen in ({"leaf": "playout"}, {"mixture": 1.0}, {"formula": "ucb1", "c": 0.5}):
        assert not isinstance(Settings.for_game(GAME, **chosen).make_method(GAME), MixedRave)


def test_the_file_of_weights_is_small():
    assert FILE.stat().st_size < 1_000_000
