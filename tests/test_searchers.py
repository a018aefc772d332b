"""What holds for every search: it keeps to its clock, its budgets and its arrays, and keeps what it knows."""

import pytest

from agents.time_control import CHUNK_SECONDS, SMALLEST_CHUNK
from agents.uct import searchers
from agents.uct.analysis import analyse, move_reports, render
from agents.uct.base import FIXED_CHUNK
from agents.uct.searchers import warm_up
from agents.uct.settings import Settings
from agents.uct.tree import MAX_VISITS, ROOT
from game import load_game
from tests.searches import NEARLY_WON, FakeMachine, new_searcher, position_after, reply_of, searched

PENTAGO = load_game("pentago")
START = PENTAGO.initial()
WON = PENTAGO.parse_position(NEARLY_WON)
both = pytest.mark.parametrize("search", ["tree", "graph"])


def summary(searcher, position=None, place=ROOT):
    """Visits, value and outcome of each move, by default at the root."""
    position = position or searcher.position
    moves = ((searcher.move_to(position, child.node), child) for child in searcher.children(place))
    return {move: (child.visits, child.value, child.outcome) for move, child in moves}


def set_root_visits(searcher, visits):
    """Set the root's number of visits."""
    if hasattr(searcher, "tree"):
        searcher.tree.stats[ROOT] = visits
    else:
        searcher.graph.nodes[searcher.graph.root[0]]["stats"] = visits


# --- When nothing can change the move -------------------------------------------------------------------------------


@both
def test_a_settled_search_runs_no_simulation(search):
    searcher = searched(WON, search=search)
    assert (searcher.simulations, searcher.proven, searcher.value) == (0, "win", 1.0)


@both
def test_visits_never_run_over_their_field(search):
    searcher = new_searcher(search)
    searcher.begin(START)
    set_root_visits(searcher, MAX_VISITS - 10)
    searcher.search(simulations=1_000)
    assert (searcher.simulations, searcher.proven, searcher.is_settled) == (10, None, True)
    assert searcher._root_visits == MAX_VISITS


@both
def test_a_position_where_the_game_is_over_is_refused_and_changes_nothing(search):
    searcher = searched(search=search)
    before = analyse(searcher)
    over = WON.play(PENTAGO.parse_move("e1/3r", WON))
    for verb in (searcher.begin, searcher.advance):
        with pytest.raises(ValueError, match="the game is over in this position"):
            verb(over)
    assert analyse(searcher) == before


# --- From one move to the next --------------------------------------------------------------------------------------


@both
def test_advance_keeps_what_is_known_of_the_next_position(search):
    searcher = searched(search=search, simulations=20_000, capacity=200_000, reuse=True)
    position, theirs = reply_of(searcher)
    visited = {move: known for move, known in summary(searcher, position, theirs.node).items() if known[0]}
    assert theirs.visits > 1 and visited
    assert searcher.advance(position)
    assert searcher.position == position
    assert {move: known for move, known in summary(searcher).items() if known[0]} == visited
    assert all(move in position.legal_moves() for move in summary(searcher))
    before = searcher._root_visits
    searcher.search(simulations=500)
    assert searcher._root_visits == before + 500


@both
def test_advance_to_the_same_position_keeps_everything(search):
    searcher = searched(search=search, reuse=True)
    before = summary(searcher), searcher._root_visits
    assert searcher.advance(PENTAGO.initial())
    assert (summary(searcher), searcher._root_visits) == before


@both
@pytest.mark.parametrize(
    "text",
    [
        "....../....../....../....../....../...... w",
        "....../....../....../b...../....../.....w w",  # the first stone stays in its quadrant, however that is turned
        "....../....../....../....../....../b...ww b",
    ],
)
def test_advance_begins_anew_for_a_position_that_does_not_follow(search, text):
    searcher = searched(START.play(START.legal_moves()[0]), search=search, reuse=True)
    position = PENTAGO.parse_position(text)
    assert not searcher.advance(position)
    assert searcher.position == position
    assert searcher._root_visits <= 1


@pytest.mark.parametrize(
    ("search", "settings"), [("tree", {}), ("graph", {}), ("graph", {"reuse": True, "transpositions": False})]
)
def test_advance_begins_anew_without_reuse_or_transpositions(search, settings):
    searcher, fresh = searched(search=search, simulations=5_000, **settings), new_searcher(search, **settings)
    position = reply_of(searcher)[0]
    assert not searcher.advance(position)
    fresh.begin(position)
    assert (searcher._root_visits, searcher.shape().nodes) == (fresh._root_visits, fresh.shape().nodes)
    assert searcher._root_visits <= 1


# --- The clock ------------------------------------------------------------------------------------------------------


def begun(search, monkeypatch, speed, freeing=0.0, **settings):
    """A searcher at the start, and its machine."""
    searcher = new_searcher(search, **settings)
    searcher.begin(START)
    return searcher, FakeMachine(monkeypatch, searcher, speed, freeing)


@both
@pytest.mark.parametrize("speed", [5_000, 40_000])
def test_a_search_ends_at_its_deadline(search, monkeypatch, speed):
    searcher, machine = begun(search, monkeypatch, speed)
    searcher.search(seconds=0.4)
    overrun = machine.now - 100.4
    assert 0 <= overrun < CHUNK_SECONDS + SMALLEST_CHUNK / speed
    assert searcher.seconds == pytest.approx(0.4 + overrun)
    assert searcher.simulations == pytest.approx(0.4 * speed, rel=0.03)
    assert len(machine.chunks) > 10 and all(began < 100.4 for began, *_ in machine.chunks)


@both
@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_no_simulation_runs_when_no_time_is_left_but_there_is_a_move(search, monkeypatch, seconds):
    searcher, machine = begun(search, monkeypatch, 50_000)
    searcher.search(seconds=seconds)
    assert (machine.chunks, searcher.simulations) == ([], 0)
    assert searcher.best_move() in START.legal_moves()


def test_chunks_adapt_to_the_speed_of_the_machine(monkeypatch):
    searcher, machine = begun("tree", monkeypatch, 50_000)
    searcher.search(seconds=0.2)
    machine.speed = 10_000
    machine.chunks.clear()
    searcher.search(seconds=0.2)
    assert [done for *_, done in machine.chunks[:3]] == pytest.approx([200, 40, 40], abs=1)  # 4 ms each


@pytest.mark.parametrize(("search", "capacity"), [("tree", 1_000), ("graph", 400)])
def test_places_are_not_freed_when_the_time_left_does_not_pay_for_it(search, capacity, monkeypatch):
    searcher, _ = begun(search, monkeypatch, 20_000, freeing=0.1, capacity=capacity, memory="recycle")
    searcher.search(seconds=0.5)  # after the first time, less than four times its duration is left
    assert (searcher.recyclings, searcher.was_full) == (1, search == "graph")
    searcher.search(seconds=2.0)
    assert searcher.recyclings > 1


@pytest.mark.parametrize(("search", "capacity"), [("tree", 1_000), ("graph", 400)])
def test_an_analysis_in_short_slices_frees_places_however_long_that_takes(search, capacity, monkeypatch):
    searcher, _ = begun(search, monkeypatch, 20_000, freeing=0.1, capacity=capacity, memory="recycle")
    freed = 0
    for _ in range(20):
        searcher.search(seconds=0.1, for_value=True)
        freed += searcher.recyclings
    assert freed > 5


@pytest.mark.parametrize(("search", "capacity"), [("tree", 1_000), ("graph", 400)])
def test_chunks_after_places_were_freed_are_as_long_as_before(search, capacity, monkeypatch):
    searcher, machine = begun(search, monkeypatch, 20_000, freeing=0.02, capacity=capacity, memory="recycle")
    searcher.search(seconds=0.5)
    assert searcher.recyclings > 3
    assert max(asked for _, asked, _ in machine.chunks) <= 1 + CHUNK_SECONDS * 20_000


# --- Numbers --------------------------------------------------------------------------------------------------------


@both
def test_the_number_of_simulations_is_kept_exactly(search):
    searcher = new_searcher(search)
    searcher.begin(START)
    for wanted in (1, 17, FIXED_CHUNK, 2 * FIXED_CHUNK + 1):
        searcher.search(simulations=wanted)
        assert searcher.simulations == wanted


def bits_of(searcher):
    """All that a search has written into its arrays."""
    arrays = searcher.graph[:3] if hasattr(searcher, "graph") else searcher.tree[:4]
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize(
    ("settings", "has_chance"),
    [({"search": "tree"}, True), ({"search": "graph"}, False), ({"search": "graph", "leaf": "mixture"}, True)],
    ids=str,
)
def test_the_same_seed_repeats_a_search_bit_for_bit(settings, has_chance):
    how = {"capacity": 3_000, "simulations": 9_000, "memory": "recycle"} | settings
    first, again, other = (searched(seed=seed, **how) for seed in (1, 1, 2))
    assert first.recyclings > 0
    assert bits_of(first) == bits_of(again)
    assert (bits_of(first) != bits_of(other)) == has_chance  # with an evaluation alone nothing is random


@pytest.mark.parametrize("nodes", [1, 7, 150])
@pytest.mark.parametrize(("search", "settings"), [("tree", {}), ("tree", {"expand_at": 3}), ("graph", {})], ids=str)
def test_a_search_expands_as_many_nodes_as_it_may(search, settings, nodes):
    searcher = new_searcher(search, **settings)
    searcher.begin(START)
    before = searcher.shape()
    searcher.search(nodes=nodes)
    assert searcher.expanded == nodes
    assert searcher.simulations >= nodes
    shape = searcher.shape()
    if search == "tree":
        assert (shape.nodes - shape.leaves) - (before.nodes - before.leaves) <= nodes  # a winning child stays alone
    else:
        assert shape.nodes - before.nodes == nodes


@pytest.mark.parametrize(("search", "capacity"), [("tree", 3_000), ("graph", 600)])
def test_a_full_array_ends_a_search_for_a_number_of_nodes_and_is_told(search, capacity):
    searcher = new_searcher(search, capacity=capacity)
    searcher.begin(START)
    searcher.search(nodes=10_000)
    assert searcher.was_full
    assert 10 < searcher.expanded < capacity
    assert "the search ended when they were full" in render(analyse(searcher))
    assert "full" not in render(analyse(searched(search=search, simulations=100)))


@both
def test_a_search_has_to_know_when_to_end(search):
    searcher = new_searcher(search)
    searcher.begin(START)
    with pytest.raises(ValueError, match="needs seconds, simulations or nodes"):
        searcher.search()


@pytest.mark.parametrize(
    ("name", "search"),
    [("pentago", "graph"), ("tictactoe", "tree"), pytest.param("extra_turn_nim", "graph", marks=pytest.mark.slow)],
)
def test_a_warm_up_finds_a_move(name, search):
    game = load_game(name)
    searcher = warm_up(game, game.initial(), Settings.for_game(game, search=search))
    assert searcher.best_move() in searcher.position.legal_moves()
    assert searcher.shape().nodes > 9


def test_a_warm_up_has_room_for_a_root_with_very_many_moves(monkeypatch):
    monkeypatch.setattr(searchers, "WARM_UP_CAPACITY", 1)
    game = load_game("tictactoe")
    warm_up(game, game.initial(), Settings.for_game(game, search="tree"))


# --- What it says ---------------------------------------------------------------------------------------------------


@both
def test_every_variation_can_be_played_from_the_root(search):
    searcher = searched(position_after(PENTAGO, 12, 3), search=search)
    reports = move_reports(searcher)
    assert len(reports) > 5
    for report in reports:
        assert report.pv[0] == report.move
        position = searcher.position
        for move in report.pv:
            position = position.play(move)


@both
def test_asking_what_was_found_changes_no_search(search):
    asked, unasked = (searched(search=search, simulations=300) for _ in range(2))
    analyse(asked), move_reports(asked)
    for searcher in (asked, unasked):
        searcher.search(simulations=300)
    assert summary(asked) == summary(unasked)
