"""The rules of Go, compared with a slow twin, published counts, OpenSpiel, and diagrams."""

import random
from collections import Counter
from pathlib import Path

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import game
from game import FIRST, SECOND, IllegalMove
from go import layout, rules
from go.game import Go
from go.position import PASS, GoMove
from tests import contract
from tests.programs import run
from tests.slow import go as slow

OPENSPIEL_PASS = 81  # OpenSpiel's pass on a 9x9 board; it numbers the points along the rows from A1
REASONS = {"over": "over", "taken": "taken", "ko": r"\bko\b", "suicide": "suicide", "repeats": "repeat"}


def rows_of(grid):
    """A board given as an array of 0, 1, 2, in the slow twin's notation."""
    return tuple("".join(".bw"[entry] for entry in row) for row in grid)


def set_up(the_game, rows, side="b"):
    stones = [
        [GoMove(i, j) for i, row in enumerate(rows) for j, symbol in enumerate(row) if symbol == colour]
        for colour in "bw"
    ]
    return the_game.set_up(*stones, to_move="bw".index(side))


def assert_same(position, board):
    """Check that a position and the slow twin's agree in board, side, ko, passes, captures, moves, area and score."""
    assert rows_of(position.board) == board.rows
    assert "bw"[position.to_move] == board.side
    assert (position.ko, position.passes, position.captures) == (board.ko, board.passes, board.captures)
    assert list(position.legal_moves()) == board.legal_moves()
    assert rows_of(position.area()) == board.area()
    assert position.score() == board.score(position.komi)


def refusals(position, board):
    """How many points each rule forbids; checks the reason of each refusal, but tries only one of the taken points."""
    reasons = {(i, j): board.reason_against((i, j)) for i, j in np.ndindex(position.size, position.size)}
    taken = [point for point, reason in reasons.items() if reason == "taken"]
    for point, reason in reasons.items():
        if reason is not None and point not in taken[1:]:
            with pytest.raises(IllegalMove, match=REASONS[reason]):
                position.play(GoMove(*point))
    return Counter(reasons.values())


@st.composite
def boards(draw, sizes=(2, 3, 5, 7, 9)):
    """A board of the slow twin with stones at random points, less the chains without a liberty."""
    size, density = draw(st.sampled_from(sizes)), draw(st.floats(0.05, 0.98))
    rng = random.Random(draw(st.integers(0, 2**32)))
    black = draw(st.sampled_from([0.5, 0.5, 0.8]))  # share; few white stones give eyes and big chains
    symbols = ["." if rng.random() > density else "b" if rng.random() < black else "w" for _ in range(size * size)]
    rows = tuple("".join(symbols[i : i + size]) for i in range(0, size * size, size))
    return slow.Board(slow.without_dead_chains(rows), draw(st.sampled_from("bw")))


# --- The slow twin --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "plies", "seeds", "repetitions"),
    [
        (2, 40, range(20), 80),
        (3, 80, range(8), 9),
        (4, 100, range(8), 2),
        (5, 150, [20, 22, 26], 3),
        (9, 230, [11], 1),
        pytest.param(3, 80, range(8, 20), 25, marks=pytest.mark.slow),
        pytest.param(4, 100, range(8, 20), 4, marks=pytest.mark.slow),
        pytest.param(5, 150, [30, 39, 51], 3, marks=pytest.mark.slow),
        pytest.param(13, 220, [0], 0, marks=pytest.mark.slow),
    ],
)
def test_random_games_agree_with_the_slow_twin_move_by_move(size, plies, seeds, repetitions):
    """Nobody passes while another move is legal, so boards fill up, stones are captured, and boards repeat.

    Repetitions other than simple ko are rare in random games on large boards; the seeds were chosen to have some.
    """
    reasons = Counter()
    for seed in seeds:
        rng = random.Random(f"{size} {seed}")
        position, board = Go(size).initial(), slow.Board.empty(size)
        while board.passes < 2 and position.ply < plies:
            assert_same(position, board)
            reasons += refusals(position, board)
            move = rng.choice([move for move in position.legal_moves() if move != PASS] or [PASS])
            position, board = position.play(move), board.play(move)
        assert_same(position, board)
    assert reasons["repeats"] == repetitions
    assert reasons["suicide"] > 0
    assert (reasons["ko"] > 0) == (size > 2)  # no ko on 2x2: a retaking stone takes two


@settings(deadline=None, max_examples=150)
@given(board=boards())
def test_positions_set_up_agree_with_the_slow_twin(board):
    assert_same(set_up(Go(len(board.rows)), board.rows, board.side), board)


@settings(deadline=None, max_examples=40)
@given(board=boards(sizes=(3, 5)))
def test_every_move_from_a_position_set_up_agrees_with_the_slow_twin(board):
    position = set_up(Go(len(board.rows)), board.rows, board.side)
    for move in position.legal_moves():
        assert_same(position.play(move), board.play(move))


@settings(deadline=None, max_examples=200)
@given(board=boards())
def test_eyes_of_one_point_agree_with_the_slow_twin(board):
    state = set_up(Go(len(board.rows)), board.rows).state
    for row, column in np.ndindex(len(board.rows), len(board.rows)):
        if board.rows[row][column] == ".":
            found = [rules.is_own_eye(state, U64(GoMove(row, column).code), U64(colour)) for colour in (1, 2)]
            assert found == [slow.is_eye(board.rows, (row, column), side) for side in "bw"]


@pytest.mark.parametrize(
    ("rows", "point", "is_eye"),
    [
        ("..... ..b.. .b.b. ..b.. .....", (2, 2), True),  # inside, the opponent may hold one diagonal
        ("..... .wb.. .b.b. ..b.. .....", (2, 2), True),
        ("..... .wbw. .b.b. ..b.. .....", (2, 2), False),
        ("..... ..bw. .b.b. .wb.. .....", (2, 2), False),
        ("..... ..b.. .b... ..b.. .....", (2, 2), False),
        ("..... ..b.. .b.w. ..b.. .....", (2, 2), False),
        ("b.b .b. ...", (0, 1), True),  # at the edge, the opponent may hold none
        ("b.b wb. ...", (0, 1), False),
        (".b. b.. ...", (0, 0), True),
        (".b. bw. ...", (0, 0), False),
        ("... ..b .b.", (2, 2), True),
        ("... .wb .b.", (2, 2), False),
    ],
)
def test_an_eye_of_one_point(rows, point, is_eye):
    rows = tuple(rows.split())
    assert slow.is_eye(rows, point, "b") == is_eye
    assert rules.is_own_eye(set_up(Go(len(rows)), rows).state, U64(GoMove(*point).code), layout.BLACK) == is_eye


def search_children(the_game, state):
    """The children that `children` writes for a state, by move."""
    return {
        the_game.move_of(the_game.initial(), one.word0, one.word1): one
        for one in contract.children_at(the_game.kernel, state)
    }


def flag_of(board):
    """The flag that a search must give to a board of the twin, for the player to move, with komi 0."""
    if board.passes < 2:
        return game.OPEN
    score = board.score(0) if board.side == "b" else -board.score(0)
    return game.WON if score > 0 else game.LOST if score < 0 else game.DRAWN


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_search_plays_by_simple_ko_and_counts_the_area_after_two_passes(size):
    """In random games, children and results are those of the slow twin without superko; one move in ten is a pass."""
    the_game, kos, ends = Go(size, 0.0), 0, Counter()
    for seed in range(60):
        rng, board = random.Random(seed), slow.Board.empty(size, superko=False)
        state = contract.copied(the_game, the_game.state(the_game.initial()))
        while contract.outcome(the_game.kernel, state) == game.OPEN:
            found = search_children(the_game, state)
            assert sorted(found) == sorted(board.legal_moves())
            assert all(child.flags == flag_of(board.play(move)) for move, child in found.items())
            kos += board.ko is not None
            stones = [move for move in found if move != PASS]
            move = rng.choice(stones) if stones and rng.random() < 0.9 else PASS
            contract.step(the_game.kernel, state, found[move].word0, found[move].word1)
            board = board.play(move)
            assert rows_of(state[the_game.kernel.points].reshape(size, size).astype(int)) == board.rows
        assert board.passes == 2
        assert contract.outcome(the_game.kernel, state) == flag_of(board)
        ends[int(flag_of(board))] += 1
    assert (kos > 0) == (size > 2)
    assert set(ends) == {int(game.WON), int(game.LOST), int(game.DRAWN)}


def test_superko_first_forbids_a_seventh_move_on_3x3_and_only_to_those_who_play():
    """Superko forbids 32 of the 842,728 sequences of seven moves under simple ko, all at the last move.

    A search knows the boards of the game at its root; within its tree it obeys simple ko.
    """
    the_game, repetition = Go(3), (0, 1)
    position, free, strict = the_game.initial(), slow.Board.empty(3, superko=False), slow.Board.empty(3)
    before = []
    for move in ((0, 1), (1, 0), (1, 2), (1, 1), (0, 0), (0, 2)):
        before.append((position, free))
        position, free, strict = position.play(GoMove(*move)), free.play(move), strict.play(move)
    assert set(free.legal_moves()) - set(strict.legal_moves()) == {repetition}
    assert_same(position, strict)
    assert contract.sequences(the_game, position, 1) == len(strict.legal_moves())
    assert [game.perft(position, plies) for plies in (1, 2, 3)] == [strict.perft(plies) for plies in (1, 2, 3)]
    last_but_one, free = before[-1]
    assert contract.sequences(the_game, last_but_one, 2) == free.perft(2) == game.perft(last_but_one, 2) + 1


# --- OpenSpiel ------------------------------------------------------------------------------------------------------


def openspiel_action(move):
    return OPENSPIEL_PASS if move == PASS else 9 * (8 - move.row) + move.column


def openspiel_go(komi):
    import pyspiel

    # OpenSpiel's own limit of 162 moves would end the longest games here as draws.
    return pyspiel.load_game("go", {"board_size": 9, "komi": float(komi), "max_game_length": 400})


def play_beside_openspiel(the_game, seed):
    """Play a random game, then two passes; returns both last positions and how many moves superko forbade."""
    rng = random.Random(seed)
    position, theirs, repetitions, seen = the_game.initial(), openspiel_go(7).new_initial_state(), 0, set()
    plies = rng.choice([30, 60, 90, 120, 160, 260])  # long games take the time, and have most superko
    while position.ply < plies or position.passes < 2:
        seen.add(rows_of(position.board))
        mine = {openspiel_action(move): move for move in position.legal_moves()}
        assert not theirs.is_terminal()
        more = set(theirs.legal_actions()) - set(mine)
        assert set(mine) - set(theirs.legal_actions()) == set()
        if more:
            board = slow.Board(rows_of(position.board), "bw"[position.to_move], position.ko, earlier=frozenset(seen))
            points = [(8 - action // 9, action % 9) for action in more]
            assert {board.reason_against(point) for point in points} == {"repeats"}
            repetitions += len(more)
        # Nobody passes a second time before the end.
        actions = sorted(set(mine) - {OPENSPIEL_PASS}) if position.ply < plies else []
        action = rng.choice(actions or [OPENSPIEL_PASS])
        position = position.play(mine[action])
        theirs.apply_action(action)
    assert theirs.is_terminal()
    return position, theirs, repetitions


@pytest.mark.parametrize(
    ("first", "last"), [(0, 29), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((30, 99), (100, 299)))]
)
def test_random_games_agree_with_openspiel(first, last):
    """Legal moves agree, but for superko, by which OpenSpiel ends a game; so does the score after two passes.

    OpenSpiel names a winner but no margin: played again with the area difference as komi, the game must be a draw.
    """
    the_game, repetitions = Go(9, 7.0), 0
    for seed in range(first, last + 1):
        position, theirs, repeated = play_beside_openspiel(the_game, seed)
        repetitions += repeated
        winner = position.result.winner
        assert theirs.returns() == {None: [0.0, 0.0], FIRST: [1.0, -1.0], SECOND: [-1.0, 1.0]}[winner]
        again = openspiel_go(position.score() + 7).new_initial_state()
        for action in theirs.history():
            again.apply_action(action)
        assert again.is_terminal()
        assert again.returns() == [0.0, 0.0]
    assert repetitions > 0


# --- Diagrams -------------------------------------------------------------------------------------------------------


def diagrams():
    """Read `tests/data/go_diagrams.txt`: for the name of each rule, a list of (fact, text or rows)."""
    found, facts = {}, None
    for line in (Path(__file__).parent / "data/go_diagrams.txt").read_text().splitlines():
        word, _, text = line.partition(" ")
        if word == "rule":
            assert text not in found, "two diagrams of one name"
            facts = found[text] = []
        elif line.startswith("    "):
            facts[-1][1].append(line.replace(" ", ""))
        elif line and word != "#" and not line.startswith("#"):
            facts.append((word, text if text else []))
    return found


DIAGRAMS = diagrams()


def check_move(the_game, position, fact, text):
    vertex, _, reason = text.partition(" ")
    move = the_game.parse_move(vertex, position)
    if fact == "legal":
        assert not reason
        assert move in position.legal_moves()
        position.play(move)
    else:
        assert move not in position.legal_moves()
        with pytest.raises(IllegalMove, match=rf"\b{reason}"):
            position.play(move)


def check_fact(the_game, position, fact, text):
    """Check one fact of a diagram on its position."""
    if fact in ("legal", "illegal"):
        return check_move(the_game, position, fact, text)
    found = {
        "after": lambda: list(rows_of(position.board)),
        "area": lambda: list(rows_of(position.area())),
        "captures": lambda: " ".join(map(str, position.captures)),
        "ko": lambda: the_game.format_move(position.ko) if position.ko else "none",
        "score": lambda: f"{position.score():g}",
        "result": lambda: game.format_result(the_game, position.result),
    }[fact]
    assert found() == text


@pytest.mark.parametrize("name", DIAGRAMS)
def test_diagram(name):
    facts = DIAGRAMS[name]
    given_facts = dict(facts)
    rows, side = given_facts["board"], given_facts.get("side", "b")
    the_game = Go(len(rows), float(given_facts.get("komi", 7)))
    position, board = set_up(the_game, rows, side), slow.Board(tuple(rows), side)
    for vertex in given_facts.get("play", "").split():
        move = the_game.parse_move(vertex, position)
        position, board = position.play(move), board.play(move)
    assert_same(position, board)
    told = [(fact, text) for fact, text in facts if fact not in ("board", "side", "komi", "play")]
    assert told, "a diagram that says nothing"
    for fact, text in told:
        check_fact(the_game, position, fact, text)


def test_the_rules_run_without_the_compiler_for_whoever_steps_through_them():
    code = """
        import warnings
        warnings.simplefilter("error")
        from game import load_game
        position = load_game("go", size=3).initial()
        for _ in range(12):
            position = position.play(position.legal_moves()[0])
        print(position)
    """
    position = Go(3).initial()
    for _ in range(12):
        position = position.play(position.legal_moves()[0])
    assert run(code, NUMBA_DISABLE_JIT="1") == str(position)
