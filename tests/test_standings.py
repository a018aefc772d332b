"""Standings: counting pairs one by one and counting the whole records agree; void and half pairs are special."""

from itertools import groupby

import pytest

from simulator.records.database import read_store, write_store
from simulator.records.schema import AgentEntry, StoredGame
from simulator.referee.game_record import Reason
from simulator.statistics.elo import elo_estimate
from simulator.statistics.standings import League, league_of
from tests.leagues import random_game, record_of, write_league

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("league") / "league.db"
    return write_league(path, NAMES, faults={1: Reason.CRASH, 3: Reason.VOID, 5: Reason.TIMEOUT}, pairs=2, plies=40)


def test_standings_that_are_updated_with_each_pair_are_those_of_the_records(path):
    league = League(NAMES)
    with read_store(path) as store:
        for pair, games in groupby(store.games(), lambda game: game.pair):
            league.add_records(pair, [store.record(game.id) for game in games])
        whole = league_of(store)
    assert league.standings() == whole.standings()
    assert league.cross_table() == whole.cross_table()
    assert league.pairs == whole.pairs
    for name in NAMES:
        against_each = [results.games for (agent, _), results in whole.cross_table().items() if agent == name]
        assert (len(against_each), whole.totals()[name].games) == (2, sum(against_each))
    assert [(agent.name, agent.counts) for agent in league.violations()] == [
        (agent.name, agent.counts) for agent in whole.violations()
    ]


def test_a_half_pair_counts_for_points_and_not_among_pairs():
    league = League(NAMES)
    record = random_game(("alpha", "beta"), fault=Reason.CRASH, plies=5)
    league.add_records(1, [record])
    assert league.totals()["alpha"].games == 1
    assert (league.pairs["alpha"].counts, league.pairs["alpha"].unpaired) == ([0] * 5, 1)


def test_a_void_pair_counts_for_nobody():
    league = League(NAMES)
    void = random_game(("beta", "alpha"), fault=Reason.VOID, plies=5)
    league.add_records(1, [random_game(("alpha", "beta"), fault=Reason.TIMEOUT, plies=5), void])
    assert (league.totals(), league.cross_table(), league.violations()) == ({}, {}, [])
    assert league.standings().note == "nobody has played yet"


def test_a_pair_that_somebody_has_called_void_counts_for_nobody(tmp_path):
    with write_store(write_league(tmp_path / "league.db", NAMES, plies=5)) as store:
        store._db.execute("UPDATE pairs SET state = 'void' WHERE id = 1")
        totals = league_of(store).totals()
    assert {name: results.games for name, results in totals.items()} == {"alpha": 2, "beta": 2, "gamma": 4}


def test_two_agents_with_half_a_pair_are_rated_by_their_games():
    league = League(NAMES)
    league.add_records(1, [record_of(NAMES[:2])])
    first, second = (row.rating for row in league.standings().rows[:2])
    assert [2 * end for end in first] == pytest.approx(elo_estimate((0, 0, 1)))
    assert second.value == -first.value


def test_older_versions_of_an_agent_keep_their_place_in_the_table(tmp_path):
    path = write_league(tmp_path / "league.db", NAMES[:2], plies=5)
    with write_store(path) as store:
        store.extend(store.settings(), [AgentEntry("alpha", "alpha", {"alpha.py": "new"})])
        rows = {row.name: row.results.games for row in league_of(store).standings().rows}
    assert rows == {"alpha (v1)": 2, "beta": 2, "alpha": 0}


def test_a_stored_game_says_of_a_record_what_the_file_says(path):
    with read_store(path) as store:
        for game in store.games():
            assert StoredGame.of(store.record(game.id), game.pair, game.number) == game._replace(round=0)
