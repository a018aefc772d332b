"""`runner.py tournament` from the outside: refusals in words, a league's file, going on, Ctrl-C once and twice."""

import csv
import hashlib
import json
import os
import re
import signal
import zipfile
from functools import partial

import click
import psutil
import pytest

from agents.agent import AgentSpec
from commands.errors import NOT_PLAYED
from commands.playing import planned, planned_before
from commands.tournament import what_is_asked
from simulator.records.database import read_store
from simulator.records.schema import PLANNED
from simulator.sandbox.cores import available_cores
from simulator.submission.archive import write_zip
from simulator.submission.named_agents import UNPRINTABLE
from simulator.tournament.fields import BY_KEY
from tests.command_line import invoke
from tests.pretender import SPECS, pretend
from tests.programs import AGENTS, PROJECT, RESIGNER, assert_ended, command, read_until, wait_until
from tests.scoundrels.games import program
from tests.test_game_files import CONNECT_FOUR

QUICK = ["--isolation", "none", "--opening-plies", "2", "--first-move-time", "60", "--cushion", "60"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A function that runs the command in this process, in an empty folder, and returns its result."""
    monkeypatch.chdir(tmp_path)
    return partial(invoke, "tournament")


def states(path):
    with read_store(path) as store:
        return [pair.state for pair in store.pairs()]


@pytest.mark.usefixtures("played_here")
def test_options_of_a_game_and_force_are_taken_and_prepared_agents_are_counted(run, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr("commands.playing.show_progress", shown.append)
    options = ("--game", "kalah", "--empty-capture", "yes", "--workers", len(available_cores()) + 1, "--force")
    done = run(*[RESIGNER] * 3, *QUICK, *options)
    assert done.exit_code == 0, done.output
    with read_store(tmp_path / "league.db") as store:
        assert store.settings()["game_options"]["empty_capture"] is True
    assert shown == [*(f"preparing agents: {number} of 3" for number in (1, 2, 3)), ""]


# --- Refusals -------------------------------------------------------------------------------------------------------


def test_the_sample_file_of_the_documentation_is_one_that_is_played(tmp_path, monkeypatch):
    """It is read and planned, but not played: its settings fit together."""
    monkeypatch.chdir(tmp_path)
    sample = re.search(r"```toml\n(.*?)```", (PROJECT / "docs" / "tournaments.md").read_text(), re.DOTALL)[1]
    sample = sample.replace("gtp:gnugo --mode gtp", RESIGNER).replace("= 2000 ", "= 20 ")
    (tmp_path / "submissions").mkdir()
    for name in "abcdefgh":
        (tmp_path / "submissions" / f"{name}.zip").touch()
    (tmp_path / "spring.toml").write_text(sample)
    asked = what_is_asked(("spring.toml",), {})
    plan = planned(asked.agents, asked.values, may_be_absent=True)
    assert (plan.game.name, plan.settings.format, plan.names[:2]) == ("go", "swiss", ("uct_agent", "a"))
    assert {"agents", *BY_KEY, "size", "komi"} - set(re.findall(r"^(?:# )?([\w-]+) = ", sample, re.MULTILINE)) == set()


@pytest.mark.slow
def test_an_agent_that_kills_what_starts_it_is_absent_and_the_others_play(run, tmp_path):
    killer = tmp_path / "kills_parent.py"
    killer.write_text((AGENTS / "kills_parent.py").read_text())
    for _ in range(2):
        result = run(RESIGNER, RESIGNER, killer, *QUICK)
        assert result.exit_code == 1, result.output
        assert "absent: kills_parent" in result.output
        assert "the first start of kills_parent: 3 attempts have ended" in " ".join(result.output.split())
    assert len(states(tmp_path / "league.db")) == 1


# --- Playing --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("played_here")
def test_a_league_s_file_is_played_recorded_beside_it_and_gone_on_with(run, tmp_path):
    league = tmp_path / "spring.toml"
    league.write_text(
        f'agents = ["{RESIGNER}", "{RESIGNER}", "{AGENTS / "raises_in_import.py"}"]\n'
        'isolation = "none"\nopening-plies = 2\nfirst-move-time = 60\ncushion = 60\nrounds = 3\n'
    )
    result = run(league)
    assert result.exit_code == NOT_PLAYED, result.output
    found, _, standings = result.output.partition("] game ")
    for said in (found, standings):
        assert "absent: raises_in_import" in said
        assert "    | ImportError: no module named genius" in said
    assert result.stderr.endswith(
        "absent, because they could not play: raises_in_import; the same command with --extend tries again\n"
    )
    assert f"complete; records: {tmp_path / 'spring.db'}" in result.output
    assert states(tmp_path / "spring.db") == ["played"] * 3
    again = run(league)
    assert "6 of 6 games were played before" in again.output
    for played in (again, again := run(league, "--json")):
        assert played.exit_code == NOT_PLAYED
    assert json.loads(again.stdout.splitlines()[-1])["absent"] == ["raises_in_import"]
    changed = run(league, "--pairs", "2")
    assert changed.exit_code == 1
    assert "pairs: 1 in the records, 2 now" in changed.output


def test_an_option_of_another_game_than_the_one_that_is_played_is_refused(tmp_path):
    league = tmp_path / "league.toml"
    league.write_text(f'agents = ["random_agent", "greedy_agent"]\ngame = "{CONNECT_FOUR}"\nrows = 9\n')
    with pytest.raises(click.UsageError, match=r"rows is no option of go: leave it out, or leave out --game"):
        what_is_asked((str(league),), {"game": "go"})


def test_records_go_on_without_the_file_of_an_agent_that_was_absent_from_the_first(tmp_path):
    gone = AgentSpec("M ller.zip", "M ller.zip", {}, UNPRINTABLE)
    pretend(tmp_path / "league.db", specs=SPECS | {"M ller": gone})
    for values in ({}, {"extend": True}):
        plan = planned_before(tmp_path / "league.db", values)
        assert [*plan.specs] == [*SPECS, "M ller"] and plan.specs["M ller"] == gone


@pytest.mark.usefixtures("played_here")
def test_files_that_are_not_fit_are_absent_and_play_when_they_are_repaired(run, tmp_path):
    (tmp_path / "eve.zip").write_bytes(b"no zip")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    agents = f"agents = ['{RESIGNER}', 'eve.zip', '*.py', '{RESIGNER}']"
    (tmp_path / "league.toml").write_text(f"{agents}\nformat = 'gauntlet'")  # who comes later meets one agent
    arguments = ["league.toml", *QUICK]
    for shown in (2, 1):  # when a file is found unfit, and at the end
        result = run(*arguments)
        assert result.exit_code == NOT_PLAYED, result.output
        said = " ".join(result.output.split())
        assert "it is not a zip file that can be read" in said and "absent: eve" in said
        assert said.count("pipe.py cannot be read: it is not a plain file") == shown
        assert "folder.py (folder.py): there is no agent.py in the folder" in said
    assert len(states(tmp_path / "league.db")) == 1
    with zipfile.ZipFile(tmp_path / "eve.zip", "w") as file:
        file.write(AGENTS / "resigns.py", "agent.py")
    result = run(*arguments)
    assert result.exit_code == 1 and "add --extend" in result.output
    result = run(*arguments, "--extend")
    assert result.stderr.endswith(
        "absent, because they could not play: folder.py, pipe; the same command with --extend tries again\n"
    )
    assert len(states(tmp_path / "league.db")) == 2


@pytest.mark.usefixtures("played_here")
def test_a_zip_file_is_its_contents_and_the_records_alone_go_on_with_it(run, tmp_path):
    def hand_in(weights, *authors):
        contents = {"agent.py": (AGENTS / "resigns.py").read_bytes(), "weights.npy": weights}
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
        write_zip(contents, {"agent": "agent.py", "files": hashes, "authors": authors}, tmp_path / "ann.zip")

    hand_in(b"1")
    assert run("ann.zip", RESIGNER, *QUICK).exit_code == 0
    hand_in(b"1", "Ann Lee", 7, "\x1b[2JBob")
    for again in (["ann.zip", RESIGNER, *QUICK], ["league.db"], ["league.db", "--workers=1"]):
        result = run(*again)
        assert result.exit_code == 0, result.output
        assert "2 of 2 games were played before" in result.output
    assert run("league.db", "--rounds=2", "--extend").exit_code == 0
    assert states(tmp_path / "league.db") == ["played"] * 2
    grades = invoke("export", "league.db", "--format=csv", "--standings").stdout
    assert {row["agent"]: row["authors"] for row in csv.DictReader(grades.splitlines())}["ann"] == "Ann Lee,  [2JBob"
    hand_in(b"2")
    for changed in (["ann.zip", RESIGNER, *QUICK, "--rounds=2"], ["league.db"]):
        assert "ann: weights.npy was changed" in run(*changed).output
    (tmp_path / "ann.zip").write_bytes(b"no zip")
    assert "absent: ann (ann.zip): " in run("league.db", "--extend").output
    with read_store(tmp_path / "league.db") as store:
        assert store.agents()[0].authors == ("Ann Lee", " [2JBob")
    (tmp_path / "ann.zip").unlink()
    assert "run this in the folder in which league.db was begun: paths start there" in " ".join(
        run("league.db", "--extend").output.split()
    )


def test_ctrl_c_finishes_the_pairs_in_play_and_says_how_to_go_on(tmp_path):
    arguments = [RESIGNER, RESIGNER, *QUICK, "--rounds", "400"]
    with command("tournament", *arguments, "--json", folder=tmp_path) as process:
        read_until(process, "stdout", '"event": "game"')
        os.killpg(process.pid, signal.SIGINT)
        events = [json.loads(line) for line in process.stdout]
        assert process.wait(60) == 130
        said = process.stderr.read()
    assert re.fullmatch(r"go on with: python \S+runner.py tournament league.db --json\n", said)
    kinds = [event["event"] for event in events]
    assert kinds[-1] == "ended"
    assert not events[-1]["complete"]
    played = states(tmp_path / "league.db")
    assert 0 < played.count("played") < 400
    assert played.count("played") == kinds.count("saved")
    assert played.count(PLANNED) == len(played) - played.count("played") > 0


def test_a_second_ctrl_c_stops_at_once_and_leaves_no_process(tmp_path):
    words = [*[program("sleeps").strip()] * 2, "--move-time", "600", "--workers", "1", "--json"]
    with command("tournament", *words, folder=tmp_path) as process:
        read_until(process, "stdout", '"event": "planned"')
        tournament = psutil.Process(process.pid)
        wait_until(lambda: len(tournament.children(recursive=True)) >= 2)  # the worker, and an agent in its sandbox
        children = tournament.children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        read_until(process, "stdout", '"event": "stopping"')
        assert process.poll() is None
        children += tournament.children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 130
    assert_ended(children)
    assert states(tmp_path / "league.db") == [PLANNED]
