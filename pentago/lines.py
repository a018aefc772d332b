"""The count of open lines: what a position of Pentago is worth by a formula that needs no learning.

A line with stones of one player only is worth the more, the more stones it has. All 32 lines are counted at once: a
table says how many stones of a quadrant's pattern are in each line, in two bits a line, and the numbers of the four
quadrants are added bit by bit as a full adder does. That takes a fifth of the time of a loop over the lines.
"""

from typing import NamedTuple

from jit import U64, jit, popcount  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from pentago.boards import FULL, pattern_of
from pentago.tables import line_table

# With each stone more, a line that the opponent has not touched is worth four times as much: 1, 4, 16, 64, 256 for one
# to five stones. So one line with four stones outweighs several lines with two, as it does on the board.
# Alpha-beta is weaker with a factor of two or three, or with values that grow by one; with six or ten it is stronger at
# depth 2 and not at depth 3.
FACTOR_BITS = U64(2)
EVALUATION_SCALE = 40.0  # the sum at which the side to move is taken to win 73 % of the time (1 / (1 + e^-1))

EACH_LINE = U64((1 << 32) - 1)


class LineCount(NamedTuple):
    """The evaluation by open lines.

    Attributes:
        counts: uint64[4, 512]; how many of a line's cells in this quadrant are in the pattern, from 0 to 3: bit i is
            the lower digit for line i, bit 32 + i the upper one.
    """

    counts: np.ndarray


def _make_counts() -> np.ndarray:
    odd = line_table(lambda present, wanted: present % 2 == 1)
    counts: np.ndarray = line_table(lambda present, wanted: present >= 2).astype(np.uint64) << np.uint64(32) | odd
    return counts


LINE_COUNT = LineCount(_make_counts())


@jit(inline="always")
def _sum_of_two(first, second):
    """Add the numbers from 0 to 3 in two words: words of ones, twos and fours, of which only the lower halves count."""
    digits, carries = first ^ second, first & second
    twos = digits >> U64(32)
    return digits, twos ^ carries, carries >> U64(32) | twos & carries


@jit(inline="always")
def _stones_in_lines(counts, stones):
    """How many stones, from 0 to 5, a player has in each line: words of ones, twos and fours, a bit a line."""
    ones_1, twos_1, fours_1 = _sum_of_two(counts[0, pattern_of(stones, 0)], counts[1, pattern_of(stones, 1)])
    ones_2, twos_2, fours_2 = _sum_of_two(counts[2, pattern_of(stones, 2)], counts[3, pattern_of(stones, 3)])
    carry = ones_1 & ones_2
    twos = twos_1 ^ twos_2
    fours = fours_1 | fours_2 | twos_1 & twos_2 | twos & carry
    return ones_1 ^ ones_2, twos ^ carry, fours


@jit(inline="always")
def _worth(counted, open_lines):
    """What a player's stones in these lines are worth together, an int64."""
    ones, twos, fours = (counted[0] & open_lines, counted[1] & open_lines, counted[2] & open_lines)
    total = popcount(fours & ones) << FACTOR_BITS
    total = (total + popcount(fours & ~ones)) << FACTOR_BITS
    total = (total + popcount(twos & ones)) << FACTOR_BITS
    total = (total + popcount(twos & ~ones)) << FACTOR_BITS
    return np.int64(total + popcount(ones & ~(twos | fours)))


@jit
def line_evaluation(evaluation, mine, theirs):
    """The value for the player to move, 0 to 1: a logistic function of the worth of open lines, less the other's."""
    my_lines, their_lines = _stones_in_lines(evaluation.counts, mine), _stones_in_lines(evaluation.counts, theirs)
    not_mine = ~(my_lines[0] | my_lines[1] | my_lines[2]) & EACH_LINE
    not_theirs = ~(their_lines[0] | their_lines[1] | their_lines[2]) & EACH_LINE
    total = _worth(my_lines, not_theirs) - _worth(their_lines, not_mine)
    return np.float32(1.0 / (1.0 + np.exp(-total / EVALUATION_SCALE)))


@jit
def line_values(evaluation, mine, theirs, payload0, payload1, stats, first, count, values):
    """`game.values` for Pentago by open lines."""
    for i in range(count):
        word0, word1 = payload0[first + i] & FULL, payload1[first + i]
        values[i] = game.value_for_chooser(stats[first + i], line_evaluation(evaluation, word0, word1))
