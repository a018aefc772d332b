"""Flat Monte Carlo: how playouts are spread, what they are worth, and which moves need none."""

import json
import math
from pathlib import Path

import pytest

import game
from agents.agent import load_agent, parse_agent
from agents.limits import Clock, Limits
from agents.montecarlo.sampler import Sampler, Spread
from jit import new_rng
from tests import contract

TACTICS = [
    json.loads(line) for line in (Path(__file__).parent / "data/pentago_twist_tactics.jsonl").read_text().splitlines()
]
TICTACTOE = game.load_game("tictactoe")


def sampler_of(the_game, position, playouts, by_bound=True, x=1, y=1, c=0.5, by_wins=True, seed=1):
    sampler = Sampler(the_game, Spread(by_bound, x, y, c), by_wins, seed)
    sampler.begin(position)
    sampler.sample(playouts)
    return sampler


# --- Where playouts go ----------------------------------------------------------------------------------------------


def test_mcs_pure_gives_every_move_as_many_playouts_but_for_one():
    sampler = sampler_of(TICTACTOE, TICTACTOE.initial(), 1000, by_bound=False)
    visits = sorted(sampler.moves.visits[: len(TICTACTOE.initial().legal_moves())])
    assert sum(visits) == sampler.work == 1000
    assert visits[-1] - visits[0] == 1


def slow_mcs_ucb(the_game, position, playouts, x, y, c, seed):
    """The results of each move's playouts by MCS_UCB(x, y), written as the slides do."""
    children, rng = contract.children_of(the_game, position), new_rng(seed)
    results = [[] for _ in children]

    def trial(chosen):
        state = contract.copied(the_game, the_game.state(position))
        contract.step(the_game.kernel, state, children[chosen].word0, children[chosen].word1)
        results[chosen].append(1 - float(contract.playout(the_game.kernel, state, rng)))

    trials = [chosen for _ in range(x) for chosen in range(len(children))]
    for made in range(playouts):
        if not trials:
            bounds = [sum(one) / len(one) + c * math.sqrt(math.log(made) / len(one)) for one in results]
            trials = [bounds.index(max(bounds))] * y
        trial(trials.pop(0))
    return results


@pytest.mark.parametrize("c", [0.0, 0.5, 1.41])
@pytest.mark.parametrize(("x", "y"), [(1, 1), (5, 1), (3, 7), (100, 1)])
def test_mcs_ucb_gives_each_move_x_playouts_then_y_at_a_time_to_the_largest_bound(x, y, c):
    position = TICTACTOE.parse_position("x.o/.../... x")
    sampler = sampler_of(TICTACTOE, position, 307, x=x, y=y, c=c, seed=4)
    results = slow_mcs_ucb(TICTACTOE, position, 307, x, y, c, seed=4)
    count = len(results)
    assert sampler.work == 307
    assert sampler.moves.visits[:count].tolist() == [len(one) for one in results]
    assert sampler.moves.scores[:count].tolist() == [sum(one) for one in results]
    assert sampler.moves.wins[:count].tolist() == [one.count(1.0) for one in results]
    shares = [one.count(1.0) / len(one) for one in results]
    assert shares[sampler.best()] == max(shares)


def test_the_same_playouts_in_pieces_are_the_same_playouts():
    whole, pieces = (sampler_of(TICTACTOE, TICTACTOE.initial(), 0, x=3, y=5) for _ in range(2))
    whole.sample(200)
    for _ in range(100):
        pieces.sample(2)
    assert whole.moves.visits.tolist() == pieces.moves.visits.tolist()
    assert whole.moves.scores.tolist() == pieces.moves.scores.tolist()


def test_what_is_played_is_the_share_of_wins_or_the_mean_score_and_not_the_number_of_visits():
    sampler = sampler_of(TICTACTOE, TICTACTOE.initial(), 0)
    sampler.moves.visits[:9], sampler.moves.wins[:9], sampler.moves.scores[:9] = 10, 0, 1
    sampler.moves.visits[3], sampler.moves.wins[3], sampler.moves.scores[3] = 100, 20, 40
    sampler.moves.wins[5], sampler.moves.scores[5] = 4, 4  # no draws
    sampler.moves.wins[7], sampler.moves.scores[7] = 2, 6  # eight draws
    assert sampler.best() == 5
    sampler.by_wins = False
    assert sampler.best() == 7


def test_a_move_that_lost_all_its_playouts_goes_before_one_that_is_known_to_lose():
    the_game = game.load_game("pentago")
    lost = next(entry for entry in TACTICS if (entry["kind"], entry["depth"]) == ("safe", 1))
    sampler = sampler_of(the_game, the_game.parse_position(lost["position"]), 500)
    assert "loss" in sampler.outcomes
    sampler.moves.wins[:] = sampler.moves.scores[:] = 0.0
    assert sampler.outcomes[sampler.best()] is None


def chance_at_random(position, player):
    """The exact mean of uniformly random play from a position for a player."""
    if position.result is not None:
        return float(position.result.winner == player)
    after = [position.play(move) for move in position.legal_moves()]
    return sum(chance_at_random(child, player) for child in after) / len(after)


@pytest.mark.parametrize("misere", [False, True])
def test_scores_are_for_the_player_who_moves_also_when_the_turn_does_not_pass(misere):
    nim = game.load_game("extra_turn_nim", misere=misere)
    position = nim.parse_position("8 second")
    sampler = sampler_of(nim, position, 60_000, by_bound=False)
    for index in range(3):
        exact = chance_at_random(position.play(sampler.move_at(index)), position.to_move)
        assert sampler.candidate(index).chance == pytest.approx(exact, abs=0.02)  # five standard errors


# --- Which move -----------------------------------------------------------------------------------------------------


def agent_of(options="simulations=2000", the_game=None, seed=1, **limits):
    spec = parse_agent(f"montecarlo_agent:{options}")
    return load_agent("montecarlo_agent")(the_game or game.load_game("pentago"), Limits(**limits), seed, spec.options)


def test_the_last_move_of_a_drawn_game_is_proved_a_draw():
    agent = agent_of(the_game=TICTACTOE)
    agent.step(TICTACTOE.parse_position("xox/xoo/ox. x"), Clock(0.0))
    assert (agent.analysis()["proven"], agent.analysis()["value"]) == ("draw", 0.5)


def test_a_lost_position_is_said_to_be_lost():
    nim = game.load_game("extra_turn_nim", misere=True)
    agent = agent_of(the_game=nim)
    agent.step(nim.parse_position("1 first"), Clock(0.0))
    assert (agent.analysis()["proven"], agent.analysis()["value"]) == ("loss", 0.0)


@pytest.mark.parametrize("policy", ["pure", "ucb"])
def test_the_middle_is_the_best_opening_of_tictactoe_for_random_play(policy):
    agent = agent_of(f"policy={policy},simulations=20000", TICTACTOE)
    assert TICTACTOE.format_move(agent.step(TICTACTOE.initial(), Clock(0.0))) == "b2"
