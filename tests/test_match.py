"""Matches: which games are played, where they are kept, and how one ends early."""

import json
import shutil
import sqlite3
import sys
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from agents.agent import parse_agent
from commands import playing
from commands.errors import NOT_PLAYED
from commands.match import play_match
from commands.playing import planned, planned_before
from pentago.evaluation import WEIGHTS
from simulator.records.database import read_store
from simulator.records.sgf_folder import match_folder
from simulator.records.sgf_reader import read_sgf
from simulator.referee import referee
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.sandbox.isolation import Mechanisms
from simulator.statistics.pentanomial import pair_counts
from simulator.statistics.sprt import Sprt
from simulator.terminal.match_summary import match_json
from simulator.tournament import tasks
from simulator.tournament.agreement import TournamentError
from simulator.tournament.planner import MOST_PLANNED
from tests.command_line import invoke, typed
from tests.leagues import record_of
from tests.pretender import Pretender
from tests.programs import AGENTS, PASSES, PYTHON, RESIGNER
from tests.test_live import pipe
from tests.test_match_summary import match_of, summary_of

NAMES, RANDOM = ("alpha", "beta"), ("random_agent", "random_agent")
FAST = {"move-time": 5, "isolation": "none"}
PLAYERS = [f"--player_1={RESIGNER}", f"--player_2={RESIGNER}", "--isolation=none"]


def plan_of(games=2, sprt=None, extend=False, **values):
    values = FAST | {name.replace("_", "-"): value for name, value in values.items()} | {"extend": extend}
    return planned(RANDOM, values, names=NAMES, pairs=(games + 1) // 2, games=games, sprt=sprt)


@pytest.fixture
def pretend(monkeypatch):
    """Plays a match with a Pretender, made with these words; returns it and the match."""

    def play(plan, save=None, sgf=None, screen=None, **how):
        executor = Pretender(**how)
        monkeypatch.setattr(playing, "executor_for", lambda plan, say: nullcontext(executor))
        return executor, play_match(plan, screen or pipe(), save, sgf)

    return play


# --- Refusals -------------------------------------------------------------------------------------------------------


def test_weights_that_an_agent_would_not_see_are_refused_with_where_to_put_them(monkeypatch, tmp_path):
    monkeypatch.setattr("simulator.sandbox.isolation.available_mechanisms", lambda *_: Mechanisms(bubblewrap=True))
    file = Path(shutil.copy(WEIGHTS, tmp_path / "mine.npz"))
    place = WEIGHTS.with_name("mine.npz")
    result = invoke("match", f"alphabeta_agent:evaluation={file}", "random_agent")
    assert result.exit_code == 2 and f"put the file there, as in evaluation={place}" in " ".join(result.output.split())
    playing._refuse_hidden_weights(Conditions(), [parse_agent(f"alphabeta_agent:evaluation={WEIGHTS}")])


# --- Which games are played -----------------------------------------------------------------------------------------


def test_an_odd_number_of_games_leaves_the_last_pair_half_played(pretend):
    executor, match = pretend(plan_of(3))
    assert [task.pair.games for task in executor.tasks] == [2, 1]
    assert len(match.records) == 3
    assert not match.interrupted


def test_a_billion_games_are_not_counted_one_by_one(pretend):
    _, match = pretend(plan_of(10**9), pairs=1)
    assert (match.games, len(match.records)) == (10**9, 2)


@pytest.fixture
def records(tmp_path):
    return str(tmp_path / "match.db")


def test_a_finished_match_grows_by_games_when_it_is_extended(pretend, records):
    pretend(plan_of(4, records=records))
    executor, match = pretend(plan_of(8, records=records, extend=True))
    assert len(executor.tasks) == 2
    assert len(match.records) == 8
    assert len({record.opening for record in match.records}) == 4


def test_a_match_grows_by_the_pairs_that_its_records_alone_go_on_with(pretend, records):
    pretend(plan_of(4, records=records))
    executor, match = pretend(planned_before(Path(records), {"pairs": 4, "extend": True}))
    assert (len(executor.tasks), len(match.records)) == (2, 8)
    assert len(pretend(plan_of(8, records=records))[1].records) == 8


def test_an_odd_number_of_games_does_not_grow(pretend, records):
    pretend(plan_of(3, records=records))
    with pytest.raises(TournamentError, match="only an even number can grow"):
        pretend(plan_of(4, records=records, extend=True))


def test_a_repaired_agent_is_tested_by_its_own_games_only(pretend, tmp_path, records):
    agent = tmp_path / "mine.py"
    agent.write_text("depth = 1")
    agents = (str(agent), "random_agent")
    values = FAST | {"records": records}

    def plan(extend=False):
        return planned(agents, values | {"extend": extend}, names=NAMES, pairs=4, games=8, sprt=Sprt(0, 300))

    pretend(plan(), points=(0, 0))
    agent.write_text("depth = 2")
    executor, match = pretend(plan(extend=True), points=(1, 1))
    assert len(executor.tasks) == len(match.records) // 2 > 1
    assert match_json(match)["sprt"]["pairs"] == 4
    assert pair_counts("alpha", match.records).counts == [0, 0, 0, 0, 4]


def test_limits_of_one_player_stand_behind_its_name():
    agents = ("random_agent@move_time=1,memory=900", "greedy_agent")
    conditions = planned(agents, FAST).settings.conditions
    assert (conditions.limits_for("random_agent").move_seconds, conditions.limits_for("random_agent").memory_mb) == (
        1,
        900,
    )
    assert conditions.limits_for("greedy_agent").move_seconds == 5


# --- Playing --------------------------------------------------------------------------------------------------------


def test_each_pair_is_saved_when_it_ends_with_the_numbers_of_its_games(pretend, tmp_path):
    """Pairs do not wait for one that is played again: they would be lost if the program were killed."""
    _, match = pretend(plan_of(6), save=tmp_path / "games.jsonl", last_first=True, void=1)
    saved = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [game["number"] for game in saved] == [3, 4, 1, 2, 5, 6]
    openings = {game["number"]: tuple(game["opening"]) for game in saved}
    assert [openings[number] for number in range(1, 7)] == [record.opening for record in match.records]


def test_both_games_of_a_void_pair_are_saved_as_games_that_do_not_count(pretend, tmp_path):
    _, match = pretend(plan_of(4), save=tmp_path / "games.jsonl", broken_pairs=(1,))
    saved = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert {game["number"]: game["counts"] for game in saved} == {1: False, 2: False, 3: True, 4: True}
    assert match_json(match)["distinct_games"] == 1


@pytest.mark.parametrize("before", ["", '{"number": 1}\n', '{"number": 1}'])
def test_a_line_that_was_cut_off_spoils_no_other(pretend, tmp_path, before):
    file = tmp_path / "games.jsonl"
    file.write_text(before)
    pretend(plan_of(2), save=file)
    assert len(file.read_text().splitlines()) == 2 + bool(before)
    assert all(map(json.loads, file.read_text().splitlines()))


def test_an_interrupt_keeps_the_games_that_were_finished(pretend, tmp_path):
    screen = pipe()
    _, match = pretend(plan_of(10), save=tmp_path / "games.jsonl", pairs=1, half=True, screen=screen)
    assert "stopping now; games that have ended count" in screen.file.getvalue()
    assert match.interrupted
    assert len(match.records) == 3
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 3
    assert "3 of 10 games" in summary_of(match)


def test_games_that_were_finished_are_kept_if_all_workers_are_gone(pretend):
    _, match = pretend(plan_of(10), pairs=1, half=True, gone=True)
    assert len(match.records) == 3
    assert (str(match.failure), match.complete, match.interrupted) == ("there is no worker", False, False)


def test_a_half_pair_that_is_played_again_is_saved_once(pretend, tmp_path, records):
    file, plan = tmp_path / "games.jsonl", plan_of(4, records=records)
    screen = pipe()
    _, match = pretend(plan, save=file, pairs=1, half=True, screen=screen)
    assert len(file.read_text().splitlines()) == len(match.records) == 2
    assert "2 of 4 games" in summary_of(match)
    assert "unfinished pairs are not counted" in screen.file.getvalue()
    executor, match = pretend(plan, save=file)
    assert (len(executor.tasks), len(match.records)) == (1, 4)
    assert len(file.read_text().splitlines()) == 4


@pytest.fixture
def changing(tmp_path, monkeypatch):
    """An agent whose file is changed when a game of some number is over."""

    def agent(number):
        program, count = Path(shutil.copy(AGENTS / "gtp_resigner.py", tmp_path)), iter(range(1, 99))

        def play(*arguments, **more):
            record = referee.play_game(*arguments, **more)
            if next(count) == number:
                program.write_text(program.read_text() + "\n")
            return record

        monkeypatch.setattr(tasks, "play_game", play)
        return f"gtp:{sys.executable} -I -S {program}"

    return agent


@pytest.mark.usefixtures("played_here")
@pytest.mark.parametrize(
    ("game", "command"),
    [
        (3, "match {} {} --games 10 --isolation none --save games.jsonl"),
        (4, "match {} {} --games 10 --isolation none --save games.jsonl"),
        (3, "simulator --player_1={} --player_2={} --isolation=none --autoplay --autoplay_runs=6"),
    ],
)
def test_an_agent_that_is_changed_while_it_plays_ends_the_match(tmp_path, monkeypatch, changing, game, command):
    """The summary is shown first. If the match went on, records would have the hash of a file that did not play."""
    monkeypatch.chdir(tmp_path)
    result = typed(command.format(f"'{changing(game)}'", f"'{RESIGNER}'"))
    assert result.exit_code == 1
    assert f"Error: {PYTHON} was changed while it played: {tmp_path}" in result.output
    if command.startswith("match"):
        assert "2 of 10 games of pentago played (stopped)" in result.output
        assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2


@pytest.mark.usefixtures("played_here")
def test_a_full_disk_ends_a_match_in_words_after_its_summary():
    command = ["match", RESIGNER, RESIGNER, "--games", "10", "--isolation", "none", "--save", "/dev/full"]
    result = invoke(*command)
    assert result.exit_code == 1
    assert "2 of 10 games of pentago played (stopped)" in result.output
    assert result.output.endswith("Error: cannot write /dev/full: the disk is full\n")


@pytest.mark.parametrize(("points", "state"), [((1, 1, 1, 0.5), "H1"), ((0, 1, 0, 0.5), "H0")])
def test_a_match_ends_with_the_pair_that_decides_its_test(pretend, points, state):
    test = Sprt(0, 100)
    _, match = pretend(plan_of(20_000, sprt=test), points=points)
    assert (match.games, match.interrupted) == (20_000, False)
    assert 4 < len(match.records) < 1000
    assert len(match.records) % 2 == 0
    assert test.state(pair_counts("alpha", match.records[:-2]).counts) == "continue"
    found = match_json(match)["sprt"]
    assert (found["state"], found["pairs"]) == (state, len(match.records) // 2)
    assert not found["lower"] < found["llr"] < found["upper"]
    assert f"SPRT: {state}" in summary_of(match)
    assert "accept" in summary_of(match)


def test_what_is_decided_stays_decided_whatever_is_in_play(pretend, records):
    """Alpha loses the pairs that end after the decision; with them, the test would be open."""
    test = Sprt(0, 100)
    plan = plan_of(1000, sprt=test, records=records)
    _, match = pretend(plan, points=(1, 1, 1, 0.5), in_play=2)
    counts = pair_counts("alpha", match.records).counts
    assert test.state(counts) == "continue"
    with read_store(Path(records)) as store:  # a long test is planned piece by piece
        assert len(store.pairs()) == MOST_PLANNED < 500
    for _ in range(2):
        found = match_json(match)["sprt"]
        assert (found["state"], found["pairs"]) == ("H1", sum(counts) - 2)
        assert "SPRT: H1" in summary_of(match)
        assert "pairs that ended after that: 2" in summary_of(match)
        executor, match = pretend(plan)
        assert executor.tasks == []


def test_a_pair_that_was_called_void_counts_neither_for_the_score_nor_for_the_test(pretend, tmp_path, records):
    plan, whole = (plan_of(100, sprt=Sprt(0, 300), records=file) for file in (records, str(tmp_path / "whole.db")))
    needed = len(pretend(whole, points=(1, 1))[0].tasks)
    pretend(plan, points=(1, 1), pairs=2)
    with closing(sqlite3.connect(records)) as database, database:
        database.execute("UPDATE pairs SET state = 'void' WHERE state = 'played'")
    executor, match = pretend(plan, points=(1, 1))
    assert len(executor.tasks) == needed == len(match.records) // 2 == match_json(match)["sprt"]["pairs"]


def test_a_pair_that_was_called_void_after_the_decision_is_played_again_and_decides_anew(pretend, records):
    pretend(plan_of(100, sprt=Sprt(0, 300), records=records), points=(1, 1))
    with closing(sqlite3.connect(records)) as database, database:
        database.execute("UPDATE pairs SET state = 'void' WHERE id = 2")
    executor, match = pretend(plan_of(100, sprt=Sprt(0, 300), records=records, extend=True), points=(1, 1))
    assert [task.pair.id for task in executor.tasks] == [2]
    assert match_json(match)["sprt"]["pairs"] == len(match.records) // 2


@pytest.mark.usefixtures("played_here")
def test_a_match_of_go_is_one_object_of_json_and_leaves_each_game_as_sgf_in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--game", "go", "--size", 3, "--komi", 1.5, "--save", "games.jsonl")
    done = invoke("match", PASSES, PASSES, *options, "--json")
    assert done.exit_code == 0, done.stderr
    (line,) = done.stdout.splitlines()
    match, said = json.loads(line), " ".join(done.stderr.split())
    assert (set(match["agents"]), match["games_played"]) == ({PYTHON, f"{PYTHON}#2"}, 2) and not match["interrupted"]
    assert match["settings"]["limits"]["memory_mb"] == 500
    assert len(Path("games.jsonl").read_text().splitlines()) == 2
    assert "game 2 of 2" in said and "\x1b" not in done.stderr
    assert match["settings"]["game_options"] == {"size": 3, "komi": 1.5}
    assert "2 of 2 games of go (size 3, komi 1.5) played" in said and "no opening moves" in said
    assert f"the games as SGF: {match['sgf_folder']}" in done.stderr.replace("\n", "")
    _, second = sorted((tmp_path / match["sgf_folder"]).iterdir())
    assert (second.parent.parent, second.name) == (tmp_path / "games", f"002-{PYTHON}_2-{PYTHON}.sgf")
    read = read_sgf(second)
    assert (read.game.size, read.game.komi, read.names) == (3, 1.5, (f"{PYTHON}#2", PYTHON))
    assert read.moves == ((0, "pass"), (1, "pass"))


def test_matches_of_the_same_agents_have_different_folders(tmp_path):
    with match_folder(tmp_path, ("a", "b")) as first, match_folder(tmp_path, ("a", "b")) as second:
        assert first != second


def test_a_match_that_plays_no_game_leaves_no_folder(tmp_path, pretend):
    _, match = pretend(plan_of(game="go", opening_plies=0), sgf=tmp_path, pairs=0)
    assert match.interrupted
    assert match.sgf_folder is None
    assert list(tmp_path.iterdir()) == []


def test_names_of_agents_make_names_of_files(tmp_path):
    with match_folder(tmp_path, ("../uct_agent:c=0.5,x=/", "#" * 99)) as folder:
        assert folder.parent == tmp_path
        assert folder.name.endswith("-uct_agent_c_0.5_x-agent")


@pytest.mark.usefixtures("played_here")
@pytest.mark.parametrize(
    "command",
    [
        ["match", RESIGNER, RESIGNER, "--isolation", "none"],
        ["simulator", *PLAYERS],
        ["simulator", *PLAYERS, "--autoplay", "--autoplay_runs=2"],
    ],
    ids=["match", "course", "autoplay"],
)
def test_what_agents_say_when_they_are_prepared_is_no_markup(command, monkeypatch):
    text = "no entry a[/0], [bold]b[/bold] :warning:"
    for module in ("simulator.player.compile_ahead", "simulator.tournament.tasks"):
        monkeypatch.setattr(f"{module}.compile_ahead", lambda game, specs, say, *_, **more: say(text))
    result = invoke(*command)
    assert result.exception is None
    assert text in result.stdout.splitlines()


# --- Agents that cannot be loaded -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("played_here")
def test_a_match_ends_with_status_1_before_the_first_game_if_an_agent_cannot_be_loaded(tmp_path):
    options = ("--games", "20", "--json", "--records", str(tmp_path / "match.db"))
    result = invoke("match", str(AGENTS / "raises_in_setup.py"), RESIGNER, *options)
    assert result.exit_code == NOT_PLAYED == 1
    said = json.loads(result.stdout.splitlines()[-1])
    assert said["games_played"] == 0
    assert said["absent"]["agent"] == "raises_in_setup"
    assert said["absent"]["verdict"] in result.stderr.replace("\n", " ")
    assert "0 of 20 games of pentago played (stopped)" in result.stderr
    assert "raises_in_setup cannot play: the match ends here" in result.stderr
    assert result.stderr.count("absent: raises_in_setup (") == 1
    assert "the same command with --extend tries again" in result.stderr
    assert [f"    | {line}" for line in said["absent"]["stderr"]] == [
        line for line in result.stderr.splitlines() if line.startswith("    | ")
    ]


@pytest.mark.parametrize(
    ("winner", "reason", "started", "absent"),
    [
        (0, Reason.CRASH, (0.5, None), 1),
        (0, Reason.CRASH, (0.5, 0.5), None),
        (0, Reason.NORMAL, (0.5, None), None),
        (None, Reason.VOID, (None, None), None),
    ],
)
def test_who_lost_before_it_answered_anything_was_absent(winner, reason, started, absent):
    assert replace(record_of(winner=winner, reason=reason), startup_seconds=started).absent == absent


def test_an_agent_that_fails_after_it_was_loaded_loses_games_and_is_not_absent(pretend):
    _, match = pretend(plan_of(4), broken=Reason.CRASH)
    assert len(match.records) == 4
    assert match.could_be_played
    assert match_json(match)["absent"] is None


def test_a_match_of_void_games_only_could_not_be_played():
    void, said = record_of(winner=None, reason=Reason.VOID), "nothing could be played: every game is void"
    for records, could_be_played in (([void], False), ([record_of(), void], True), ([], True)):
        match = match_of(*records, games=2)
        assert match.could_be_played == could_be_played == (said not in summary_of(match))
