"""Formats of tournaments: who plays whom; all are treated alike, and nobody meets an opponent twice."""

import random
from collections import Counter

import pytest

from simulator.tournament.fields import FORMATS
from simulator.tournament.formats import (
    Course,
    Gauntlet,
    Meeting,
    Pairing,
    RoundRobin,
    Swiss,
    byes_of,
    finalists,
    make_format,
    table_by_points,
)


@pytest.mark.parametrize(
    ("format_", "number", "words"),
    [
        *((make_format(name, 1, 1), 1, "there is 1") for name in FORMATS),
        (Gauntlet(1, "a9"), 3, "a9"),
        (Swiss(6), 10, "5 rounds"),
        (Course(4), 4, "fewer rounds"),
    ],
)
def test_agents_that_cannot_be_paired_are_refused(format_, number, words):
    with pytest.raises(ValueError, match=words):
        format_.check(names_of(number))


def names_of(number):
    return [f"a{i}" for i in range(number)]


def played_rounds(format_, names, won):
    """Play all rounds; the first agent of a pairing gets `won(pairing)` of 2 points; return pairings and meetings."""
    played, rounds = [], []
    for number in range(1, format_.rounds + 1):
        pairings = format_.pairings(number, names, played)
        rounds.append(pairings)
        for pairing in pairings:
            points = won(pairing)
            played.append(Meeting(number, pairing, (points, 2 - points), 2))
    return rounds, played


def the_better_wins(pairing):
    """The points of the first agent if agents with lower numbers always win."""
    return 2.0 if int(pairing.first[1:]) < int(pairing.second[1:]) else 0.0


def met(pairings):
    return Counter(frozenset(pairing) for pairing in pairings)


# --- Standings ------------------------------------------------------------------------------------------------------


def test_the_table_is_by_points_then_by_the_points_of_the_opponents_met_then_as_named():
    played = [
        Meeting(1, Pairing("a", "d"), (2, 0), 2),
        Meeting(1, Pairing("c", "b"), (0.5, 1.5), 2),
        Meeting(2, Pairing("b", "d"), (0.5, 0), 1),
        Meeting(2, Pairing("a", "c"), (0, 2), 2),
    ]
    table = table_by_points(["d", "a", "b", "c"], played)
    assert [(s.agent, s.points, s.games, s.buchholz) for s in table] == [
        ("c", 2.5, 4, 4.0),
        ("a", 2.0, 4, 2.5),
        ("b", 2.0, 3, 2.5),
        ("d", 0.0, 3, 4.0),
    ]


def test_a_bye_counts_its_points_and_no_games():
    table = table_by_points(["a", "b", "c"], [Meeting(1, Pairing("a", "b"), (2, 0), 2)], byes=["c"], bye=2)
    assert [(s.agent, s.points, s.games, s.byes) for s in table] == [("a", 2, 2, 0), ("c", 2, 0, 1), ("b", 0, 2, 0)]


def test_who_was_left_out_of_a_round_had_a_bye():
    played = [Meeting(1, Pairing("a", "b"), (0, 0), 0), Meeting(2, Pairing("a", "c"), (0, 0), 0)]
    assert byes_of(["a", "b", "c"], played) == ["c", "b"]


# --- Round robin and gauntlet ---------------------------------------------------------------------------------------


def test_a_round_robin_is_all_against_all_in_each_round():
    rounds, _ = played_rounds(RoundRobin(3), names_of(5), the_better_wins)
    for pairings in rounds:
        assert len(pairings) == 10
        assert set(met(pairings).values()) == {1}
    assert rounds[0] == [Pairing(second, first) for first, second in rounds[1]]


def test_a_gauntlet_is_one_against_all_others():
    pairings = Gauntlet(1, "a2").pairings(1, names_of(4), [])
    assert pairings == [("a2", "a0"), ("a2", "a1"), ("a2", "a3")]
    assert Gauntlet().pairings(1, names_of(3), []) == [("a0", "a1"), ("a0", "a2")]


# --- Swiss ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 3, 4, 5, 8, 11, 24, 40])
def test_a_swiss_tournament_has_no_rematch_up_to_as_many_rounds_as_it_allows(number):
    names = names_of(number)
    for seed in range(20):
        swiss = Swiss(number // 2, seed=seed)
        swiss.check(names)
        results = random.Random(seed)
        rounds, played = played_rounds(swiss, names, lambda pairing: results.choice((0.0, 0.5, 1.0, 2.0)))  # noqa: B023
        assert set(met(pairing for pairings in rounds for pairing in pairings).values()) == {1}
        for pairings in rounds:
            assert len({name for pairing in pairings for name in pairing}) == number - number % 2
        assert max(Counter(byes_of(names, played)).values(), default=1) == 1


def test_neighbours_in_the_table_meet():
    rounds, _ = played_rounds(Swiss(3), names_of(8), the_better_wins)
    winners = {pairing.first if the_better_wins(pairing) else pairing.second for pairing in rounds[0]}
    assert all(len(winners & set(pairing)) in (0, 2) for pairing in rounds[1])


def test_the_best_wins_a_swiss_tournament_and_the_worst_has_the_bye():
    names = names_of(9)
    swiss = make_format("swiss", None, 9)
    rounds, played = played_rounds(swiss, names, the_better_wins)
    assert len(rounds) == 4
    assert table_by_points(names, played, byes_of(names, played), 2)[0].agent == "a0"
    assert "a0" not in byes_of(names, played)


def test_the_draw_follows_from_the_seed():
    first = [Swiss(1, seed=seed).pairings(1, names_of(8), []) for seed in (1, 1, 2)]
    assert first[0] == first[1] != first[2]


# --- The course's ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(3, 14))
def test_everybody_has_as_many_opponents_in_the_first_round(number):
    names = names_of(number)
    for opponents in range(1, number):
        pairings = Course(opponents, seed=number).pairings(1, names, [])
        assert set(met(pairings).values()) == {1}
        counts = Counter(name for pairing in pairings for name in pairing)
        extra = [opponents + 1] * (opponents * number % 2)
        assert sorted(counts.values()) == [opponents] * (number - len(extra)) + extra


@pytest.mark.parametrize(("number", "best"), [(3, 2), (20, 2), (21, 3), (40, 4)])
def test_the_top_tenth_and_at_least_two_play_all_against_all(number, best):
    names = names_of(number)
    rounds, played = played_rounds(Course(min(10, number - 1)), names, the_better_wins)
    assert len(rounds[1]) == best * (best - 1) // 2
    points = {row.agent: row.points for row in table_by_points(names, [m for m in played if m.round == 1])}
    final = {name for pairing in rounds[1] for name in pairing}
    assert min(points[name] for name in final) >= max(points[name] for name in names if name not in final)


def test_equals_are_drawn_for_the_final_instead_of_taken_as_named():
    names = names_of(6)
    drawn = [Pairing(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    played = [Meeting(1, pairing, (1.0, 1.0), 2) for pairing in drawn]
    finals = [Course(5, seed=seed).pairings(2, names, played) for seed in range(20)]
    assert finals == [Course(5, seed=seed).pairings(2, names, played) for seed in range(20)]
    assert {name for final in finals for pairing in final for name in pairing} == set(names)


@pytest.mark.parametrize("number", [8, 9])
def test_a_new_version_meets_the_opponents_of_the_old_one_and_who_comes_later_as_many_as_others(number):
    names, course = names_of(number), Course(4, seed=3)
    draw = course.pairings(1, names, [])
    played = [
        Meeting(1, Pairing(*(name.replace("a1", "a1 (v1)") for name in pairing)), (1.0, 1.0), 2) for pairing in draw
    ]
    assert len(course.pairings(2, names, played)) == 1
    again = course.pairings(1, names, played)
    assert met(again) == met(draw)
    more = course.pairings(1, [*names, "new"], [Meeting(1, pairing, (1.0, 1.0), 2) for pairing in draw])
    assert more[: len(draw)] == draw
    assert [pairing.first for pairing in more[len(draw) :]] == ["new"] * 4
    assert set(met(more).values()) == {1}


def test_nobody_meets_oneself_whatever_others_are_called():
    played = [Meeting(1, Pairing(*two), (1.0, 1.0), 2) for two in (("bot (v1)", "bot"), ("bot", "x"), ("x", "y"))]
    assert all(first != second for first, second in Course(2, seed=1).pairings(1, ["bot", "x", "y"], played))


@pytest.mark.parametrize("repaired", [2, 5, 12])
def test_several_that_are_repaired_at_once_meet_their_old_opponents(repaired):
    names, course = names_of(12), Course(3, seed=1)
    draw = course.pairings(1, names, [])
    older = {name: f"{name} (v1)" for name in names[:repaired]}
    played = [Meeting(1, Pairing(*(older.get(name, name) for name in pairing)), (1.0, 1.0), 2) for pairing in draw]
    again = course.pairings(1, names, played)
    assert met(again) == met(draw)
    fresh = [Meeting(1, pairing, (1.0, 1.0), 2) for pairing in again if pairing not in {one.agents for one in played}]
    assert sorted(course.pairings(1, names, [*played, *fresh])) == sorted(again)


def test_several_that_come_later_meet_others_and_not_first_of_all_each_other():
    names, late, course = names_of(30), [f"late{number}" for number in range(6)], Course(4, seed=1)
    played = [Meeting(1, pairing, (1.0, 1.0), 2) for pairing in course.pairings(1, names, [])]
    pairings = course.pairings(1, [*names, *late], played)[len(played) :]
    assert all(sum(name in pairing for pairing in pairings) >= 4 for name in late)
    assert sum({*pairing} <= {*late} for pairing in pairings) < len(pairings) / 2


def test_more_games_make_nobody_a_finalist():
    played = [Meeting(1, Pairing(*two), points, 2) for two, points in (
        ("ab", (2.0, 0.0)), ("bc", (1.0, 1.0)), ("bd", (2.0, 0.0)), ("cd", (2.0, 0.0)))]  # fmt: skip
    assert finalists("abcd", played, 0) == ["a", "c"]
