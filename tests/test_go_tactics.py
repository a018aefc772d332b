"""Questions of Go with proved answers: the reader that proves them, compared with brute force; and their file."""

import json
import random
from collections import Counter

import pytest

from benchmarks.go_cases import Readings, closed_cases, open_cases, sets_of
from benchmarks.go_reading import ATTACKERS, DEFENDERS, Reader, Shape, points_of, unconditionally_alive
from benchmarks.tactics import FILES
from game import load_game
from tests.slow import go as slow

LINES = [json.loads(line) for path in FILES["go"] for line in path.read_text().splitlines()]
EVERY = 4  # one question in this many is proved again
TURNS = (ATTACKERS, DEFENDERS)


def sets(rows):
    """The shape of a board, the set of black's stones and the set of white's."""
    shape = Shape(len(rows))
    found = {
        symbol: sum(shape.point(i, j) for i, row in enumerate(rows) for j, other in enumerate(row) if other == symbol)
        for symbol in "bw"
    }
    return shape, found["b"], found["w"]


def reader(shape, target, kos=DEFENDERS, quiet=99):
    return Reader(shape, target, (shape.full, shape.full), kos, quiet, 100_000)


# --- The reader -----------------------------------------------------------------------------------------------------


def is_captured(board, target, plies, attacker):
    """Whether the chain of a stone is captured within so many plies, by trying everything."""
    if board.rows[target[0]][target[1]] != slow.OTHER[attacker]:
        return True
    if plies == 0:
        return False
    moves = [move for move in board.legal_moves() if move != slow.PASS]
    if board.side == attacker:
        return any(is_captured(board.play(move), target, plies - 1, attacker) for move in moves)
    passed = slow.Board(board.rows, attacker, superko=False)
    return all(is_captured(after, target, plies - 1, attacker) for after in (passed, *map(board.play, moves)))


def test_the_reader_finds_what_brute_force_finds():
    """Where the answer depends on who wins the kos, the reader's two answers differ; such chains are left out."""
    rng, counts = random.Random(3), Counter()
    while min(counts[True], counts[False]) < 15:
        rows = slow.without_dead_chains(tuple("".join(rng.choice("bbbwwww..") for _ in range(4)) for _ in range(4)))
        shape, black, white = sets(rows)
        if "".join(rows).count(".") > 6:
            continue
        for chain in shape.parts(white):
            turn, target = rng.choice(TURNS), chain & -chain
            plies = 5 if turn == ATTACKERS else 4
            found = {reader(shape, target, kos).is_captured(black, white, plies, turn) for kos in TURNS}
            if chain.bit_count() > 1 and len(found) == 1 and counts[found & {True} == {True}] < 15:
                board = slow.Board(rows, "b" if turn == ATTACKERS else "w", superko=False)
                answer = is_captured(board, shape.row_and_column(target), plies, "b")
                assert found == {answer}, (rows, turn)
                counts[answer] += 1


def test_a_ko_is_won_by_the_side_that_has_the_kos():
    """White's two stones in the corner are in atari, and can only take the ko at A2."""
    shape, black, white = sets(["w.b..", "wbb..", "bwww.", ".bb..", "bb..."])
    found = {kos: reader(shape, shape.point(0, 0), kos).is_captured(black, white, 8, DEFENDERS) for kos in TURNS}
    assert found == {ATTACKERS: True, DEFENDERS: False}


@pytest.mark.parametrize(
    ("rows", "alive"),
    [
        (["b.b..", ".bb..", "bb...", ".....", "....."], True),  # two eyes
        (["b.b..", ".b...", "b....", ".....", "....."], False),  # one of three chains has one eye only
        (["bbb..", "..b..", "bbb..", ".....", "....."], False),  # one region
        (["bbb..", "..b..", "w.b..", "bbb..", "....."], False),
        (["bbb..", "w.b..", "bbb..", ".bb..", "bb..."], True),  # a white stone in an eye does no harm
    ],
)
def test_chains_with_two_eyes_live_unconditionally(rows, alive):
    shape, black, white = sets(rows)
    assert bool(unconditionally_alive(shape, black, white) & shape.point(0, 0)) == alive


# --- The questions --------------------------------------------------------------------------------------------------


def test_there_are_a_hundred_questions_of_four_kinds_on_both_boards():
    assert len(LINES) >= 100
    assert len({line["position"] for line in LINES}) == len(LINES)
    for size in (9, 13):
        kinds = Counter(line["kind"] for line in LINES if line["position"].index("/") == size)
        assert {"capture", "rescue", "kill", "live"} <= set(kinds)
        assert kinds.total() >= 25


def test_answers_are_legal_and_few_and_the_target_is_a_stone():
    for line in LINES:
        position = load_game("go", size=len(line["position"].split("/"))).parse_position(line["position"])
        assert str(position) == line["position"]
        moves = [position.game.parse_move(text) for text in line["moves"]]
        assert set(moves) <= set(position.legal_moves())
        assert 1 <= len(set(moves)) == len(moves) <= 3
        target = position.game.parse_move(line["target"])
        owner = position.board[target.row, target.column] - 1
        expected = {"capture": [1], "kill": [1], "rescue": [0], "live": [0], "race": [0, 1]}[line["kind"]]
        assert (owner != position.to_move) in map(bool, expected)


def case_of(line, shape, position):
    """The case that a line of the file describes."""
    move = position.game.parse_move(line["target"])
    kinds = open_cases if line["kind"] in ("capture", "rescue") else closed_cases
    cases = kinds(shape, sets_of(shape, position), position.to_move)
    return next(
        case for case in cases if shape.connected(case.target, case.defenders) & shape.point(move.row, move.column)
    )


@pytest.mark.parametrize("line", LINES[::EVERY], ids=lambda line: f"{line['kind']}_{line['target']}")
def test_answers_are_proved_again(line):
    size = len(line["position"].split("/"))
    position = load_game("go", size=size).parse_position(line["position"])
    shape = Shape(size)
    right = Readings(shape, case_of(line, shape, position)).right_moves()
    moves = [position.game.parse_move(text) for text in line["moves"]]
    assert {shape.row_and_column(point) for point in points_of(right)} == set(moves)
