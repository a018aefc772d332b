"""Levels for people: their table, what a careful one never does, and the agent that plays them."""

import random

import pytest

from agents.agent import parse_agent
from agents.level_agent import Glance, LevelAgent
from agents.levels import LEVELS, find_level, level_of, level_text
from agents.limits import Clock, Limits
from game import load_game
from options import InputError
from simulator.play.names import agent_name

PENTAGO = load_game("pentago")


def loses_at_once(position, move):
    """The slow twin: whether the move ends the game with a loss, or the other player then has a winning move."""
    after, mover = position.play(move), position.to_move
    if after.result is not None:
        return after.result.winner == 1 - mover
    wins = (after.play(answer).result for answer in after.legal_moves())
    return after.to_move != mover and any(result is not None and result.winner == 1 - mover for result in wins)


def wins_at_once(position, move):
    result = position.play(move).result
    return result is not None and result.winner == position.to_move


def late_positions(game, count):
    """Positions some plies before the end of random games, where there is something to lose."""
    rng, found = random.Random(3), []
    for _ in range(count):
        positions = [game.initial()]
        while positions[-1].result is None:
            positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
        found.append(positions[max(0, len(positions) - 1 - rng.randrange(1, 4))])
    return found


@pytest.mark.parametrize("name", ["pentago", "kalah"])
def test_what_is_sensible_at_a_glance_wins_at_once_or_does_not_lose_at_once(name):
    game = load_game(name)
    glance = Glance(game, Limits())
    for position in late_positions(game, 12):
        sensible, is_won = glance.moves(position, Clock(9))
        moves = position.legal_moves()
        if any(wins_at_once(position, move) for move in moves):
            assert is_won
        safe = [move for move in moves if not loses_at_once(position, move)]
        if safe and not is_won:
            assert not any(loses_at_once(position, move) for move in sensible)
            assert {position.play(move) for move in sensible} == {position.play(move) for move in safe}


class Careless:
    """Stands for a search that always plays the first legal move that loses at once, if there is one."""

    def step(self, position, clock):
        moves = position.legal_moves()
        return next((move for move in moves if loses_at_once(position, move)), moves[0])

    def close(self):
        """It holds nothing."""


@pytest.mark.parametrize(("level", "weaker"), [("3", "0"), ("3", "1"), ("1", "0")])
def test_from_level_3_on_no_move_loses_at_once_whatever_the_search_says(level, weaker):
    agent, lost = LevelAgent(PENTAGO, options={"level": level, "weaker": weaker}), 0
    agent._uct, agent._glance = Careless(), Glance(PENTAGO, Limits())
    for position in late_positions(PENTAGO, 12):
        move, moves = agent.step(position, Clock(9)), position.legal_moves()
        lost += loses_at_once(position, move) and not all(loses_at_once(position, other) for other in moves)
        if level == "3" and any(wins_at_once(position, other) for other in moves):
            assert wins_at_once(position, move)
    assert (lost > 0) == (level == "1")


def test_levels_grow_in_simulations_and_fall_in_random_moves():
    assert [level.number for level in LEVELS] == list(range(1, 10))
    searching = [level.simulations for level in LEVELS[:-1]]
    assert searching == sorted(searching)
    assert [level.weaker for level in LEVELS if level.careful] == sorted(
        (level.weaker for level in LEVELS if level.careful), reverse=True
    )
    assert [level.careful for level in LEVELS] == [False, False] + [True] * 7
    assert (LEVELS[-1].simulations, LEVELS[-1].weaker) == (0, 0.0)


def test_a_level_is_found_by_number_and_by_name():
    assert find_level("3") == find_level(" Casual ") == LEVELS[2]
    assert [level_of(level_text(str(level.number))) for level in LEVELS] == list(LEVELS)
    for wrong in ("0", "10", "", "grandmaster"):
        with pytest.raises(InputError, match=r"there is no level .*; there are: 1 first steps"):
            find_level(wrong)


@pytest.mark.parametrize(
    ("options", "number"),
    [("", 5), (":level=03", 3), (":level=0", None), (":level=99", None), (":level=club", None), (":level=", None)],
)
def test_the_level_of_an_agents_text_is_a_number_that_there_is(options, number):
    level = level_of("level_agent" + options)
    assert (level and level.number) == number


@pytest.mark.parametrize("options", ["simulations=5000", "level=3,simulations=5000", "simulations=9,level=3"])
def test_an_agent_with_other_options_is_called_by_none_of_the_levels(options):
    assert agent_name(f"level_agent:{options}") == parse_agent(f"level_agent:{options}").name


def test_a_level_says_how_many_simulations_it_makes():
    """From that number a GTP engine knows whether it can report while it thinks."""
    made = (LevelAgent(PENTAGO, options={"level": level}).options["simulations"] for level in "19")
    assert list(made) == [LEVELS[0].simulations, 0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pentago", "kalah", "go"])
def test_every_level_plays_a_game_against_the_next(name):
    game = load_game(name, **({"size": 5} if name == "go" else {}))
    for number in range(1, 9):
        position = game.initial()
        agents = [LevelAgent(game, options={"level": str(number + i), "simulations": "2"}) for i in (0, 1)]
        while position.result is None and position.ply < 100:
            position = position.play(agents[position.to_move].step(position, Clock(9)))
        assert position.ply > 4
