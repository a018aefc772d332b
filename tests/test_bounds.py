"""Each selection formula agrees on given counts with its paper's, in plain Python; and which children are tried."""

import math

from jit import U64, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

from agents.uct.rave import rave
from agents.uct.selection import choose_ucb1, ucb1
from agents.uct.tree import pack_stats
from game import DRAWN, IMPLIED, LOST, WON, load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from studies.literature.backups import Mean, Minimax
from studies.literature.bounds import DAILEY, EpsilonGreedy, choose_by_bound, tuned, valkyria
from studies.literature.leaves import Leaf
from studies.literature.method import Method
from studies.literature.wide_tree import EXTRAS, allocate_wide

OPEN = U64(0)
NO_LEAF = Leaf(1, np.float32(1), np.zeros(1, np.uint64))  # selection does not look at leaves


def method(formula, backup=None, trust=0, prune=0.0, prune_visits=0, prune_margin=0.0):
    guards = trust, np.float32(prune), prune_visits, np.float32(prune_margin)
    return Method(formula, NO_LEAF, backup or Mean(0), *guards, proofs=True)


def tree_of(children):
    """A tree whose first nodes have these (visits, sum of values, sum of squares, flags)."""
    tree = allocate_wide(max(2, len(children)), EXTRAS)
    for i, (visits, total, squares, flags) in enumerate(children):
        whole = int(16 * total)
        tree.stats[i], tree.rest[i] = pack_stats(whole, flags, visits), 16 * total - whole
        tree.squares[i], tree.payload0[i] = squares, i
    return tree


def chosen(formula, children, parent_visits=100, **guards):
    return int(choose_by_bound(method(formula, **guards), tree_of(children), 0, len(children), parent_visits))


def results(rng, most=60):
    """Random results, from 0 to 1, of a child's simulations."""
    return rng.choice([0.0, 0.5, 1.0, 0.3, 0.71], int(rng.integers(1, most)))


# --- The papers' formulas, from the results themselves --------------------------------------------------------------


def by_ucb1(c):
    return lambda x, parent: np.mean(x) + c * math.sqrt(math.log(parent) / len(x))


def by_sensei(x, parent):
    """UCTK sqrt(ln N / (5 n)) with UCTK = 1, from Sensei's Library; Persson's letter writes sqrt(2 ln N / (10 n))."""
    assert math.sqrt(math.log(parent) / (5 * len(x))) == pytest.approx(math.sqrt(2 * math.log(parent) / (10 * len(x))))
    return np.mean(x) + math.sqrt(math.log(parent) / (5 * len(x)))


def by_dailey(x, parent):
    """Dailey's formula, which counts a win as 1 and a loss as -1."""
    credit = 6 + parent**0.20
    return (sum(2 * result - 1 for result in x) + credit) / (len(x) + credit)


def by_auer(x, parent):
    """UCB1-TUNED with Auer's own numbers."""
    upper_variance = np.var(x) + math.sqrt(2 * math.log(parent) / len(x))
    return np.mean(x) + math.sqrt(math.log(parent) / len(x) * min(1 / 4, upper_variance))


def by_tuned(c, c1, c2):
    def bound(x, parent):
        ratio = math.log(parent) / len(x)
        return np.mean(x) + c * math.sqrt(ratio * min(np.var(x) + c1 * math.sqrt(ratio), c2))

    return bound


@pytest.mark.parametrize(
    ("formula", "paper"),
    [
        (ucb1(0.7), by_ucb1(0.7)),
        (valkyria(1.0), by_sensei),
        (DAILEY, by_dailey),
        (tuned(1.0, math.sqrt(2), 0.25), by_auer),
        (tuned(0.4, 0.1, 10.0), by_tuned(0.4, 0.1, 10.0)),
    ],
    ids=["ucb1", "valkyria", "dailey", "ucb1_tuned", "ucb1_tuned_c_c1_c2"],
)
def test_the_choice_is_the_argmax_of_the_papers_formula(formula, paper):
    rng = np.random.default_rng(1)
    for _ in range(150):
        parent = int(rng.integers(2, 100_000))
        plays = [results(rng) for _ in range(int(rng.integers(1, 40)))]
        children = [(len(x), sum(x), sum(x * x), OPEN) for x in plays]
        bounds = [paper(x, parent) for x in plays]
        assert bounds[chosen(formula, children, parent)] == pytest.approx(max(bounds), abs=2e-5)


@pytest.mark.parametrize("c", [0.0, 0.5])
def test_ucb1_chooses_the_same_child_alone_and_by_its_bound(c):
    """Both ways choose the same child among equals, too: children of few kinds, many of them more than once."""
    rng = np.random.default_rng(3)
    kinds = [(4, 2.0, OPEN), (4, 3.0, OPEN), (9, 6.5, OPEN), (9, 1.0, OPEN), (6, 6.0, LOST), (0, 0.0, WON)]
    ties = 0
    for untried in (0, 1, 3) * 40:
        resolved_first = sorted((kinds[i] for i in rng.integers(0, len(kinds), 12)), key=lambda kind: kind[2] == OPEN)
        plays = [*resolved_first, (4, 2.0, OPEN), *[(0, 0.0, OPEN)] * untried]
        tree = tree_of([(visits, total, 0.0, flags) for visits, total, flags in plays])
        alone = int(choose_ucb1(ucb1(c), tree, 0, len(plays), 90))
        assert alone == chosen(ucb1(c), [(*play[:2], 0.0, play[2]) for play in plays], 90)
        ties += plays.count(plays[alone]) > 1
    assert ties > 60


@pytest.mark.parametrize(
    ("formula", "place"), [(ucb1(0.5), 2), (tuned(1.0, 1.4, 0.25), 2), (DAILEY, 0), (rave(0.3, 100.0, 0.0, 300), 0)]
)
def test_of_equals_each_formula_has_its_own_choice(formula, place):
    assert chosen(formula, [(4, 2.0, 2.0, OPEN)] * 3) == place
    assert chosen(formula, [(4, 2.0, 2.0, OPEN)] * 3, prune=0.9, prune_visits=1) == place
    assert chosen(formula, [(0, 0.0, 0.0, OPEN)] * 3) == 0


# --- Which children are tried ---------------------------------------------------------------------------------------

FORMULAS = [ucb1(0.5), DAILEY, tuned(1.0, 1.4, 0.25)]
IDS = ["ucb1", "dailey", "ucb1_tuned"]


@pytest.mark.parametrize("formula", FORMULAS, ids=IDS)
def test_a_resolved_child_is_never_chosen_and_an_unvisited_one_before_those_that_have_lost(formula):
    children = [(0, 0.0, 0.0, WON), (9, 9.0, 9.0, LOST), (5, 0.0, 0.0, OPEN), (9, 9.0, 9.0, DRAWN | IMPLIED)]
    assert chosen(formula, children) == 2
    assert chosen(formula, children, trust=20) == 2
    assert chosen(formula, children, prune=1.0, prune_visits=1) == 2
    assert chosen(formula, [(9, 8.0, 8.0, OPEN), (0, 0.0, 0.0, OPEN), (0, 0.0, 0.0, OPEN)]) == 1


def test_a_child_is_tried_until_its_score_is_trusted():
    children = [(90, 80.0, 80.0, OPEN), (4, 0.0, 0.0, OPEN), (3, 0.0, 0.0, OPEN), (3, 3.0, 3.0, OPEN)]
    assert [chosen(ucb1(0.0), children, trust=trust) for trust in (0, 3, 4, 5)] == [3, 3, 2, 2]
    assert chosen(ucb1(0.0), [(5, 5.0, 5.0, OPEN), (4, 0.0, 0.0, OPEN)], trust=5) == 1
    assert chosen(ucb1(0.0), [(5, 5.0, 5.0, OPEN), (5, 0.0, 0.0, OPEN)], trust=5) == 0


def test_a_child_with_a_bad_score_and_enough_visits_is_not_selected_any_more():
    children = [(10, 1.0, 1.0, OPEN), (300, 120.0, 120.0, OPEN)]
    assert chosen(ucb1(5.0), children) == 0
    assert chosen(ucb1(5.0), children, prune=0.2, prune_visits=10) == 1
    assert chosen(ucb1(5.0), children, prune=0.2, prune_visits=11) == 0
    assert chosen(ucb1(5.0), children, prune=0.05, prune_visits=10) == 0
    all_bad = [(10, 1.0, 1.0, OPEN), (10, 2.0, 2.0, OPEN), (10, 0.0, 0.0, OPEN)]
    assert chosen(ucb1(0.1), all_bad, prune=0.5, prune_visits=5) == 1


def test_a_child_that_is_inferior_to_another_by_their_margins_is_not_selected_any_more():
    children = [(16, 8.0, 8.0, OPEN), (100, 70.0, 70.0, OPEN), (0, 0.0, 0.0, WON), (900, 900.0, 900.0, LOST)]
    assert chosen(ucb1(5.0), children, prune_visits=16) == 0
    # 0.5 + 0.5 / 4 is below 0.7 - 0.5 / 10, and 0.5 + 0.6 / 4 is not below 0.7 - 0.6 / 10.
    assert chosen(ucb1(5.0), children, prune_visits=16, prune_margin=0.5) == 1
    assert chosen(ucb1(5.0), children, prune_visits=16, prune_margin=0.6) == 0
    assert chosen(ucb1(5.0), children, prune_visits=17, prune_margin=0.5) == 0
    assert chosen(ucb1(5.0), [*children, (0, 0.0, 0.0, OPEN)], prune_visits=1, prune_margin=0.5) == 4


def test_epsilon_greedy_selects_the_best_visited_child_or_as_often_as_it_should_any_open_one():
    children = [(0, 0.0, 0.0, OPEN), (9, 9.0, 9.0, LOST), (4, 1.0, 1.0, OPEN), (9, 4.0, 4.0, OPEN), (9, 4.0, 4.0, OPEN)]
    formula = EpsilonGreedy(np.float32(0.5), new_rng(1))
    tree, picks = tree_of(children), [0] * 5
    for _ in range(4000):
        picks[choose_by_bound(method(formula), tree, 0, 5, 100)] += 1
    assert picks[1] == 0
    for pick, probability in zip(picks, (0.125, 0.0, 0.125, 0.625, 0.125), strict=True):
        assert pick / 4000 == pytest.approx(probability, abs=0.03)
    assert chosen(formula._replace(epsilon=np.float32(0)), children[:1] * 3) == 0


def test_the_coin_of_epsilon_greedy_follows_the_seed_of_the_search():
    game, settings = load_game("tictactoe"), LiteratureSettings(formula="epsilon_greedy")
    coins = [LiteratureSearcher(game, 100, seed, settings).formula.bound.rng.tolist() for seed in (1, 2, 1)]
    assert coins[0] == coins[2] != coins[1]


def test_selection_goes_by_the_value_that_is_backed_up():
    tree = tree_of([(10, 9.0, 9.0, OPEN), (10, 1.0, 1.0, OPEN)])
    tree.values[:2] = 0.2, 0.6
    assert choose_by_bound(method(ucb1(0.1)), tree, 0, 2, 20) == 0
    assert choose_by_bound(method(ucb1(0.1), Minimax(0)), tree, 0, 2, 20) == 1
