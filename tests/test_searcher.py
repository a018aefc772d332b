"""The searcher chooses as the proofs and the statistics say, keeps to its clock, and keeps what is worth keeping."""

import itertools
from types import SimpleNamespace

import pytest

from agents import time_control
from agents.time_control import CHUNK_SECONDS, SMALLEST_CHUNK
from agents.uct import base, memory
from agents.uct import searcher as module
from agents.uct.searcher import FIXED_CHUNK, Searcher
from agents.uct.settings import Settings
from agents.uct.tree import MAX_VISITS, ROOT, pack_links, pack_stats, visits_of
from game import DRAWN, IMPLIED, LOST, SAME_MOVER, WON, load_game
from jit import U64

OPEN = U64(0)
# A child's flags speak of the player who moves there, the opponent.
WINS, LOSES = LOST, WON
NEARLY_WON = "wwww../bbbb../....../....../....../...... w"


def new_searcher(name="pentago", capacity=20_000, seed=1, **settings):
    return Searcher(load_game(name), capacity, seed, Settings(**settings))


def by_hand(*children, root=OPEN, **settings):
    """A searcher whose root has these children: (visits, mean value for the player who chooses, flags)."""
    searcher = new_searcher(capacity=400, **settings)
    searcher.begin(searcher.game.initial())
    tree = searcher.tree
    for node, (visits, value, flags) in enumerate(children, start=1):
        tree.links[node] = pack_links(ROOT, 0, 0)
        tree.stats[node] = pack_stats(round(16 * visits * value), flags, visits)
    tree.links[ROOT] = pack_links(ROOT, 1, len(children))
    tree.stats[ROOT] = pack_stats(0, root, 1 + sum(visits for visits, _, _ in children))
    return searcher


# --- When nothing can change the move --------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [WON, LOST, DRAWN])
def test_a_resolved_root_settles_the_search(flag):
    assert by_hand((5, 0.5, OPEN), (5, 0.5, OPEN), root=flag | IMPLIED).is_settled


def test_one_move_that_does_not_lose_settles_the_search():
    assert by_hand((5, 0.1, LOSES), (2, 0.2, OPEN), (9, 0.0, LOSES)).is_settled


def test_two_moves_that_may_not_lose_leave_it_open():
    assert not by_hand((5, 0.1, LOSES), (2, 0.2, OPEN), (9, 0.4, OPEN)).is_settled
    assert not by_hand((5, 0.1, LOSES), (2, 0.2, OPEN), (9, 0.5, DRAWN)).is_settled


def test_a_lead_that_cannot_be_caught_up_does_not_settle_it():
    assert not by_hand((1_000_000, 0.9, OPEN), (1, 0.0, OPEN)).is_settled


def test_visits_at_the_limit_of_their_field_settle_it():
    assert by_hand((MAX_VISITS, 0.5, OPEN), (1, 0.5, OPEN)).is_settled


def test_visits_never_run_over_their_field():
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    searcher.tree.stats[ROOT] = U64(MAX_VISITS - 10)
    searcher.search(simulations=1_000)
    assert (searcher.simulations, searcher.proven) == (10, None)
    assert visits_of(searcher.tree.stats[ROOT]) == MAX_VISITS


def test_among_hopeless_moves_one_that_gives_the_game_away_at_once_is_the_last_choice():
    searcher = by_hand((0, 0.5, WON), (0, 0.5, WON | IMPLIED))
    assert searcher.best_child().node == searcher.children()[1].node


def test_a_settled_search_runs_no_simulation():
    searcher = new_searcher()
    searcher.begin(searcher.game.parse_position(NEARLY_WON))
    searcher.search(simulations=1_000)
    assert (searcher.simulations, searcher.proven) == (0, "win")


# --- The move --------------------------------------------------------------------------------------------------------


def test_a_proved_win_is_preferred_to_everything():
    assert by_hand((900, 0.95, OPEN), (1, 1.0, WINS), (30, 0.5, DRAWN)).best_child().node == 2


@pytest.mark.parametrize("final", ["visits", "value"])
@pytest.mark.parametrize("other", [(0, 0.5, OPEN), (1, 0.0, OPEN), (1, 0.5, DRAWN)])
def test_a_proved_loss_is_never_chosen_while_another_move_exists(other, final):
    for children in itertools.permutations([(500, 0.9, LOSES), (700, 0.99, LOSES | IMPLIED), other]):
        best = by_hand(*children, final=final).best_child()
        assert children[best.node - 1] == other


@pytest.mark.parametrize("final", ["visits", "value"])
def test_among_hopeless_moves_the_most_visited_is_chosen(final):
    searcher = by_hand((5, 0.9, LOSES), (80, 0.1, LOSES | IMPLIED), (7, 0.3, LOSES), root=LOST | IMPLIED, final=final)
    assert searcher.best_child().node == 2


@pytest.mark.parametrize(("value", "node"), [(0.51, 1), (0.5, 2), (0.3, 2)])
@pytest.mark.parametrize("final", ["visits", "value"])
def test_an_open_move_is_preferred_to_a_proved_draw_only_if_its_value_is_above_one_half(final, value, node):
    assert by_hand((200, value, OPEN), (3, 0.5, DRAWN), (1, 0.0, LOSES), final=final).best_child().node == node


def test_a_draw_is_chosen_when_all_else_loses():
    assert by_hand((9, 0.4, LOSES), (3, 0.5, DRAWN), root=DRAWN | IMPLIED).best_child().node == 2


def test_final_says_whether_visits_or_the_mean_value_choose():
    children = (100, 0.55, OPEN), (60, 0.6, OPEN), (0, 0.5, OPEN)
    assert by_hand(*children, final="visits").best_child().node == 1
    assert by_hand(*children, final="value").best_child().node == 2


def test_a_child_in_which_the_same_player_moves_again_wins_when_it_is_won():
    children = (50, 0.9, OPEN), (1, 1.0, WON | SAME_MOVER), (90, 0.9, LOST | SAME_MOVER)
    searcher = by_hand(*children)
    assert [child.outcome for child in searcher.children()] == [None, "win", "loss"]
    assert searcher.best_child().node == 2


# --- The value -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("flag", "value"), [(WON, 1.0), (DRAWN, 0.5), (LOST, 0.0)])
def test_a_proved_value_is_exact_whatever_the_playouts_said(flag, value):
    assert by_hand((50, 0.37, OPEN), (7, 0.9, OPEN), root=flag | IMPLIED).value == value


def test_an_open_root_has_the_value_of_the_move_to_play():
    assert by_hand((64, 0.75, OPEN), (7, 0.9, OPEN)).value == 0.75
    assert by_hand((64, 0.25, OPEN), (7, 0.4, DRAWN)).value == 0.5


def test_a_search_proves_wins_draws_and_losses_with_their_exact_values():
    values = set()
    searcher = new_searcher()
    searcher.begin(searcher.game.parse_position(NEARLY_WON))
    searcher.search(simulations=20_000)
    values.add((searcher.proven, searcher.value))
    searcher = new_searcher("tictactoe", capacity=100_000)
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=100_000)
    values.add((searcher.proven, searcher.value))
    searcher.begin(searcher.game.parse_position("xox/..o/x.. o"))  # two threats at once
    searcher.search(simulations=20_000)
    values.add((searcher.proven, searcher.value))
    assert values == {("win", 1.0), ("draw", 0.5), ("loss", 0.0)}


# --- From one move to the next ---------------------------------------------------------------------------------------


def reply_of(searcher):
    """Play the best move and the best answer to it; returns the position and its node in the old tree."""
    mine = searcher.best_child()
    position = searcher.position.play(searcher.best_move())
    theirs = searcher.best_child(mine.node)
    return position.play(searcher.move_to(position, theirs.node)), theirs.node


def summary(searcher, node=ROOT):
    """Visits, value and payload of a node's children, in their order."""
    tree = searcher.tree
    return [(int(tree.payload0[c]), int(tree.payload1[c]), int(tree.stats[c])) for c in searcher.children_of(node)]


def test_advance_keeps_the_subtree_with_its_visits_and_children():
    searcher = new_searcher(capacity=200_000, reuse=True)
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=20_000)
    position, node = reply_of(searcher)
    visits, children = int(visits_of(searcher.tree.stats[node])), summary(searcher, node)
    assert visits > 1
    assert searcher.advance(position)
    assert searcher.position == position
    assert visits_of(searcher.tree.stats[ROOT]) == visits
    assert summary(searcher) == children
    for child in searcher.children_of(ROOT):
        position.play(searcher.move_to(position, child))
    searcher.search(simulations=5_000)
    assert visits_of(searcher.tree.stats[ROOT]) == visits + 5_000


def test_advance_to_the_same_position_keeps_the_whole_tree():
    searcher = new_searcher(reuse=True)
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=2_000)
    children = summary(searcher)
    assert searcher.advance(searcher.game.initial())
    assert summary(searcher) == children


# The first stone stays in the top left quadrant, however that is turned.
@pytest.mark.parametrize(
    "text",
    [
        "....../....../....../....../....../...... w",
        "....../....../....../b...../....../.....w w",
        "....../....../....../....../....../b...ww b",
    ],
)
def test_advance_begins_anew_for_a_position_that_does_not_follow(text):
    searcher = new_searcher(reuse=True)
    searcher.begin(searcher.game.initial().play(searcher.game.initial().legal_moves()[0]))
    searcher.search(simulations=2_000)
    position = searcher.game.parse_position(text)
    assert not searcher.advance(position)
    assert searcher.position == position
    assert visits_of(searcher.tree.stats[ROOT]) == 0


def test_advance_begins_anew_without_reuse():
    searcher = new_searcher(capacity=200_000, reuse=False)
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=5_000)
    position, _ = reply_of(searcher)
    assert not searcher.advance(position)
    assert visits_of(searcher.tree.stats[ROOT]) == 0


# --- The clock -------------------------------------------------------------------------------------------------------


class FakeMachine:
    """A clock that goes on only while simulations run or nodes are freed, and a record of the chunks."""

    def __init__(self, monkeypatch, simulations_a_second, compacting=0.0):
        self.now, self.chunks, self.compacting = 100.0, [], compacting
        self.speed = simulations_a_second
        self._run, self._compact = module.run, memory.compact
        for clocked in (base, memory, time_control):
            monkeypatch.setattr(clocked, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(module, "run", self.run)
        monkeypatch.setattr(memory, "compact", self.compact)

    def compact(self, *arguments):
        self.now += self.compacting
        return self._compact(*arguments)

    def run(self, *arguments):
        done, playouts = self._run(*arguments)
        if arguments[-1] == 0:  # to plant a root
            return done, playouts
        self.chunks.append((self.now, done))
        self.now += done / self.speed
        return done, playouts


@pytest.mark.parametrize("speed", [5_000, 40_000, 200_000])
def test_a_search_ends_at_its_deadline(monkeypatch, speed):
    machine = FakeMachine(monkeypatch, speed)
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    searcher.search(seconds=0.5)
    overrun = machine.now - 100.5
    assert 0 <= overrun < CHUNK_SECONDS + SMALLEST_CHUNK / speed
    assert searcher.seconds == pytest.approx(0.5 + overrun)
    assert searcher.simulations == pytest.approx(0.5 * speed, rel=0.02)


def test_no_chunk_begins_after_the_deadline(monkeypatch):
    machine = FakeMachine(monkeypatch, 50_000)
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    searcher.search(seconds=0.2)
    assert len(machine.chunks) > 10
    assert all(began < 100.2 for began, _ in machine.chunks)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_no_simulation_runs_when_no_time_is_left_but_there_is_a_move(monkeypatch, seconds):
    machine = FakeMachine(monkeypatch, 50_000)
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    searcher.search(seconds=seconds)
    assert machine.chunks == []
    assert searcher.simulations == 0
    assert searcher.best_move() in searcher.game.initial().legal_moves()


def test_chunks_adapt_to_the_speed_of_the_machine(monkeypatch):
    machine = FakeMachine(monkeypatch, 50_000)
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    searcher.search(seconds=0.2)
    machine.speed = 10_000
    machine.chunks.clear()
    searcher.search(seconds=0.2)
    assert [done for _, done in machine.chunks[:3]] == pytest.approx([200, 40, 40], abs=1)  # 4 ms each


def test_the_array_is_not_recycled_when_the_time_left_does_not_pay_for_it(monkeypatch):
    machine = FakeMachine(monkeypatch, 50_000, compacting=0.05)
    searcher = new_searcher(capacity=1_000, memory="recycle")
    searcher.begin(searcher.game.initial())
    searcher.search(seconds=0.19)  # after the first time less than four times what that took is left
    assert searcher.recyclings == 1
    assert machine.now >= 100.19
    searcher.search(seconds=0.5)
    assert searcher.recyclings > 1


def test_the_number_of_simulations_is_kept_exactly():
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    for wanted in (1, 17, FIXED_CHUNK, 2 * FIXED_CHUNK + 1):
        searcher.search(simulations=wanted)
        assert searcher.simulations == wanted


def test_a_search_without_an_end_is_refused():
    searcher = new_searcher()
    searcher.begin(searcher.game.initial())
    with pytest.raises(ValueError, match="needs seconds, simulations or nodes"):
        searcher.search()


# --- Settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"memory": "forget"}, "memory=forget: there is stop, pace, recycle"),
        ({"final": "luck"}, "final=luck: there is visits, value"),
        ({"c": -0.5}, "c=-0.5: the exploration constant"),
        ({"c": float("nan")}, "c=nan: the exploration constant"),
    ],
)
def test_impossible_settings_are_refused_with_what_is_possible(settings, message):
    with pytest.raises(ValueError, match=message):
        Settings(**settings)
