"""Playouts of Go: light ones against a published reference and the slow twin, heavy ones rule by rule.

Random moves are drawn many times, and the moves that came up are compared with the slow twin's set.
"""

import random
from functools import cache
from itertools import product
from typing import NamedTuple

from jit import U64, jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

from benchmarks import go_playouts
from go import chains, layout, patterns, playouts, rules, scoring, tactics
from go.game import Go
from go.position import GoMove, move_with_code, write_komi
from go.tables import AREA
from tests.slow import go as slow
from tests.test_go_rules import set_up

PASS = slow.PASS
RULES = ("escape", "pattern", "self_atari", "nakade")
ALWAYS = 256  # out of 256


def code(point):
    return U64(GoMove(*point).code)


def names(the_game, codes):
    """Moves of compiled code as text, sorted."""
    return sorted(the_game.format_move(move_with_code(int(found))) for found in codes)


# --- Positions ------------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A position of a random game under simple ko: the slow twin's board, the fast state, and the last move."""

    board: slow.Board
    state: np.ndarray
    last: slow.Point

    @property
    def empty(self):
        return [(i, j) for i, row in enumerate(self.board.rows) for j, symbol in enumerate(row) if symbol == "."]

    @property
    def candidates(self):
        """The moves that a light playout may play: legal ones that fill no own eye; a pass if there are none."""
        board = self.board
        legal = [move for move in board.legal_moves() if move != PASS]
        return {move for move in legal if not slow.is_eye(board.rows, move, board.side)} or {PASS}


@cache
def cases(size, games, shown=0.25):
    """A random share of the positions of whole seeded games; the slow twin chooses their moves like a light playout."""
    kept, the_game = [], Go(size)
    for seed in range(games):
        rng, board = random.Random(f"{size} {seed}"), slow.Board.empty(size, superko=False)
        state = the_game.state(the_game.initial())
        for _ in range(300):
            if board.passes == 2:
                break
            points = [(i, j) for i in range(size) for j in range(size)]
            rng.shuffle(points)
            move = next((p for p in points if not board.reason_against(p) and not is_eye(board, p)), PASS)
            board = board.play(move)
            rules.play(state, code(move))
            if board.passes < 2 and rng.random() < shown:
                kept.append(Case(board, state.copy(), move))
    return kept


def is_eye(board, point):
    return slow.is_eye(board.rows, point, board.side)


def liberties(rows, point):
    """The liberties of the chain of a stone."""
    chain = slow.points_like(rows, point)
    return {(i, j) for stone in chain for i, j in slow.neighbours(rows, stone) if rows[i][j] == "."}


def diagram(rows, side="b"):
    """The game and the state with the stones of these rows and this side to move."""
    rows = rows.split()
    the_game = Go(len(rows))
    return the_game, the_game.state(set_up(the_game, rows, side))


# --- The reference --------------------------------------------------------------------------------------------------


def test_light_playouts_on_9x9_agree_with_the_reference():
    compared = go_playouts.comparisons(go_playouts.sample(Go(9), 60_000, seed=1))
    assert len(compared) == 5
    assert all(comparison.agrees for comparison in compared), "\n".join(map(str, compared))


@pytest.mark.parametrize("found", [0.45, 0.47])
def test_a_figure_that_is_far_from_the_reference_differs(found):
    comparison = go_playouts.Comparison("a share", found, 0.001, reference=0.46, tolerance=0.002)
    assert not comparison.agrees
    assert str(comparison).endswith("DIFFERS")


def test_a_sample_knows_its_means_and_errors():
    lengths = np.array([0, 0, 3, 1])
    scores = np.array([1, 0, 2, 0, 1])  # how often each of -2, -1, 0, 1 and 2 points came
    sample = go_playouts.Sample(lengths, scores, seconds=1.0)
    assert sample.playouts == 4
    assert sample.moves == 2.25
    assert sample.moves_error == pytest.approx((0.75 * 0.25) ** 0.5 / 2)
    assert [sample.share(komi) for komi in (-3.0, 0.0, 0.5, 2.0)] == [1.0, 0.5, 0.25, 0.125]
    assert sample.share_error(0.0) == 0.25


# --- Light playouts -------------------------------------------------------------------------------------------------


LIGHT, HEAVY, TACTICAL, PATTERN = range(4)


@jit
def draw(kind, kernel, state, last, rng, count, counts):
    """All kinds are in one function, so that what they share is compiled once."""
    for _ in range(count):
        if kind == LIGHT:
            move = playouts.random_move(state, rng)
        elif kind == HEAVY:
            move = playouts.heavy_move(kernel, state, rng)
        elif kind == TACTICAL:
            move = playouts.tactical_move(state, last, rng)
        else:
            move = playouts.pattern_move(state, last, tactics.shapes_around(kernel, state, last), rng)
        counts[move] += 1


def drawn(kind, kernel, state, rng, count=1, last=PASS):
    """How often each move comes up in so many draws from a state."""
    counts = np.zeros(AREA, np.int64)
    draw(kind, kernel, state, code(last), rng, count, counts)
    return counts


def assert_uniform(counts, moves):
    """Check that exactly these moves came up, no more unevenly than chance explains (chi-square)."""
    assert set(np.flatnonzero(counts)) == {int(code(move)) for move in moves}
    drawn = counts[counts > 0]
    expected = counts.sum() / len(drawn)
    chi_square, freedom = float(((drawn - expected) ** 2 / expected).sum()), len(drawn) - 1
    assert chi_square < freedom + 6 * (2 * freedom) ** 0.5 + 10


@pytest.mark.parametrize(("size", "games"), [(2, 60), (3, 40), (5, 16), (9, 6)])
def test_a_random_move_is_any_legal_one_that_fills_no_own_eye_and_a_pass_where_there_is_none(size, games):
    kernel, kos, eyes, passes = Go(size).kernel, 0, 0, 0
    for case in cases(size, games):
        moves = case.candidates
        assert_uniform(drawn(LIGHT, kernel, case.state.copy(), new_rng(len(moves)), 100 * len(moves)), moves)
        kos += case.board.ko is not None
        eyes += any(is_eye(case.board, point) for point in case.empty)
        passes += moves == {PASS}
    assert (kos > 0) == (size > 2)
    assert eyes > 0
    assert passes > 0


def test_drawing_a_move_changes_nothing_but_the_order_of_the_empty_points():
    for case in cases(5, 16):
        state = case.state.copy()
        drawn(LIGHT, Go(5).kernel, state, new_rng(1))
        count = int(state[layout.EMPTY_COUNT])
        start = int(layout.EMPTIES)
        listed = state[start : start + count]
        assert sorted(map(int, listed)) == sorted(int(code(point)) for point in case.empty)
        assert all(int(state[layout.LINK + p]) == i for i, p in enumerate(listed))
        assert (state[:AREA] == case.state[:AREA]).all()
        assert (state[int(layout.TO_MOVE) :] == case.state[int(layout.TO_MOVE) :]).all()


@pytest.mark.parametrize(("size", "games"), [(3, 40), (9, 6)])
def test_a_playout_makes_the_moves_that_are_drawn_and_traces_who_made_each_first(size, games):
    kernel = Go(size).kernel
    for case in cases(size, games):
        played, by_hand, trace, expected = case.state.copy(), case.state.copy(), np.zeros(AREA, np.uint8), {}
        rng, moves = new_rng(7), 0
        while by_hand[layout.PASSES] < 2 and moves < playouts.LONGEST * size**2:
            (move,), player = np.flatnonzero(drawn(LIGHT, kernel, by_hand, rng)), by_hand[layout.TO_MOVE]
            if move != layout.PASS:
                expected.setdefault(int(move), 1 if player == case.state[layout.TO_MOVE] else 2)
            rules.play(by_hand, U64(move))
            moves += 1
        assert playouts.play_out(kernel, played, new_rng(7), trace) == moves
        assert (played == by_hand).all()
        assert {int(p): int(trace[p]) for p in np.flatnonzero(trace)} == expected


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("size", [2, 5, 9])
def test_a_playout_ends_with_two_passes_or_after_three_moves_a_point(size, heavy):
    the_game = Go(size)
    kernel, cut = the_game.kernel._replace(heavy=heavy, **dict.fromkeys(RULES, 200)), 0
    longest = playouts.LONGEST * size**2
    for seed in range(300):
        state = the_game.state(the_game.initial())
        moves = playouts.play_out(kernel, state, new_rng(seed), kernel.spare)
        assert (state[layout.PASSES] == 2) or moves == longest
        assert moves <= longest
        cut += state[layout.PASSES] < 2
    assert (cut > 0) == (size == 2)  # on 2x2 there is soon little to play but retaking


@pytest.mark.parametrize("size", [3, 5, 9])
def test_a_light_playout_leaves_no_point_that_needs_more_than_a_look_at_its_neighbours(size):
    the_game = Go(size)
    for seed in range(200):
        state = the_game.state(the_game.initial())
        playouts.play_out(the_game.kernel, state, new_rng(seed), the_game.kernel.spare)
        if state[layout.PASSES] == 2:
            assert scoring.eye_score(the_game.kernel, state) == scoring.area_score(the_game.kernel, state)


@pytest.mark.parametrize(
    ("komi", "for_black", "for_white"), [(24.5, 1.0, 0.0), (25.0, 0.5, 0.5), (25.5, 0.0, 1.0), (-25.0, 1.0, 0.0)]
)
def test_the_value_of_a_playout_is_who_has_more_than_komi(komi, for_black, for_white):
    the_game, state = diagram("bbbbb b.b.b bbbbb b.b.b bbbbb")
    write_komi(state, komi)
    assert playouts.value_for(the_game.kernel, state, layout.BLACK) == for_black
    assert playouts.value_for(the_game.kernel, state, layout.WHITE) == for_white


# --- What a move does to chains -------------------------------------------------------------------------------------


@jit
def effects(state, point, colour):
    """The liberties of a stone there, whether it captures, and whether it is a self-atari."""
    captures, is_self_atari = rules.captures(state, point, colour), tactics.is_self_atari(state, point, colour)
    return tactics.liberties_after(state, point, colour), captures, is_self_atari


@pytest.mark.parametrize(("size", "games"), [(3, 40), (5, 16), (9, 6)])
def test_what_a_stone_captures_and_the_liberties_it_leaves_agree_with_the_slow_twin(size, games):
    seen = set()
    for case in cases(size, games):
        for point in case.empty:
            for side, colour in (("b", layout.BLACK), ("w", layout.WHITE)):
                placed = slow.put(case.board.rows, {point}, side)
                chain = slow.points_like(placed, point)
                beside = [q for stone in chain for q in slow.neighbours(placed, stone) if placed[q[0]][q[1]] == "."]
                pseudo = sum(int(chains.weight(code(q))) for q in beside)
                _, captured = slow.place(case.board.rows, point, side)
                found = effects(case.state, code(point), colour)
                assert found == (pseudo, bool(captured), not captured and len(set(beside)) < 2)
                seen.add(found[1:])
    assert seen == {(False, False), (False, True), (True, False)}


# --- Heavy playouts: atari ------------------------------------------------------------------------------------------


def saving_moves(case, stone):
    """The moves that may save the chain of a stone in atari: captures beside it, else running; PASS if none can."""
    rows, ko = case.board.rows, case.board.ko
    enemy = slow.OTHER[case.board.side]
    beside = {q for own in slow.points_like(rows, stone) for q in slow.neighbours(rows, own)}
    victims = [q for q in beside if rows[q[0]][q[1]] == enemy and len(liberties(rows, q)) == 1]
    captures = {liberties(rows, q).pop() for q in victims}
    liberty = liberties(rows, stone).pop()
    runs = liberty != ko and len(liberties(slow.put(rows, {liberty}, case.board.side), liberty)) > 1
    run = liberty if runs else PASS
    return (captures - {ko}) | ({run} if ko in captures or not captures else set())


def tactical_moves(case):
    """The moves that save chains which the last move put in atari, or capture the last move's chain; else PASS."""
    rows, side, last = case.board.rows, case.board.side, case.last
    own = [q for q in slow.neighbours(rows, last) if rows[q[0]][q[1]] == side and len(liberties(rows, q)) == 1]
    choices = [saving_moves(case, q) for q in own]
    moves = set().union(*choices) - {PASS}
    if all(PASS in choice for choice in choices):  # no chain may be saved: none can be, or chance chose so
        liberty = liberties(rows, last)
        moves |= liberty if len(liberty) == 1 and liberty != {case.board.ko} else {PASS}
    return moves


@pytest.mark.parametrize(("size", "games"), [(5, 40), (9, 6)])
def test_answers_to_an_atari_are_those_of_the_slow_twin(size, games):
    kernel, answered = Go(size).kernel, 0
    for case in cases(size, games, 0.5):
        if case.last == PASS:
            continue
        moves, counts = tactical_moves(case), drawn(TACTICAL, kernel, case.state.copy(), new_rng(3), 200, case.last)
        assert set(np.flatnonzero(counts)) == {int(code(move)) for move in moves}
        answered += moves != {PASS}
        assert all(case.board.reason_against(move) is None for move in moves)
    assert answered > 50


def heavy_answers(rows, last, **probabilities):
    """The different moves, as text, among 200 answers of heavy playouts to a white move."""
    the_game, state = diagram(rows, side="w")
    rules.play(state, U64(the_game.parse_move(last).code))
    kernel = the_game.kernel._replace(heavy=True, **probabilities)
    return names(the_game, np.flatnonzero(drawn(HEAVY, kernel, state, new_rng(5), 200)))


@pytest.mark.parametrize(
    ("rule", "rows", "last", "answers"),
    [
        ("escape", "..... ..w.. ..bw. ..... .....", "B3", ["C2"]),
        ("escape", "..... .w.w. wb.bw ..... .....", "C3", ["B2", "D2"]),
        ("escape", "..... .b.b. .wbw. .w.w. ..w..", "C4", ["C5"]),
        ("escape", "..... ..b.. .b.b. ..... .....", "C3", ["C2"]),
        ("nakade", "w.... wwwww bbbb. ..... .....", "E5", ["C5"]),
        ("nakade", "w.... w..ww wwww. bbbb. .....", "E5", ["C5"]),
    ],
    ids=["running", "one of two", "capturing what attacks", "capturing what moved into it", "three", "bulky five"],
)
def test_an_atari_is_answered_and_a_small_eye_destroyed_at_its_vital_point(rule, rows, last, answers):
    assert heavy_answers(rows, last, **{rule: ALWAYS}) == answers


def test_a_rule_is_applied_as_often_as_its_probability_says():
    the_game, state = diagram("..... ..w.. ..bw. ..... .....", side="w")
    rules.play(state, U64(the_game.parse_move("B3").code))
    quarter = the_game.kernel._replace(heavy=True, escape=ALWAYS // 4)
    counts = drawn(HEAVY, quarter, state, new_rng(1), 20_000)
    by_chance = 0.75 / 21  # otherwise the move is one of 21 empty points
    assert counts[int(the_game.parse_move("C2").code)] / 20_000 == pytest.approx(0.25 + by_chance, abs=0.02)


def self_ataris(case):
    """The candidates that capture nothing and leave their chain one liberty."""
    careless = set()
    for move in case.candidates - {PASS}:
        after, captured = slow.place(case.board.rows, move, case.board.side)
        if not captured and len(liberties(after, move)) == 1:
            careless.add(move)
    return careless


def test_no_heavy_move_is_illegal_and_a_pass_comes_only_where_all_else_is_self_atari():
    kernel = Go(5).kernel._replace(heavy=True, **dict.fromkeys(RULES, 200))
    for case in cases(5, 40, 0.5):
        counts = drawn(HEAVY, kernel, case.state.copy(), new_rng(1), 300)
        moves = {tuple(move_with_code(int(found))) for found in np.flatnonzero(counts)}
        assert moves <= set(case.board.legal_moves())
        assert PASS not in moves or case.candidates - self_ataris(case) <= {PASS}


@pytest.mark.parametrize("probability", [0, ALWAYS])
def test_rules_of_probability_0_are_not_applied_and_self_atari_is_refused_even_if_only_a_pass_is_left(probability):
    """With all probabilities 0, a heavy move is a light one."""
    kernel, refused = Go(5).kernel._replace(heavy=True, self_atari=probability), 0
    for case in cases(5, 16):
        careless = self_ataris(case) if probability else set()
        counts = drawn(HEAVY, kernel, case.state.copy(), new_rng(2), 100 * len(case.candidates))
        assert_uniform(counts, case.candidates - careless or {PASS})
        refused += len(careless)
    assert probability == 0 or refused > 50


# --- Heavy playouts: vital points -----------------------------------------------------------------------------------


def rotations(cells):
    """The eight rotations and reflections of a set of cells."""
    found = []
    for mirrored in (cells, {(i, -j) for i, j in cells}):
        turned = mirrored
        for _ in range(4):
            turned = {(j, -i) for i, j in turned}
            found.append(turned)
    return found


def moved(cells, row, column):
    return frozenset((i + row, j + column) for i, j in cells)


def at_origin(cells):
    return moved(cells, -min(i for i, _ in cells), -min(j for _, j in cells))


@cache
def shapes(points):
    """Every connected shape of this many cells, moved to the origin."""
    if points == 1:
        return {frozenset({(0, 0)})}
    grown = set()
    for shape in shapes(points - 1):
        for i, j in shape:
            for cell in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
                if cell not in shape:
                    grown.add(at_origin(shape | {cell}))
    return grown


def vital_shapes():
    """The shapes with a vital point, moved to the origin: a dictionary of that point (the v) by shape."""
    drawings = [
        "ovo",
        "ov .o",
        "ovo .o.",
        ".o. ovo .o.",
        "oo. ovo",
        "oo. ovo .o.",
    ]
    known = {}
    for drawing in drawings:
        marked = {(i, j): symbol for i, row in enumerate(drawing.split()) for j, symbol in enumerate(row)}
        cells = {cell for cell, symbol in marked.items() if symbol != "."}
        vital = next(cell for cell, symbol in marked.items() if symbol == "v")
        for turned, (point,) in zip(rotations(cells), rotations({vital}), strict=True):
            row, column = min(i for i, _ in turned), min(j for _, j in turned)
            known[at_origin(turned)] = (point[0] - row, point[1] - column)
    return known


@pytest.mark.parametrize(("points", "corner"), [*product(range(1, 7), [(0, 0), (1, 1), (3, 2)]), (7, (0, 0))], ids=str)
def test_of_all_eyes_of_up_to_seven_points_six_kinds_have_a_vital_point(points, corner):
    """Three in any form, the pyramid four, the crossed and the bulky five, the rabbity six; at the edge or not."""
    known, the_game, liberty, vital = vital_shapes(), Go(10), (9, 9), 0  # the other empty point, far from the eye
    for shape in shapes(points):
        cells = moved(shape, *corner)
        stones = [(i, j) for i in range(10) for j in range(10) if (i, j) not in cells and (i, j) != liberty]
        state = the_game.state(the_game.set_up(white=[GoMove(*stone) for stone in stones]))
        expected = [code(point) for point in moved({known[shape]}, *corner)] if shape in known else [layout.PASS]
        for cell in cells:
            assert [tactics.vital_point(the_game.kernel, state, code(cell))] == expected
        vital += shape in known
    assert vital == {3: 6, 4: 4, 5: 9, 6: 4}.get(points, 0)


@pytest.mark.parametrize(("size", "games"), [(3, 40), (5, 16), (9, 6)])
def test_only_regions_of_three_to_six_points_that_one_side_borders_have_a_vital_point(size, games):
    known, kernel, vital = vital_shapes(), Go(size).kernel, 0
    for case in cases(size, games):
        for point in case.empty:
            points = slow.points_like(case.board.rows, point)
            one_sided = len(slow.touched(case.board.rows, points)) < 2
            shape, corner = at_origin(points), (min(i for i, _ in points), min(j for _, j in points))
            expected = moved({known[shape]}, *corner) if shape in known and one_sided else {PASS}
            assert {int(tactics.vital_point(kernel, case.state.copy(), code(point)))} == {
                int(code(p)) for p in expected
            }
            vital += expected != {PASS}
    assert vital > 0


# --- Heavy playouts: patterns ---------------------------------------------------------------------------------------

FITS = {
    "X": lambda colour: colour == layout.BLACK,
    "O": lambda colour: colour == layout.WHITE,
    "x": lambda colour: colour != layout.BLACK,
    "o": lambda colour: colour != layout.WHITE,
    ".": lambda colour: colour == layout.EMPTY,
    "#": lambda colour: colour == layout.OFF,
    "?": lambda colour: True,
}


def colours_of(pattern_code):
    """The 3x3 colours of a pattern code; the middle is empty."""
    square = np.zeros((3, 3), int)
    for i, place in enumerate(patterns.PLACES):
        square[place] = pattern_code >> 2 * i & 3
    return square


def code_of(square):
    return sum(int(square[place]) << 2 * i for i, place in enumerate(patterns.PLACES))


def exchanged(square):
    """The square with black and white exchanged."""
    return np.array([0, 2, 1, 3])[square]


def matches_slowly(square):
    """Whether a square, as it is or turned or mirrored or with colours exchanged, fits a pattern, symbol by symbol."""
    for coloured in (square, exchanged(square)):
        for mirrored in (coloured, coloured.T):
            for turns in range(4):
                turned = np.rot90(mirrored, turns)
                for shape in patterns.shapes():
                    if all(FITS[shape[place]](turned[place]) for place in patterns.PLACES):
                        return True
    return False


def test_the_pattern_table_is_what_the_symbols_say():
    table = patterns.table()
    rng = np.random.default_rng(1)
    codes = [*rng.integers(0, 1 << 16, 200), *rng.choice(np.flatnonzero(table), 100)]
    found = [bool(table[i]) for i in codes]
    assert found == [matches_slowly(colours_of(i)) for i in codes]
    assert 0 < sum(found[:200]) < 200


def around(point):
    row, column = point
    return [(row + i - 1, column + j - 1) for i, j in patterns.PLACES]


def surroundings(rows, point):
    """The 3x3 colours around a point; beyond the edge the colour is OFF."""
    size, square = len(rows), np.zeros((3, 3), int)
    for place, (i, j) in zip(patterns.PLACES, around(point), strict=True):
        square[place] = ".bw".index(rows[i][j]) if 0 <= i < size and 0 <= j < size else int(layout.OFF)
    return square


@pytest.mark.parametrize(("size", "games"), [(2, 60), (5, 16), (9, 6)])
def test_every_point_knows_its_eight_neighbours(size, games):
    for case in cases(size, games)[::2]:
        for point in ((i, j) for i in range(size) for j in range(size)):
            assert case.state[layout.AROUND + code(point)] == code_of(surroundings(case.board.rows, point))


@pytest.mark.parametrize(
    ("rows", "matches"),
    [
        ("..... .bwb. ..... ..... .....", True),
        ("..... .bw.. .w... ..... .....", True),
        ("..... .bw.. .w.b. ..... .....", True),
        ("..... .bw.. .w.w. ..... .....", False),
        ("..... .b... ..... ..... .....", False),
        ("..... ..... ..... ..... .....", False),
        ("..... .bbb. .b.b. .bbb. .....", False),
    ],
    ids=["hane", "cut", "cut with a stone beside it", "cut that is captured", "one stone", "nothing", "one colour"],
)
def test_a_pattern_in_the_middle(rows, matches):
    the_game, state = diagram(rows)
    assert matches_slowly(surroundings(rows.split(), (2, 2))) == matches
    assert tactics.matches_pattern(the_game.kernel, state, code((2, 2))) == matches


def pattern_moves(case):
    """Empty points around the last move that match a pattern and are neither ko nor self-atari; PASS for none."""
    rows, moves = case.board.rows, set()
    for point in set(around(case.last)) & set(case.empty) - {case.board.ko}:
        after, captured = slow.place(rows, point, case.board.side)
        careless = not captured and len(liberties(after, point)) < 2
        if patterns.table()[code_of(surroundings(rows, point))] and not careless:
            moves.add(point)
    return moves or {PASS}


@pytest.mark.parametrize(("size", "games"), [(5, 16), (9, 6)])
def test_a_pattern_is_played_around_the_last_move_without_self_atari(size, games):
    kernel, played = Go(size).kernel, 0
    for case in cases(size, games):
        if case.last != PASS:
            moves = pattern_moves(case)
            state, count = case.state.copy(), 100 * len(moves)
            assert_uniform(drawn(PATTERN, kernel, state, new_rng(4), count, case.last), moves)
            played += moves != {PASS}
    assert played > 20
