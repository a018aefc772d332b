"""Random openings: repeatable, different, and none of them decided."""

from itertools import islice

import pytest

from agents.outcomes import can_win_at_once
from game import load_game, play_moves
from simulator.tournament import openings
from simulator.tournament.openings import random_openings

PENTAGO = load_game("pentago")


def position_after(opening):
    return play_moves(PENTAGO, opening)[-1]


def take(n, plies, seed=0):
    return list(islice(random_openings(PENTAGO, plies, seed), n))


def test_the_seed_decides_the_openings_and_a_longer_match_begins_with_those_of_a_shorter_one():
    assert take(10, 3, seed=7)[:4] == take(4, 3, seed=7) != take(4, 3, seed=8)


def test_openings_have_the_plies_asked_for_and_end_in_different_positions():
    found = take(30, 2)
    assert {len(opening) for opening in found} == {2}
    assert len({str(position_after(opening)) for opening in found}) == 30


def test_openings_repeat_only_after_all_different_ones_were_used():
    positions = [str(position_after(opening)) for opening in take(40, 1)]
    assert len(set(positions)) >= 34  # 36 positions after one ply; the rarest may stay undrawn


def test_no_opening_is_finished_or_won_at_once():
    for opening in take(5, 20):
        position = position_after(opening)
        assert position.result is None
        assert not can_win_at_once(position)


def test_openings_of_less_than_no_plies_are_refused():
    with pytest.raises(ValueError, match="0 plies or more"):
        take(1, -1)


def test_an_opening_is_repeated_where_later_draws_find_none(monkeypatch):
    found = iter([("c3/0r",), (), ()])
    monkeypatch.setattr(openings, "_new_opening", lambda *_: next(found))
    assert take(3, 1) == [("c3/0r",)] * 3


def test_a_game_says_how_long_its_openings_are():
    assert (PENTAGO.opening_plies, load_game("go").opening_plies) == (2, 0)
    assert take(3, 0) == [(), (), ()]


def test_can_win_at_once_sees_a_line_that_one_stone_completes():
    position = PENTAGO.parse_position("wwww../bbb.../....../....../....../b..... w")
    assert can_win_at_once(position)
    assert not can_win_at_once(PENTAGO.initial())
