"""Sums in vector instructions are those of numpy, with AVX-512 and without."""

import jit  # first: it decides where compiled code is kept  # noqa: F401

import numba as nb  # isort: skip
import numpy as np
import pytest

from pentago import vectors
from pentago.vectors import LANES, add_four, clipped_dot

TOP = 1020
WIDTHS = [LANES, 2 * LANES, 4 * LANES]


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


@pytest.mark.parametrize("has_wide_registers", [vectors.HAS_WIDE_REGISTERS, False])
@pytest.mark.parametrize("width", WIDTHS)
def test_sums_are_clipped_and_weighted(width, has_wide_registers, monkeypatch):
    monkeypatch.setattr(vectors, "HAS_WIDE_REGISTERS", has_wide_registers)

    @nb.njit  # not cached: what it is compiled to depends on the switch
    def dot(vectors, sums, table, start, weights, weights_start):
        return clipped_dot(vectors, sums, table, start, np.int16(TOP), weights, weights_start)

    rng = np.random.default_rng(2)
    for _ in range(20):
        sums, table, weights = (numbers(rng, size * width, 2000) for size in (1, 5, 3))
        start, weights_start = int(rng.integers(0, 4 * width)), int(rng.integers(0, 2 * width))
        clipped = np.clip(sums + table[start : start + width], 0, TOP).astype(np.int64)
        expected = int(clipped @ weights[weights_start : weights_start + width])
        assert dot((0,) * (width // LANES), sums, table, start, weights, weights_start) == expected
