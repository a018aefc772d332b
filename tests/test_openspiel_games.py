"""OpenSpiel's games by `openspiel:NAME(parameters)`: played, written, read back; those of other kinds are refused."""

import random
import re

import pytest

from game import NotationError, UnknownGame, load_game
from tests.command_line import said, typed
from tests.programs import RESIGNER

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

GAMES = [
    "amazons",
    "breakthrough(columns=6,rows=6)",
    "checkers",
    "chess",
    "clobber",
    "dots_and_boxes",
    "go(board_size=5)",
    "hex(board_size=5)",
    "lines_of_action",
    "oware",
    "tic_tac_toe",
    "ultimate_tic_tac_toe",
]


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_is_read_back_by_us_and_by_openspiel(name):
    the_game, rng = load_game(f"openspiel:{name}"), random.Random(1)
    position, theirs = the_game.initial(), pyspiel.load_game(name).new_initial_state()
    assert position.to_move == 0 and the_game.players[0] == f"p{theirs.current_player()}"
    while position.result is None and position.ply < 80:
        move = rng.choice(position.legal_moves())
        text = the_game.format_move(move)
        assert the_game.parse_move(text, position) == move
        theirs.apply_action(theirs.string_to_action(text.replace("_", " ")))
        position = position.play(move)
    assert theirs.is_terminal() == (position.result is not None)
    assert the_game.draw(position) == str(theirs)
    assert list(map(int, str(position).split())) == theirs.history()
    again = the_game.parse_position(str(position))
    assert again == position and again.legal_moves() == position.legal_moves()


REFUSED = {
    "kuhn_poker": "it has chance, and its players do not see everything",
    "goofspiel": "its players move at the same time",
    "hanabi": "it has chance",
    "catch": "it has 1 players",
    "ches": "OpenSpiel has no game ches; did you mean chess?",
    "hex(size=3)": "OpenSpiel cannot load hex(size=3)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_played_is_refused_in_words(name):
    with pytest.raises(UnknownGame, match=re.escape(REFUSED[name])):
        load_game(f"openspiel:{name}")


def test_a_text_that_is_no_position_is_refused():
    with pytest.raises(NotationError, match="9 is no legal action after"):
        load_game("openspiel:tic_tac_toe").parse_position("0 9")


@pytest.mark.usefixtures("played_here")
def test_a_match_is_played_in_the_sandbox_and_kept(tmp_path):
    game = "'openspiel:breakthrough(rows=5,columns=4)'"
    done = typed(f"match uct_agent:simulations=50 '{RESIGNER}' --games 1 --game {game} --save", tmp_path / "g.jsonl")
    assert done.exit_code == 0 and "1 of 1 games of openspiel:breakthrough(columns=4,rows=5) played" in said(done)
    shown = typed("replay", tmp_path / "g.jsonl")
    assert "5bbbb" in shown.output
