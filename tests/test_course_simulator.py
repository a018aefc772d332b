"""`python -m simulator`: the course's flags, one game and many, on this project's referee."""

import re
from io import StringIO

import pytest
from rich.console import Console

from commands import playing
from commands.course_simulator import boards
from simulator.referee import referee
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.terminal import course_simulator as course_module
from simulator.tournament.events import Ended
from tests import command_line
from tests.leagues import record_of
from tests.programs import AGENTS, PASSES, PYTHON, command, interrupted, read_until
from tests.scoundrels.games import PLAYS_ON, late
from tests.test_live import pipe, watching
from tests.test_match_summary import match_of

BROKEN = AGENTS / "raises_in_setup.py"
CRASHES = f"{PASSES} --moves f6/3f --dies 'what now?'"
GO = ("--game", "go", "--board_size", "3")
PASSING = (*GO, "--player_1", f"{PASSES} --moves B2", "--player_2", f"{PASSES} --moves A1")
RESIGNS_LATER = f"{PASSES} --moves 'f6/3f resign'"
SECONDS = r"\d+\.\d{5} seconds"
TURN_TIMES = rf"Maximum turn time was {SECONDS}; for first turns, with set-up, {SECONDS}\."

pytestmark = pytest.mark.usefixtures("played_here")  # except in tests that begin a process for Ctrl-C


def invoke(*arguments, text=None):
    return command_line.invoke("simulator", *arguments, text=text)


# --- Help -----------------------------------------------------------------------------------------------------------


def test_help_names_the_courses_flags_shows_examples_and_fits_80_columns():
    result = invoke("--help")
    assert result.exit_code == 0
    flags = ["player_1", "player_2", "board_size", "display", "display_delay", "autoplay", "autoplay_runs"]
    assert all(f"  --{flag} " in result.output for flag in flags)
    assert "python -m simulator --player_1 uct_agent" in result.output
    assert max(map(len, result.output.splitlines())) <= 80


def test_board_sizes_from_one_end_on_are_those_of_the_game():
    def sizes(*ends):
        return [one.game_options["size"] for one in boards(Conditions("go"), *ends, None)]

    assert sizes(13, None) == [*range(13, 20)] and sizes(None, 3) == [2, 3] and sizes(10, None) == [10, 11, 12]


# --- One game -------------------------------------------------------------------------------------------------------


def test_by_default_two_random_agents_play_one_game_and_the_winner_is_named():
    result = invoke()
    assert (result.exit_code, result.stderr) == (0, "")
    *moves, finished, reason = result.stdout.splitlines()
    told = r"Player {}, agent {}, plays \w\d/\d\w\. Time taken this turn \(in seconds\): \d+\.\d{{5}}"
    players = [told.format(1, "random_agent"), told.format(2, "random_agent#2")]
    assert all(re.fullmatch(players[i % 2], line) for i, line in enumerate(moves))
    assert re.fullmatch(r"Run finished\. (Player [12], agent random_agent(#2)?, wins|It is a draw)\.", finished)
    assert f" on the board after {len(moves)} moves" in reason


def test_the_seed_that_is_given_is_the_games(monkeypatch):
    seeds = []
    monkeypatch.setattr(referee, "play_game", lambda *_, seed, **more: seeds.append(seed) or record_of())
    for seed in (1, 1, 2):
        invoke(*PASSING, "--seed", seed)
    assert seeds == [1, 1, 2]


def test_display_shows_the_first_board_and_one_after_every_move_and_waits_at_each(monkeypatch):
    waits = []
    monkeypatch.setattr(course_module.time, "sleep", waits.append)
    out = invoke(*PASSING, "--komi", "0.5", "--display", "--display_delay", "0.25").output
    boards = out.count("A B C") // 2  # the columns' names stand above and below a board
    assert boards == 1 + out.count(" plays ")
    assert waits.count(0.25) == boards
    assert " 3 . . . 3" in out
    assert re.search(r"wins on the board by \d\.5 after", out) or re.search(r"stands, .* by \d\.5", out)
    assert "\x1b" not in out


def test_a_game_that_ends_by_a_fault_says_which_and_what_the_loser_said_last():
    out = invoke("--player_1", PLAYS_ON, "--player_2", CRASHES).output
    assert f"Run finished. Player 1, agent {PYTHON}, wins.\n{PYTHON}#2 (b) crashed at move 4: " in out
    assert "\n    | what now?\n" in out


def test_a_late_answer_that_was_replaced_is_marked():
    players = ("--player_1", f"{PASSES} --moves 'B2 A1' --slow A1 --seconds 0.4", "--player_2", PASSES)
    out = invoke(*GO, *players, "--move_time", "0.2", "--seed", "2").output
    assert "(a random move: its answer came too late). Time taken this turn" in out


def test_a_void_game_is_won_by_nobody(monkeypatch):
    def fail(*_):
        raise OSError("no processes left")

    monkeypatch.setattr(referee.Player, "ask", fail)
    out = invoke().output
    assert "Run finished. The game is void: nobody wins.\n" in out
    assert "no processes left" in out


def test_ctrl_c_stops_a_game_and_says_after_how_many_moves():
    players = ("--player_1", PLAYS_ON, "--player_2", late(50))
    with command("simulator", *players, "--move_time", "60") as process:
        read_until(process, "stdout", "Player 2")
        out, err = interrupted(process)
    assert err == ""
    assert re.search(r"^Stopped after [23] moves: nobody wins\.\n\Z", out, re.MULTILINE)


# --- Many games -----------------------------------------------------------------------------------------------------


def test_autoplay_swaps_colours_every_other_game_and_ends_with_a_line_for_each_player(monkeypatch):
    """Its games begin without opening moves."""
    matches, lines = [], course_module.autoplay_lines
    monkeypatch.setattr(course_module, "autoplay_lines", lambda match: matches.append(match) or lines(match))
    result = invoke(*PASSING, "--autoplay", "--autoplay_runs", "4")
    assert result.exit_code == 0
    names, shares = (PYTHON, f"{PYTHON}#2"), []
    for player, line in enumerate(result.output.splitlines()):
        who = re.escape(f"Player {player + 1}, agent {names[player]}")
        match = re.fullmatch(rf"{who}, win percentage: (\d+\.\d)%\. {TURN_TIMES}", line)
        assert match, line
        shares.append(float(match[1]))
    assert len(shares) == 2 and sum(shares) == 100
    assert [(record.agents, record.opening) for record in matches[0].records] == [(names, ()), (names[::-1], ())] * 2


@pytest.mark.parametrize(("told", "games"), [((), 100), (("--autoplay_runs", 10**9), 10**9)])
def test_autoplay_plays_100_games_unless_told_and_shows_those_before_ctrl_c(monkeypatch, told, games):
    def stopped(plan, *_):
        return Ended(plan.names, plan.settings, records=[record_of(plan.names)], interrupted=True)

    monkeypatch.setattr(playing, "played_match", stopped)
    result = invoke("--autoplay", *told)
    said, first, second = result.output.splitlines()
    assert (result.exit_code, said) == (130, f"Stopped: 1 of {games} games were played.")
    assert first.startswith("Player 1, agent random_agent, win percentage: 100.0%. Maximum turn time was ")
    assert second.startswith("Player 2, agent random_agent#2, win percentage: 0.0%. ")


def test_autoplay_shows_faults_and_is_silent_about_resignations():
    result = invoke("--player_1", CRASHES, "--player_2", RESIGNS_LATER, "--autoplay", "--autoplay_runs", "2")
    assert result.output.startswith(f"game 1 of 2: {PYTHON} (w) crashed at move 3: ")
    assert "\n    | what now?\n" in result.output
    assert "game 2 of 2" not in result.output
    assert f"Player 1, agent {PYTHON}, win percentage: 50.0%. " in result.output


def test_one_game_with_an_agent_that_cannot_be_loaded_says_why_and_exits_with_1():
    result = invoke("--player_1", PLAYS_ON, "--player_2", BROKEN)
    assert result.exit_code == 1
    assert "could not be loaded at move 2: RuntimeError: no opening book\n    | " in result.output


def test_autoplay_with_an_agent_that_cannot_be_loaded_plays_nothing_and_says_why():
    result = invoke("--player_1", BROKEN, "--player_2", PLAYS_ON, "--autoplay", "--autoplay_runs", "50")
    lines = result.output.splitlines()
    assert result.exit_code == 1
    assert lines[-2:] == [
        "Stopped: 0 of 50 games were played.",
        "raises_in_setup cannot play: the match ends here.",
    ]
    assert any("no opening book" in line for line in lines[:-2])


@pytest.mark.parametrize(
    ("options", "noticed", "finished"),
    [
        (("--autoplay_runs", "5"), "--autoplay_runs has no effect without --autoplay: one game is played", 1),
        (
            ("--autoplay", "--autoplay_runs", "1", "--display"),
            "Since running autoplay mode, display will be disabled",
            0,
        ),
    ],
)
def test_options_that_do_not_go_together_are_noticed(options, noticed, finished):
    result = invoke(*PASSING, *options)
    assert result.stderr == f"{noticed}\n"
    assert (result.stdout.count("Run finished."), "A B C" in result.stdout) == (finished, False)


def test_games_that_are_void_are_not_counted():
    void, won = record_of(winner=None, reason=Reason.VOID), record_of()
    lines = course_module.autoplay_lines(match_of(void, won, won))
    assert lines[0].startswith("1 void game (")
    assert lines[1].startswith("Player 1, agent alpha, win percentage: 100.0%. ")
    assert len(course_module.autoplay_lines(match_of(void))) == 2


def test_autoplay_shows_a_bar_and_the_score_on_a_terminal_only():
    terminal = Console(file=StringIO(), force_terminal=True, width=80, _environ={"TERM": "xterm"})
    for console, shown in ((terminal, True), (pipe(), False)):
        with watching(course_module.AutoplayObserver(console)) as match:
            match.over(1, record_of())
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())
        assert ("1/20" in text, "alpha 1 - 0 beta" in text, text != "") == (shown, shown, shown)


# --- The person -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("games_of_the_user_are_left_alone")
@pytest.mark.parametrize(
    ("players", "side"),
    [(("human_agent", PASSES), "Black (B)"), ((PASSES, "human_agent"), "White (W)")],
)
def test_a_person_plays_in_the_terminal_on_the_side_named(players, side):
    result = invoke(*GO, "--player_1", players[0], "--player_2", players[1], text="board\nquit\n")
    assert result.exit_code == 0, result.output
    assert f"You play {side} against {PYTHON}." in result.output
