"""Hints, ranked moves and the coach on the full screen."""

import pytest

from game import FIRST, SECOND
from simulator.fullscreen.panels import _words
from simulator.gtp.analysis import Analysis
from simulator.play.chances import chance_of_first
from simulator.play.coach import Judgement
from simulator.play.game_in_progress import GameInProgress
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
        await driver.until(lambda: "Moves, the best first" in driver.text(), "the moves")

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
        assert "A new game" in driver.text() and "Moves, the best first" not in driver.text()
        await driver.press("escape")
        assert "press a to see them" in driver.text()
        await driver.press("a")
        assert "Moves, the best first" in driver.text() and driver.app._asked is None

    run(test, pentago_from(SHORT))


def ranked_in(driver: Driver) -> list[RankedMove]:
    """Two moves of the position that is looked at."""
    game, position = driver.played.game, driver.played.shown_position
    pairs = zip(position.legal_moves(), (1000, 99), strict=False)
    return [RankedMove(move, text := game.format_move(move), visits, 0.6, None, (text,)) for move, visits in pairs]


def board_lines(driver: Driver) -> list[str]:
    """What is on the screen where the board is."""
    board = driver.app.board.region
    return [line[: board.width].rstrip() for line in driver.text().splitlines()[: board.height]]


@pytest.mark.parametrize("played", [people(), people("go", size=19), people("kalah", pits=10)], ids=["p", "go", "k"])
def test_ranked_moves_stand_beside_the_board_which_shows_the_one_under_the_cursor(played: GameInProgress) -> None:
    async def test(driver: Driver) -> None:
        ranked = ranked_in(driver)
        driver.app.board.expect((ranked[1].move,))
        await driver.drop()
        expected = board_lines(driver)
        driver.app._show_ranked(ranked)
        await driver.press("down")
        assert board_lines(driver) == expected
        beside = "\n".join(line[driver.app.board.region.width :] for line in driver.text().splitlines())
        assert "60.0%     1,000" in beside and "-        99" in beside
        await driver.press("escape")
        assert not driver.app.board.expected

    run(test, played)


def test_the_turning_points_stand_beside_the_board_which_shows_the_one_under_the_cursor() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r", "b2/1r", "c3/1r")
        wrong = [Judgement(ply, ply, "a1/0r", 0.9, 0.1, "chances dropped", "f6/3f", ("f6/3f",)) for ply in (0, 1)]
        for key, shown in (("escape", 3), ("enter", 1)):
            driver.app._show_summary(wrong)
            await driver.press("down")
            assert driver.played.shown == 1 and driver.app.board.expected
            assert "1 │" in board_lines(driver)[2] and "winning chance" in driver.text()
            await driver.press(key)
            assert driver.played.shown == shown

    run(test, people())


def test_a_number_of_moves_is_named_only_for_a_line_that_ends_the_game() -> None:
    game = pentago_from(SHORT)
    game.play(game.game.parse_move("e1/3f", game.position))
    for line, words in ((("e1/3f",), "a win for White in 1 move\n"), (("e2/3f", "e1/3f"), "a win for White\n")):
        text = "\n".join(_words(game, 1, Analysis(proven="win", pv=line), 1.0)) + "\n"
        assert words in text


def test_a_chance_is_not_told_below_a_hundred_simulations() -> None:
    for simulations, told in ((1, None), (99, None), (100, 0.9), (None, 0.9)):
        assert chance_of_first(Analysis(value=0.9, simulations=simulations), FIRST) == told
    assert chance_of_first(Analysis(value=0.9, proven="win", simulations=1), SECOND) == 0.0


def test_the_names_of_agents_keep_their_small_letter() -> None:
    async def test(driver: Driver) -> None:
        driver.app.say("gnugo would play e5")
        assert driver.app.notice == "gnugo would play e5"
        driver.app.say("level 5 (club) would play e5")
        assert driver.app.notice.startswith("Level 5")

    run(test, people("go", size=9), hints="gtp:gnugo --mode gtp")
