"""Forced wins are found, soonest first, and never claimed where the other has a defence."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from agents.alphabeta.searcher import Searcher
from agents.alphabeta.values import WIN
from game import NO_SOLVER, begin_forced_win, forced_win, go_on_with_forced_win, load_game
from jit import jit
from pentago.forced_wins import LIMIT, NODES, make_space, shortest_win, winning_moves

DATA = Path(__file__).parent / "data"
TACTICS, WINS_IN_7 = (
    [json.loads(line) for line in (DATA / f"pentago_twist_{name}.jsonl").read_text().splitlines()]
    for name in ("tactics", "wins_in_7")
)
LATE_WINS_IN_7 = [case for case in WINS_IN_7 if case["position"].count(".") <= 22]  # where alpha-beta takes seconds
PENTAGO = load_game("pentago")


@pytest.fixture(scope="module")
def space():
    return make_space()


@jit
def ask(solver, kernel, state, plies, positions):
    return forced_win(solver, kernel, state, plies, positions)


@jit
def begin(solver, kernel, state, plies, positions):
    begin_forced_win(solver, kernel, state, plies, positions)


@jit
def go_on(solver, kernel, left):
    return go_on_with_forced_win(solver, kernel, left)


def after(position, text):
    return position.play(PENTAGO.parse_move(text, position))


def random_position(ply, rng):
    while True:
        position = PENTAGO.initial()
        while position.result is None and position.ply < ply:
            position = position.play(rng.choice(position.legal_moves()))
        if position.result is None:
            return position


def forces_win(position, player, plies):
    """The slow twin: whether a player wins within so many plies, by trying all moves of both."""
    if position.result is not None:
        return position.result.winner == player
    if plies == 0:
        return False
    of_children = (forces_win(position.play(move), player, plies - 1) for move in position.legal_moves())
    return any(of_children) if position.to_move == player else all(of_children)


@pytest.mark.parametrize("ply", [18, 21, 24, 27, 30, 32, 33, 34, 35])
def test_wins_within_three_plies_are_those_of_the_slow_twin(space, ply):
    rng = random.Random(ply)
    for _ in range(3 if ply < 30 else 12):
        position = random_position(ply, rng)
        for plies in (1, 3):
            expected = forces_win(position, position.to_move, plies)
            assert (0 < shortest_win(PENTAGO, space, position, plies) <= plies) == expected, (str(position), plies)


@pytest.mark.parametrize("ply", [30, 31, 32, 33])
def test_wins_within_five_plies_at_the_end_are_those_of_the_slow_twin(space, ply):
    rng = random.Random(ply)
    for _ in range(4):
        position = random_position(ply, rng)
        expected = forces_win(position, position.to_move, 5)
        assert (shortest_win(PENTAGO, space, position, 5) > 0) == expected, str(position)


def test_the_soonest_win_is_found_in_all_proved_positions(space):
    for case in TACTICS:
        position = PENTAGO.parse_position(case["position"])
        if case["kind"] == "win":
            assert shortest_win(PENTAGO, space, position, 5) == case["depth"], case


def test_the_moves_that_win_soonest_are_those_of_proved_positions(space):
    for case in TACTICS:
        if case["kind"] == "win" and case["depth"] >= 3:
            position = PENTAGO.parse_position(case["position"])
            found = winning_moves(PENTAGO, space, position, case["depth"])
            wanted = {after(position, text) for text in case["moves"]}
            assert {position.play(move) for move in found} == wanted, case


def test_the_moves_that_escape_a_forced_loss_are_those_of_proved_positions(space):
    for case in TACTICS[::4]:
        if case["kind"] == "safe":
            position = PENTAGO.parse_position(case["position"])
            wanted = {after(position, text) for text in case["moves"]}
            for child in {position.play(move) for move in position.legal_moves()}:
                if child.result is None:
                    is_lost = shortest_win(PENTAGO, space, child, case["depth"]) > 0
                else:
                    is_lost = child.result.winner == child.to_move
                assert is_lost != (child in wanted), (case, str(child))


# --- Wins in 7 plies --------------------------------------------------------------------------------------------------


def test_wins_in_seven_are_forty_at_least_of_plies_6_to_20_and_no_two_alike():
    boards = [case["position"].split() for case in WINS_IN_7]
    assert len(boards) >= 40
    assert all(6 <= 36 - board.count(".") <= 20 for board, _ in boards)
    assert len({min(board, board[::-1]) + side for board, side in boards}) == len(boards)


@pytest.mark.parametrize("case", LATE_WINS_IN_7[::6], ids=lambda case: case["position"])
def test_wins_in_seven_are_wins_for_alpha_beta_too(case):
    position, searcher = PENTAGO.parse_position(case["position"]), Searcher(PENTAGO, 1 << 20)
    searcher.search(position, depth=5)
    assert searcher.proven is None
    for text in case["moves"]:
        searcher.search(after(position, text), depth=6)
        assert searcher.value == 6 - WIN


@pytest.mark.parametrize("case", WINS_IN_7[4::12], ids=lambda case: case["position"])
def test_wins_in_seven_come_with_all_their_moves(space, case):
    position = PENTAGO.parse_position(case["position"])
    assert shortest_win(PENTAGO, space, position, 7) == 7
    found = winning_moves(PENTAGO, space, position, 7)
    assert {position.play(move) for move in found} == {after(position, text) for text in case["moves"]}


# --- The verb ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_solver_out_of_positions_says_no_and_keeps_no_wrong_proof():
    position, space = PENTAGO.parse_position(WINS_IN_7[0]["position"]), make_space()
    state = PENTAGO.state(position)
    for positions in (0, 1, 5, 20):
        assert not ask(space, PENTAGO.kernel, state, 7, positions)
    assert space.counters[LIMIT] <= space.counters[NODES]
    assert ask(space, PENTAGO.kernel, state, 7, 1_000_000)
    assert not ask(space, PENTAGO.kernel, state, 5, 1_000_000)


@pytest.mark.parametrize("case", WINS_IN_7[::20], ids=lambda case: case["position"])
@pytest.mark.parametrize("positions", [300, 100_000])  # too few, and enough
def test_a_search_that_is_interrupted_finds_the_same_by_the_same_positions(case, positions):
    state = PENTAGO.state(PENTAGO.parse_position(case["position"]))
    whole, sliced, left = make_space(10), make_space(10), np.zeros(1, np.int64)
    expected = ask(whole, PENTAGO.kernel, state, 7, positions)
    begin(sliced, PENTAGO.kernel, state, 7, positions)
    answer, slices = -1, 0
    while answer < 0:
        before, left[0] = int(sliced.counters[NODES]), 40
        answer, slices = go_on(sliced, PENTAGO.kernel, left), slices + 1
        assert sliced.counters[NODES] - before == 40 - left[0] <= 40
    assert (answer, slices > 5) == (expected, True)
    assert all((a == b).all() for a, b in zip(whole, sliced, strict=True))


def test_even_plies_ask_for_a_win_of_the_other():
    case = next(case for case in TACTICS if (case["kind"], case["depth"]) == ("win", 5))
    position, space = PENTAGO.parse_position(case["position"]), make_space()
    lost = PENTAGO.state(after(position, case["moves"][0]))
    assert ask(space, PENTAGO.kernel, lost, 4, 1_000_000)
    assert not ask(space, PENTAGO.kernel, lost, 2, 1_000_000)
    wins_at_once = PENTAGO.state(PENTAGO.parse_position("wwww../bbbb../....../....../....../...... w"))
    assert not ask(space, PENTAGO.kernel, wins_at_once, 2, 1_000_000)


def test_nothing_is_claimed_without_foresight_or_a_solver():
    state = PENTAGO.state(PENTAGO.parse_position(WINS_IN_7[0]["position"]))
    assert not ask(make_space(), PENTAGO.kernel_with(foresight=False), state, 7, 1_000_000)
    assert not ask(NO_SOLVER, PENTAGO.kernel, state, 7, 1_000_000)
