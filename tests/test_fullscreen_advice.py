"""Hints, ranked moves and the coach on the full screen."""

from simulator.fullscreen.panels import _words
from simulator.gtp.analysis import Analysis
from simulator.play.coach import Judgement
from simulator.play.thinker import RankedMove
from tests.screens import SHORT, Driver, pentago_from, people, play, run


def test_a_hint_is_shown_on_the_board() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        await driver.until(lambda: bool(driver.app.board.expected), "a hint")
        assert "greedy_agent would play e1/" in driver.text()
        await driver.press("escape")
        assert not driver.app.board.expected

    run(test, pentago_from(SHORT))


def test_a_verdict_of_a_move_that_was_taken_back_is_not_shown() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r")
        said = driver.app.Judged(driver.played.position, [Judgement(0, 0, "a1/0r", 0.5, 0.5)], "", False)
        driver.app.on_advice_judged(said)
        await driver.drop()
        assert "Coach: a good move" in driver.text()
        await driver.press("u")
        assert "Coach" not in driver.text()
        driver.app.on_advice_judged(said)
        await driver.drop()
        assert "Coach" not in driver.text()

    run(test, people())


def test_the_same_hint_is_asked_for_once() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        first = driver.app._asked
        await driver.press("h")
        assert driver.app._asked is first or driver.app._asked is None
        await driver.until(lambda: bool(driver.app.board.expected), "a hint")

    run(test, pentago_from(SHORT))


def test_another_question_is_asked_after_the_one_before_and_nothing_is_called_off() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        first = driver.app._asked
        await driver.press("a")
        assert driver.app._asked is first
        assert "answers the question before, and then gives all moves" in driver.app.notice
        await driver.until(lambda: bool(driver.app.board.expected), "a hint")
        await driver.until(lambda: "All moves, best first" in driver.text(), "the moves")

    run(test, pentago_from(SHORT), hints="uct_agent:simulations=50,leaf=playout")


def test_a_hint_for_a_position_that_is_not_looked_at_any_more_is_not_shown() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        await driver.type("a6/0r")
        await driver.press("h")
        await driver.until(lambda: driver.app._asked is None, "the second hint")
        assert driver.played.position.play(driver.app.board.expected[0]).ply == driver.played.position.ply + 1

    run(test, pentago_from(SHORT))


def test_the_ranked_moves_do_not_open_over_another_dialog() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("n")
        driver.app._show_ranked([RankedMove(None, "e1/3f", 1, 1.0, "win", ("e1/3f",))])
        await driver.drop()
        assert "A new game" in driver.text() and "All moves, best first" not in driver.text()
        await driver.press("escape")
        assert "press a to see them" in driver.text()
        await driver.press("a")
        assert "All moves, best first" in driver.text() and driver.app._asked is None

    run(test, pentago_from(SHORT))


def test_a_number_of_moves_is_named_only_for_a_line_that_ends_the_game() -> None:
    game = pentago_from(SHORT)
    game.play(game.game.parse_move("e1/3f", game.position))
    for line, words in ((("e1/3f",), "a win for White in 1 moves"), (("e2/3f", "e1/3f"), "a win for White\n")):
        text = "\n".join(_words(game, 1, Analysis(proven="win", pv=line), 1.0)) + "\n"
        assert words in text


def test_the_names_of_agents_keep_their_small_letter() -> None:
    async def test(driver: Driver) -> None:
        driver.app.say("gnugo would play e5")
        assert driver.app.notice == "gnugo would play e5"
        driver.app.say("level 5 (club) would play e5")
        assert driver.app.notice.startswith("Level 5")

    run(test, people("go", size=9), hints="gtp:gnugo --mode gtp")
