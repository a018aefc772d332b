"""Setting up a position on the full screen: by clicks, by the cursor, by typing."""

import pytest

from board_view import Scene
from game import SECOND, load_game
from go.position import GoMove
from pentago.board_view import Cell
from simulator.fullscreen.set_up import SetUp, what_is_wrong
from tests.pictures import ways_from
from tests.screens import SHORT, on_screen, people

GAMES = {
    "pentago": load_game("pentago"),
    "go": load_game("go", size=5),
    "kalah": load_game("kalah", pits=3, stones=2),
    "wide kalah": load_game("kalah", pits=10, stones=12),
}


@pytest.fixture(params=GAMES)
def game(request):
    return GAMES[request.param]


def view_of(game):
    return game.board_view().set_up_view()


def played_on(game):
    position = game.initial()
    for _ in range(3):
        position = position.play(position.legal_moves()[0])
    return position


# --- Views ----------------------------------------------------------------------------------------------------------


def test_an_unchanged_draft_is_the_position(game):
    view, position = view_of(game), played_on(game)
    read = game.parse_position(view.text(view.draft(position)))
    assert (read.board == position.board).all()
    assert read.to_move == position.to_move


def test_every_place_can_be_drawn_reached_clicked_and_changed(game):
    view = view_of(game)
    draft = view.draft(game.initial())
    assert view.picture(Scene(draft, ascii=True)).text().isascii()
    targets = view.targets(draft, ())
    assert set(ways_from(view.start(draft, ()), view, draft)) == set(targets)
    assert len(targets) == sum(map(len, draft.rows))
    for target in targets:
        after = view.changed(draft, target, 1)
        assert after != draft
        assert view.changed(after, target, -1) == draft
        for seen in (draft, after):
            picture = view.picture(Scene(seen, 21, 46, pointed=target))
            assert target in [area.target for area in picture.areas]


def test_stones_follow_each_other_and_nothing_comes_after_them():
    view = view_of(GAMES["go"])
    draft = view.draft(GAMES["go"].initial())
    for stone in (1, 2, 0, 1):
        draft = view.changed(draft, GoMove(0, 1), 1)
        assert draft.rows[0][1] == stone


def test_a_pit_has_never_less_than_no_stone():
    view = view_of(GAMES["kalah"])
    draft = view.draft(GAMES["kalah"].initial()).cleared()
    assert view.changed(draft, (SECOND, 3), -1) == draft


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("go", "wb.../b..../...../...../..... b - 7", "stones without a liberty"),
        ("kalah", "0 0 0 0 0 0 0 12 b", "it would be over at once"),
        ("kalah", "0 2 2 0 2 2 2 0 b", "has 10 stones"),
        ("pentago", SHORT, ""),
    ],
)
def test_why_no_game_can_begin_is_said_in_words(name, text, words):
    wrong = what_is_wrong(GAMES[name], text)
    assert words in wrong if words else wrong == ""


# --- On the screen --------------------------------------------------------------------------------------------------


def set_up_screen(driver):
    assert isinstance(driver.app.screen, SetUp)
    return driver.app.screen


@on_screen(people)
async def test_a_position_of_pentago_by_clicks(driver):
    await driver.press("e")
    board = set_up_screen(driver).board
    await driver.click(Cell(0, 0), board)
    await driver.click(Cell(3, 4), board)
    assert board.position.rows[0][0] == board.position.rows[3][4] == 1
    await driver.press("b")
    assert "2 white and 0 black stones" in driver.text()
    await driver.click(Cell(3, 4), board)
    await driver.click(Cell(5, 5), board)
    await driver.press("s")
    assert "To move: Black" in driver.text()
    await driver.press("b")
    assert str(driver.played.position) == "w...../....../....../....b./....../.....w b"
    assert driver.played.present == 0
    await driver.press("enter", "enter")
    assert driver.played.present == 1


@on_screen(lambda: people("go", size=5))
async def test_a_position_of_go_by_the_cursor_and_by_the_right_button(driver):
    await driver.press("e", "enter", "up", "enter", "enter", "left", "minus")
    board = set_up_screen(driver).board
    assert "wb" not in str(board.position)
    await driver.click(GoMove(0, 0), board, button=3)
    await driver.press("s", "b")
    assert str(driver.played.position) == "w..../.ww../..b../...../..... w - 7"


@on_screen(lambda: people("kalah", pits=3, stones=2))
async def test_a_position_of_kalah_is_counted_up_and_down(driver):
    await driver.press("e", "minus", "minus")
    board = set_up_screen(driver).board
    assert "10 of 12" in driver.text()
    await driver.press("b")
    assert "has 10 stones" in driver.text()
    await driver.click((SECOND, 3), board)
    await driver.press("plus", "b")
    assert str(driver.played.position) == "0 2 2 0 2 2 2 2 b"


@on_screen(people)
async def test_a_position_stays_when_the_game_on_the_board_is_not_left_for_it(driver):
    await driver.type("a1/0r")
    await driver.press("e", "c", "s", "b")
    assert "Leave it?" in driver.text()
    await driver.press("enter")  # no
    assert isinstance(driver.app.screen, SetUp) and driver.played.present == 1
    await driver.press("b", "y")
    assert driver.played.present == 0


@on_screen(people)
async def test_escape_leaves_the_game_as_it_is(driver):
    await driver.type("a1/0r")
    await driver.press("e", "c", "enter", "escape")
    assert driver.played.moves == ["a1/0r"]
    assert driver.app.board.can_choose


@on_screen(people)
async def test_a_position_is_typed_and_a_wrong_one_is_explained(driver):
    await driver.press("e", "m")
    await driver.enter("wwww")
    assert "is not a position" in driver.text()
    await driver.enter(SHORT)
    assert str(driver.played.position) == SHORT
    assert len(driver.app.screen_stack) == 1
