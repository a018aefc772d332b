"""Every game holds the contract of `game.py`; and the games of these tests are what they claim to be."""

from collections.abc import Callable

import pytest

import game
from tests import contract
from tests.extra_turn_nim import mover_wins

GAMES = {
    "pentago": {},
    "tictactoe": {},
    "extra_turn_nim": {},
    "extra_turn_nim misere": {"misere": True},
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", GAMES)
def test_contract(name: str, check: Callable[[game.Game], None]) -> None:
    check(game.load_game(name.partition(" ")[0], **GAMES[name]))


def test_tictactoe_has_the_known_number_of_games_by_length() -> None:
    start = game.load_game("tictactoe").initial()
    assert [game.perft(start, plies) for plies in range(1, 7)] == [9, 72, 504, 3024, 15120, 54720]


@pytest.mark.parametrize("misere", [False, True])
def test_the_recurrence_for_extra_turn_nim_agrees_with_its_game_tree(misere: bool) -> None:
    def wins(position):
        if position.result is not None:
            return position.result.winner == position.to_move
        after = [position.play(move) for move in position.legal_moves()]
        return any(wins(child) == (child.to_move == position.to_move) for child in after)

    for heap in range(1, 13):
        the_game = game.load_game("extra_turn_nim", heap=heap, misere=misere)
        assert wins(the_game.initial()) == mover_wins(heap, misere)


def test_both_ends_and_both_turn_orders_occur_in_extra_turn_nim() -> None:
    flags = set()
    for misere in (False, True):
        the_game = game.load_game("extra_turn_nim", heap=2, misere=misere)
        flags |= {int(child.flags) for child in contract.children_of(the_game, the_game.initial())}
    same_mover = int(game.SAME_MOVER)
    assert {int(game.LOST) | same_mover, int(game.WON) | same_mover, int(game.OPEN)} <= flags


def test_an_unknown_game_is_refused_with_the_names_of_those_that_exist() -> None:
    with pytest.raises(LookupError, match=r"no game is called 'chess'.*pentago"):
        game.load_game("chess")


def test_a_taken_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'pentago' is taken by pentago\.game"):
        game.register_game("pentago", "tests.tictactoe")
    game.register_game("pentago", "pentago.game")  # the same again is no harm


def test_results_as_text() -> None:
    pentago = game.load_game("pentago")
    texts = [game.format_result(pentago, result) for result in (None, game.DRAW, game.Result(0), game.Result(1, 3.5))]
    assert texts == ["none", "0", "W+", "B+3.5"]
