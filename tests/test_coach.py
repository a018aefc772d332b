"""What a coach says of a move: proved mistakes, lost chances, and nothing if nothing was wrong."""

import pytest

from game import load_game, play_moves
from simulator.play.coach import Coach, View, judge, view_of, view_of_end
from simulator.play.thinker import RankedMove

PENTAGO, KALAH = load_game("pentago"), load_game("kalah")


def ranking(*entries, visits=100):
    """An agent's ranking of moves in Pentago's initial position, each given as its text, value and proof."""
    return tuple(
        RankedMove(PENTAGO.parse_move(text), text, visits, value, proven, (text, "d4/1r"))
        for text, value, proven in entries
    )


def judged(before, after, best="a1/0r", more=(), visits=(100, 100)):
    """The judgement of c3/1r, White's first move: White's view before it, Black's after it; `more` ranks more moves."""
    positions, first, second = play_moves(PENTAGO, ["c3/1r"]), *visits
    views = (
        View(*before, ranking((best, *before), *more, visits=first)),
        View(*after, ranking((best, *after), visits=second)),
    )
    return judge(PENTAGO, 0, *positions, *views)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ((1.0, "win"), (0.4, None), "chances dropped"),
        ((1.0, "win"), (0.1, None), ""),
        ((1.0, "win"), (0.0, "loss"), ""),
        ((1.0, "win"), (0.5, "draw"), "win thrown away"),
        ((1.0, "win"), (1.0, "win"), "win thrown away"),
        ((0.5, None), (1.0, "win"), "loss allowed"),
        ((0.03, None), (1.0, "win"), ""),
        ((0.0, "loss"), (1.0, "win"), ""),
        ((0.7, None), (0.51, None), "chances dropped"),
        ((0.7, None), (0.49, None), ""),
        ((0.5, "draw"), (0.9, None), ""),
    ],
)
def test_a_mistake_is_what_is_proved_or_costs_more_than_a_fifth(before, after, kind):
    judgement = judged(before, after)
    assert (judgement.kind, judgement.is_mistake) == (kind, kind != "")
    assert judgement.better == ("a1/0r" if kind else "")
    assert judgement.after == 1 - after[0]


@pytest.mark.parametrize(("visits", "kind"), [((99, 100), ""), ((100, 99), ""), ((100, 100), "chances dropped")])
def test_chances_of_a_few_visits_do_not_make_a_mistake(visits, kind):
    assert judged((0.9, None), (0.9, None), visits=visits).kind == kind
    assert judged((0.9, None), (1.0, "win"), visits=visits).kind == "loss allowed"


def test_the_advisers_own_choice_is_no_mistake():
    assert not judged((0.9, None), (0.9, None), best="c3/1r").is_mistake


def test_a_move_that_leads_to_the_same_position_as_the_advisers_choice_is_no_mistake():
    positions = play_moves(PENTAGO, ["c3/1f"])  # turning an empty quadrant changes nothing
    assert positions[1] == play_moves(PENTAGO, ["c3/1r"])[1]
    assert not judged((1.0, "win"), (1.0, "win"), best="c3/1f").is_mistake


def test_what_the_first_search_proved_of_the_move_that_was_played_counts():
    won = judged((1.0, "win"), (0.7, None), more=(("c3/1f", 0.9, "win"),))
    assert (won.kind, won.after) == ("", 1.0)
    lost = judged((0.6, None), (0.5, None), more=(("c3/1r", 0.2, "loss"),))
    assert (lost.kind, lost.better, lost.after) == ("loss allowed", "a1/0r", 0.0)


@pytest.mark.parametrize(
    ("moves", "proven", "value"),
    [
        ([(0.8, "win")], "win", 1.0),
        ([(0.2, "loss")], "loss", 0.0),
        ([(0.2, "loss"), (0.1, None)], None, 0.2),
        ([(0.5, "win"), (0.5, None)], "win", 1.0),
        ([(0.5, "loss"), (0.5, "loss")], "loss", 0.0),
        ([(0.5, "draw"), (0.5, "loss")], "draw", 0.5),
    ],
)
def test_a_position_is_proved_by_a_winning_move_or_by_all_moves_and_its_chance_is_what_is_proved(moves, proven, value):
    view = view_of([RankedMove(None, f"move {i}", 1, *entry, ()) for i, entry in enumerate(moves)])
    assert (view.proven, view.value) == (proven, value)


def test_the_words_name_the_move_its_cost_and_a_better_one():
    assert judged((0.7, None), (0.6, None)).sentence() == (
        "c3/1r dropped your winning chance from 70% to 40%. Better: a1/0r, then d4/1r."
    )
    assert judged((0.5, None), (1.0, "win")).sentence("White").startswith("c3/1r allows a forced loss. Better: a1/0r")


def test_after_an_extra_turn_the_same_player_is_judged():
    positions = play_moves(KALAH, ["3"])  # the last stone falls into the store
    assert positions[0].to_move == positions[1].to_move
    better = RankedMove(KALAH.parse_move("1", positions[0]), "1", 100, 0.6, None, ("1",))
    judgement = judge(KALAH, 0, *positions, View(0.6, None, (better,)), View(0.3, None, (better,)))
    assert (judgement.kind, judgement.after) == ("chances dropped", 0.3)


def test_the_end_of_a_game_needs_no_search():
    won = PENTAGO.parse_position("wwwww./bbbb../....../....../....../...... b")
    assert view_of_end(won) == View(0.0, "loss")


def test_what_is_learned_of_positions_is_kept_and_every_move_is_judged_by_it():
    coach, positions = Coach(PENTAGO, None), play_moves(PENTAGO, ["c3/1r", "d4/1r"])
    for position in positions:
        assert not coach.knows(position)
        coach.learn(position, ranking(("a1/0r", 0.5, None)))
        assert coach.knows(position)
    judgements = coach.summary(positions)
    assert [(one.ply, one.move, one.player) for one in judgements] == [(0, "c3/1r", 0), (1, "d4/1r", 1)]
    assert judgements[-1] == coach.judge_last(positions)
    assert coach.knows(PENTAGO.parse_position("wwwww./bbbb../....../....../....../...... b"))
