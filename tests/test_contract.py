"""Every game keeps the contract of `game/`, and has as many move sequences as published."""

from functools import cache

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

import game
from game import FIRST
from go.game import Go
from go.position import PASS
from mancala.game import Kalah
from pentago.game import Pentago
from tests import contract
from tests.slow.go import is_eye
from tests.test_go_rules import rows_of
from tests.test_pentago import CLASSIC

GAMES = {
    "pentago": {},
    "tictactoe": {},
    "extra_turn_nim": {},
    "extra_turn_nim misere": {"misere": True},
    "go 3x3": {"size": 3},
    "go 5x5": {"size": 5},
    "go 9x9": {"size": 9},
    "kalah": {},
    "kalah 3x2 empty capture": {"pits": 3, "stones": 2, "empty_capture": True},
    "kalah 10x12": {"pits": 10, "stones": 12},
}
PLAIN = {  # without compiled rules
    "examples/games/connect_four.py": {},
    "examples/games/tic_tac_toe.py": {},
    "examples/games/ataxx.py": {"size": 4},
    "examples/games/colosseum.py": {"size": 5},
}

# 9x9 runs the code that is compiled for small boards; wide boards of Kalah need code of their own: 12 s to compile.
SLOW = {"go 9x9", "kalah 10x12"}

# Playouts of Go do not fill own eyes and pass only when nothing else is left: otherwise they would not end, and would
# say nothing. So they differ from random play; tests/test_go_playouts.py says how they play.
NOT_BY_RANDOM_PLAY = {"go 3x3", "go 5x5", "go 9x9"}


@cache
def the_game_called(name):
    return game.load_game(name.partition(" ")[0], **(GAMES | PLAIN)[name])


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in GAMES])
def test_contract(name, check):
    if check is contract.check_random_play_agrees_with_playouts and name in NOT_BY_RANDOM_PLAY:
        return
    check(the_game_called(name))


@pytest.mark.parametrize("check", contract.FOR_PEOPLE, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", PLAIN)
def test_contract_of_games_in_plain_python(name, check):
    check(the_game_called(name))


# --- Known counts ---------------------------------------------------------------------------------------------------
# OpenSpiel's counts of Go are for simple ko, and count a game that ended earlier as one sequence at every later ply.
# `game.perft` does not count such games; their numbers stand beside its counts here. The counts of Othello are also in
# https://www.chessprogramming.org/Perft_Results; those of Ataxx are the ones that engines publish.

KALAH = [6, 35, 185, 942, 4_690, 23_233, 114_430]  # with 6 pits and 4 stones
GO_3X3, GO_9X9 = [10, 91, 739, 5_291, 33_475], [82, 6_643, 531_523]


@pytest.mark.parametrize(
    ("name", "published", "ended"),
    [
        ("tictactoe", [9, 72, 504, 3_024, 15_120, 54_720], [0] * 6),
        ("examples/games/tic_tac_toe.py", [9, 72, 504, 3_024], [0] * 4),
        ("examples/games/connect_four.py", [7, 49, 343, 2_401], [0] * 4),
        ("examples/games/connect_four_fast.py", [7, 49, 343, 2_401, 16_807], [0] * 5),
        ("examples/games/othello.py", [4, 12, 56, 244], [0] * 4),
        ("examples/games/othello_fast.py", [4, 12, 56, 244, 1_396, 8_200], [0] * 6),
        ("examples/games/ataxx.py", [16, 256, 6_460], [0] * 3),
        ("pentago", [288, 80_640], [0, 0]),
        ("kalah", KALAH[:5], [0] * 5),
        ("go 3x3", GO_3X3, [0, 0, 1, 1 + 9, 1 + 9 + 81]),
        ("go 9x9", GO_9X9[:2], [0, 0]),  # the third ply is counted by compiled code, below
    ],
)
def test_there_are_as_many_move_sequences_as_published(name, published, ended):
    start = game.load_game(name.partition(" ")[0], **GAMES.get(name, {})).initial()
    counts = [game.perft(start, plies) for plies in range(1, len(published) + 1)]
    assert [count + over for count, over in zip(counts, ended, strict=True)] == published


@pytest.mark.parametrize(
    ("the_game", "published"),
    [
        (Pentago(), [36, 2_940, 350_648]),
        (CLASSIC, [36, 3_500, 504_792]),
        (Kalah(), KALAH),
        (Go(3), GO_3X3),
        (Go(9), GO_9X9),
    ],
    ids=["pentago", "pentago classic", "kalah", "go 3x3", "go 9x9"],
)
def test_compiled_code_finds_as_many_sequences_of_distinct_successors(the_game, published):
    start = the_game.initial()
    assert [contract.sequences(the_game, start, plies) for plies in range(1, len(published) + 1)] == published


# --- Names and results ----------------------------------------------------------------------------------------------


def test_a_taken_name_is_refused():
    with pytest.raises(ValueError, match=r"'pentago' is taken by pentago\.game"):
        game.register_game("pentago", "tests.tictactoe:TicTacToe")
    game.register_game("pentago", "pentago.game:Pentago")  # registering the same game again does no harm


def test_results_as_text():
    pentago = game.load_game("pentago")
    texts = [game.format_result(pentago, result) for result in (None, game.DRAW, game.Result(0), game.Result(1, 3.5))]
    assert texts == ["none", "0", "W+", "B+3.5"]


# --- Go -------------------------------------------------------------------------------------------------------------


def test_the_samples_of_go_have_what_makes_it_unlike_other_games():
    kos, repetitions, captured, passed = 0, 0, 0, 0
    for name in NOT_BY_RANDOM_PLAY:
        for position in contract.sample(the_game_called(name), least=200):
            read = the_game_called(name).parse_position(str(position))
            kos += position.ko is not None
            repetitions += len(set(read.legal_moves()) - set(position.legal_moves()))
            captured += sum(position.captures)
            passed += position.passes == 1
    assert min(kos, repetitions, captured, passed) > 0


def test_a_playout_of_go_has_the_winner_of_its_owners_points():
    the_game = game.load_game("go", size=5, komi=0.5)
    root, pcg, wins = the_game.state(the_game.initial()), new_rng(9), 0
    for _ in range(200):
        state, owners = contract.copied(the_game, root), np.zeros(the_game.amaf_moves, np.int64)
        value = contract.traced_playout(the_game.kernel, state, pcg, np.zeros(the_game.amaf_moves, np.uint8))
        contract.tally(the_game.kernel, state, owners)
        assert value == (the_game.owner_grid(owners).sum() > 0.5)
        wins += value
    assert 0 < wins < 200


def test_a_settling_move_of_go_is_a_pass_just_where_the_count_wins():
    settled = set()
    for position in contract.open_sample(the_game_called("go 5x5")):
        lead = position.score() if position.to_move == FIRST else -position.score()
        move = the_game_called("go 5x5").settling_move(position)
        assert (move is None) == (lead <= 0)
        settled.add(move)
    assert settled == {None, PASS}


def test_in_go_the_recommended_switches_leave_out_own_eyes_only():
    the_game = the_game_called("go 5x5")
    left_out = 0
    for position in contract.open_sample(the_game):
        plain, kept = (
            {the_game.move_of(position, child.word0, child.word1) for child in children}
            for children in (
                contract.children_of(the_game, position),
                contract.children_of(the_game, position, contract.search_kernel(the_game)),
            )
        )
        rows = rows_of(position.board)
        assert plain - kept == {move for move in plain if move != PASS and is_eye(rows, move, "bw"[position.to_move])}
        left_out += len(plain - kept)
    assert left_out > 0
