"""Alpha-beta finds what minimax finds, but sooner: values, tactics, proofs, and what it does without time."""

from itertools import product, repeat

import numpy as np
import pytest

import game
from agents import alphabeta_agent
from agents.agent import AgentError
from agents.alphabeta import table as tt
from agents.alphabeta.frames import LONGEST
from agents.alphabeta.searcher import Searcher
from agents.alphabeta.values import DRAW, PROVEN, WIN, value_from_table, value_to_table
from agents.limits import Clock
from agents.process_memory import RESERVE_BYTES, held_bytes
from pentago.game import Pentago
from pentago.rules import TWIST
from tests import contract
from tests.extra_turn_nim import mover_wins
from tests.searches import agent_of, played, position_after, tactics
from tests.slow.minimax import Minimax

MB = 1_000_000
# With foresight, Pentago marks successors that the next player wins at once: minimax sees that a ply later.
PLAIN_PENTAGO = Pentago(TWIST._replace(foresight=False))
PENTAGO, TICTACTOE = game.load_game("pentago"), game.load_game("tictactoe")
TICTACTOE_TWIN = Minimax(TICTACTOE)  # several tests ask for the same positions


def searched(the_game, position, depth, seed=0, table_entries=1 << 12):
    searcher = Searcher(the_game, table_entries, seed)
    searcher.search(position, depth)
    return searcher


def positions(the_game, *plies_and_count):
    for plies, count in plies_and_count:
        for seed in range(count):
            yield position_after(the_game, plies, seed)


# --- The twin -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("the_game", "plies_and_count", "depths"),
    [
        (TICTACTOE, [(0, 1), (1, 3), (2, 5), (4, 10), (6, 10)], (1, 2, 3)),
        (game.load_game("extra_turn_nim", heap=13), [(0, 1), (3, 5)], (1, 2, 3, 4)),
        (PLAIN_PENTAGO, [(30, 1), (32, 2), (33, 5)], (1, 2, 3)),
        (PLAIN_PENTAGO, [(3, 1)], [1]),
        (PLAIN_PENTAGO, [(12, 1)], [2]),
    ],
    ids=["tictactoe", "nim", "pentago", "opening", "later opening"],
)
def test_value_and_move_are_those_of_minimax(the_game, plies_and_count, depths):
    twin = Minimax(the_game)
    for position, depth in product(positions(the_game, *plies_and_count), depths):
        searcher = searched(the_game, position, depth)
        values = twin.move_values(position, depth)
        assert searcher.value == max(values.values()), str(position)
        assert values[searcher.best_move()] == searcher.value, str(position)


def test_every_open_position_of_tictactoe_has_its_result_and_its_distance():
    seen = {position_after(TICTACTOE, plies, seed) for plies in range(8) for seed in range(8)}
    proved = set()
    for position in seen:
        searcher, truth = searched(TICTACTOE, position, LONGEST), TICTACTOE_TWIN.value(position, 9)
        assert searcher.value == truth, str(position)
        assert searcher.proven == ("draw" if truth == DRAW else "win" if truth > 0 else "loss")
        proved.add(searcher.proven)
    assert proved == {"win", "draw", "loss"}


@pytest.mark.parametrize("misere", [False, True])
def test_a_player_who_moves_twice_in_a_row_keeps_the_sign_of_the_value(misere):
    nim = game.load_game("extra_turn_nim", misere=misere)
    for heap in range(1, 22):
        searcher = searched(nim, nim.parse_position(f"{heap} second"), LONGEST)
        assert (searcher.proven == "win") == mover_wins(heap, misere), heap
        assert searcher.proven is not None
    for heap in range(1, 14):
        position, twin = nim.parse_position(f"{heap} first"), Minimax(nim)
        assert searched(nim, position, LONGEST).value == twin.value(position, heap), heap


@pytest.mark.slow
def test_foresight_claims_only_what_minimax_finds_later():
    claims = 0
    for position in positions(PENTAGO, (31, 8), (33, 8)):
        searcher, twin = searched(PENTAGO, position, 2), Minimax(PENTAGO)
        if searcher.proven:
            claims += 1
            assert searcher.value == twin.value(position, 5), str(position)
    assert claims >= 5


@pytest.mark.parametrize("nodes", [1, 7, 1000])
def test_a_search_in_chunks_is_the_same_search(nodes):
    position = position_after(PENTAGO, 8, seed=2)
    whole, in_chunks = searched(PENTAGO, position, 3, seed=3), Searcher(PENTAGO, 1 << 12, seed=3)
    in_chunks.search(position, depth=3, chunks=repeat(nodes))
    assert whole.depth == in_chunks.depth == 3
    assert (whole.value, whole.best_move(), whole.work) == (in_chunks.value, in_chunks.best_move(), in_chunks.work)


# --- Tactics --------------------------------------------------------------------------------------------------------


def test_a_proved_game_is_won_by_the_shortest_way_against_the_longest_defence():
    nim, twin = game.load_game("extra_turn_nim"), Minimax(game.load_game("extra_turn_nim"))
    position = nim.parse_position("13 first")
    plies = WIN - twin.value(position, 13)
    searcher = Searcher(nim, 1 << 12)
    for _ in range(plies):
        searcher.search(position)
        position = position.play(searcher.best_move())
    assert position.result is not None
    assert position.result.winner == game.FIRST


def test_every_move_of_the_principal_variation_keeps_the_value():
    searcher, twin = searched(TICTACTOE, TICTACTOE.initial(), LONGEST, table_entries=1 << 16), TICTACTOE_TWIN
    position, moves = TICTACTOE.initial(), [TICTACTOE.format_move(move) for move in searcher.line()]
    assert len(moves) >= 4
    for text in moves:
        assert twin.value(position, 9) == DRAW
        position = position.play(TICTACTOE.parse_move(text))


# --- Without time ---------------------------------------------------------------------------------------------------


def test_without_time_for_a_second_ply_the_best_move_of_the_first_is_kept():
    for seed, position in enumerate(positions(PENTAGO, (6, 5))):
        one_ply, out_of_time = searched(PENTAGO, position, 1, seed), Searcher(PENTAGO, 1 << 10, seed)
        out_of_time.search(position, chunks=iter(()))
        assert out_of_time.depth == 1
        assert (out_of_time.best_move(), out_of_time.value) == (one_ply.best_move(), one_ply.value)


def test_a_search_that_is_cut_short_keeps_a_move_that_is_not_refuted():
    for entry in tactics("safe", 1)[:10]:
        position = PENTAGO.parse_position(entry["position"])
        for chunks in (0, 1, 5, 20):
            searcher = Searcher(PENTAGO, 1 << 12)
            searcher.search(position, chunks=repeat(200, chunks))
            result = position.play(searcher.best_move()).result
            assert result is None or result.winner in (None, position.to_move)
            assert searcher.depth >= 1


def test_a_move_that_an_unfinished_iteration_refutes_is_not_played():
    replaced = 0
    for entry in tactics("safe", 3)[::2]:
        position = PENTAGO.parse_position(entry["position"])
        for chunks in range(1, 30):
            searcher = Searcher(PENTAGO, 1 << 12)
            searcher.search(position, depth=3, chunks=repeat(100, chunks))
            root = searcher.frames.plies[0]
            if searcher.depth < 3 and root["searched"] and root["value"] <= -PROVEN:
                replaced += 1
                assert searcher._best != root["best"]
                assert searcher.proven is None
                break
    assert replaced > 0


# --- The table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, 999_999, -999_999, WIN - 1, 1 - WIN, PROVEN, -PROVEN])
def test_an_entry_holds_what_was_put_into_it(value):
    entry = tt.pack(4095, value, 255, tt.UPPER, 200)
    assert (tt.child_of(entry), tt.value_of(entry), tt.depth_of(entry)) == (4095, value, 255)
    assert (tt.bound_of(entry), tt.generation_of(entry)) == (tt.UPPER, 200)


def test_a_proof_is_counted_from_the_position_in_the_table_and_from_the_root_outside():
    assert value_to_table(WIN - 7, 4) == WIN - 3
    assert value_to_table(7 - WIN, 4) == 3 - WIN
    for value in (WIN - 7, 7 - WIN, 500, DRAW):
        assert value_from_table(value_to_table(value, 4), 4) == value


def stored(*writes):
    """The depths that a table of one bucket holds for keys 1 to 3 after entries of (key, depth, generation)."""
    table = tt.allocate(2)
    for key, depth, generation in writes:
        tt.store(table, np.uint64(key), tt.pack(0, 0, depth, tt.EXACT, generation))
    found = [tt.probe(table, np.uint64(key)) for key in (1, 2, 3)]
    return [int(tt.depth_of(entry)) if entry else None for entry in found]


def test_the_table_keeps_the_deep_and_the_new():
    assert stored((1, 5, 1), (2, 3, 1)) == [5, 3, None]
    assert stored((1, 5, 1), (2, 3, 1), (3, 2, 1)) == [5, None, 2]  # the second place is for the newest entry
    assert stored((1, 5, 1), (2, 3, 1), (3, 6, 1)) == [None, 3, 6]  # the first place is for the deepest entry
    assert stored((1, 5, 1), (2, 3, 2)) == [None, 3, None]  # the deepest of this search
    assert stored((1, 5, 1), (2, 3, 1), (2, 9, 1)) == [5, 9, None]
    assert stored((1, 5, 1), (1, 2, 1)) == [2, None, None]


def test_states_that_are_the_same_position_have_the_same_hash_and_others_another():
    for the_game in (PENTAGO, TICTACTOE, game.load_game("extra_turn_nim"), game.load_game("go", size=5)):
        places = Searcher(the_game, 2).frames.key_places
        by_key, hashes = {}, set()
        for position in contract.sample(the_game):
            state = the_game.state(position)
            own = int(tt.hash_of(places, state))
            assert by_key.setdefault(the_game.state_key(state), own) == own
            hashes.add(own)
        assert len(hashes) == len(by_key) > 20


def test_the_order_of_moves_does_not_change_the_hash_of_a_state_that_was_stepped_to():
    go = game.load_game("go", size=5)
    places, hashes = Searcher(go, 2).frames.key_places, set()
    for texts in ("C3 A1 B2", "B2 A1 C3"):
        state = go.state(go.initial())
        for move in map(go.parse_move, texts.split()):
            child = next(c for c in contract.children_at(go.kernel, state) if go.move_of(go.initial(), *c[:2]) == move)
            contract.step(go.kernel, state, child.word0, child.word1)
        hashes.add(int(tt.hash_of(places, state)))
    assert len(hashes) == 1


# --- The agent ------------------------------------------------------------------------------------------------------


def test_a_fixed_depth_knows_nothing_of_earlier_moves():
    agent, fresh = (agent_of("alphabeta_agent:depth=2") for _ in range(2))
    position = position_after(PENTAGO, 10, seed=3)
    for earlier in positions(PENTAGO, (8, 2)):
        agent.step(earlier, Clock(0.0))
    for one in (agent, fresh):
        one.step(position, Clock(0.0))
    for key in ("value", "depth_max"):
        assert agent.analysis()[key] == fresh.analysis()[key]


@pytest.mark.slow
def test_go_is_searched_with_its_area_evaluation():
    go = game.load_game("go", size=5)
    agent = agent_of("alphabeta_agent:depth=2", go)
    position = played(go, "A4 A5 B4 B5")  # white's two stones in the corner have one liberty left, c5
    assert go.format_move(agent.step(position, Clock(0.0))) == "C5"
    assert position.play(go.parse_move(agent.analysis()["pv"][0], position)).result is None


def table_bytes(agent):
    table = agent._searcher.table
    return table.keys.nbytes + table.entries.nbytes


def test_the_table_is_what_the_memory_limit_leaves():
    agent_of("alphabeta_agent:depth=2").setup()  # loads the code, so that it does not count as growth
    held = held_bytes() // MB + RESERVE_BYTES // MB
    small, large = (agent_of("alphabeta_agent", memory_mb=held + more) for more in (12, 1000))
    for agent in (small, large):
        agent.setup()
    assert table_bytes(small) <= 12 * MB
    assert table_bytes(large) == alphabeta_agent.MOST_ENTRIES * tt.ENTRY_BYTES


def test_a_limit_without_room_for_a_table_is_told():
    with pytest.raises(AgentError, match=r"50 MB leave no room for a table: the process already holds \d+ MB"):
        agent_of("alphabeta_agent", memory_mb=50).setup()
