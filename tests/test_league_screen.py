"""What a tournament shows: lines, a live picture, JSON; and the tables at the end."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from simulator.records.database import read_store, write_store
from simulator.records.schema import AgentEntry, Pair
from simulator.referee.game_record import Reason
from simulator.statistics.elo import Estimate, Results
from simulator.statistics.standings import Row, Standings, league_of
from simulator.terminal.live import JsonObserver, LineObserver, LiveObserver, Progress, observer_on
from simulator.terminal.tables import print_report, standings_table
from simulator.tournament.tasks import ClockRuns, GameBegun
from tests.test_store import record_of
from tests.test_tournament import SETTINGS, SPECS, pretend


def terminal():
    return Console(file=StringIO(), force_terminal=True, width=80, height=50, _environ={"TERM": "xterm"})


def pipe(width=80):
    return Console(file=StringIO(), width=width)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "league.db"


def report_of(path, width=80):
    console = pipe(width)
    with read_store(path) as store:
        print_report(console, store)
    return console.file.getvalue()


# --- Tables ---------------------------------------------------------------------------------------------------------


def test_the_table_is_by_rating_and_the_best_is_first(path):
    pretend(path)
    with read_store(path) as store:
        standings = league_of(store).standings()
        assert [row.name for row in standings.rows] == ["alpha", "beta", "delta", "gamma"]
        assert [row.results.points for row in standings.rows] == [6, 4, 2, 0]
        assert standings.rows[0].rating.value == pytest.approx(-standings.rows[3].rating.value)
        assert league_of(store).cross_table()["alpha", "beta"].counts == (0, 0, 2)
        assert league_of(store).cross_table()["gamma", "delta"].points == 0


def test_agents_that_no_games_connect_have_points_but_no_ratings(path):
    with write_store(path) as store:
        store.begin({"game": "pentago"}, [AgentEntry(name, name, {}) for name in "abcd"])
        pairs = [("a", "b"), ("c", "d")]
        store.plan([Pair(None, 1, 1, first, second, (), 0) for first, second in pairs])
        for number, pair in enumerate(pairs, 1):
            store.save_pair(number, [record_of(pair), record_of(pair[::-1])])
        standings = league_of(store).standings()
        assert [row.rating for row in standings.rows] == [None] * 4
        assert "a, b; c, d" in standings.note
    assert "no ratings: no games connect" in report_of(path)


def test_before_the_first_game_there_is_a_table_all_the_same(path):
    pretend(path, pairs=0)
    assert "nobody has played yet" in report_of(path)


def test_a_void_game_takes_the_other_one_of_its_pair_with_it(path):
    pretend(path, specs={name: SPECS[name] for name in ("alpha", "beta")}, void=3, broken=Reason.TIMEOUT)
    with read_store(path) as store:
        assert [game.reason for game in store.games()] == [Reason.VOID, Reason.TIMEOUT]
        assert [(row.results.games, row.violations) for row in league_of(store).standings().rows] == [(0, 0), (0, 0)]
        assert league_of(store).cross_table() == {}
        assert league_of(store).violations() == []


def test_the_report_says_who_was_absent_and_who_broke_which_rule(path):
    pretend(path, absent=("delta",), broken=Reason.TIMEOUT)
    text = report_of(path)
    assert "absent: delta (random_agent): it fails" in text
    assert "violation (timeout): beta lost 2 games; the first: why" in text
    assert "    | last words" in text
    with read_store(path) as store:
        assert [(agent.name, agent.counts) for agent in league_of(store).violations()] == [
            ("gamma", {Reason.TIMEOUT: 4}),
            ("beta", {Reason.TIMEOUT: 2}),
        ]


def test_what_decides_in_a_format_stands_above_the_ratings(path):
    pretend(path, replace(SETTINGS, format="swiss", rounds=1), absent=("delta",))
    lines = report_of(path).splitlines()
    assert lines[0].strip() == "Swiss table"
    heading, elo = (next(n for n, line in enumerate(lines) if word in line) for word in ("Buchholz", "Elo"))
    assert heading < elo
    rows = sorted(line.split()[2:] for line in lines[heading + 2 : heading + 5])
    assert rows == [["0", "2", "0", "2"], ["2", "0", "1", "0"], ["2", "2", "0", "0"]]


def test_the_course_s_final_is_shown(path):
    pretend(path, replace(SETTINGS, format="course", rounds=3))
    lines = report_of(path).splitlines()
    assert lines[0].strip() == "Final"
    assert [line.split()[1:4] for line in lines[4:6]] == [["alpha", "2", "2"], ["beta", "0", "2"]]


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
    rows = [Row(name, Results(1000 + n, 10, 1234), Estimate(-3210.0, -3456.0, -2987.0), 321) for n in range(12)]
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


def test_a_terminal_gets_a_picture_and_a_pipe_gets_lines():
    assert isinstance(observer_on(terminal()), LiveObserver)
    assert type(observer_on(pipe())) is LineObserver


def test_lines_say_what_is_played_and_how_each_game_ended(path):
    console = pipe()
    pretend(path, observer=LineObserver(console), pairs=2)
    lines = console.file.getvalue()
    assert f"round-robin of 4 agents, pentago; records: {path}" in lines
    assert "[4/12, 0:00:00 to go] game 4: gamma - alpha W+: why" in lines
    assert "stopping when the pairs in play are over" in lines
    assert "stopped after 4 of 12 games" in lines
    console = pipe()
    pretend(path, observer=LineObserver(console))
    lines = console.file.getvalue()
    assert "4 of 12 games were played before" in lines
    assert "[12/12]" in lines
    assert lines.endswith(f"complete; records: {path}\n")


def test_an_absent_agent_is_mentioned_with_its_last_lines_as_it_is_found(path):
    console = pipe()
    pretend(path, observer=LineObserver(console), absent=("delta",))
    before = console.file.getvalue().partition("[1/")[0]
    assert "absent: delta (random_agent): it fails\n" in before


def test_a_game_has_the_number_of_its_place_wherever_it_is_shown(path):
    console = pipe()
    pretend(path, observer=LineObserver(console), last_first=True)
    told = [line.split("] game ")[1].split(":")[0] for line in console.file.getvalue().splitlines() if "] game" in line]
    assert told == ["11", "12", "9", "10", "7", "8", "5", "6", "3", "4", "1", "2"]
    with read_store(path) as store:
        games = list(store.games())
        assert [game.id for game in games] == list(range(1, 13))
        assert [(game.pair, game.number) for game in games] == [(pair, n) for pair in range(1, 7) for n in (1, 2)]


def test_a_pair_that_is_played_again_is_mentioned(path):
    console = pipe()
    pretend(path, observer=LineObserver(console), void=1)
    assert "pair 1 is played again: why" in console.file.getvalue()


def test_games_of_other_pairs_stay_counted_when_a_pair_is_played_again(path):
    class Counting(LineObserver):
        def started(self, tournament):
            super().started(tournament)
            pairs = [Pair(id_, 1, 1, "alpha", "beta", (), 0) for id_ in (1, 2, 3)]
            records = [record_of(("alpha", "beta")), record_of(("beta", "alpha"))]
            for pair in (1, 2, 3):
                self.game_over(pair, 1, records[0])
            self.pair_again(1, "why")
            counts.append(self.progress.done)
            self.game_over(2, 2, records[1])
            self.pair_saved(pairs[1], records)
            counts.append(self.progress.done)
            self.pair_again(3, "why")
            counts.append(self.progress.done)

    counts = []
    pretend(path, observer=Counting(pipe()))
    assert counts == [2, 3, 2]


def test_a_process_that_died_over_a_pair_is_mentioned(path):
    console = pipe(width=120)
    executor, complete = pretend(path, observer=LineObserver(console), deaths=2)
    assert complete
    assert len(executor.tasks) == 6
    again = "pair 1 is played again: the process that played it was killed by SIGKILL"
    assert console.file.getvalue().count(again) == 2


def test_the_picture_has_games_clocks_memory_standings_and_verdicts(path):
    console = terminal()

    class Photographer(LiveObserver):
        def game_over(self, pair, number, record):
            self.game_begun(pair, GameBegun(number, ("alpha", "gamma")))
            self.clock_runs(pair, ClockRuns(0, 6, 1.25, 2.0, 321.0))
            self._drawn_at = 0.0
            self._redraw()
            super().game_over(pair, number, record)

    pretend(path, SETTINGS, observer=Photographer(console))
    picture = console.file.getvalue()
    for words in ("games 0/12", "game 1 ", "move 7  1.2 of 2 s", "321 of 500 MB"):
        assert words in picture
    assert "points against" in picture
    assert "\ngame 1: why" in picture.replace("\r", "")


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


def test_progress_says_how_long_it_may_take():
    progress = Progress(10, 20)
    assert str(progress) == "10/20"
    progress.done, progress._begun = 15, progress._begun - 3600
    assert str(progress) == "15/20, 1:00:00 to go"
    progress.done = 20
    assert str(progress) == "20/20"
