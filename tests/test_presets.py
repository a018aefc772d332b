"""Presets, the literature's names for settings, and the weight of exploration by phase of the game."""

import math

import pytest

from agents.limits import Clock, Limits
from game import AmafGame, load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from studies.literature.method import Method
from studies.literature.phases import phase_of
from studies.literature.presets import PRESETS
from studies.literature_agent import LiteratureAgent
from tests.searches import agent_of

TICTACTOE = load_game("tictactoe")


# --- Presets --------------------------------------------------------------------------------------------------------


# To compile each takes seconds, and no other test of the fast set needs it.
COMPILED_FOR_THEMSELVES = ("dailey", "mcts", "mean_to_minimax", "rave", "ucb1_tuned", "uct_h")


@pytest.mark.parametrize(
    "preset",
    [pytest.param(name, marks=[pytest.mark.slow] if name in COMPILED_FOR_THEMSELVES else []) for name in PRESETS],
)
def test_every_preset_plays_a_whole_game_and_does_not_lose_it(preset):
    agent = agent_of(f"studies/literature_agent.py:preset={preset},nodes=150,capacity=5000", TICTACTOE)
    position = TICTACTOE.initial()
    while position.result is None:
        move = agent.step(position, Clock(2.0))
        assert move in position.legal_moves()
        position = position.play(move)
        assert agent.analysis()["expanded"] <= 150
    assert position.result.winner is None


def settings_of(preset, game):
    return LiteratureAgent(game, Limits(), 1, {"preset": preset})._settings


@pytest.mark.parametrize(
    ("name", "without"), [("pentago", ("foresight",)), ("go", ("heavy", "priors")), ("kalah", ()), ("tictactoe", ())]
)
def test_the_literature_s_searches_do_without_what_a_game_recommends(name, without):
    game = load_game(name)
    for preset in set(PRESETS) - {"recommended", "playouts", *(["rave"] if not isinstance(game, AmafGame) else [])}:
        settings = settings_of(preset, game)
        assert {switch for switch in ("foresight", "heavy", "priors") if settings.switches.get(switch)} == set(), preset
        assert set(without) <= set(settings.switches)
        assert (settings.search, settings.reuse, settings.stop) == ("tree", False, "proof")
    agent = LiteratureAgent(game, Limits(), 1, {"preset": "uct"})
    assert agent.options["resign"] == 0


def test_presets_are_what_their_sources_say():
    def made(preset):
        return settings_of(preset, load_game("pentago")).make_method(load_game("pentago"))

    for preset in ("uct", "valkyria", "playouts"):
        assert not isinstance(made(preset), Method)  # one playout a leaf and means: nothing else is compiled in
    assert made("uct").c == pytest.approx(math.sqrt(2))
    assert made("valkyria").c == pytest.approx(1 / math.sqrt(5))
    finals = {preset: settings_of(preset, load_game("pentago")).final for preset in ("uct", "valkyria")}
    assert finals == {"uct": "visits", "valkyria": "value"}
    tuned = made("ucb1_tuned").bound
    assert (tuned.c, tuned.c1, tuned.c2) == pytest.approx((1, math.sqrt(2), 1 / 4))
    parts = {
        preset: (type(made(preset).backup).__name__, made(preset).leaf.share, made(preset).leaf.playouts)
        for preset in ("uct_h", "uctmax_h", "mcts", "mean_to_minimax", "implicit")
    }
    assert parts == {
        "uct_h": ("Mean", 0, 1),
        "uctmax_h": ("Implicit", 0, 1),
        "mcts": ("Mean", 1, 4),
        "mean_to_minimax": ("MeanToMinimax", 1, 1),
        "implicit": ("Implicit", 1, 1),
    }
    assert made("implicit").backup.share == pytest.approx(0.4)
    assert made("uctmax_h").backup.share == 1
    for name, preset in PRESETS.items():
        assert len(preset.meaning) > 20 and not preset.meaning.endswith("."), name


# --- The weight of exploration by phase -------------------------------------------------------------------------------


def test_a_phase_is_a_third_of_the_games_usual_length():
    pentago = load_game("pentago")
    assert pentago.moves_ahead == 20
    line = "wbw.bw/bwb.wb/w.wbbw/bbwwbb/w.b.ww/bwb.wb w"
    late = pentago.parse_position(line)
    assert [phase_of(pentago, position) for position in (pentago.initial(), late)] == [0, 2]


def test_the_weight_of_exploration_is_that_of_the_phase_when_a_search_begins():
    nim = load_game("extra_turn_nim", heap=200)
    tuned = LiteratureSettings(formula="ucb1_tuned", c=9.0, c_by_phase="0.1/0.2/0.3")
    searcher = LiteratureSearcher(nim, 20_000, 1, LiteratureSettings(c=9.0, c_by_phase="0.1/0.2/0.3"))
    position, constants, of_tuned = nim.initial(), [], []
    for _ in range(45):
        searcher.begin(position)
        searcher.search(simulations=1)
        constants.append(round(float(searcher.formula.c), 3))
        of_tuned.append(round(float(tuned.at(tuned.make_method(nim), nim, position).bound.c), 3))
        position = position.play(1)
    assert constants == of_tuned == 14 * [0.1] + 13 * [0.2] + 18 * [0.3]  # thirds of 40 plies; the last goes on
