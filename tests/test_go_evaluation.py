"""What the network of Go sees and computes, compared with a slow twin, and which positions it is asked about."""

import random

import numpy as np
import pytest

from agents.uct.rave import MixedRave
from agents.uct.settings import Settings
from game import evaluate
from game.weights import WeightsError
from go.evaluation import CHANNELS, FILE, POINTS, SAVED, bucket_of, knows, read_weights, value_by_network
from go.game import Go
from go.kinds import KINDS, place_of, write_kinds
from go.position import PASS
from go.vectors import add_products, rectified_product, write_rectified_sum
from jit import jit
from tests.slow.go import is_eye, touched
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


def seen(position):
    """The kind of each point of a position, int[9, 9], and its bucket."""
    kernel, state = GAME.kernel, position.search_state()
    write_kinds(kernel, state)
    kinds = [int(kernel.seen.kinds[place_of(point)]) for point in kernel.points]
    return np.array(kinds).reshape(9, 9), int(bucket_of(state))


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


def test_what_is_on_each_point_is_what_the_slow_twin_sees():
    kinds = set()
    for position in positions(40, 1):
        found_kinds, bucket = seen(position)
        rows, own = rows_of(position.board), "bw"[position.to_move]
        ko = (position.ko.row, position.ko.column) if position.ko else None
        for i in range(POINTS):
            found = found_kinds.ravel()[i]
            assert found == kind(rows, divmod(i, 9), own, ko)
            kinds.add(found)
        stones = sum(row.count("b") + row.count("w") for row in rows)
        assert bucket == 2 * min(stones // 10, 7) + position.to_move
    assert kinds >= set(range(KINDS)) - {6}


# --- Values ----------------------------------------------------------------------------------------------------------


def test_a_value_is_that_of_the_formula():
    with np.load(FILE) as arrays:
        around, fragments, bias, output, offset = (arrays[name].astype(float) for name in SAVED)
    for position in positions(20, 2):
        kinds, bucket = seen(position)
        padded, hidden = np.pad(kinds, 2, constant_values=KINDS), bias[bucket]
        for i in range(POINTS):
            row, column = divmod(i, 9)
            window = padded[row : row + 5, column : column + 5].ravel()
            channels = around[(KINDS + 1) * np.arange(25) + window].sum(axis=0) + around[-1]
            hidden = hidden + np.maximum(channels, 0) @ fragments[CHANNELS * i : CHANNELS * (i + 1)]
        logit = output[bucket] @ np.clip(hidden, 0, 1) + offset[bucket]
        value = value_by_network(GAME.kernel, position.search_state())
        assert float(value) == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-4)


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
        (Go(9), [PASS], True),
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


def test_weights_of_another_form_are_refused(tmp_path):
    path = tmp_path / "weights.npz"
    with np.load(FILE) as arrays:
        weights = {name: arrays[name] for name in SAVED}
    for changed, complaint in (
        ({"around": weights["around"][:10]}, "around has the shape"),
        ({"fragments": weights["fragments"][:, :8]}, "a multiple of 16 hidden units, not 8"),
        ({"bias": weights["bias"][:, :16]}, "bias has the shape"),
        ({"fragments": np.float32(1)}, "hidden units, not 0"),
        ({"output": weights["output"] * np.nan}, "output has NaN or infinity"),
        ({"output": np.full(weights["output"].shape, 1e300)}, "output has NaN or infinity"),
        ({"output": np.full(weights["output"].shape, "one")}, "could not convert string to float"),
    ):
        np.savez(path, **weights | changed)
        with pytest.raises(WeightsError, match=complaint):
            read_weights(path)
    np.savez(path, **{name: weights[name] for name in SAVED if name != "around"})
    with pytest.raises(WeightsError, match=r"weights\.npz cannot be used as weights: .*around"):
        read_weights(path)
    np.savez(path, **weights | {"around": np.asfortranarray(weights["around"])})
    assert read_weights(path).around.flags.c_contiguous


@pytest.mark.parametrize(("width", "start"), [(16, 0), (48, 0), (48, 16), (48, 32)])
def test_sums_in_vector_instructions_are_those_of_numpy(width, start):
    rng = np.random.default_rng(width + start)
    table, kinds = rng.normal(size=(20, width)).astype(np.float32), rng.normal(size=(8, 16)).astype(np.float32)
    factors, sums = np.zeros(17, np.float32)[1:], np.ones(width + 1, np.float32)  # not aligned to 64 bytes; a guard
    _rectified_sum(factors, kinds, (3, 1, 4, 1, 5))
    assert factors == pytest.approx(np.maximum(kinds[[3, 1, 4, 1, 5]].sum(axis=0), 0), abs=1e-5)
    assert 0 < (factors > 0).sum() < 16
    _products(sums, start, table, 2, factors)
    expected = np.ones(width + 1)
    expected[start : start + 16] += factors @ table[2:18, start : start + 16]
    assert sums == pytest.approx(expected, abs=1e-5)
    assert _product(factors, kinds[0]) == pytest.approx(factors @ np.maximum(kinds[0], 0), abs=1e-5)


@jit
def _rectified_sum(sums, table, rows):
    write_rectified_sum(sums, table, rows)


@jit
def _product(factors, units):
    return rectified_product(factors, units)


@jit
def _products(sums, start, table, first, factors):
    add_products(sums, start, table, first, factors)


def test_the_file_of_weights_is_small():
    assert FILE.stat().st_size < 1_000_000
