"""The move to play follows from proofs and statistics; a search is settled when nothing can change the move."""

import math

import pytest

from agents.uct.choice import Child, best_of, list_children, lower_bound
from agents.uct.searcher import Searcher
from agents.uct.settings import TreeSettings
from agents.uct.tree import MAX_VISITS, ROOT, allocate, pack_links, pack_stats
from game import DRAWN, IMPLIED, LOST, SAME_MOVER, WON, load_game
from jit import U64

OPEN = U64(0)
# A child's flags are those of the player who moves there, the opponent.
WINS, LOSES = LOST, WON
finals = pytest.mark.parametrize("final", ["visits", "value", "lcb"])


def write_children(tree, children, root=OPEN):
    """Give the root these children: (visits, mean value for the player who chooses, flags)."""
    for node, (visits, value, flags) in enumerate(children, start=1):
        tree.links[node] = pack_links(ROOT, 0, 0)
        tree.stats[node] = pack_stats(round(16 * visits * value), flags, visits)
    tree.links[ROOT] = pack_links(ROOT, 1, len(children))
    tree.stats[ROOT] = pack_stats(0, root, 1 + sum(visits for visits, _, _ in children))
    return tree


def chosen(*children, **how):
    """The number of the child that is played, from 0."""
    return best_of(list_children(write_children(allocate(10), children), ROOT, None), **how).node - 1


# --- The move -------------------------------------------------------------------------------------------------------


@finals
@pytest.mark.parametrize(
    ("children", "best"),
    [
        ([(900, 0.95, OPEN), (1, 1.0, WINS), (30, 0.5, DRAWN)], 1),  # a proved win goes first
        ([(900, 0.9, LOSES), (10, 0.3, OPEN)], 1),
        ([(900, 0.9, LOSES), (10, 0.3, OPEN), (5, 0.9, DRAWN)], 2),
        ([(700, 0.99, LOSES | IMPLIED), (500, 0.9, LOSES), (0, 0.5, OPEN)], 2),  # any move that is not proved to lose
        ([(9, 0.4, LOSES), (3, 0.5, DRAWN)], 1),  # a draw, if all other moves lose
        ([(5, 0.9, LOSES), (80, 0.1, LOSES | IMPLIED), (7, 0.3, LOSES)], 1),  # the most visited of losing moves
        ([(0, 0.5, WON), (0, 0.5, WON | IMPLIED)], 1),  # not the move that loses at once
        ([(200, 0.51, OPEN), (3, 0.5, DRAWN), (1, 0.0, LOSES)], 0),  # an open move is worth more than a proved draw
        ([(200, 0.5, OPEN), (3, 0.5, DRAWN), (1, 0.0, LOSES)], 1),
        ([(50, 0.9, OPEN), (1, 1.0, WON | SAME_MOVER), (90, 0.9, LOST | SAME_MOVER)], 1),  # the same player wins there
    ],
)
def test_proofs_come_before_any_score(children, best, final):
    assert chosen(*children, final=final) == best


def test_a_draw_counts_as_much_as_it_is_told_to():
    for value, draw_value, best in ((0.3, 0.2, 0), (0.3, 0.5, 1), (0.9, 0.5, 0), (0.9, 1, 1)):
        assert chosen((10, value, OPEN), (5, 0.9, DRAWN), draw_value=draw_value) == best


def test_the_final_move_is_the_most_visited_the_best_or_the_one_with_the_best_lower_bound():
    children = [Child(node, visits, value, None, False, 0.5) for node, visits, value in FINALISTS]
    assert [best_of(children, final).node for final in ("visits", "value", "lcb")] == [0, 2, 1]
    bounds = [child.value - math.sqrt(math.log(904) / child.visits) for child in children]
    assert [lower_bound(child, 904, 1.0) for child in children] == pytest.approx(bounds)
    assert best_of(children, "lcb", 0.0).node == 2


FINALISTS = [(0, 600, 0.50), (1, 300, 0.58), (2, 4, 0.90)]  # node, visits, value


@pytest.mark.parametrize("final", ["visits", "lcb"])
def test_a_move_that_was_never_visited_is_no_candidate_beside_others(final):
    assert chosen((0, 0.5, OPEN), (60, 0.2, OPEN), (0, 0.5, OPEN), final=final) == 1


# --- When nothing can change the move, and what it is worth ----------------------------------------------------------


@pytest.fixture(scope="module")
def searcher():
    found = Searcher(load_game("pentago"), 400, 1, TreeSettings())
    found.begin(found.game.initial())
    return found


@pytest.mark.parametrize(
    ("children", "root", "is_settled", "value"),
    [
        *(
            ([(50, 0.37, OPEN), (7, 0.9, OPEN)], flag | IMPLIED, True, value)
            for flag, value in ((WON, 1.0), (DRAWN, 0.5), (LOST, 0.0))
        ),
        ([(5, 0.1, LOSES), (4, 0.25, OPEN), (9, 0.0, LOSES)], OPEN, True, 0.25),  # one move does not lose
        ([(5, 0.1, LOSES), (4, 0.25, OPEN), (8, 0.5, OPEN)], OPEN, False, 0.5),
        ([(5, 0.1, LOSES), (4, 0.25, OPEN), (9, 0.5, DRAWN)], OPEN, False, 0.5),
        ([(64, 0.75, OPEN), (7, 0.9, OPEN)], OPEN, False, 0.75),
        ([(64, 0.25, OPEN), (7, 0.4, DRAWN)], OPEN, False, 0.5),
        ([(1 << 20, 0.75, OPEN), (1, 0.0, OPEN)], OPEN, False, 0.75),  # the leader may still be proved to lose
        ([(MAX_VISITS - 2, 0.5, OPEN), (1, 0.5, OPEN)], OPEN, True, 0.5),  # the root's field of visits is full
    ],
)
def test_a_search_is_settled_when_no_other_move_can_be_played_and_worth_what_is_proved_or_that_move(
    searcher, children, root, is_settled, value
):
    write_children(searcher.tree, children, root)
    assert (searcher.is_settled, searcher.value) == (is_settled, value)
