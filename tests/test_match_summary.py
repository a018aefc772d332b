"""The outcome of a match: its table for people, its JSON for programs, and the figures in both."""

import json

import pytest

from agents.limits import Limits
from simulator.records.database import read_store
from simulator.records.schema import AgentEntry
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.statistics.pentanomial import pair_counts
from simulator.statistics.sprt import Sprt
from simulator.statistics.standings import league_of
from simulator.statistics.usage import pairs_json, tally, usage_json
from simulator.terminal.match_summary import FAULTS, match_json, print_summary
from simulator.terminal.tables import absence_lines
from simulator.tournament.events import Ended
from simulator.tournament.settings import TournamentSettings
from tests.leagues import record_of, write_league
from tests.test_live import pipe

NAMES = ("alpha", "beta")


def match_of(*records, games=None, names=NAMES, **settings):
    games = games or len(records)
    settings = TournamentSettings(games=games, pairs=(games + 1) // 2, **settings)
    return Ended(names, settings, records=list(records))


def summary_of(match, width=80):
    console = pipe(width)
    print_summary(console, match)
    return console.file.getvalue()


def test_a_log_of_one_line_that_says_what_the_reason_says_is_left_out():
    lines = [list(absence_lines(AgentEntry("a", "a.py", {}, absence=f"fails: no a{log}"))) for log in ("\nno a", "\nb")]
    assert lines == [["absent: a (a.py): fails: no a"], ["absent: a (a.py): fails: no a", "    | b"]]


# --- What a match adds up to ----------------------------------------------------------------------------------------


def test_results_are_counted_by_colour():
    records = [record_of(winner=0), record_of(("beta", "alpha"), winner=1), record_of(winner=None)]
    alpha = tally("alpha", records)
    assert [vars(results) for results in alpha.as_player] == [
        {"wins": 1, "draws": 1, "losses": 0},
        {"wins": 1, "draws": 0, "losses": 0},
    ]
    assert tally("beta", records).total.points == 0.5


@pytest.mark.parametrize(
    ("how", "name", "figures"),
    [
        *(({"reason": fault}, "beta", {"faults": {fault: 1}}) for fault in FAULTS),
        *(({"reason": fault}, "alpha", {"faults": {}}) for fault in FAULTS),
        ({}, "alpha", {"first_seconds": [3.0], "later_seconds": [1.0], "replaced": 0}),
        ({"reason": Reason.TIMEOUT, "seconds": (1, 1, 1), "measured": 3.5}, "beta", {"later_seconds": [3.5]}),
        ({"replaced": (2,)}, "alpha", {"replaced": 1}),
    ],
)
def test_faults_and_times_of_moves_are_counted_also_of_one_that_never_came(how, name, figures):
    counted = tally(name, [record_of(**how)])
    assert {figure: getattr(counted, figure) for figure in figures} == figures


def test_a_resignation_is_no_fault():
    records = [record_of(reason=reason) for reason in (Reason.RESIGNATION, Reason.CRASH)]
    assert usage_json(tally("beta", records))["faults"] == {"crash": 1}


def test_a_void_game_counts_for_nobody():
    match = match_of(record_of(winner=None, reason=Reason.VOID))
    assert tally("alpha", match.records).total.games == 0
    assert match_json(match)["void"] == 1
    assert "1 void" in summary_of(match)


def test_the_other_game_of_a_void_pair_counts_for_nobody_either():
    void = [pair_of(1, 1)[0], record_of(NAMES[::-1], None, Reason.VOID)]
    said = match_json(match_of(*pair_of(1, 0), *void))
    assert said["agents"]["alpha"]["pairs"]["counts"] == [0, 0, 1, 0, 0]
    assert (said["agents"]["alpha"]["games"], said["agents"]["alpha"]["score"]) == (2, 0.5)
    crashed = [record_of(reason=Reason.CRASH), void[1]]
    assert tally("beta", crashed).faults == {} and len(tally("beta", crashed).memory_mb) == 2


def test_json_has_the_promised_keys_and_no_infinite_number():
    numbers = match_json(match_of(record_of(), record_of(("beta", "alpha"), winner=1)))
    text = json.dumps(numbers, allow_nan=False)
    alpha = json.loads(text)["agents"]["alpha"]
    assert (alpha["wins"], alpha["draws"], alpha["losses"]) == (2, 0, 0)
    assert [alpha[key] for key in ("timeouts", "illegal", "crashes", "memory", "replaced")] == [0] * 5
    assert (alpha["max_first_move_seconds"], alpha["max_move_seconds"]) == (4.0, 1.0)
    assert alpha["peak_memory_mb"] == 200.0
    assert alpha["elo"] == 279.6
    assert numbers["sprt"] is None


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("timeouts", Reason.TIMEOUT),
        ("illegal", Reason.ILLEGAL),
        ("crashes", Reason.CRASH),
        ("memory", Reason.MEMORY),
        ("files", Reason.FILES),
        ("processor", Reason.PROCESSOR),
        ("resignations", Reason.RESIGNATION),
    ],
)
def test_json_counts_each_way_to_lose_by_its_name(key, reason):
    beta = match_json(match_of(record_of(reason=reason)))["agents"]["beta"]
    ways = ("timeouts", "illegal", "crashes", "memory", "files", "processor", "resignations")
    assert {way: beta[way] for way in ways} == dict.fromkeys(ways, 0) | {key: 1}


def test_a_match_without_games_has_json_and_a_summary_all_the_same():
    assert match_json(match_of(games=4))["agents"]["beta"]["games"] == 0
    text = summary_of(match_of(games=4))
    assert "0 of 4 games" in text and "SPRT" not in text


def test_summary_fits_80_columns_and_names_everything_that_went_wrong_and_agents_as_they_are():
    names = ("[red]an_agent_with_a_name_that_is_much_too_long_for_a_table", "beta[/b]")
    text = summary_of(match_of(record_of(names, 0, Reason.MEMORY), names=names))
    assert max(map(len, text.splitlines())) <= 80
    for words in ("by timeout", "by illegal move", "by crash", "by memory", "late moves", "as w", "as b", "Elo"):
        assert words in text
    assert "won-drawn-lost" in text and "peak memory" in text
    assert "[red]an_agent" in text and "beta[/b]" in text  # no markup
    assert set(FAULTS) == {reason for reason in Reason if reason.is_fault}


def test_different_games_stand_below_games():
    """Both games of `record_of` have the same opening and moves."""
    match = match_of(record_of(), record_of(("beta", "alpha")), record_of(seconds=(1.0,)))
    assert match_json(match)["distinct_games"] == 2
    rows = [line.split() for line in summary_of(match).splitlines()]
    assert ["games", "3", "3"] in rows
    assert ["of", "them", "different", "2", "2"] in rows


# --- Pairs ----------------------------------------------------------------------------------------------------------


def pair_of(alpha_as_first, alpha_as_second):
    """Two games with sides swapped, given by alpha's points in each; alpha moves first in the first game."""
    winners = {1: 0, 0: 1, 0.5: None}
    return record_of(winner=winners[alpha_as_first]), record_of(NAMES[::-1], winners[1 - alpha_as_second])


def test_pairs_are_counted_by_their_points():
    records = [*pair_of(1, 1), *pair_of(0, 1), *pair_of(0.5, 0.5), *pair_of(1, 0.5), *pair_of(0, 0), *pair_of(0.5, 0)]
    assert pair_counts("alpha", records).counts == [1, 1, 2, 1, 1]
    assert pair_counts("beta", records[:2]).counts == [1, 0, 0, 0, 0]
    assert pair_counts("alpha", records).all_paired


def test_half_a_pair_and_a_pair_with_a_void_game_do_not_count():
    half, void = (
        [record_of(), *pair_of(1, 1), record_of()],
        [pair_of(1, 1)[0], record_of(NAMES[::-1], None, Reason.VOID)],
    )
    assert (pair_counts("alpha", half).counts, pair_counts("alpha", half).unpaired) == ([0, 0, 0, 0, 1], 2)
    assert pair_counts("alpha", void).counts == [0] * 5
    assert not pair_counts("alpha", half).all_paired
    assert not pair_counts("alpha", void).all_paired
    assert not pair_counts("alpha", []).all_paired


def test_what_pairs_say_is_shown_where_all_games_are_in_pairs():
    match = match_of(*pair_of(1, 1), *pair_of(1, 0), *pair_of(1, 0.5))
    pairs = json.loads(json.dumps(match_json(match), allow_nan=False))["agents"]["alpha"]["pairs"]
    assert pairs["counts"] == [0, 0, 1, 1, 1]
    assert pairs["elo"] == 159.2
    assert pairs["elo_interval"][0] < 0 < pairs["normalized_elo"]
    assert 0.5 < pairs["los"] < 1
    text = summary_of(match)
    assert "0-0-1-1-1" in text
    assert "95 %, from pairs" in text
    assert "95 %, from games" not in text


def test_games_that_are_in_no_pairs_are_taken_one_by_one():
    match = match_of(record_of(), games=2)
    assert match_json(match)["agents"]["alpha"]["pairs"] is None
    assert "95 %, from games" in summary_of(match)
    assert "normalized" not in summary_of(match)


def test_a_match_of_which_all_pairs_came_out_alike_has_a_summary():
    """The noise cannot be estimated then, and infinite numbers are null."""
    match = match_of(*pair_of(1, 1), *pair_of(1, 1))
    pairs = json.loads(json.dumps(match_json(match), allow_nan=False))["agents"]["alpha"]["pairs"]
    assert (pairs["elo"], pairs["normalized_elo"]) == (381.7, None)
    assert "inf" not in summary_of(match) and "normalized" not in summary_of(match)


def test_a_terminal_that_is_too_narrow_for_the_table_leaves_its_figures_whole():
    lines = summary_of(match_of(*pair_of(1, 0.5), *pair_of(1, 1)), width=40).splitlines()
    assert ["alpha", "beta"] in map(str.split, lines) and ["won-drawn-lost", "3-1-0", "0-1-3"] in map(str.split, lines)


def test_a_difference_that_rounds_to_nothing_from_below_has_no_minus():
    lines = summary_of(match_of(*pair_of(1, 0) * 400, *pair_of(0.5, 0))).splitlines()
    assert next(line.split()[2:] for line in lines if "Elo difference" in line) == ["+0", "+0"]


def test_tables_have_half_of_the_difference_that_a_match_has_on_either_side_of_0(tmp_path):
    with read_store(write_league(tmp_path / "league.db", ("alpha", "beta"), pairs=3)) as store:
        pairs = pairs_json(pair_counts("alpha", [store.record(game.id) for game in store.games()]))
        ratings = {row.name: row.rating for row in league_of(store).standings().rows}
    assert [pairs["elo"], *pairs["elo_interval"]] == pytest.approx([2 * end for end in ratings["alpha"]], abs=0.1)
    assert ratings["beta"].value == -ratings["alpha"].value


# --- Conditions and the test ----------------------------------------------------------------------------------------


def test_the_conditions_name_limits_rules_openings_and_seed():
    conditions = Conditions(limits=Limits(30, 0.5), limits_of={"beta": {"memory_mb": 200}}, rules="strict")
    text = summary_of(match_of(record_of(), conditions=conditions, opening_plies=2, seed=3))
    assert "30 s for the first move, 0.5 s for later ones, 500 MB; strict rules\n" in text
    assert "beta: 30 s for the first move, 0.5 s for later ones, 200 MB\n" in text
    assert "openings of 2 plies, seed 3\n" in text
    assert "openings of 1 ply, seed 0" in summary_of(match_of(record_of(), opening_plies=1, seed=0))
    assert "no opening moves, seed 0" in summary_of(match_of(record_of(), opening_plies=0, seed=0))
    assert "1 opening from a file" in summary_of(match_of(record_of(), openings=(("c3/0r",),)))


@pytest.mark.parametrize(
    ("points", "pairs", "state"), [((1, 1), 40, "H1"), ((0, 0), 40, "H0"), ((1, 0.5), 2, "undecided")]
)
def test_the_verdict_of_a_test_names_both_hypotheses_and_the_figures(points, pairs, state):
    match = match_of(*pair_of(*points) * pairs, sprt=Sprt(0, 100))
    assert match_json(match)["sprt"]["state"] == state.replace("undecided", "continue")
    text = summary_of(match)
    assert f"SPRT: {state} " in text
    assert "H0 (alpha +0 Elo)" in text and "H1 (alpha +100 Elo)" in text
    assert f"after {pairs} pairs, alpha 0.05, beta 0.05" in text
