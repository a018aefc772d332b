"""Matches: which games are played, what they add up to, and how one ends early."""

import json
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console
from simulator.terminal.match_screen import progress_on
from simulator.tournament.match import Match, MatchSettings, MatchWatcher, play_match, schedule

from agents.agent import Limits, parse_agent
from commands.errors import NOT_PLAYED
from game import load_game
from runner import main
from simulator.records.sgf_folder import SgfFolder
from simulator.records.sgf_reader import read_sgf
from simulator.referee import referee
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.statistics.pentanomial import pair_counts
from simulator.statistics.sprt import Sprt
from simulator.statistics.usage import tally
from simulator.terminal.match_summary import match_json, print_summary
from simulator.tournament import match as match_module

PENTAGO = load_game("pentago")
AGENTS = Path(__file__).resolve().parent / "agents"
NAMES = ("alpha", "beta")
SPECS = (parse_agent("random_agent"), parse_agent("random_agent"))
FAST = Limits(first_move_seconds=30, move_seconds=5)


def record_of(agents=NAMES, winner=0, reason=Reason.NORMAL, seconds=(3.0, 4.0, 1.0, 0.5), started=(0.5, 0.5), **more):
    """A game of which only what a match adds up is real; `seconds` are the times of the moves, in turn."""
    moves = tuple(MoveRecord(i, i % 2, f"m{i}", s, 100.0, **more.pop(f"move{i}", {})) for i, s in enumerate(seconds))
    loser = None if reason is Reason.NORMAL or winner is None else 1 - winner
    verdict = Verdict(winner, reason, f"winner {winner}: {reason}", len(moves), loser, **more)
    return GameRecord(
        "pentago",
        agents,
        0,
        (),
        moves,
        "W+",
        "",
        verdict,
        (100.0, 200.0),
        {"memory": "polling"},
        startup_seconds=started,
    )


def match_of(*records, games=None):
    return Match(NAMES, MatchSettings(games=games or len(records)), list(records))


def summary_of(match):
    console = Console(file=StringIO(), width=80)
    print_summary(console, match)
    return console.file.getvalue()


# --- The schedule ---------------------------------------------------------------------------------------------------


def test_each_opening_is_played_twice_with_colours_swapped():
    games = list(schedule(PENTAGO, MatchSettings(games=6, opening_plies=2)))
    assert [game.order for game in games] == [(0, 1), (1, 0)] * 3
    assert all(first.opening == second.opening for first, second in zip(games[::2], games[1::2], strict=True))
    assert len({game.opening for game in games}) == 3
    assert len({game.seed for game in games}) == 6


def test_an_odd_number_of_games_leaves_the_last_pair_half_played():
    assert [game.number for game in schedule(PENTAGO, MatchSettings(games=3))] == [1, 2, 3]


def test_the_schedule_follows_from_the_seed():
    same, again, other = (list(schedule(PENTAGO, MatchSettings(games=4, seed=seed))) for seed in (1, 1, 2))
    assert same == again
    assert same != other


# --- Playing --------------------------------------------------------------------------------------------------------


def test_a_match_between_random_agents_is_played_and_saved(tmp_path):
    file = tmp_path / "games.jsonl"
    settings = MatchSettings(games=2, limits=FAST, seed=5)
    match = play_match(SPECS, NAMES, settings, save=file)
    saved = [json.loads(line) for line in file.read_text().splitlines()]
    assert [game["agents"] for game in saved] == [["alpha", "beta"], ["beta", "alpha"]]
    assert saved[0]["opening"] == saved[1]["opening"] != []
    assert tally("alpha", match.records).total.games == 2
    assert not match.interrupted


def test_an_interrupt_keeps_the_games_that_were_finished(monkeypatch, tmp_path):
    def interrupted_at_the_third(*args, **kwargs):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(record_of(kwargs["names"]))
        return played[-1]

    played = []
    monkeypatch.setattr(match_module, "play_game", interrupted_at_the_third)
    match = play_match(SPECS, NAMES, MatchSettings(games=10), save=tmp_path / "games.jsonl")
    assert match.interrupted
    assert match.records == played
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2
    assert "2 of 10 games" in summary_of(match)


def test_a_full_disk_ends_a_match_in_words_after_its_summary():
    command = ["match", "random_agent", "random_agent", "--games", "10", "--opening-plies", "24", "--isolation", "none"]
    result = CliRunner().invoke(main, [*command, "--move-time", "60", "--save", "/dev/full"])
    assert result.exit_code == 1
    assert "1 of 10 games of pentago played (stopped)" in result.output
    assert result.output.endswith("Error: cannot write /dev/full: the disk is full\n")


def play_scripted(monkeypatch, points_of_alpha, **settings):
    """A match in which alpha makes these points, game after game and over again."""

    def scripted(*args, **kwargs):
        points = points_of_alpha[len(played) % len(points_of_alpha)]
        alpha = kwargs["names"].index("alpha")
        played.append(record_of(kwargs["names"], {1: alpha, 0: 1 - alpha, 0.5: None}[points]))
        return played[-1]

    played = []
    monkeypatch.setattr(match_module, "play_game", scripted)
    return play_match(SPECS, NAMES, MatchSettings(**settings))


@pytest.mark.parametrize(("points", "state"), [((1, 1, 1, 0.5), "H1"), ((0, 1, 0, 0.5), "H0")])
def test_a_match_ends_with_the_pair_that_decides_its_test(monkeypatch, points, state):
    test = Sprt(0, 100)
    match = play_scripted(monkeypatch, points, games=1000, sprt=test)
    assert match.decided
    assert 4 < len(match.records) < 1000
    assert len(match.records) % 2 == 0
    assert test.state(pair_counts("alpha", match.records[:-2]).counts) == "continue"
    found = match_json(match)["sprt"]
    assert (found["state"], found["pairs"]) == (state, len(match.records) // 2)
    assert not found["lower"] < found["llr"] < found["upper"]
    assert f"SPRT: {state}, " in summary_of(match)
    assert "is accepted" in summary_of(match)


def test_a_match_may_end_without_deciding_its_test(monkeypatch):
    match = play_scripted(monkeypatch, (1, 0), games=10, sprt=Sprt(0, 5))
    assert len(match.records) == 10
    assert match_json(match)["sprt"]["state"] == "continue"
    assert "SPRT: undecided" in summary_of(match)


def test_a_match_without_a_test_says_nothing_of_one(monkeypatch):
    match = play_scripted(monkeypatch, (1, 0), games=2)
    assert match_json(match)["sprt"] is None
    assert "SPRT" not in summary_of(match)


def test_a_file_that_cannot_be_written_is_noticed_before_the_first_game(tmp_path):
    with pytest.raises(OSError, match="no_such_folder"):
        play_match(SPECS, NAMES, MatchSettings(), MatchWatcher(), tmp_path / "no_such_folder" / "games.jsonl")


def test_a_match_of_go_leaves_each_game_as_sgf_in_a_folder_of_its_own(tmp_path):
    settings = MatchSettings(game="go", limits=FAST, opening_plies=0, game_options={"size": 3, "komi": 1.5})
    first, second = (play_match(SPECS, NAMES, settings, sgf=tmp_path / "games") for _ in range(2))
    assert first.sgf_folder != second.sgf_folder
    assert first.sgf_folder.parent == second.sgf_folder.parent == tmp_path / "games"
    assert sorted(file.name for file in first.sgf_folder.iterdir()) == ["001-alpha-beta.sgf", "002-beta-alpha.sgf"]
    read = read_sgf(first.sgf_folder / "002-beta-alpha.sgf")
    assert (read.game.size, read.game.komi, read.names) == (3, 1.5, ("beta", "alpha"))
    assert [text for _, text in read.moves] == [move.move for move in first.records[1].moves]
    assert first.records[1].options == {"size": 3, "komi": 1.5}
    text = " ".join(summary_of(first).split())
    assert "2 of 2 games of go (size 3, komi 1.5) played" in text
    assert "no opening moves" in text
    assert match_json(first)["sgf_folder"] == str(first.sgf_folder)


def test_a_match_that_plays_no_game_leaves_no_folder(tmp_path, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(match_module, "play_game", interrupted)
    match = play_match(SPECS, NAMES, MatchSettings(game="go", opening_plies=0), sgf=tmp_path)
    assert match.interrupted
    assert match.sgf_folder is None
    assert list(tmp_path.iterdir()) == []


def test_names_of_agents_make_names_of_files(tmp_path):
    with SgfFolder(tmp_path, ("../uct_agent:c=0.5,x=/", "#" * 99)) as folder:
        assert folder.folder.parent == tmp_path
        assert folder.folder.name.endswith("-uct_agent_c_0.5_x-agent")


def test_a_folder_for_sgf_that_cannot_be_made_is_noticed_before_the_first_game(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        play_match(SPECS, NAMES, MatchSettings(game="go"), sgf=tmp_path / "file")


# --- Agents that cannot be loaded -----------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", ["raises_in_import", "raises_in_setup", "exits_in_import"])
def test_a_match_ends_with_status_1_after_the_first_game_in_which_an_agent_cannot_be_loaded(broken):
    agent = str(AGENTS / f"{broken}.py")
    result = CliRunner().invoke(main, ["match", agent, "random_agent", "--games", "20", "--json"])
    assert result.exit_code == NOT_PLAYED == 1
    said = json.loads(result.stdout.splitlines()[-1])
    assert said["games_played"] == 1
    assert said["absent"]["agent"] == broken
    assert said["absent"]["verdict"] in result.stderr.replace("\n", " ")
    assert "1 of 20 games of pentago played (stopped)" in result.stderr
    assert f"{broken} cannot play: the match ends here" in result.stderr
    for line in said["absent"]["stderr"]:  # with its game, and once more at the end
        assert result.stderr.splitlines().count(f"    | {line}") >= 2


def test_the_reasons_of_an_agent_that_cannot_be_loaded_are_shown_below_its_verdict_on_a_terminal_too():
    console = Console(file=StringIO(), force_terminal=True, width=80, _environ={"TERM": "xterm"})
    specs = (parse_agent("random_agent"), parse_agent(str(AGENTS / "raises_in_import.py")))
    match = play_match(specs, NAMES, MatchSettings(games=8, limits=FAST), progress_on(console))
    shown = " ".join(console.file.getvalue().split())
    assert match.absent is match.records[-1]
    assert len(match.records) == 1
    assert 0 < shown.index("could not be loaded") < shown.index("no module named genius")


def test_an_agent_that_fails_after_it_was_loaded_loses_games_and_is_not_absent(monkeypatch):
    assert record_of(winner=0, reason=Reason.CRASH, started=(0.5, None)).absent == 1
    assert record_of(winner=0, reason=Reason.CRASH).absent is None
    assert record_of(winner=0, started=(0.5, None)).absent is None
    assert record_of(winner=None, reason=Reason.VOID, started=(None, None)).absent is None
    monkeypatch.setattr(match_module, "play_game", lambda *_, names, **__: record_of(names, 0, Reason.CRASH))
    match = play_match(SPECS, NAMES, MatchSettings(games=4))
    assert len(match.records) == 4
    assert match.could_be_played
    assert match_json(match)["absent"] is None


def test_a_match_of_void_games_only_ends_with_status_1(monkeypatch):
    def fail(*_):
        raise OSError("no processes left")

    monkeypatch.setattr(referee.Player, "ask", fail)
    result = CliRunner().invoke(main, ["match", "random_agent", "random_agent", "--isolation", "none"])
    assert result.exit_code == NOT_PLAYED
    assert "nothing could be played: every game is void" in result.output


def test_a_match_in_which_a_game_counts_is_one():
    assert match_of(record_of(), record_of(winner=None, reason=Reason.VOID)).could_be_played
    assert match_of(games=2).could_be_played
