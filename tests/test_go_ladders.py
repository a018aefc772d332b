"""Ladders in Go: well-known ones, and random positions compared with the reader of the tactical questions."""

import random
from collections import Counter

import numpy as np
import pytest

from benchmarks.go_reading import ATTACKERS, DEFENDERS, Reader, Shape, points_of
from go.game import Go
from go.ladders import LEVELS, catches, is_caught_after
from go.layout import BLACK, TO_MOVE, WHITE
from go.priors import CAPTURES, RESCUES, SELF_ATARIS
from go.tables import point_at
from jit import jit
from tests.slow import go as slow
from tests.test_go_priors import features_and_weight

# White's stone on C5 has two liberties, D5 and C4; a white stone on E2 breaks the ladder that begins with D5.
OPEN = "......./..b..../.bw..../.b...../......./......./....... b - 7"
BROKEN = "......./..b..../.bw..../.b...../......./....w../....... b - 7"
# The same stone in atari: white extends to C4.
ATARI = "......./..b..../.bwb.../.b...../......./......./....... w - 7"
ATARI_BROKEN = "......./..b..../.bwb.../.b...../......./....w../....... w - 7"
TWO_STONES = "......./..b..../.bw..../.bw..../..b..../......./....... b - 7"


def read(text):
    """A game, its kernel with ladders switched on, and the state of a position."""
    game = Go(text.index("/"), 7.0)
    return game, game.kernel_with(ladders=True), game.state(game.parse_position(text))


def number(row, column):
    """The point of a row and column, as compiled code has it."""
    return np.uint64(point_at(row, column))


@pytest.mark.parametrize(
    ("text", "vertex", "expected", "without"),
    [
        (OPEN, "D5", (1, 0, 0), (0, 0, 0)),
        (OPEN, "C4", (0, 0, 0), (0, 0, 0)),
        (BROKEN, "D5", (0, 0, 0), (0, 0, 0)),
        (TWO_STONES, "D5", (2, 0, 0), (0, 0, 0)),
        (ATARI, "C4", (0, 0, 1), (0, 1, 0)),
        (ATARI_BROKEN, "C4", (0, 1, 0), (0, 1, 0)),
    ],
)
def test_a_move_that_begins_a_ladder_captures_and_one_that_runs_into_it_saves_nothing(text, vertex, expected, without):
    """A move's features: what it captures, whether it saves a chain, whether it is a self-atari."""
    game, kernel, state = read(text)
    move, before = game.parse_move(vertex), state.copy()
    for switched_on, features in ((True, expected), (False, without)):
        found, _ = features_and_weight(kernel._replace(ladders=switched_on), state, number(move.row, move.column))
        assert (
            tuple(int(found[i]) - int(first) for i, first in ((2, CAPTURES), (3, RESCUES), (4, SELF_ATARIS)))
            == features
        )
    assert np.array_equal(before, state)


@jit
def is_caught(kernel, state, attacks, point, stone):
    """Both questions are in one function, so that what they share is compiled once."""
    return catches(kernel, state, point, stone) if attacks else is_caught_after(kernel, state, point)


def ladders_of(rows):
    """Whether this reader and the other one find that a ladder catches two white stones or more, as pairs.

    Black attacks chains with two liberties, and white extends chains in atari. Where the other reader's answer depends
    on who wins the kos, nothing is compared.
    """
    shape, size = Shape(len(rows)), len(rows)
    black, white = (
        sum(shape.point(i, j) for i, row in enumerate(rows) for j, symbol in enumerate(row) if symbol == side)
        for side in "bw"
    )
    _, kernel, state = read(f"{'/'.join(rows)} b - 7")
    for chain in (part for part in shape.parts(white) if part.bit_count() > 1):
        target, liberties = chain & -chain, shape.beside(chain) & ~(black | white)
        stone = number(*shape.row_and_column(target))
        for point in points_of(liberties if liberties.bit_count() < 3 else 0):
            p = number(*shape.row_and_column(point))
            attacks = liberties != point
            own, other, _ = shape.play(*((black, white) if attacks else (white, black)), point)
            if own < 0:
                continue
            sides = (own, other, 4 * size, DEFENDERS) if attacks else (other, own, 4 * size, ATTACKERS)
            kos = (ATTACKERS, DEFENDERS)
            answers = {
                Reader(shape, target, (shape.full, shape.full), ko, 0, 100_000).is_captured(*sides) for ko in kos
            }
            if len(answers) == 1:
                state[TO_MOVE] = BLACK if attacks else WHITE
                yield attacks, is_caught(kernel, state, attacks, p, stone), answers.pop()


def test_ladders_are_those_that_an_exact_reader_finds():
    rng, counts = random.Random(7), Counter()
    while len(counts) < 4 or min(counts.values()) < 50:
        rows = tuple("".join(rng.choice("bbww....") for _ in range(6)) for _ in range(6))
        for attacks, found, expected in ladders_of(slow.without_dead_chains(rows)):
            assert found == expected, rows
            counts[attacks, expected] += 1


@pytest.mark.parametrize(("size", "expected"), [(12, True), (13, False)])
def test_a_ladder_that_is_longer_than_the_reader_looks_counts_as_safe(size, expected):
    """A stone in a corner is caught along the edge; at each step there is a choice of two ataris."""
    _, kernel, state = read(f"{'/'.join(['w' + '.' * (size - 1), *['.' * size] * (size - 1)])} b - 7")
    shape = Shape(size)
    corner, beside = shape.point(0, 0), shape.point(0, 1)
    exact = Reader(shape, corner, (shape.full, shape.full), DEFENDERS, 0, 100_000)
    assert exact.is_captured(beside, corner, 4 * size, DEFENDERS)
    assert is_caught(kernel, state, True, number(0, 1), number(0, 0)) == expected
    assert (kernel.reading[LEVELS, 0] > 0) == expected
