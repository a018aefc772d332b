"""The solver finds forced wins, the shortest first, and never claims one if the opponent has a defence."""

import json
from pathlib import Path

import numpy as np
import pytest

from agents.alphabeta.searcher import Searcher
from agents.alphabeta.values import WIN
from game import FIRST, NO_SOLVER, begin_forced_win, forced_win, go_on_with_forced_win, load_game
from pentago.forced_wins import LIMIT, NODES, make_space, shortest_win, winning_moves
from pentago.game import Pentago
from tests.contract import search_kernel
from tests.searches import NEARLY_WON, good_ends, played, position_after, tactics
from tests.slow.minimax import plies_to_win

WINS_IN_7 = [
    json.loads(line) for line in (Path(__file__).parent / "data/pentago_twist_wins_in_7.jsonl").read_text().splitlines()
]
LATE_WINS_IN_7 = [case for case in WINS_IN_7 if case["position"].count(".") <= 22]  # alpha-beta takes only seconds
PENTAGO = load_game("pentago")
KERNEL = search_kernel(PENTAGO)  # the agents' own: with another evaluation, everything would be compiled again
SOLVED = Pentago(KERNEL)


@pytest.fixture(scope="module")
def space():
    return make_space()


@pytest.mark.parametrize("ply", [21, 24, 27, 30, 31, 32, 33, 34, 35])
def test_wins_within_a_few_plies_are_those_of_the_slow_twin(space, ply):
    for seed in range(3 if ply < 30 else 12):
        most = 5 if 30 <= ply <= 33 and seed < 4 else 3
        position = position_after(PENTAGO, ply, 100 * ply + seed)
        expected = plies_to_win(position, most) or 0
        for plies in range(1, most + 1, 2):
            assert shortest_win(SOLVED, space, position, plies) == expected * (expected <= plies), str(position)


@pytest.mark.parametrize("depth", [1, 3, 5, 7])
def test_the_soonest_win_is_found_in_all_proved_positions_by_just_the_moves_that_begin_it(space, depth):
    for case in WINS_IN_7[4::12] if depth == 7 else tactics("win", depth):
        position = PENTAGO.parse_position(case["position"])
        assert shortest_win(SOLVED, space, position, max(5, depth)) == depth, case
        found = winning_moves(SOLVED, space, position, depth)
        assert {position.play(move) for move in found} == good_ends(position, case), case


def test_the_second_example_of_the_courses_report_is_won_in_five_plies_and_not_in_three(space):
    """The report of 2021 shows the position: White, to move at turn 7, has a win that people do not see."""
    position = PENTAGO.parse_position("b..w.b/.w..bb/...w.b/..w.../.b..w./b.ww.. w")
    assert position.ply == 2 * 7
    assert shortest_win(SOLVED, space, position, 3) == 0 and shortest_win(SOLVED, space, position, 5) == 5
    searcher = Searcher(PENTAGO, 1 << 20)
    searcher.search(position, depth=3)
    assert searcher.proven is None


@pytest.mark.parametrize("depth", [1, 3])
def test_the_moves_that_escape_a_forced_loss_are_those_of_proved_positions(space, depth):
    for case in tactics("safe", depth)[::4]:
        position = PENTAGO.parse_position(case["position"])
        wanted = good_ends(position, case)
        for child in {position.play(move) for move in position.legal_moves()}:
            if child.result is None:
                is_lost = shortest_win(SOLVED, space, child, depth) > 0
            else:
                is_lost = child.result.winner == child.to_move
            assert is_lost != (child in wanted), (case, str(child))


def test_the_last_move_may_have_to_complete_the_other_players_line(space):
    position = PENTAGO.parse_position("bbbwbw/bbww.w/bwwbbw/wbbwwb/wbwwbw/wwbbbw b")
    assert {position.play(move).result.winner for move in position.legal_moves()} == {FIRST}
    assert forced_win(space, KERNEL, PENTAGO.state(position), 2, 1_000_000)


def test_a_full_board_without_a_line_is_no_win_though_each_turn_of_it_would_make_one(space):
    position = PENTAGO.parse_position(".wbbww/bwwbww/wbbbbw/wbbwwb/wwbwbb/wwbbbw b")
    assert {position.play(move).result.winner for move in position.legal_moves()} == {None}
    assert not forced_win(space, KERNEL, PENTAGO.state(position), 3, 1_000_000)


# --- Wins in 7 plies --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", LATE_WINS_IN_7[::6], ids=lambda case: case["position"])
def test_wins_in_seven_are_wins_for_alpha_beta_too(case):
    position, searcher = PENTAGO.parse_position(case["position"]), Searcher(PENTAGO, 1 << 20)
    searcher.search(position, depth=5)
    assert searcher.proven is None
    for end in good_ends(position, case):
        searcher.search(end, depth=6)
        assert searcher.value == 6 - WIN


# --- The verb ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_solver_out_of_positions_says_no_and_keeps_no_wrong_proof():
    position, space = PENTAGO.parse_position(WINS_IN_7[0]["position"]), make_space()
    state = PENTAGO.state(position)
    for positions in (0, 1, 5, 20):
        assert not forced_win(space, KERNEL, state, 7, positions)
    assert space.counters[LIMIT] <= space.counters[NODES]
    assert forced_win(space, KERNEL, state, 7, 1_000_000)
    assert not forced_win(space, KERNEL, state, 5, 1_000_000)


@pytest.mark.parametrize("case", WINS_IN_7[::20], ids=lambda case: case["position"])
@pytest.mark.parametrize("positions", [300, 100_000])  # too few, and enough
def test_a_search_that_is_interrupted_finds_the_same_by_the_same_positions(case, positions):
    state = PENTAGO.state(PENTAGO.parse_position(case["position"]))
    whole, sliced, left = make_space(10), make_space(10), np.zeros(1, np.int64)
    expected = forced_win(whole, KERNEL, state, 7, positions)
    begin_forced_win(sliced, KERNEL, state, 7, positions)
    answer, slices = -1, 0
    while answer < 0:
        before, left[0] = int(sliced.counters[NODES]), 40
        answer, slices = go_on_with_forced_win(sliced, KERNEL, left), slices + 1
        assert sliced.counters[NODES] - before == 40 - left[0] <= 40
    assert (answer, slices > 5) == (expected, True)
    assert all((a == b).all() for a, b in zip(whole, sliced, strict=True))


def test_even_plies_ask_for_a_win_of_the_other_and_nothing_is_claimed_without_foresight_or_a_solver(space):
    case = tactics("win", 5)[0]
    lost = PENTAGO.state(played(PENTAGO, case["moves"][0], PENTAGO.parse_position(case["position"])))
    assert forced_win(space, KERNEL, lost, 4, 1_000_000)
    assert not forced_win(space, KERNEL, lost, 2, 1_000_000)
    wins_at_once, wins_in_7 = (PENTAGO.parse_position(text) for text in (NEARLY_WON, WINS_IN_7[0]["position"]))
    assert not forced_win(space, KERNEL, PENTAGO.state(wins_at_once), 2, 1_000_000)
    assert not forced_win(space, KERNEL._replace(foresight=False), PENTAGO.state(wins_in_7), 7, 1_000_000)
    assert not forced_win(NO_SOLVER, KERNEL, PENTAGO.state(wins_in_7), 7, 1_000_000)
