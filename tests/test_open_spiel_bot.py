"""OpenSpiel's MCTSBot behind the bridge plays Go and Kalah as a GTP engine, and makes no move that superko forbids."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.open_spiel_bot import KalahBot, OpenSpielBot
from game import FIRST, SECOND
from go.game import Go
from mancala.game import Kalah

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

SCRIPT = Path(__file__).resolve().parents[1] / "benchmarks" / "open_spiel_bot.py"


def make_bot(move_seconds=0.05, spiel=pyspiel):
    return OpenSpielBot(spiel, move_seconds, memory_mb=100, seed=1, exploration=2.0)


def answers(bot, *requests):
    return ["".join(bot.server.pieces(request)).strip() for request in requests]


def test_a_game_of_five_moves_over_the_pipes():
    requests = ["boardsize 5", "clear_board", "komi 7", "time_settings 0 1 1", "play b C3", "genmove w", "genmove b"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--move-time", "0.1"],
        input="\n".join([*requests, "genmove w", "genmove b", "quit"]) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found = [answer.partition("=")[2].strip() for answer in done.stdout.split("\n\n")[:-1]]
    assert len(found) == len(requests) + 3
    go = Go(5)
    position = go.initial().play(go.parse_move("C3"))
    for text in found[5:9]:
        position = position.play(go.parse_move(text))
    assert position.ply == 5
    assert done.stderr.count("simulations in 0.1 s") == 4


def test_the_usual_commands_are_there():
    listed = answers(make_bot(), "list_commands")[0].removeprefix("= ").split("\n")
    wanted = "boardsize clear_board genmove known_command komi list_commands name play protocol_version quit"
    assert {*wanted.split(), "time_settings", "version"} <= set(listed)


@pytest.mark.parametrize(
    ("request_line", "error"),
    [
        ("boardsize 20", "unacceptable size"),
        ("boardsize 1", "unacceptable size"),
        ("komi many", "syntax error"),
        ("play b", "syntax error"),
        ("play x A1", "syntax error"),
        ("play b I5", "illegal move"),
        ("play b K1", "illegal move"),
        ("genmove", "syntax error"),
        ("time_settings 1", "syntax error"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(request_line, error):
    bot = make_bot()
    before = str(bot.state)
    assert answers(bot, request_line) == [f"? {error}"]
    assert str(bot.state) == before


def test_a_move_on_a_stone_is_refused_and_the_other_colour_has_not_passed_for_it():
    bot = make_bot()
    assert answers(bot, "play b D4", "play b D4") == ["=", "? illegal move"]
    assert bot.state.current_player() == SECOND


def test_a_colour_may_play_twice_the_other_passing():
    bot = make_bot()
    assert answers(bot, "boardsize 5", "play b A1", "play b E5") == ["="] * 3
    assert bot.state.history() == [0, 25, 24]


def test_a_new_komi_counts_for_the_game_on_the_board():
    for komi, black_wins in (("24.5", 1.0), ("25.5", -1.0)):
        bot = make_bot()
        assert answers(bot, "boardsize 5", "play b C3", f"komi {komi}", "play w pass", "play b pass") == ["="] * 5
        assert bot.state.returns()[FIRST] == black_wins


def test_a_game_that_is_over_is_answered_with_a_pass():
    assert answers(make_bot(), "play b pass", "play w pass", "genmove b", "play b A1")[2:] == [
        "= pass",
        "? illegal move",
    ]


def test_a_pass_that_wins_is_made():
    assert answers(make_bot(), "boardsize 3", "komi 0.5", "play b pass", "genmove w")[-1] == "= pass"


def spiel_with(mcts_bot):
    """OpenSpiel with another maker of bots."""
    names = ("RandomRolloutEvaluator", "ChildSelectionPolicy", "load_game")
    return SimpleNamespace(MCTSBot=mcts_bot, **{name: getattr(pyspiel, name) for name in names})


def test_the_time_is_the_smaller_of_the_option_and_the_controllers():
    asked = []

    def mcts_bot(*arguments):
        asked.append(arguments[-1])
        simulations = 10
        return pyspiel.MCTSBot(*arguments[:3], simulations, *arguments[4:])

    bot = make_bot(2.0, spiel_with(mcts_bot))
    answers(bot, "genmove b", "time_settings 0 10 20", "genmove w", "time_settings 0 90 1", "genmove b")
    answers(bot, "time_settings 0 0 0", "genmove w")
    assert asked == pytest.approx([1.9, 0.45, 1.9, 1.9])


@pytest.mark.parametrize(("visits", "answer"), [({7: 9, 1: 2, 2: 5}, "C1"), ({7: 9}, "pass")])
def test_the_best_move_that_repeats_no_board_is_answered(visits, answer):
    """After these moves on 3x3, B3 (action 7) brings back the first board: OpenSpiel calls that a draw."""
    moves = "play b B3", "play w A2", "play b C2", "play w B2", "play b A3", "play w C3"
    children = [SimpleNamespace(action=action, explore_count=count) for action, count in visits.items()]
    root = SimpleNamespace(explore_count=16, children=children, best_child=lambda: children[0])
    bot = make_bot(spiel=spiel_with(lambda *arguments: SimpleNamespace(mcts_search=lambda state: root)))
    assert answers(bot, "boardsize 3", *moves) == ["="] * 7
    assert set(visits) <= set(bot.state.legal_actions())
    assert answers(bot, "genmove b") == [f"= {answer}"]


def test_the_bot_plays_kalah_with_turns_that_do_not_alternate():
    bot = KalahBot(pyspiel, 0.02, memory_mb=100, seed=1, exploration=2.0)
    assert answers(bot, "boardsize 6", "play b 3", "play w 3", "play b 3", "play b 6", "boardsize 4")[1:] == [
        "=",
        "? illegal move",  # black moves again
        "? illegal move",  # an empty pit
        "=",
        "? unacceptable size",
    ]
    kalah = Kalah()
    position = kalah.initial().play(3).play(6)
    for _ in range(4):
        answer = answers(bot, f"genmove {kalah.players[position.to_move]}")[0]
        position = position.play(kalah.parse_move(answer.removeprefix("= "), position))
    assert [int(n) for n in bot.state.observation_tensor(0)[1:8]] == position.board[0].tolist()
