"""OpenSpiel's bots as agents: they see our positions, answer in time, and make no move that superko forbids."""

import random
import time
from types import SimpleNamespace

import pytest

from agents.agent import AgentError, parse_agent
from agents.limits import Clock, Limits
from agents.openspiel_agent import MOST_PLIES, OpenSpielAgent, bridge_for
from game import load_game, play_moves
from go.game import Go
from mancala.game import Kalah

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")


def bot_for(the_game, **options):
    limits = Limits(first_move_seconds=0.3, move_seconds=0.3, memory_mb=200)
    return OpenSpielAgent(the_game, limits, 1, {name: str(value) for name, value in options.items()})


def test_the_short_name_is_an_option_of_the_agent():
    spec = parse_agent("openspiel-bot:mcts,simulations=9")
    assert (spec.source, spec.options) == ("openspiel_agent", {"bot": "mcts", "simulations": "9"})


@pytest.mark.parametrize("the_game", [Go(5), Kalah(), load_game("openspiel:tic_tac_toe")], ids=lambda game: game.title)
def test_every_position_of_a_random_game_is_the_same_for_openspiel(the_game):
    rng, bridge = random.Random(3), bridge_for(the_game)(the_game, pyspiel)
    for _ in range(3):
        position = the_game.initial()
        while position.result is None:
            state = bridge.state_of(position)
            assert (state.current_player(), state.is_terminal()) == (position.to_move, False)
            if the_game.name == "go":
                assert (state.history()[-1:] == [the_game.size**2]) is (position.passes > 0)
            moves = {bridge.move_of(position, state, action) for action in bridge.actions_of(position, state)}
            assert moves == set(position.legal_moves())
            position = position.play(rng.choice(position.legal_moves()))


def test_a_ko_is_not_taken_back_at_once():
    go = Go(5)
    position = play_moves(go, ["b3", "d4", "c4", "d2", "c2", "e3", "a1", "c3", "d3"])[-1]  # the last move captures c3
    bridge = bridge_for(go)(go, pyspiel)
    state = bridge.state_of(position)
    moves = {bridge.move_of(position, state, action) for action in bridge.actions_of(position, state)}
    assert go.parse_move("c3", position) not in moves == set(position.legal_moves())


def test_a_pass_that_wins_is_made():
    go = Go(3, 0.5)
    assert go.format_move(bot_for(go, simulations=200).step(play_moves(go, ["pass"])[-1], Clock(1))) == "pass"


@pytest.mark.parametrize(("visits", "answer"), [({7: 9, 1: 2, 2: 5}, 2), ({7: 9}, 1)])
def test_the_most_visited_of_the_allowed_moves_is_made(visits, answer, monkeypatch):
    children = [SimpleNamespace(action=action, explore_count=count) for action, count in visits.items()]
    root = SimpleNamespace(explore_count=16, children=children, best_child=lambda: children[0])
    bot = bot_for(Go(3))
    bot.setup()
    monkeypatch.setattr(pyspiel, "MCTSBot", lambda *_: SimpleNamespace(mcts_search=lambda state: root))
    assert bot._searched(pyspiel.load_game("go(board_size=3)").new_initial_state(), 1, [1, 2, 9]) == answer


def test_a_move_takes_less_than_its_time_and_later_ones_as_much(monkeypatch):
    bot, given = bot_for(Kalah()), []
    searched = bot._searched
    monkeypatch.setattr(
        bot, "_searched", lambda state, seconds, _: given.append(seconds) or searched(state, seconds, _)
    )
    start = time.monotonic()
    for _ in range(2):
        assert bot.step(Kalah().initial(), Clock(0.3)) in range(1, 7)
    assert time.monotonic() - start < 3 and bot.analysis()["simulations"] > 100
    assert max(given) <= 0.27 and min(given) > 0.9 * max(given)


def test_one_simulation_is_a_move():
    assert bot_for(Go(3), simulations=1).step(Go(3).initial(), Clock(1)) is not None


def test_kalah_goes_on_after_moves_were_taken_back():
    kalah, rng, bot = Kalah(), random.Random(2), bot_for(Kalah(), simulations=5)
    positions = [kalah.initial()]
    while positions[-1].ply < 30:
        if positions[-1].to_move == 0:
            bot.step(positions[-1], Clock(1))
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    earlier = next(position for position in positions[12:] if position.to_move == 0)
    assert bot.step(earlier, Clock(1)) in earlier.legal_moves()


def test_a_row_of_extra_turns_in_kalah_is_followed_however_long_it_is():
    kalah, rng, longest = Kalah(), random.Random(13), 0
    position, seen, bridge = kalah.initial(), 0, bridge_for(kalah)(kalah, pyspiel)
    while position.result is None:
        moves = position.legal_moves()
        if position.to_move == 0:
            state = bridge.state_of(position)
            assert {bridge.move_of(position, state, action) for action in state.legal_actions()} == set(moves)
            longest, seen = max(longest, position.ply - seen), position.ply
        else:
            afters = {move: position.play(move) for move in moves}
            moves = [move for move, after in afters.items() if after.to_move == 1 and not after.result] or moves
        position = position.play(rng.choice(moves))
    assert longest > MOST_PLIES


def test_an_opening_that_was_seen_may_be_followed_by_any_row_of_extra_turns(monkeypatch):
    monkeypatch.setattr("agents.openspiel_agent.MOST_PLIES", 5)  # eight take seconds
    kalah = Kalah()
    position = play_moves(kalah, ["3", "6", "2", "5", "1"])[-1]
    bot = bot_for(kalah, simulations=5)
    bot.see(position)
    mover, later = position.to_move, position
    while later.to_move == mover and later.result is None:
        again = [move for move in later.legal_moves() if later.play(move).to_move == mover]
        later = later.play((again or later.legal_moves())[0])
    assert later.ply > position.ply == 5 and later.result is None
    assert bot.step(later, Clock(1)) in later.legal_moves()


def test_a_game_of_kalah_from_somewhere_else_is_refused():
    kalah = Kalah()
    with pytest.raises(AgentError, match="from its start on"):
        bot_for(kalah).step(kalah.parse_position("0 1 0 0 0 0 23 1 0 0 0 0 0 23 b"), Clock(1))


@pytest.mark.parametrize("the_game", [load_game("pentago"), Kalah(3)], ids=lambda game: game.title)
def test_a_game_that_openspiel_does_not_have_is_refused(the_game):
    with pytest.raises(AgentError, match="play openspiel: games, go, and kalah with six pits of four"):
        OpenSpielAgent.for_game(the_game)
