"""What compiled code builds on: random numbers, operations on bits, and verbs with a body for each class."""

from typing import NamedTuple

import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest
from hypothesis import given
from hypothesis import strategies as st

import game
from tests.programs import run

WORDS = st.integers(0, 2**64 - 1)


@jit.jit
def select(mask, k):
    return jit.select_bit(mask, k)


@jit.jit
def select_portable(mask, k):
    return jit.select_bit_portable(mask, k)


@jit.jit
def count_and_lowest(word):
    return jit.popcount(word), jit.lowest_bit(word)


# --- Random numbers -------------------------------------------------------------------------------------------------


def test_pcg32_gives_the_reference_numbers_for_seed_42_sequence_54():
    rng = jit.new_rng(42, 54)
    numbers = [f"{int(jit.pcg32(rng)):08x}" for _ in range(6)]
    assert " ".join(numbers) == "a15c02b7 7b47f409 ba1d3330 83d2f293 bfa4784b cbed606e"


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, 2**64 - 1, 2**70 + 3])
def test_any_seed_gives_the_numbers_of_plain_integer_arithmetic(seed):
    mask = 2**64 - 1
    state, increment = 0, 54 << 1 | 1
    state = (state * 6364136223846793005 + increment) & mask
    state = ((state + seed) * 6364136223846793005 + increment) & mask
    rng = jit.new_rng(seed)
    for _ in range(5):
        shifted = ((state >> 18 ^ state) >> 27) & 0xFFFFFFFF
        rotation = state >> 59
        expected = (shifted >> rotation | shifted << (32 - rotation)) & 0xFFFFFFFF
        assert jit.pcg32(rng) == expected
        state = (state * 6364136223846793005 + increment) & mask


def test_sequences_differ():
    assert jit.pcg32(jit.new_rng(42, 54)) != jit.pcg32(jit.new_rng(42, 55))


@pytest.mark.parametrize("n", [1, 2, 7, 288, 2**32])
def test_random_below_is_uniform(n):
    rng, draws, bins = jit.new_rng(1), 7_000, min(n, 7)
    numbers = [int(jit.random_below(rng, n)) for _ in range(draws)]
    assert 0 <= min(numbers) <= max(numbers) < n
    counts = np.bincount([number * bins // n for number in numbers], minlength=bins)
    shares = np.bincount([number * bins // n for number in range(n)], minlength=bins) / n if n < 10**6 else 1 / bins
    expected = draws * shares * np.ones(bins)
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert chi_square < 30  # six degrees of freedom: above 30 once in 25,000 seeds


# --- Bits -----------------------------------------------------------------------------------------------------------


@given(mask=st.integers(1, 2**64 - 1), data=st.data())
def test_select_bit_finds_the_kth_set_bit(mask, data):
    set_bits = [i for i in range(64) if mask >> i & 1]
    k = data.draw(st.integers(0, len(set_bits) - 1))
    expected = 1 << set_bits[k]
    assert int(select(np.uint64(mask), np.uint64(k))) == expected
    assert int(select_portable(np.uint64(mask), np.uint64(k))) == expected


@given(word=WORDS)
def test_popcount_and_lowest_bit(word):
    count, lowest = count_and_lowest(np.uint64(word))
    assert count == word.bit_count()
    assert lowest == (64 if word == 0 else (word & -word).bit_length() - 1)


# --- Single dispatch ------------------------------------------------------------------------------------------------


MIXED = """
from typing import NamedTuple
import jit
class Red(NamedTuple):
    shade: int
class Blue(NamedTuple):
    shade: int
@jit.dispatched
def mixed(kernel, n):
    pass
@jit.jit
def call_mixed(kernel, n):
    return mixed(kernel, n)
jit.give_body(mixed, Red, lambda kernel, n: kernel.shade + n)
jit.give_body(mixed, Blue, jit.jit(lambda kernel, n: kernel.shade * n))
"""


def test_the_class_of_the_first_argument_decides_which_body_runs(tmp_path):
    """Nothing is kept of bodies from outside the project, nor found: a kept one would still run after an edit."""
    (tmp_path / "mixed.py").write_text(MIXED)
    code = (
        "from mixed import *; "
        "print([caller(kernel(5), 4) for caller in (mixed, call_mixed) for kernel in (Red, Blue)], "
        "jit.cache.nb_caching.Cache._load_overload(None, None, None))"
    )
    assert run(code, tmp_path, UNFORCED_CACHE=str(tmp_path / "cache")) == "[9, 20, 9, 20] None"
    assert not [*(tmp_path / "cache").rglob("*.nbc")]


class Red(NamedTuple):
    """A kernel."""

    shade: int


def test_a_body_with_other_parameters_is_refused():
    with pytest.raises(TypeError, match=r"Red: step takes \(kernel, state, word0, word1\), not \(kernel, state\)"):
        jit.give_body(game.step, Red, lambda kernel, state: 0)


def test_a_game_without_a_body_that_it_needs_is_refused():
    with pytest.raises(TypeError, match="Red: max_children lacks its body"):
        game.implement(Red)
    with pytest.raises(TypeError, match="Red: there is no verb stepp"):
        game.implement(Red, stepp=lambda kernel: 0)
