"""MC-RAVE: the formula by hand, AMAF counts by hand, and whole trees against the slow twin."""

import math

from jit import U64, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

from agents.uct import rave as module
from agents.uct.rave import choose_rave, credit
from agents.uct.tree import allocate, pack_links, pack_stats
from game import AMAF_MOVE_BITS, DRAWN, IMPLIED, LOST, PRIOR_BITS, SAME_MOVER, WON, load_game
from tests.searches import new_searcher
from tests.slow.uct import SlowRave
from tests.trees import assert_same_tree

GO = load_game("go", size=5)  # its payloads keep the number of the move in the lowest bits
OPEN = U64(0)
LIGHT = {"heavy": False}
HEAVY = {"heavy": True}
CAPTURES = "bw.w./.b.b./w.wb./bw.ww/.b..b b - 0.5"  # a middle game of 5x5


# --- Whole trees -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("switches", [LIGHT, pytest.param(HEAVY, marks=pytest.mark.slow)], ids=["light", "heavy"])
@pytest.mark.parametrize("priors", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("line", "capacity", "settings"),
    [
        ("...../...../...../...../..... b - 0.5", 60_000, {"c": 0.0}),
        (CAPTURES, 60_000, {"c": 0.02, "even": 0.0, "equivalence": 200.0, "priors": True}),
        (CAPTURES, 600, {"c": 0.0}),  # the array is full on the way
        (CAPTURES, 60_000, {"c": 0.0, "mixture": 0.6}),
    ],
)
def test_tree_equals_the_slow_twins(line, capacity, settings, priors, switches):
    game = load_game("go", size=5)
    searcher = new_searcher("tree", game, capacity, **{"priors": priors} | switches | settings)
    position = game.parse_position(line)
    searcher.begin(position)
    twin = SlowRave(game, searcher.kernel, position, searcher.formula, new_rng(1), capacity)
    for _ in range(2):
        searcher.search(simulations=400)
        for _ in range(searcher.simulations):
            twin.simulate()
    assert twin.root.visits > 0
    assert_same_tree(searcher, twin)


@pytest.mark.parametrize("keep_eyes", [False, True])
def test_what_is_resolved_is_not_visited_where_every_open_child_seems_worth_nothing(keep_eyes):
    searcher = new_searcher(
        "tree", load_game("go", size=3, komi=0.5), 200_000, even=0.0, keep_eyes=keep_eyes, priors=False
    )
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=20_000)
    results = searcher.tree.stats[: searcher.tree.used[0]] & (WON | LOST | DRAWN)
    assert np.isin(results, (OPEN, WON, LOST, DRAWN)).all() and (results != OPEN).any()


# --- The formula ------------------------------------------------------------------------------------------------------


def rave(c, equivalence, even):
    """The formula for a game of eight moves."""
    return module.rave(c, equivalence, even, 8)


def tree_of(*children):
    """A tree whose first nodes are these: (visits, mean, AMAF visits, AMAF mean, prior visits, prior mean, flags)."""
    tree = allocate(max(2, len(children)))
    for i, child in enumerate(children):
        visits, mean, others, amaf, prior, prior_mean, flags = (*child, *(0, 0.0, 0, 0.0, 0, 0.0, OPEN)[len(child) :])
        tree.stats[i] = pack_stats(round(16 * visits * mean), flags, visits)
        tree.payload1[i] = round(16 * others * amaf) << 32 | others
        tree.payload0[i] = round(16 * prior * prior_mean) << AMAF_MOVE_BITS + PRIOR_BITS | prior << AMAF_MOVE_BITS | i
    return tree


def chosen(formula, *children, parent_visits=100):
    return int(choose_rave(formula, tree_of(*children), 0, len(children), parent_visits))


def is_worth(formula, child, value, parent_visits=100):
    """Whether a child has this value: it is chosen before a child that is a little worse, but not before a better one.

    The rivals have 2^20 visits, so that exploration and even simulations have no weight for them.
    """
    rivals = [(1 << 20, round((value + step) * (1 << 12)) / (1 << 12)) for step in (-0.002, 0.002)]
    picks = [chosen(formula, child, rival, parent_visits=parent_visits) for rival in rivals]
    return picks == [0, 1]


NOTHING_KNOWN = (0, 0.0)
C, PARENT_VISITS = 0.1, 200


@pytest.mark.parametrize(
    ("parameters", "child", "value"),
    [
        *(((0.0, 1000.0, 0.0), (visits, mean), mean) for visits, mean in ((2, 1 / 2), (10, 3 / 10), (1000, 9 / 10))),
        ((0.0, 1000.0, 0.0), (0, 0.0, 20, 0.7), 0.7),  # without simulations: the AMAF mean
        # AMAF has the weight of least error, b = m / (n + m + n m / k), here 80 / (20 + 80 + 100). With n = k
        # simulations, b stays below 1/2 for any number m of AMAF simulations.
        ((0.0, 16.0, 0.0), (20, 0.25, 80, 0.75), 3 / 5 * 0.25 + 2 / 5 * 0.75),
        ((0.0, 100.0, 0.0), (100, 1.0, 1_000_000, 0.0), 1 / 2),
        ((0.0, 1000.0, 10.0), (5, 3 / 5), 8 / 15),  # ten even simulations of value 1/2; three of five won
        ((0.0, 1000.0, 10.0), NOTHING_KNOWN, 1 / 2),
        ((0.0, 1e9, 10.0), (0, 0.0, 10, 1.0), 3 / 4),  # ten even ones and ten AMAF ones that are all won
        ((0.0, 1000.0, 0.0), (20, 12 / 20, 0, 0.0, 10, 3 / 10), 15 / 30),  # prior simulations count like made ones
        ((C, 1000.0, 0.0), (16, 1 / 4), 1 / 4),  # exploration is for what the prior thinks likely
        # c p sqrt(N) / (n + 1), where n = 16, half of them prior ones, of which p = 2 are won
        ((C, 1000.0, 0.0), (8, 1 / 4, 0, 0.0, 8, 1 / 4), 1 / 4 + C * 2 * math.sqrt(PARENT_VISITS) / 17),
    ],
)
def test_a_child_is_worth_what_its_simulations_its_amaf_counts_and_its_prior_say(parameters, child, value):
    assert is_worth(rave(*parameters), child, value, PARENT_VISITS)


RESOLVED = [(100, 1.0, 100, 1.0, 0, 0.0, flag) for flag in (WON, LOST, DRAWN | IMPLIED)]


@pytest.mark.parametrize(
    ("formula", "children", "place"),
    [
        (rave(0.0, 1000.0, 0.0), [(50, 0.9, 50, 0.9), NOTHING_KNOWN], 1),
        (rave(0.0, 1000.0, 10.0), [*RESOLVED, (50, 0.0, 50, 0.0), (0, 0.0, 0, 0.0, 0, 0.0, LOST)], 3),
        (rave(0.0, 1000.0, 10.0), [(9, 1 / 3), (6, 1 / 2), (6, 1 / 2), (0, 0.0)], 1),
        (rave(0.1, 1000.0, 10.0), [(6, 1 / 2), *((visits, 1 / 2, 0, 0.0, 4, 1 / 2) for visits in (6, 2))], 2),
    ],
    ids=["what is not known comes first", "never a resolved one", "the first of equals", "one that is less tried"],
)
def test_a_child_is_chosen(formula, children, place):
    assert chosen(formula, *children) == place


# --- AMAF counts ------------------------------------------------------------------------------------------------------


def by_hand(flags=OPEN):
    """A root (0) with nodes 1 to 3 for moves 1 to 3; below node 2, with those flags, nodes 4 to 6 for moves 1, 3, 5.

    Returns the tree and the path from the root by move 2 and move 3 to node 5.
    """
    tree = allocate(7)
    for node, (parent, move) in enumerate([(0, 0), (0, 1), (0, 2), (0, 3), (2, 1), (2, 3), (2, 5)]):
        tree.payload0[node] = move
        tree.links[node] = pack_links(parent, 0, 0)
    tree.links[0], tree.links[2] = pack_links(0, 1, 3), pack_links(0, 4, 3)
    tree.stats[2] = flags
    return tree, np.array([0, 2, 5], np.int64)


def counts(tree):
    """(AMAF visits, AMAF score) by node, for those that have any."""
    return {node: (int(word) % 2**32, int(word) >> 32) for node, word in enumerate(tree.payload1) if word}


def trace_of(**players):
    """`m1=1`: move 1 was first made by the player to move in the leaf; 2: by the other."""
    trace = np.zeros(8, np.uint8)
    for name, player in players.items():
        trace[int(name[1:])] = player
    return trace


@pytest.mark.parametrize(
    ("flags", "players", "scores", "expected"),
    [
        # The root's player made 2 (played) and 1 (in the playout), score 12; node 2's made 3 (played) and 5, score 4.
        (OPEN, {"m1": 1, "m5": 2}, (12,), {1: (1, 12), 2: (1, 12), 5: (1, 4), 6: (1, 4)}),
        # Move 3 was made by node 2's player on the way, before the playout; move 1 by that player in the playout.
        (OPEN, {"m1": 2, "m3": 1, "m5": 1}, (16,), {2: (1, 16), 4: (1, 0), 5: (1, 0)}),
        # The root's player makes move 2 and moves again: moves 2 and 3 and the trace's moves of "2" are all that one's.
        (SAME_MOVER, {"m1": 2, "m5": 1}, (12,), {1: (1, 4), 2: (1, 4), 3: (1, 4), 4: (1, 4), 5: (1, 4)}),
        (OPEN, {"m1": 1}, (16, 0, 8), {1: (3, 24), 2: (3, 24), 5: (3, 24)}),
    ],
    ids=["made later", "not what the other made first", "the same player again", "they add up"],
)
def test_amaf_counts_moves_that_the_player_to_move_made_later(flags, players, scores, expected):
    """In the first case, the root's player is to move in the leaf: 1 in the trace; the mover in node 2 is 2."""
    tree, path = by_hand(flags)
    for score in scores:
        credit(GO.kernel, tree, path, 2, trace_of(**players), score)
    assert counts(tree) == expected
