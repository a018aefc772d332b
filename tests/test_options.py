"""Options of games: declared once, checked and read against the declaration, with errors that say what was expected."""

import pytest

from game import game_names, load_game, read_options
from options import DeclaredOption, GameOption, OptionError, UnknownOption

HEAP = GameOption("heap", int, 21, 0, 999)


@pytest.mark.parametrize(
    ("option", "value", "range_"),
    [
        *((HEAP, value, "0 to 999") for value in (1000, 10**19, -1, 5.0, "5", True)),
        (GameOption("heap", int, 1), None, "a whole number"),
        (GameOption("heap", int, 1, least=1), 0, "a whole number from 1 on"),
        (GameOption("komi", float, 7.0), float("nan"), "a number"),
        (GameOption("komi", float, 7.0), float("inf"), "a number"),
        (GameOption("komi", float, 7.0, most=9), 9.5, "a number up to 9"),
        (GameOption("misere", bool, False), 1, "yes or no"),
        (GameOption("colours", str, ""), 1, "a text"),
    ],
)
def test_a_value_out_of_bounds_or_of_another_type_is_refused_with_what_is_allowed(option, value, range_):
    with pytest.raises(OptionError) as caught:
        option.check(value)
    assert str(caught.value) == f"{option.name} must be {range_}, not {value!r}"
    assert caught.value.option == option.name


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (HEAP, "12", 12),
        (GameOption("komi", float), "6", 6.0),
        (GameOption("misere", bool, False), "Yes", True),
        (GameOption("misere", bool, True), "off", False),
        (GameOption("colours", str), "red", "red"),
    ],
)
def test_a_text_is_read_as_the_option_declares(option, text, value):
    read = option.read(text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize("text", ["", "nine", "9.5", "1000", "nan"])
def test_a_text_that_means_no_value_is_refused(text):
    with pytest.raises(OptionError, match="heap must be 0 to 999, not"):
        HEAP.read(text)


def test_a_whole_number_of_more_than_64_bits_is_refused():
    for digits in (25, 400):
        with pytest.raises(OptionError, match="must be a whole number from 0 on, 9223372036854775807 at most, not"):
            DeclaredOption("simulations", int, 0, 0).read("9" * digits)


def test_a_whole_number_will_do_for_a_number():
    assert type(load_game("go", komi=6).settled_options["komi"]) is float


def test_an_option_of_another_game_is_refused_with_the_games_that_have_it():
    with pytest.raises(UnknownOption, match=r"size is no option of pentago, but of go$"):
        load_game("pentago", size=9)
    with pytest.raises(UnknownOption, match=r"superko is no option of go$"):
        load_game("go", superko=False)
    with pytest.raises(UnknownOption, match=r"heap is no option of go, but of extra_turn_nim$"):
        read_options("go", {"size": "9", "heap": "5"})


def test_settled_options_say_what_was_not_given_too():
    assert load_game("go", size=19).settled_options == {"size": 19, "komi": 7.5}
    assert load_game("go", size=13).settled_options == {"size": 13, "komi": 7.0}
    assert load_game("go").settled_options == {"size": 9, "komi": 7.0}
    assert load_game("pentago").settled_options == {}


@pytest.mark.parametrize("name", game_names())
def test_settled_options_load_the_same_game_again(name):
    loaded = load_game(name)
    again = load_game(name, **loaded.settled_options)
    assert again.settled_options == loaded.settled_options
    assert again.initial() == loaded.initial()
