"""What a match or tournament shows: lines, a live picture, JSON; and a tournament's tables at the end."""

import json
import re
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from simulator.records.database import read_store, store_for
from simulator.records.schema import AgentEntry, Pair
from simulator.referee.events import GameBegan
from simulator.referee.game_record import MoveRecord, Reason
from simulator.statistics.elo import Estimate, Results
from simulator.statistics.sprt import Sprt
from simulator.statistics.standings import Standings, StandingsRow, league_of
from simulator.terminal.events import JsonObserver
from simulator.terminal.games_bar import GamesBar
from simulator.terminal.live import LineObserver
from simulator.terminal.tables import print_report, standings_table
from simulator.tournament.events import PairAgain, PairSaved, Started
from simulator.tournament.settings import TournamentSettings
from tests.leagues import record_of, write_league
from tests.pretender import SETTINGS, SPECS, pretend

TWO = {name: SPECS[name] for name in ("alpha", "beta")}


def pipe(width=80):
    return Console(file=StringIO(), width=width)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "league.db"


def league_in(path):
    with read_store(path) as store:
        return league_of(store)


def report_of(path, width=80):
    console = pipe(width)
    with read_store(path) as store:
        print_report(console, store)
    return console.file.getvalue()


# --- Tables ---------------------------------------------------------------------------------------------------------


def test_the_table_is_by_rating_and_the_best_is_first(path):
    pretend(path)
    league = league_in(path)
    rows = league.standings().rows
    assert [(row.name, row.results.points) for row in rows] == [("alpha", 6), ("beta", 4), ("delta", 2), ("gamma", 0)]
    assert rows[0].rating.value == pytest.approx(-rows[3].rating.value)
    assert league.cross_table()["alpha", "beta"].counts == (0, 0, 2)
    assert league.cross_table()["gamma", "delta"].points == 0


def test_before_the_first_game_there_is_a_table_all_the_same(path):
    pretend(path, pairs=0)
    assert "no ratings: nobody has played yet" in report_of(path)


def test_the_report_says_who_was_absent_and_who_broke_which_rule(path):
    pretend(path, absent=("delta",), broken=Reason.TIMEOUT)
    text = report_of(path)
    assert "absent: delta (random_agent): it fails" in text
    assert "violation (timeout): beta lost 2 games; the first: why" in text
    assert "    | last words" in text
    violations = [(agent.name, agent.counts) for agent in league_in(path).violations()]
    assert violations == [("gamma", {Reason.TIMEOUT: 4}), ("beta", {Reason.TIMEOUT: 2})]


def test_of_a_stack_the_report_shows_where_the_agent_was(path):
    stack = ("Current thread 0x7f (most recent call first):", '  File "ann.py", line 5 in step', *(["  ours"] * 9))
    write_league(path, ("alpha", "beta"), faults={1: Reason.TIMEOUT}, stderr=("Timeout", *stack), plies=2)
    assert [line[6:] for line in report_of(path).splitlines() if line.startswith("    | ")] == [*stack[1:4]]


def test_what_decides_in_a_format_stands_above_the_ratings(path):
    pretend(path, replace(SETTINGS, format="swiss", rounds=1), absent=("delta",))
    lines = report_of(path).splitlines()
    assert lines[0].strip() == "Swiss table"
    heading, elo = (next(n for n, line in enumerate(lines) if word in line) for word in ("Buchholz", "Elo"))
    assert heading < elo
    rows = sorted(line.split()[2:] for line in lines[heading + 2 : heading + 5])
    assert rows == [["0", "2", "0", "2"], ["2", "0", "1", "0"], ["2", "2", "0", "0"]]


def test_tables_fit_80_columns_and_long_names_are_broken_up(path):
    names = [f"agent_number_{i}_with_a_name_that_is_too_long" for i in range(14)]
    pretend(path, specs={name: SPECS["alpha"] for name in names})
    lines = report_of(path).splitlines()
    assert max(len(line) for line in lines if not line.startswith(("absent", "violation", "moving"))) <= 80
    assert any("the first 10 of 14, as many as fit here" in line for line in lines)
    assert "of 14" not in report_of(path, width=160)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_figure_of_a_table_is_cut(width):
    name = "agent_with_a_name_that_is_too_long"
    rows = [
        StandingsRow(name, Results(1000 + n, 10, 1234), Estimate(-3210.0, -3456.0, -2987.0), 321) for n in range(12)
    ]
    console = pipe(width)
    console.print(standings_table(Standings(rows)), crop=False)
    shown = console.file.getvalue()
    for n in range(12):
        assert f" {1005 + n} " in shown
        assert f" {1000 + n}-10-1234 " in shown
    assert shown.count(" -3456..-2987 ") == shown.count(" 321 ") == 12
    assert "\u2026" not in shown
    assert max(map(len, shown.splitlines())) <= max(width, 75)


# --- While it is played ---------------------------------------------------------------------------------------------


def lines_of(path, has_tables=True, **how):
    """What a pipe shows of a pretended tournament."""
    console = pipe(width=120)
    pretend(path, observer=LineObserver(console, has_tables), **how)
    return console.file.getvalue()


def test_lines_say_what_is_played_and_how_each_game_ended(path):
    lines = lines_of(path, pairs=2)
    assert f"round-robin of 4 agents, pentago; records: {path}" in lines
    assert re.search(r"\[4/12, 0:00:0\d to go\] game 4: gamma - alpha W\+: why", lines)
    assert "stopping when the pairs in play are over" in lines
    assert "stopped after 4 of 12 games" in lines
    lines = lines_of(path)
    assert "4 of 12 games were played before" in lines
    assert "[12/12]" in lines
    assert lines.endswith(f"complete; records: {path}\n")


@pytest.mark.parametrize("has_tables", [True, False])
def test_tables_at_the_end_are_shown_where_no_summary_follows(path, has_tables):
    shown = lines_of(path, has_tables, specs=TWO)
    assert ("points against" in shown, "complete; records" in shown) == (has_tables, has_tables)
    assert "game 2 of 2: " in shown


@pytest.mark.parametrize(
    ("how", "line", "times", "game_after"),
    [
        ({"absent": ("delta",)}, "absent: delta (random_agent): it fails\n", 1, "[1/"),
        ({"void": 1}, "pair 1 is played again: why\n", 1, "[3/"),
        ({"deaths": 2}, "pair 1 is played again: the process that played it was killed by SIGKILL\n", 2, "[1/"),
    ],
)
def test_what_goes_wrong_is_mentioned_as_it_happens(path, how, line, times, game_after):
    before, _, after = lines_of(path, **how).partition(game_after)
    assert before.count(line) == times
    assert "complete; records" in after


def test_a_game_has_the_number_of_its_place_wherever_it_is_shown(path):
    told = [
        line.split("] game ")[1].split(":")[0]
        for line in lines_of(path, last_first=True).splitlines()
        if "] game" in line
    ]
    assert told == ["11", "12", "9", "10", "7", "8", "5", "6", "3", "4", "1", "2"]


def test_games_of_other_pairs_stay_counted_when_a_pair_is_played_again():
    with watching(LineObserver(pipe())) as match:
        counts = []
        for pair in (1, 2, 3):
            match.over(pair, record_of())
        for step in (lambda: match.again(1), lambda: match.saved(2, [record_of()]), lambda: match.again(3)):
            step()
            counts.append(str(match.observer.bar).partition("/")[0])
        assert counts == ["2", "2", "1"]


# --- A match --------------------------------------------------------------------------------------------------------


class Told20:
    """Tells an observer of 20 games, as a coordinator does; the agent that a pair names first moves first."""

    def __init__(self, observer, store, settings, names):
        self.observer, self.unsaved = observer, defaultdict(list)
        observer(Started(store, settings, names, 20, 0, self.unsaved))

    def tell(self, pair, event, first="alpha", second="beta"):
        self.observer(event, Pair(pair, 1, 1, first, second, (), 0))

    def over(self, pair, record):
        self.unsaved[pair].append(record)
        self.tell(pair, record)

    def again(self, pair):
        self.unsaved.pop(pair)
        self.observer(PairAgain(pair, "why"))

    def saved(self, pair, records):
        self.unsaved.pop(pair, None)
        self.observer(PairSaved(Pair(pair, 1, 1, "alpha", "beta", (), 0), records))


@contextmanager
def watching(observer, names=("alpha", "beta"), **settings):
    settings = TournamentSettings(games=20, pairs=10, **settings)
    with store_for(None) as store, observer:
        store.extend(settings.to_json(), [AgentEntry(name, name, {}, checked=True) for name in names])
        yield Told20(observer, store, settings, names)


def test_lines_of_a_match_say_who_won_what_the_loser_wrote_last_and_the_score():
    console = pipe()
    with watching(LineObserver(console)) as match:
        match.over(1, record_of(reason=Reason.CRASH, stderr=("last words",)))
        match.over(1, record_of(("beta", "alpha")))
        match.again(1)
        match.over(2, record_of(winner=None))
    assert console.file.getvalue().splitlines() == [
        "game 1 of 20: why",
        "    | last words",
        "    alpha 1 - 0 beta",
        "game 2 of 20: why",
        "    alpha 1 - 1 beta",
        "pair 1 is played again: why",
        "game 3 of 20: why",
        "    alpha 0.5 - 0.5 beta",
    ]


def test_lines_of_a_match_say_where_its_test_stands():
    test = Sprt(0, 100)
    with watching(LineObserver(pipe(100)), sprt=test) as match:
        match.saved(1, [record_of(), record_of(("beta", "alpha"), winner=1)])
        score = f"alpha 2 - 0 beta   LLR {test.llr([0, 0, 0, 0, 1]):.2f} (-2.94, 2.94) after 1 pair"
        assert match.observer.score() == score


def test_games_of_an_older_version_count_in_no_score_of_a_match():
    console, names = pipe(100), ("alpha", "beta")
    settings = TournamentSettings(games=20, pairs=10, sprt=Sprt(0, 100))
    entries = [AgentEntry(name, name, {}, checked=True) for name in names]
    with store_for(None) as store, LineObserver(console) as observer:
        store.extend(settings.to_json(), entries)
        (pair,) = store.plan([Pair(0, 1, 1, *names, (), 0)])
        store.save_pair(pair.id, [record_of(), record_of(("beta", "alpha"), winner=1)])
        store.extend(settings.to_json(), [entries[0], entries[1]._replace(sources={"beta.py": "1f"})])
        Told20(observer, store, settings, names).over(2, record_of(winner=1))
    game, score = console.file.getvalue().splitlines()[-2:]
    assert game == "game 3: why"
    assert "alpha 0 - 1 beta" in score and "after 0 pairs" in score


def test_a_late_move_that_was_replaced_is_mentioned():
    console = pipe()
    with watching(LineObserver(console)) as match:
        match.tell(3, GameBegan(("beta", "alpha")))
        match.tell(3, MoveRecord(6, 0, "c3/0r", 2.25, 0.0, replaced=True))
        match.tell(3, MoveRecord(7, 1, "a1/0r", 0.25, 0.0))
    line = "    game 6, move 7: beta answered after 2.250 s, too late: a random move was played\n"
    assert console.file.getvalue() == line


# --- For programs ---------------------------------------------------------------------------------------------------


def test_json_is_one_event_a_line(path):
    stream = StringIO()
    pretend(path, replace(SETTINGS, format="swiss", rounds=1), observer=JsonObserver(stream), absent=("delta",), void=1)
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "started"
    assert {"agent", "planned", "game", "again", "saved"} <= set(kinds)
    assert kinds[-1] == "ended"
    assert [event["absence"] for event in events if event["event"] == "agent"] == [None, None, None, "it fails"]
    assert events[-1]["complete"]
    assert [row["points"] for row in events[-1]["standings"]] == [2.0, 0.0, 0.0]
    (table,) = events[-1]["tables"]
    assert table["title"] == "Swiss table"
    assert sorted((row["points"], row["games"], row["byes"]) for row in table["rows"]) == [
        (0, 2, 0),
        (2, 0, 1),
        (2, 2, 0),
    ]


def test_the_bar_says_how_long_it_may_take(monkeypatch):
    now = [1000.0]
    bar = GamesBar(10, 20)
    monkeypatch.setattr(bar, "get_time", lambda: now[0])
    assert str(bar) == "10/20"
    for done in range(11, 16):
        now[0] += 720
        bar.set(done=done)
    assert str(bar) == "15/20, 1:00:00 to go"
    bar.set(done=20)
    assert str(bar) == "20/20"
