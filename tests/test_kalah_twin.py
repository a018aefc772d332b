"""The C++ twin of Kalah plays the games of the compiled Python code, and OpenSpiel's bot plays Kalah behind GTP."""

import shutil

import pytest

from agents.uct.searcher import Searcher
from agents.uct.settings import TreeSettings
from benchmarks import twin
from benchmarks.kalah import sum_of_playouts
from benchmarks.open_spiel_bot import KalahBot
from jit import new_rng  # first: it decides where compiled code is kept
from mancala.game import Kalah

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ to build the twin with")


@needs_compiler
@pytest.mark.parametrize(("pits", "stones"), [(1, 1), (6, 4), (7, 12), (9, 3)])
def test_the_same_seed_gives_the_same_playouts_in_both_languages(pits, stones):
    kalah = Kalah(pits, stones)
    expected = sum_of_playouts(kalah.kernel, kalah.state(kalah.initial()), new_rng(42), 2_000)
    assert twin.kalah_playouts(pits, stones, 2_000, 42)["total"] == expected


@needs_compiler
def test_the_search_of_the_twin_finds_what_ours_finds():
    kalah = Kalah(3, 2)
    searcher = Searcher(kalah, 200_000, 1, TreeSettings(memory="stop"))
    searcher.begin(kalah.initial())
    searcher.search(simulations=100_000)
    done = twin.kalah_search(3, 2, 100_000, 1, 0.5, 200_000)
    assert searcher.proven == "win"
    assert done["simulations"] < 100_000  # proved, too
    assert done["node_bytes"] == 32


@needs_compiler
def test_a_board_that_the_twin_has_not_is_an_error_with_its_text():
    with pytest.raises(twin.TwinError, match="whose sides fit into 64 bits"):
        twin.kalah_playouts(10, 12, 1, 1)


def answers(bot, *requests):
    return ["".join(bot.server.pieces(request)).strip() for request in requests]


def test_the_bot_plays_kalah_with_turns_that_do_not_alternate():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
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
