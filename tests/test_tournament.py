"""Tournaments: what is played follows from the settings alone, and what was played is never lost."""

import inspect
import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import psutil
import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from agents.random_agent import RandomAgent
from game import load_game
from options import InputError
from simulator.records.database import read_store, write_store
from simulator.records.schema import PLANNED, PLAYED, VOID, Pair
from simulator.records.store import Store, StoreError
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, Reason, Verdict
from simulator.referee.referee import ATTEMPTS, play_game
from simulator.sandbox.cores import choose_cores
from simulator.statistics.sprt import Sprt
from simulator.statistics.standings import format_tables
from simulator.tournament import openings
from simulator.tournament.agreement import TournamentError
from simulator.tournament.coordinator import MOST_VOID, Coordinator
from simulator.tournament.events import Ended, Started
from simulator.tournament.openings import balanced_openings, random_openings, value_after
from simulator.tournament.plan import Plan
from simulator.tournament.settings import TournamentSettings
from simulator.tournament.tasks import MachineFailed, PairTask, PrepareTask, TryTask
from simulator.tournament.workers.local import LocalExecutor
from simulator.tournament.workers.protocol import DEATHS_OF_A_TASK
from tests import killed_tournament
from tests.leagues import repeatable
from tests.pretender import NAMES, SETTINGS, SPECS, Pretender, pretend
from tests.programs import PROJECT
from tests.scoundrels.games import PLAYS_ON


@pytest.fixture
def path(tmp_path):
    return tmp_path / "league.db"


# --- What is played -------------------------------------------------------------------------------------------------


def test_all_pairings_have_the_same_openings_and_no_two_pairs_the_same_seed(path):
    outcome = pretend(path, replace(SETTINGS, pairs=2, rounds=3))
    assert outcome.complete
    assert len(outcome.played) == 3 * 2 * 6
    drawn = {}
    for pair in outcome.pairs:
        drawn.setdefault((pair.round, pair.number), set()).add(pair.opening)
    assert [opening for each in drawn.values() for opening in each] == list(
        islice(random_openings(load_game("pentago"), 2, 4), 6)
    )
    assert len({pair.seed for pair in outcome.played}) == len(outcome.played)


def test_results_decide_who_meets_whom(path):
    played = pretend(path, replace(SETTINGS, format="swiss", rounds=2)).meetings
    assert [meeting.round for meeting in played] == [1, 1, 2, 2]
    winners = {min(meeting.agents) for meeting in played if meeting.round == 1}
    assert any(set(meeting.agents) == winners for meeting in played if meeting.round == 2)


def test_openings_can_be_given(path):
    outcome = pretend(path, replace(SETTINGS, rounds=3, openings=(("c3/0r",), ("d4/1f",))))
    assert [pair.opening for pair in outcome.played[::6]] == [("c3/0r",), ("d4/1f",), ("c3/0r",)]


def test_balanced_openings_are_nearer_to_even_than_random_ones():
    pentago = load_game("pentago")

    def imbalance(openings):
        return sum(abs(value_after(pentago, opening, 200) - 0.5) for opening in islice(openings, 2))

    first, again = (list(islice(balanced_openings(pentago, 4, 1, 200), 2)) for _ in range(2))
    assert first == again
    assert imbalance(first) < 0.8 * imbalance(random_openings(pentago, 4, 1))


def counted(monkeypatch, after=lambda: None):
    """A list that gets each opening to be searched from now on; no search is made, but `after` is called each time."""
    searched = []

    def value(game, opening, simulations):
        searched.append(opening)
        after()
        return 0.5

    monkeypatch.setattr(openings, "value_after", value)
    return searched


def test_openings_that_are_in_the_records_are_not_searched_for_again(path, monkeypatch):
    searched, settings = counted(monkeypatch), replace(SETTINGS, opening_balance=10)
    pretend(path, replace(settings, pairs=3))
    assert len(searched) == 3 * openings.CANDIDATES
    longer = pretend(path, replace(settings, pairs=4), extend=True)
    assert len(searched) == 4 * openings.CANDIDATES
    assert {pair.opening for pair in longer.played} == set(searched[-openings.CANDIDATES :][:1])
    at_once = pretend(path.with_name("new.db"), replace(settings, pairs=4))
    assert [pair.opening for pair in at_once.pairs] == [pair.opening for pair in longer.pairs]


@pytest.mark.parametrize(("format_", "drawn"), [("round-robin", 1), ("swiss", 0)])
def test_an_interrupt_ends_the_search_for_openings(path, monkeypatch, format_, drawn):
    """A round that results decide is planned whole or not at all."""
    settings = replace(SETTINGS, opening_balance=10, pairs=3, rounds=1, format=format_)
    with write_store(path) as store:
        tournament = Coordinator(store, Plan(settings, SPECS, records=path), Pretender())
        searched = counted(monkeypatch, lambda: signal.raise_signal(signal.SIGINT) if len(searched) == 20 else None)
        assert not tournament.run().complete
        assert len({pair.number for pair in store.pairs()}) == drawn
    assert len(searched) == 20  # the second opening is not complete
    monkeypatch.undo()
    outcome = pretend(path, settings)
    assert outcome.complete
    assert len(outcome.played) == 3 * (6 if format_ == "round-robin" else 2)


KILLER = "the first start of beta: 3 attempts have ended without a result, the last one was killed by SIGKILL"


@pytest.mark.parametrize(("how", "why"), [("absent", "it fails"), ("killers", KILLER)])
def test_an_agent_that_cannot_be_started_is_absent_and_the_others_play(path, how, why):
    outcome = pretend(path, **{how: ("beta",)})
    assert outcome.complete
    assert outcome.met == [("alpha", "gamma"), ("alpha", "delta"), ("gamma", "delta")]
    assert outcome.absent == {"beta": why}


def test_an_agent_whose_files_can_be_read_no_longer_is_another_one(path, tmp_path):
    file = tmp_path / "my_agent.py"
    file.write_text("")
    specs = SPECS | {"my_agent": parse_agent(str(file))}
    pretend(path, specs=specs)
    os.truncate(file, 4 << 30)
    with pytest.raises(TournamentError, match="my_agent: its files have more than 100 MB together"):
        pretend(path, specs=specs)


def test_a_swiss_tournament_has_fewer_rounds_where_agents_are_absent(path):
    outcome = pretend(path, replace(SETTINGS, format="swiss", rounds=2), absent=("beta",))
    assert outcome.complete
    assert {pair.round for pair in outcome.pairs} == {1}


def test_rounds_are_counted_without_going_through_all(path):
    said = []
    for _ in range(2):
        pretend(path, replace(SETTINGS, rounds=10**9), pairs=3, observer=lambda event, pair: said.append(event))
    started = [(event.games, event.played) for event in said if isinstance(event, Started)]
    assert started == [(12 * 10**9, 0), (12 * 10**9, 6)]


@pytest.mark.parametrize(
    ("format_", "absent", "words"),
    [
        ("round-robin", NAMES[1:], "there is 1"),
        ("gauntlet", NAMES[:1], "the champion alpha is not among"),
    ],
)
def test_those_who_are_left_may_be_too_few(path, format_, absent, words):
    for _ in range(2):
        with pytest.raises(TournamentError, match=words) as caught:
            pretend(path, replace(SETTINGS, format=format_), absent=absent)
        assert all(f"\n{name}: it fails" in str(caught.value) for name in absent)


def test_a_pair_with_a_void_game_is_played_again(path):
    outcome = pretend(path, void=2)
    assert outcome.complete
    assert sorted((pair.attempts, pair.state) for pair in outcome.pairs) == [(1, PLAYED)] * 4 + [(2, PLAYED)] * 2


def test_nobody_is_absent_because_this_machine_could_not_start_an_agent(path):
    outcome = pretend(path, failing=("beta",))
    assert not outcome.complete and outcome.absent == {} and outcome.played == []
    again = pretend(path)
    assert again.complete and again.tried == ["beta"] and len(again.played) == 6


@pytest.mark.parametrize("fails", ["simulator.tournament.tasks.Player", "simulator.player.player.Player.try_start"])
def test_trying_an_agent_tells_what_fails_on_this_machine(monkeypatch, fails):
    monkeypatch.setattr(fails, lambda _: os.close(-1))
    found = TryTask(Conditions(), SPECS["alpha"], "alpha").run(print, ())
    assert found == MachineFailed("[Errno 9] Bad file descriptor")


def test_three_pairs_in_a_row_over_which_processes_end_stop_the_tournament(path):
    outcome = pretend(path, deaths=DEATHS_OF_A_TASK, deadly=MOST_VOID)
    assert not outcome.complete and {pair.state for pair in outcome.pairs} == {PLANNED}
    assert pretend(path).complete


@pytest.mark.parametrize("in_play", [0, 1])
def test_three_pairs_in_a_row_that_stay_void_stop_the_tournament_and_are_played_later(path, in_play):
    outcome = pretend(path, void=6 * ATTEMPTS, in_play=in_play)
    assert not outcome.complete and {pair.state for pair in outcome.pairs} == {PLANNED}
    assert len(outcome.tasks) == 6 * (ATTEMPTS - 1) + MOST_VOID + in_play
    assert {pair.state for pair in pretend(path).pairs} == {PLAYED}


@pytest.mark.parametrize("last_first", [False, True])
def test_pairs_that_stay_void_do_not_stop_a_tournament_whose_others_work(path, last_first):
    outcome = pretend(path, broken_pairs=(1, 3, 5), last_first=last_first)
    assert outcome.complete
    assert [pair.state for pair in outcome.pairs] == [VOID, PLAYED] * 3


def test_no_round_is_paired_by_a_round_without_results(path):
    swiss = replace(SETTINGS, format="swiss", rounds=2)
    outcome = pretend(path, swiss, void=99)
    assert not outcome.complete and [pair.state for pair in outcome.pairs] == [PLANNED] * 2
    assert [pair.state for pair in pretend(path, swiss).pairs] == [PLAYED] * 4


def test_a_tournament_that_is_stopped_over_a_void_pair_does_not_fail(path):
    swiss, said = replace(SETTINGS, format="swiss", rounds=2), []
    outcome = pretend(path, swiss, deaths=DEATHS_OF_A_TASK, pairs=0, observer=lambda event, pair: said.append(event))
    assert not outcome.complete and said[-1].interrupted and said[-1].failure is None


def test_a_pair_that_stays_void_counts_for_nobody_and_is_played_again_when_records_are_extended(path):
    two = {name: SPECS[name] for name in NAMES[:2]}
    outcome = pretend(path, specs=two, void=ATTEMPTS)
    assert outcome.complete
    assert [(pair.state, pair.attempts) for pair in outcome.pairs] == [(VOID, ATTEMPTS)]
    assert [meeting.games for meeting in outcome.meetings] == [0]
    assert pretend(path, specs=two).played == []
    outcome = pretend(path, specs=two, extend=True)
    assert [(pair.state, pair.attempts) for pair in outcome.pairs] == [(PLAYED, 1)] and len(outcome.records) == 2


def test_a_void_pair_by_whose_absence_later_rounds_were_paired_stays_void(path):
    swiss = replace(SETTINGS, format="swiss", rounds=2)
    with write_store(path) as store:
        plan = Plan(swiss, SPECS, records=path)
        Coordinator(store, plan, Pretender(deaths=DEATHS_OF_A_TASK)).run()
    assert [pair.state for pair in pretend(path, swiss, extend=True).pairs] == [VOID, PLAYED, PLAYED, PLAYED]


def test_who_is_called_like_an_older_version_cannot_join(path):
    pretend(path)
    more = SPECS | {"alpha (v1)": SPECS["alpha"]}
    with pytest.raises(TournamentError, match="such names are for older versions of agents"):
        pretend(path, specs=more, extend=True)


def test_a_pair_over_which_processes_end_is_void_with_the_reason_and_the_others_are_played(path):
    outcome = pretend(path, deaths=DEATHS_OF_A_TASK)
    assert outcome.complete
    assert len(outcome.played) == 5
    states = [(pair.state, pair.attempts) for pair in outcome.pairs]
    assert states == [(VOID, DEATHS_OF_A_TASK)] + [(PLAYED, 1)] * 5
    first, second = outcome.records[:2]
    assert first.agents == second.agents[::-1]
    assert first.opening == second.opening == outcome.pairs[0].opening
    words = "pair 1, alpha against beta: 3 attempts have ended without a result, the last one was killed by SIGKILL"
    assert first.verdict == Verdict(None, Reason.VOID, words, 2)
    assert pretend(path).played == []


def test_a_pair_that_cannot_be_played_keeps_the_traceback_and_tasks_have_names_for_people():
    pair = PairTask(Pair(7, 1, 1, "alpha", "beta", (), 1, games=1), Conditions(), (SPECS["alpha"], SPECS["beta"]))
    (record,) = pair.void("stopped by LookupError: a bug\nTraceback:\n  line 7")
    assert (record.verdict.text, record.verdict.stderr) == (
        "stopped by LookupError: a bug", ("Traceback:", "  line 7")
    )  # fmt: skip
    assert str(pair) == "pair 7, alpha against beta"
    assert str(TryTask(Conditions(), SPECS["alpha"], "alpha")) == "the first start of alpha"
    assert str(PrepareTask(Conditions(), SPECS["alpha"], "alpha")) == "the preparation of alpha"


@pytest.mark.parametrize(
    "settings",
    [
        SETTINGS,
        TournamentSettings(games=3, pairs=2, sprt=Sprt(0, 50), openings=(("c3/0r",), ())),
        TournamentSettings(
            Conditions(
                "go", {"size": 9}, Limits(move_seconds=math.inf, clock_seconds=9), {"a": {"move_seconds": math.inf}}
            )
        ),
    ],
)
def test_settings_come_back_from_the_records(settings):
    assert TournamentSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_settings_of_older_records_are_read():
    """They lack settings that came later, and have one that is gone."""
    older = {"game": "go", "move_seconds": None, "pairs": 3, "openings": [["D4"]], "session": 7}
    conditions = Conditions("go", limits=Limits(move_seconds=math.inf))
    assert TournamentSettings.from_json(older) == TournamentSettings(conditions, pairs=3, openings=(("D4",),))


@pytest.mark.parametrize(
    "edited",
    [
        *({name: 5} for name in ("limits_of", "game", "game_options")),
        *({"limits_of": {"alpha": limits}} for limits in (5, {"memory_mb": "x"})),
        *({"pairs": "x"}, {"processors": 1.5}, {"move_seconds": "x"}),
    ],
)
def test_settings_of_another_type_are_shown(edited):
    with pytest.raises(InputError, match=r"^the settings in the records were edited and cannot be read: (?!the)"):
        TournamentSettings.from_json(edited)


# --- Going on -------------------------------------------------------------------------------------------------------


def test_a_tournament_that_was_stopped_goes_on_where_it_was(path):
    settings = replace(SETTINGS, format="swiss", rounds=2, pairs=2)
    whole, played = pretend(path.with_name("whole.db"), settings), []
    for pairs in (1, 4, 0, None):
        outcome = pretend(path, settings, pairs=pairs)
        played += outcome.played
        assert outcome.complete == (pairs is None)
    assert played == whole.played
    with read_store(path) as store:
        assert len(store.sessions()) == 4
    assert pretend(path, settings).played == []


def test_another_setting_is_refused_and_shown(path):
    pretend(path)
    changed = replace(SETTINGS, pairs=2, conditions=replace(SETTINGS.conditions, limits=Limits(move_seconds=3)))
    with pytest.raises(TournamentError, match=r"(?s)move-time: 1 in the records, 3 now.*pairs: 1 in the records"):
        pretend(path, changed)


def test_records_whose_seed_was_edited_are_those_of_another_tournament(path):
    pretend(path)
    with write_store(path) as store:
        store.extend(store.settings() | {"seed": None}, [])
    with pytest.raises(TournamentError, match="seed: "):
        pretend(path)


@pytest.mark.parametrize("rounds", [None, 1])
def test_a_default_may_be_said_or_left_out_when_a_tournament_goes_on(path, rounds):
    pretend(path, replace(SETTINGS, rounds=rounds))
    assert pretend(path, replace(SETTINGS, rounds=None if rounds else 1)).complete


def test_another_agent_is_refused_and_shown(path, tmp_path):
    agent = tmp_path / "my_agent.py"
    helper = tmp_path / "helper.py"
    agent.write_text("import helper")
    helper.write_text("depth = 1")
    specs = {"my_agent": parse_agent(str(agent)), "other": SPECS["alpha"]}
    pretend(path, specs=specs)
    pretend(path, specs=specs)
    helper.write_text("depth = 2")
    with pytest.raises(TournamentError, match=r"my_agent: helper\.py was changed"):
        pretend(path, specs=specs)
    helper.unlink()
    with pytest.raises(TournamentError, match=r"my_agent: helper\.py is gone"):
        pretend(path, specs=specs)
    with pytest.raises(TournamentError, match="in the records, not among the agents now"):
        pretend(path, specs={"other": SPECS["alpha"]})
    helper.write_text("depth = 1")
    with pytest.raises(TournamentError, match="another order"):
        pretend(path, specs=dict(reversed(specs.items())))


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.slow(minutes=7))])
def test_a_tournament_that_is_killed_again_and_again_loses_and_doubles_nothing(path, kills):
    """SIGKILL ends the coordinator at random instants; at the end the records are those of a run without kills."""
    command = [sys.executable, "-m", "tests.killed_tournament", path, str(kills), "7"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["kills"] == kills
    assert said["saved"] == sorted(said["saved"])  # nothing that was in the records was ever lost
    assert len(set(said["saved"])) > kills // 4  # kills came while games were played
    rounds = killed_tournament.PAIRS_A_KILL * kills // 6
    whole = pretend(path.with_name("whole.db"), killed_tournament.settings_of(rounds), killed_tournament.SPECS)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    with read_store(path) as store:
        assert [pair._replace(attempts=0) for pair in store.pairs()] == [p._replace(attempts=0) for p in whole.pairs]
        assert PLANNED not in {pair.state for pair in store.pairs()}
        assert [store.record(game.id).agents for game in store.games()] == [record.agents for record in whole.records]


def test_where_the_records_cannot_be_written_nothing_goes_on(path, monkeypatch):
    def full(*arguments):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Store, "save_pair", full)
    children = psutil.Process().children(recursive=True)
    settings = killed_tournament.settings_of(rounds=50)
    with pytest.raises(StoreError, match=r"cannot write .*: the disk is full"), write_store(path) as store:
        Coordinator(store, Plan(settings, killed_tournament.SPECS), LocalExecutor(1)).run()
    left = [child for child in psutil.Process().children(recursive=True) if child not in children]
    running = [child.cmdline() for child in left if child.status() != psutil.STATUS_ZOMBIE]
    assert [words for words in running if "resource_tracker" not in " ".join(words)] == []


# --- Growing --------------------------------------------------------------------------------------------------------


def test_an_extended_tournament_plays_more_rounds_and_nothing_again(path):
    longer = replace(SETTINGS, rounds=3)
    pretend(path, replace(SETTINGS, rounds=1))
    with pytest.raises(TournamentError, match="add --extend"):
        pretend(path, longer)
    outcome = pretend(path, longer, extend=True)
    assert outcome.complete
    assert len(outcome.played) == 2 * 6
    assert pretend(path, longer).played == []


@pytest.mark.parametrize(("format_", "opponents"), [("round-robin", 3), ("gauntlet", 1)])
def test_agents_that_are_added_meet_all_others_in_every_round(path, format_, opponents):
    settings = replace(SETTINGS, rounds=2, format=format_)
    pretend(path, settings, {name: SPECS[name] for name in NAMES[:3]})
    outcome = pretend(path, settings, extend=True)
    assert len(outcome.played) == 2 * opponents
    assert all("delta" in two for two in outcome.met)
    assert len({(pair.round, pair.first, pair.second) for pair in outcome.pairs}) == len(outcome.pairs)


@pytest.fixture
def repaired(tmp_path):
    """Agents, the first of them the file my_agent, and a function that changes that file."""
    file = tmp_path / "my_agent.py"
    file.write_text("depth = 1")
    specs = {"my_agent": parse_agent(str(file)), **{name: SPECS[name] for name in NAMES[:2]}}
    return specs, lambda: file.write_text("depth = 2")


def test_a_repaired_agent_plays_anew_and_its_old_games_are_kept(path, repaired):
    specs, repair = repaired
    pretend(path, specs=specs)
    repair()
    outcome = pretend(path, specs=specs, extend=True, pairs=1)
    assert not outcome.complete
    assert outcome.tried == ["my_agent"]
    outcome = pretend(path, specs=specs)  # it was stopped and goes on without --extend
    assert outcome.complete
    assert outcome.met == [("my_agent", "beta")]
    assert [(agent.name, agent.replaced) for agent in outcome.agents] == [
        ("my_agent", False), ("alpha", False), ("beta", False), ("my_agent (v1)", True)
    ]  # fmt: skip
    versions = ("my_agent", "my_agent (v1)")
    met = [("alpha", "beta"), *((version, other) for version in versions for other in NAMES[:2])]
    assert sorted(pair.agents for pair in outcome.pairs) == met
    assert sum("my_agent (v1)" in record.agents for record in outcome.records) == 4


def test_void_pairs_of_an_older_version_are_not_told_any_more(path, repaired):
    (specs, repair), said = repaired, []
    course = replace(SETTINGS, format="course")
    pretend(path, course, specs)
    with write_store(path) as store:
        number = next(pair.id for pair in store.pairs() if "my_agent" in pair.agents)
        store._db.execute("UPDATE pairs SET state = 'void' WHERE id = ?", (number,))
    for _ in range(2):
        pretend(path, course, specs, lambda event, pair: said.append(event), extend=True)
        repair()
    assert [event.void for event in said if isinstance(event, Ended)] == [1, 0]


def test_pairs_that_were_planned_wait_for_a_new_version_that_cannot_be_started(path, repaired):
    specs, repair = repaired
    pretend(path, specs=specs, pairs=0)
    repair()
    outcome = pretend(path, specs=specs, extend=True, absent=("my_agent",))
    assert outcome.complete
    assert outcome.met == [("alpha", "beta")]
    outcome = pretend(path, specs=specs, extend=True)
    assert outcome.complete
    assert outcome.met == [("my_agent", "alpha"), ("my_agent", "beta")]


def test_an_agent_that_was_absent_is_tried_again(path):
    pretend(path, absent=("beta",))
    outcome = pretend(path, extend=True)
    assert outcome.complete
    assert outcome.tried == ["beta"]
    assert outcome.met == [("alpha", "beta"), ("beta", "gamma"), ("beta", "delta")]


@pytest.mark.parametrize("was", ["absent", "changed", "new", "stopped in the final"])
def test_a_repaired_agent_plays_the_first_round_of_the_course_and_the_final_is_paired_anew(path, tmp_path, was):
    file, settings = tmp_path / "beta.py", replace(SETTINGS, format="course")
    file.write_text("depth = 1")
    specs = SPECS | {"beta": parse_agent(str(file))}
    others = {name: spec for name, spec in specs.items() if name != "beta"}
    pretend(path, settings, others if was == "new" else specs, absent=("beta",) if was == "absent" else (),
            pairs=6 if was.startswith("stopped") else None)  # fmt: skip
    specs = others | {"beta": specs["beta"]} if was == "new" else specs
    file.write_text("depth = 2")
    assert not pretend(path, settings, specs, extend=True, pairs=1).complete
    outcome = pretend(path, settings, specs)
    assert outcome.complete
    assert set(outcome.met[-1]) == {"alpha", "beta"}
    assert len(outcome.played) == 3
    first = [frozenset(meeting.agents) for meeting in outcome.meetings if meeting.round == 1]
    assert len(set(first)) == len(first)
    assert len([two for two in first if two <= set(NAMES)]) == 6
    with read_store(path) as store:
        (final,) = format_tables(store)
    assert [(row.agent, row.points) for row in final.rows] == [("alpha", 2), ("beta", 0)]
    assert pretend(path, settings, specs).played == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"rounds": 2}, {"rounds": 1}, "rounds: 2 in the records, and 1 would be fewer"),
        ({"format": "course"}, {"format": "course", "rounds": 1}, "rounds: 3 in the records, and 1 would be fewer"),
        ({"rounds": 2}, {"rounds": 2, "pairs": 2}, "add rounds; the pairs of each have to stay"),
        ({}, {"seed": 5}, "seed: 4 in the records, 5 now"),
        ({"format": "course"}, {"format": "course", "pairs": 2}, "add rounds; the pairs of each have to stay"),
        (
            {},
            {"conditions": replace(SETTINGS.conditions, limits_of={"beta": {"memory_mb": 9}})},
            "its own limits cannot change",
        ),
    ],
)
def test_what_cannot_grow_is_refused(path, before, after, words):
    pretend(path, replace(SETTINGS, **before))
    with pytest.raises(TournamentError, match="cannot be extended like this") as caught:
        pretend(path, replace(SETTINGS, **after), extend=True)
    assert words in str(caught.value)


def test_nobody_joins_a_swiss_tournament(path):
    settings = replace(SETTINGS, format="swiss", rounds=1)
    pretend(path, settings, {name: SPECS[name] for name in NAMES[:3]})
    with pytest.raises(TournamentError, match="who meets whom depends on all agents"):
        pretend(path, settings, extend=True)


# --- Real games -----------------------------------------------------------------------------------------------------


def test_a_pair_is_the_same_whoever_plays_it(path):
    settings = replace(SETTINGS, opening_plies=24, conditions=Conditions(limits=Limits(60, 60, 60)))
    specs = {"alpha": SPECS["alpha"], "beta": parse_agent(PLAYS_ON)}
    with write_store(path) as store:
        tournament = Coordinator(store, Plan(settings, specs), LocalExecutor(1))
        assert tournament.run().complete
        elsewhere = [store.record(game.id) for game in store.games()]
        told = []
        tournament._task(store.pairs()[0]).run(told.append, choose_cores(1))
        here = [what for what in told if isinstance(what, GameRecord)]
    assert [game.agents for game in here] == [("alpha", "beta"), ("beta", "alpha")]
    assert here[0].opening == here[1].opening
    assert here[0].seed != here[1].seed
    assert repeatable(here) == repeatable(elsewhere)


def test_the_folder_of_the_submissions_may_be_where_the_referee_works(tmp_path, monkeypatch):
    source = Path(inspect.getfile(RandomAgent)).read_text()
    (tmp_path / "my_agent.py").write_text(source.replace('"random_agent"', '"my_agent"'))
    monkeypatch.chdir(tmp_path)
    opening = next(random_openings(load_game("pentago"), 24, 1))
    specs = parse_agent("my_agent.py"), parse_agent(PLAYS_ON)
    record = play_game(specs, Conditions(limits=Limits(60, 60, 60)), opening=opening, seed=3)
    assert record.verdict.reason is Reason.NORMAL, record.verdict.text
    assert len([move for move in record.moves if move.player == 0]) > 1  # it also moved after it could read no more
