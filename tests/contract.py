"""The contract of `game/`, which every game has to keep whatever its rules, as checks that take a game.

`tests/test_contract.py` runs every function here whose name begins with `check_` on every game. Each looks at a sample
of positions from seeded random games, all the way to their ends. States are compared by `Game.state_key`, because two
different states may stand for the same position. Checks of AMAF look at nothing in games without AMAF.
"""

import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

import game
from agents.agent_options import default_of
from agents.uct.settings import Settings
from agents.uct.tree import SCORE_OF_WIN
from agents.uct_agent import UctAgent
from game import (  # the verbs, which Python may call too
    AMAF_MOVE_BITS,
    FIRST,
    LOST,
    OPEN,
    PRIOR_BITS,
    RESOLVED,
    SAME_MOVER,
    WON,
    AmafGame,
    Game,
    IllegalMove,
    NotationError,
    Result,
    begin,
    children,
    evaluate,
    max_children,
    move_number,
    outcome,
    playout,
    step,
    tally,
    traced_playout,
    values,
)

POSITIONS = 100  # the least number in the sample, which consists of whole games
MOST_PLIES = 60  # plies at random, after which a game is brought to its end: a random game of Go has hundreds
OFFSET = 5  # where `children` is told to begin writing, so that writing elsewhere shows
# The escape codes with which a drawing can be read on a dark and on a light background: reset, bold, dim, reverse, and
# the colours except black, yellow, blue, white and the bright ones.
READABLE = {"0", "1", "2", "7", "31", "32", "35", "36"}
UNTOUCHED = np.uint64(0x5A5A5A5A5A5A5A5A)


# --- Positions and their successors ---------------------------------------------------------------------------------


def children_and_values(kernel: Any, state: np.ndarray, open_with: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """All children of an open state, as three arrays of their words, and their values for the player who chooses.

    Children with a flag of `open_with` count as open.
    """
    words = [np.zeros(max_children(kernel), np.uint64) for _ in Child._fields]
    count = children(kernel, state, *words, 0)
    words[2][(words[2] & np.uint64(open_with)) != 0] &= ~RESOLVED
    found = np.zeros(count, np.float32)
    values(kernel, state, state.copy(), *words, 0, count, found)
    return [array[:count] for array in words], found


class Child(NamedTuple):
    """A successor as compiled code wrote it. Attributes: word0, word1: the payload. flags: the statistics word."""

    word0: np.uint64
    word1: np.uint64
    flags: np.uint64


def copied(the_game: Game, root: np.ndarray) -> np.ndarray:
    """A copy of a root's state, which `begin` has written over the state of the initial position."""
    state = the_game.state(the_game.initial())
    begin(the_game.kernel, state, root)
    return state


def search_kernel(the_game: Game) -> Any:
    """The kernel with the switches that the game recommends to a search."""
    return the_game.kernel_with(**Settings.for_game(the_game).switches)


def children_of(the_game: Game, position: Any, kernel: Any = None) -> list[Child]:
    """The children of an open position, under the switches of a kernel, by default the game's plain one."""
    return children_at(the_game.kernel if kernel is None else kernel, the_game.state(position))


def children_at(kernel: Any, state: np.ndarray) -> list[Child]:
    """What `children` writes for an open state."""
    arrays = [np.full(OFFSET + max_children(kernel), UNTOUCHED) for _ in Child._fields]
    before = state.copy()
    count = children(kernel, state, *arrays, OFFSET)
    assert count <= max_children(kernel) <= 4095
    assert np.array_equal(state, before), "children changed the state"
    assert all((array[:OFFSET] == UNTOUCHED).all() for array in arrays), "children wrote before its first index"
    return [Child(*words) for words in zip(*(array[OFFSET : OFFSET + count] for array in arrays), strict=True)]


def values_of(the_game: Game, position: Any) -> list[float]:
    """What `values` writes for the children of an open position, in the order of `children_of`."""
    kernel, state, scratch = the_game.kernel, the_game.state(position), the_game.state(the_game.initial())
    before, size = state.copy(), OFFSET + max_children(kernel)
    arrays = [np.full(size, UNTOUCHED) for _ in Child._fields]
    found = np.full(size, np.nan, np.float32)
    count = children(kernel, state, *arrays, OFFSET)
    values(kernel, state, scratch, *arrays, OFFSET, count, found)
    assert np.array_equal(state, before), "values changed the state"
    assert np.isnan(found[count:]).all(), "values wrote behind the last child"
    return found[:count].tolist()


def state_after(the_game: Game, position: Any, child: Child) -> np.ndarray:
    """The state of a child, reached from its parent by `step`."""
    state = copied(the_game, the_game.state(position))
    step(the_game.kernel, state, child.word0, child.word1)
    return state


def key_of(the_game: Game, position: Any) -> bytes:
    """The key that all states of a position share."""
    return the_game.state_key(the_game.state(position))


def key_after(the_game: Game, position: Any, child: Child) -> bytes:
    """The key that all states of a child share."""
    return the_game.state_key(state_after(the_game, position, child))


def flags_of(position: Any, after: Any) -> np.uint64:
    """The flags that a child has to carry, from the Python positions before and after the move."""
    flags = SAME_MOVER if after.to_move == position.to_move else OPEN
    if after.result is None:
        return flags
    if after.result.winner is None:
        return flags | game.DRAWN
    return flags | (WON if after.result.winner == after.to_move else LOST)


def without_foresight(the_game: Game, position: Any, child: Child) -> np.uint64:
    """A child's flags without the result that the game foresaw, after a check that the result is right.

    It is right if the player to move there can win at once, or if random games from there all end with that result.
    """
    if not child.flags & game.IMPLIED:
        return child.flags
    after = position.play(the_game.move_of(position, int(child.word0), int(child.word1)))
    foreseen = child.flags & RESOLVED
    wins_at_once = any(
        flags_of(after, later) & RESOLVED == (WON if later.to_move == after.to_move else LOST)
        for later in map(after.play, after.legal_moves())
    )
    assert (foreseen == WON and wins_at_once) or random_outcomes(after) == {int(foreseen)}
    return child.flags & ~(RESOLVED | game.IMPLIED)


def random_outcomes(start: Any) -> set[int]:
    """How five random games from an open position end for the player to move there: LOST, DRAWN or WON."""
    rng, found = random.Random(str(start)), set()
    for _ in range(5):
        position = start
        while position.result is None:
            position = position.play(rng.choice(position.legal_moves()))
        winner = position.result.winner
        found.add(int(game.DRAWN if winner is None else WON if winner == start.to_move else LOST))
    return found


@cache
def sample(the_game: Game, least: int = POSITIONS) -> tuple[Any, ...]:
    """Every position of some random games, the final ones included.

    From ply MOST_PLIES on, each move is the last legal one; in Go that is a pass.
    """
    rng = random.Random(20)
    positions: list[Any] = []
    while len(positions) < least:
        position = the_game.initial()
        positions.append(position)
        while position.result is None:
            moves = position.legal_moves()
            position = position.play(rng.choice(moves) if position.ply < MOST_PLIES else moves[-1])
            positions.append(position)
    return tuple(positions)


def open_sample(the_game: Game) -> list[Any]:
    """The positions of the sample that are not over."""
    return [position for position in sample(the_game) if position.result is None]


def open_sample_for_children(the_game: Game) -> list[Any]:
    """The open sample; only every third position of a game with over 200 moves, as Python looks at every child."""
    return open_sample(the_game)[:: 3 if int(game.max_children(the_game.kernel)) > 200 else 1]


# --- The contract for people ----------------------------------------------------------------------------------------


def check_the_start_is_open_and_the_first_players(the_game: Game) -> None:
    start = the_game.initial()
    assert (start.ply, start.to_move, start.result, start.last_move) == (0, FIRST, None, None)
    assert start == the_game.initial()
    assert len(set(the_game.players)) == 2
    assert game.load_game(the_game.name).name == the_game.name


def check_play_leaves_the_position_as_it_was(the_game: Game) -> None:
    for position in open_sample(the_game):
        before = (str(position), position.ply, hash(position))
        board = position.board
        after = position.play(position.legal_moves()[0])
        board[...] = 1  # a fresh array: people may write into it
        assert (str(position), position.ply, hash(position)) == before
        assert after is not position
        assert after.ply == position.ply + 1
        assert after.last_move == position.legal_moves()[0]


def check_a_position_has_no_attribute_to_set(the_game: Game) -> None:
    position = the_game.initial()
    for name in ("ply", "to_move", "last_move", "result", "board"):
        with pytest.raises(AttributeError, match=f"{name} of a position cannot be changed: `play` returns the next"):
            setattr(position, name, None)


def check_every_legal_move_is_playable_and_listed_once(the_game: Game) -> None:
    for position in sample(the_game):
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        assert tuple(moves) == tuple(position.legal_moves())
        assert all(position.play(move).last_move == move for move in moves)


def check_a_move_that_is_not_legal_is_refused_with_a_reason(the_game: Game) -> None:
    every_move = {move for position in sample(the_game) for move in position.legal_moves()}
    refused = 0
    for position in sample(the_game):
        legal = set(position.legal_moves())
        for move in [*sorted(every_move - legal, key=repr), "nonsense", *({None} - legal)]:
            with pytest.raises(IllegalMove) as caught:
                position.play(move)
            assert len(str(caught.value)) >= 10
            assert move not in every_move or position.result is None or "the game is over" in str(caught.value)
            refused += 1
    assert refused > 2 * len(sample(the_game))


def check_a_game_has_a_result_just_when_no_move_is_legal(the_game: Game) -> None:
    for position in sample(the_game):
        assert (position.result is None) == bool(position.legal_moves())
        assert position.result is None or isinstance(position.result, Result)


def check_moves_keep_their_meaning_as_text(the_game: Game) -> None:
    for position in open_sample(the_game):
        for move in position.legal_moves():
            text = the_game.format_move(move)
            assert the_game.parse_move(text, position) == move
            assert the_game.parse_move(f"  {text.upper()} ", position) == move
            assert "\n" not in text and " " not in text


def check_positions_keep_their_meaning_as_text(the_game: Game) -> None:
    for position in sample(the_game):
        text, legal = the_game.format_position(position), set(position.legal_moves())
        read = the_game.parse_position(text)
        assert text == str(position) == str(read)
        assert repr(position).endswith(f"Position({text!r})")
        assert "\n" not in text
        assert read == position
        assert hash(read) == hash(position)
        assert (read.to_move, read.result) == (position.to_move, position.result)
        assert [move for move in read.legal_moves() if move in legal] == list(position.legal_moves())


def check_only_repetition_makes_a_move_illegal_that_is_legal_in_the_same_position_as_text(the_game: Game) -> None:
    """A position as text does not say which positions came before."""
    for position in sample(the_game):
        read = the_game.parse_position(str(position))
        for move in set(read.legal_moves()) - set(position.legal_moves()):
            with pytest.raises(IllegalMove, match="repeat an earlier position"):
                position.play(move)


def check_nonsense_is_refused_as_text(the_game: Game) -> None:
    position = the_game.initial()
    for text in ("", "nonsense", "a0", "9" * 500, "\x00", str(position) + " " + str(position)):
        for parse in (lambda text: the_game.parse_move(text, position), the_game.parse_position):
            with pytest.raises(NotationError) as caught:
                parse(text)
            assert 10 <= len(str(caught.value)) <= 400 + len(text)


def check_winning_cells_hold_stones_of_finished_games(the_game: Game) -> None:
    for position in sample(the_game):
        cells, board = the_game.winning_cells(position), position.board
        assert position.result is not None or not cells
        assert len(set(cells)) == len(cells)
        assert all(board[row, column] for row, column in cells)


def check_every_position_can_be_drawn_and_stones_differ_without_colours(the_game: Game) -> None:
    for position in sample(the_game):
        plain, coloured = the_game.draw(position), the_game.draw(position, colour=True)
        assert plain.strip()
        assert "\x1b" not in plain
        if position.last_move is not None and not hasattr(getattr(the_game, "rules", None), "draw"):
            assert "\x1b[" in coloured
        assert set(re.findall(r"\x1b\[([\d;]*)m", coloured)) <= READABLE
        letters = re.sub(r"\x1b\[[\d;]*m", "", coloured)
        assert sorted(re.sub(r"[\s()\[\]{}]", "", letters)) == sorted(re.sub(r"[\s()\[\]{}]", "", plain))


FOR_PEOPLE = [check for name, check in sorted(globals().items()) if name.startswith("check_")]  # all checks above

# --- The contract for search ----------------------------------------------------------------------------------------


def check_begin_makes_a_copy(the_game: Game) -> None:
    for position in open_sample(the_game):
        root, text = the_game.state(position), str(position)
        the_game.state(position)[...] = 0
        assert (str(position), the_game.state(position).tobytes()) == (text, root.tobytes())
        before, key = root.tobytes(), the_game.state_key(root)
        state = copied(the_game, root)
        assert the_game.state_key(state) == key
        child = children_of(the_game, position)[0]
        step(the_game.kernel, state, child.word0, child.word1)
        assert the_game.state_key(state) != key
        assert root.tobytes() == before


def check_states_have_the_same_key_just_where_positions_are_equal(the_game: Game) -> None:
    positions, keys = {}, {}
    for position in sample(the_game):
        key = key_of(the_game, position)
        assert positions.setdefault(key, position) == position
        assert keys.setdefault(position, key) == key
        assert key == key_of(the_game, the_game.parse_position(str(position)))


def check_no_position_comes_again_where_the_game_says_so(the_game: Game) -> None:
    seen: set[bytes] = set()
    for position in () if the_game.positions_recur else sample(the_game):
        seen = seen if position.ply else set()
        key = the_game.state_key(the_game.state(position))
        assert key not in seen
        seen.add(key)


def check_children_are_the_distinct_successors_with_their_flags(the_game: Game) -> None:
    for position in open_sample_for_children(the_game):
        expected = {}
        for move in position.legal_moves():
            after = position.play(move)
            expected[key_of(the_game, after), after.to_move] = flags_of(position, after)
        found = {}
        for child in children_of(the_game, position):
            to_move = position.to_move if child.flags & SAME_MOVER else 1 - position.to_move
            key = key_after(the_game, position, child), to_move
            assert key not in found, f"a successor of {position} was written twice"
            found[key] = without_foresight(the_game, position, child)
        assert found == expected


def check_recommended_switches_leave_out_some_children_at_most(the_game: Game) -> None:
    """A search may leave out moves that never help; it must see no additional moves and no other results."""
    for position in open_sample_for_children(the_game):
        all_children = {key_after(the_game, position, child): child for child in children_of(the_game, position)}
        kept = children_of(the_game, position, search_kernel(the_game))
        assert kept
        for child in kept:
            plain = all_children.pop(key_after(the_game, position, child))
            if child.flags != plain.flags:
                flags = without_foresight(the_game, position, child)
                assert flags == without_foresight(the_game, position, plain)


def check_move_of_names_a_legal_move_to_that_child(the_game: Game) -> None:
    for position in open_sample_for_children(the_game):
        legal = set(position.legal_moves())
        for child in children_of(the_game, position):
            move = the_game.move_of(position, child.word0, child.word1)
            assert move in legal
            assert key_of(the_game, position.play(move)) == key_after(the_game, position, child)


def sequences(the_game: Game, position: Any, plies: int) -> int:
    """How many sequences of distinct successors compiled code finds; a sequence may end early, with the game."""
    return _sequences(the_game.kernel, the_game.state(position), plies)


def _sequences(kernel: Any, state: np.ndarray, plies: int) -> int:
    if plies == 0 or outcome(kernel, state) != OPEN:
        return 1
    words0, words1, stats = (np.zeros(max_children(kernel), np.uint64) for _ in Child._fields)
    count = int(children(kernel, state, words0, words1, stats, 0))
    if plies == 1:
        return count
    after, total = np.zeros_like(state), 0
    for i in range(count):
        begin(kernel, after, state)
        step(kernel, after, words0[i], words1[i])
        total += _sequences(kernel, after, plies - 1)
    return total


@jit
def look_at_a_child(kernel, root, state, word0, word1):
    """A child's outcome, player to move and evaluation in compiled code: verbs whose bodies may be plain functions."""
    game.begin(kernel, state, root)
    game.step(kernel, state, word0, word1)
    return game.outcome(kernel, state), game.to_move(kernel, state), game.evaluate(kernel, state)


def check_compiled_code_finds_what_python_finds(the_game: Game) -> None:
    kernel = the_game.kernel
    for position in open_sample(the_game):
        root = the_game.state(position)
        for child in children_of(the_game, position)[:3]:
            state = root.copy()
            found = look_at_a_child(kernel, root, state, child.word0, child.word1)
            assert the_game.state_key(state) == key_after(the_game, position, child)
            assert found == (outcome(kernel, state), game.to_move(kernel, state), evaluate(kernel, state))


def check_outcome_agrees_with_the_result(the_game: Game) -> None:
    for position in sample(the_game):
        expected = flags_of(position, position) & RESOLVED
        assert outcome(the_game.kernel, the_game.state(position)) == expected


def check_a_playout_ends_in_a_win_a_draw_or_a_loss(the_game: Game) -> None:
    rng = new_rng(7)
    for position in open_sample(the_game):
        root = the_game.state(position)
        before = root.tobytes()
        values = {float(playout(the_game.kernel, copied(the_game, root), rng)) for _ in range(10)}
        assert values <= {0.0, 0.5, 1.0}
        assert root.tobytes() == before


def check_a_playout_of_a_forced_last_move_has_its_result(the_game: Game) -> None:
    """If every legal move ends the game with the same result, a playout must have the value of that result."""
    for position in open_sample(the_game):
        results = {position.play(move).result for move in position.legal_moves()}
        if len(results) == 1 and None not in results:
            winner = results.pop().winner
            expected = 0.5 if winner is None else float(winner == position.to_move)
            value = playout(the_game.kernel, copied(the_game, the_game.state(position)), new_rng(1))
            assert value == expected


def check_random_play_agrees_with_playouts(the_game: Game) -> None:
    """Random games on Python positions and compiled playouts have the same mean, within 5 standard errors."""
    rng, games, playouts = random.Random(3), 300, 3_000
    total = 0.0
    for _ in range(games):
        position = the_game.initial()
        while position.result is None:
            position = position.play(rng.choice(position.legal_moves()))
        total += 0.5 if position.result.winner is None else position.result.winner == FIRST
    state, pcg = the_game.state(the_game.initial()), new_rng(3)
    mean = sum(float(playout(the_game.kernel, copied(the_game, state), pcg)) for _ in range(playouts)) / playouts
    assert abs(total / games - mean) < 5 * 0.5 / games**0.5


def check_the_same_seed_gives_the_same_playouts(the_game: Game) -> None:
    root = the_game.state(the_game.initial())

    def values(seed: int) -> tuple[list[float], list[int]]:
        rng = new_rng(seed)
        return [float(playout(the_game.kernel, copied(the_game, root), rng)) for _ in range(100)], rng.tolist()

    assert values(1) == values(1)
    assert values(1) != values(2)
    assert values(1)[1] != new_rng(1).tolist(), "the random numbers were not advanced"


def check_an_evaluation_lies_between_lost_and_won(the_game: Game) -> None:
    for position in open_sample(the_game):
        state = the_game.state(position)
        before = state.tobytes()
        assert 0.0 <= evaluate(the_game.kernel, state) <= 1.0
        assert state.tobytes() == before


def check_the_values_of_all_children_are_their_evaluations_or_results(the_game: Game) -> None:
    for position in open_sample(the_game)[:60]:
        for child, found in zip(children_of(the_game, position), values_of(the_game, position), strict=True):
            own = evaluate(the_game.kernel, state_after(the_game, position, child))
            assert found == pytest.approx(float(game.value_for_chooser(child.flags, np.float32(own))), abs=1e-6)


# --- What a game may recommend --------------------------------------------------------------------------------------


def check_what_a_game_recommends_to_a_search_is_known_and_of_the_right_type(the_game: Game) -> None:
    known = UctAgent.default_options | the_game.kernel._asdict()
    for name, value in the_game.search_defaults.items():
        if name == "evaluation":
            assert value in the_game.evaluations
        else:
            assert type(value) is type(default_of(known[name])), name
    Settings.for_game(the_game)  # which checks them


def check_a_settling_move_wins_where_the_other_player_agrees(the_game: Game) -> None:
    for position in open_sample(the_game):
        move = the_game.settling_move(position)
        if move is not None:
            after = position.play(move)
            result = after.result or after.play(move).result
            assert result is not None and result.winner == position.to_move


# --- AMAF -----------------------------------------------------------------------------------------------------------


def amaf_sample(the_game: Game) -> list[Any]:
    """The open positions of the sample, for games with AMAF; none for the others."""
    return open_sample(the_game) if isinstance(the_game, AmafGame) else []


def check_every_child_has_a_move_number_of_its_own(the_game: Game) -> None:
    assert not isinstance(the_game, AmafGame) or 0 < the_game.amaf_moves <= 1 << AMAF_MOVE_BITS
    for kernel in (the_game.kernel, search_kernel(the_game)):
        for position in amaf_sample(the_game):
            numbers = [int(move_number(kernel, c.word0, c.word1)) for c in children_of(the_game, position, kernel)]
            assert len(set(numbers)) == len(numbers)
            assert max(numbers) < the_game.amaf_moves


def check_a_payload_with_amaf_is_a_number_of_the_move_its_prior_and_a_word_for_the_search(the_game: Game) -> None:
    if game.payload_is_position(the_game.kernel):
        return  # the payload has no room: a search keeps the counts in an array of its own
    for kernel in (the_game.kernel, search_kernel(the_game)):
        for position in amaf_sample(the_game):
            found = children_of(the_game, position, kernel)
            assert all(int(child.word1) == 0 for child in found)
            for child in found:
                assert int(child.word0) & (1 << AMAF_MOVE_BITS) - 1 == move_number(kernel, child.word0, child.word1)
                prior = int(child.word0) >> AMAF_MOVE_BITS
                visits, score = prior & (1 << PRIOR_BITS) - 1, prior >> PRIOR_BITS
                assert 0 <= score <= visits * SCORE_OF_WIN


def check_a_traced_playout_is_the_playout_and_says_who_made_each_move_first(the_game: Game) -> None:
    noted: set[int] = set()
    for kernel in (the_game.kernel, search_kernel(the_game)):
        for seed, position in enumerate(amaf_sample(the_game)):
            root, plain, traced = the_game.state(position), new_rng(seed), new_rng(seed)
            trace = np.zeros(the_game.amaf_moves, np.uint8)
            value = traced_playout(kernel, copied(the_game, root), traced, trace)
            assert (value, traced.tolist()) == (playout(kernel, copied(the_game, root), plain), plain.tolist())
            noted |= set(trace.tolist())
    assert noted == {0, 1, 2} or not isinstance(the_game, AmafGame)


def check_a_trace_keeps_what_it_holds_already(the_game: Game) -> None:
    for seed, position in enumerate(amaf_sample(the_game)):
        root = the_game.state(position)
        held = np.random.default_rng(seed).integers(0, 3, the_game.amaf_moves).astype(np.uint8)
        fresh, trace = np.zeros_like(held), held.copy()
        for array in (fresh, trace):
            traced_playout(the_game.kernel, copied(the_game, root), new_rng(seed), array)
        assert (trace == np.where(held == 0, fresh, held)).all()


def check_owners_add_up_to_a_mean_for_each_point_of_the_board(the_game: Game) -> None:
    if not game.offers(the_game.kernel, game.tally):
        return
    for seed, position in enumerate(amaf_sample(the_game)):
        rng, total = new_rng(seed), np.zeros(the_game.amaf_moves, np.int64)
        for playouts in range(1, 6):
            state = copied(the_game, the_game.state(position))
            traced_playout(the_game.kernel, state, rng, np.zeros(the_game.amaf_moves, np.uint8))
            before = total.copy()
            tally(the_game.kernel, state, total)
            assert np.abs(total - before).max() == 1
            grid = the_game.owner_grid(total / playouts)
            assert grid.shape == position.board.shape
            assert np.abs(grid).max() <= 1
            assert grid * playouts == pytest.approx(np.round(grid * playouts), abs=1e-4), "no mean of whole numbers"


CHECKS: list[Callable[[Game], None]] = [check for name, check in sorted(globals().items()) if name.startswith("check_")]
