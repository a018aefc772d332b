"""The boards of the games as front ends draw them, and the moves that clicks and keys make on them."""

import random
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from board_view import GHOSTS, Scene
from game import FIRST, SECOND, load_game, play_moves
from go.position import GoMove
from pentago.board_view import Cell, Turn
from simulator.fullscreen.plain_view import PlainView
from tests.pictures import area_of, ways_from
from tests.test_game_files import NIM

GAMES = {
    "pentago": load_game("pentago"),
    "go 9": load_game("go", size=9),
    "go 13": load_game("go", size=13),
    "go 19": load_game("go", size=19),
    "go 2": load_game("go", size=2),
    "kalah": load_game("kalah"),
    "kalah 10": load_game("kalah", pits=10, stones=12),
    "kalah 1": load_game("kalah", pits=1, stones=2),
    "connect four": load_game("examples/games/connect_four.py"),
    "tic-tac-toe": load_game("examples/games/tic_tac_toe.py"),
}
PENTAGO, KALAH = GAMES["pentago"], GAMES["kalah"]
SMALLEST_ROOM = (21, 46)  # lines and characters beside the panels on a terminal of 80x24
ROOMS = (SMALLEST_ROOM, (37, 84), (47, 150))


@pytest.fixture(params=GAMES, scope="module")
def game(request):
    return GAMES[request.param]


@cache
def positions_of(game, plies=40):
    """The positions of a random game, up to so many."""
    rng, positions = random.Random(1), [game.initial()]
    while positions[-1].result is None and len(positions) < plies:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves())))
    return positions


def choices(view, position, chosen=()):
    """Every way to choose targets until they make a move."""
    for target in view.targets(position, chosen):
        more = (*chosen, target)
        if view.move(position, more) is None:
            yield from choices(view, position, more)
        else:
            yield more


def test_choices_make_exactly_the_legal_moves(game):
    view = game.board_view()
    for position in positions_of(game, 12)[::4]:
        made = [view.move(position, chosen) for chosen in choices(view, position)]
        assert sorted(made) == sorted(position.legal_moves())


def test_what_is_no_choice_is_refused_with_a_reason(game):
    view = game.board_view()
    for position in positions_of(game, 30)[::-3]:
        legal = set(view.targets(position, ()))
        for area in view.picture(Scene(position, *SMALLEST_ROOM)).areas:
            assert (view.refusal(position, (), area.target) == "") == (area.target in legal)


def scenes(view, positions, room):
    """The start, the end, and from the middle each step of a move, pointing at up to 12 targets."""
    yield Scene(positions[0], *room)
    yield Scene(positions[-1], *room)
    position = positions[len(positions) // 2]
    for chosen in [(), *(chosen[:-1] for chosen in list(choices(view, position))[:1] if chosen[:-1])]:
        for target in view.targets(position, chosen)[:12]:
            yield Scene(position, *room, chosen=chosen, pointed=target)


@pytest.mark.parametrize("room", ROOMS)
def test_every_target_can_be_clicked_where_it_is_drawn(game, room):
    view = game.board_view()
    for scene in scenes(view, positions_of(game), room):
        picture = view.picture(scene)
        for target in view.targets(scene.position, scene.chosen):
            area = area_of(picture, target)
            middle = area.row + area.height // 2, area.column + area.width // 2
            assert picture.area_at(*middle) == area
            assert 0 <= middle[0] < len(picture.lines)


def test_pictures_and_prompts_of_every_step_fit_the_smallest_terminal(game):
    view = game.board_view()
    widest = 54 if game.settled_options.get("pits") == 10 else SMALLEST_ROOM[1]  # the panels become narrower then
    for scene in scenes(view, positions_of(game), SMALLEST_ROOM):
        for is_ascii in (False, True):
            text = view.picture(replace(scene, ascii=is_ascii)).text()
            assert len(text.splitlines()) <= SMALLEST_ROOM[0]
            assert max(map(len, text.splitlines())) <= widest
            assert text.isascii() == is_ascii
        assert 20 < len(view.prompt(scene.position, scene.chosen, scene.pointed)) <= 71  # there may be a name before it


def test_arrow_keys_reach_every_target(game):
    view, position = game.board_view(), positions_of(game, 6)[-1]
    for chosen in ((), *(chosen[:-1] for chosen in list(choices(view, position))[:1])):
        reached = ways_from(view.start(position, chosen), view, position, chosen)
        assert set(view.targets(position, chosen)) <= set(reached)


def test_every_frame_of_every_move_can_be_drawn(game):
    view = game.board_view()
    for before, after in pairwise(positions_of(game)):
        for frame in range(view.frames(before, after)):
            assert view.picture(Scene(after, *SMALLEST_ROOM, before=before, frame=frame)).text()


def test_expected_moves_are_numbered(game):
    view, positions = game.board_view(), positions_of(game, 6)
    line = tuple(position.last_move for position in positions[1:4])
    text = view.picture(Scene(positions[0], *SMALLEST_ROOM, expected=line)).text()
    plain = view.picture(Scene(positions[0], *SMALLEST_ROOM)).text()
    assert text != plain


# --- Pentago --------------------------------------------------------------------------------------------------------


AT_HAND = "wwww../bbb.../....../....../b...../...... w"  # white can win at once


def marked(scene, mark):
    """The characters with that mark."""
    picture = PENTAGO.board_view().picture(scene)
    return "".join(span.text for line in picture.lines for span in line if mark in span.marks).replace(" ", "")


def test_the_text_of_a_position_takes_as_many_lines_as_it_needs(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    nim = load_game(str(tmp_path / "nim.py"))
    assert PlainView(nim).picture(Scene(nim.initial(), width=8)).text() == "((5, 3),\n0)"


def test_the_winning_five_are_marked_also_the_last_stone_if_it_is_one_of_them():
    position = PENTAGO.parse_position(AT_HAND).play(PENTAGO.parse_move("e1/3f"))
    assert position.result.winner == FIRST
    assert marked(Scene(position, 15, 40), "win") == 5 * "*○*"
    for room in ROOMS:
        assert "(" not in PENTAGO.board_view().picture(Scene(position, *room)).text()


@pytest.mark.parametrize("is_ascii", [False, True])
@pytest.mark.parametrize("room", [(15, 40), *ROOMS])
@pytest.mark.parametrize("player", [FIRST, SECOND])
def test_a_stone_that_is_not_there_yet_differs_in_shape(player, room, is_ascii):
    boards = (("w", ".....b w"), (".", "....wb w")) if player == FIRST else (("b", "....ww b"), (".", ".....w b"))
    there, empty = (PENTAGO.parse_position(f"{cell}...../....../....../....../....../{rest}") for cell, rest in boards)
    stone = Scene(there, *room, pointed=Cell(0, 0), ascii=is_ascii)
    ghost = replace(stone, position=empty)
    pictures = [PENTAGO.board_view().picture(scene) for scene in (stone, ghost, replace(ghost, pointed=None))]
    assert len({"\n".join(picture.text().splitlines()[:5]) for picture in pictures}) == 3


def test_lines_of_both_players_are_marked_in_a_draw_and_a_turn_that_would_win_is_previewed_with_its_five():
    drawn = PENTAGO.parse_position("wwwww./bbbbb./....../....../....../...... w")
    assert [marked(Scene(drawn, 15, 40), "win").count(stone) for stone in "○●"] == [5, 5]
    scene = Scene(PENTAGO.parse_position(AT_HAND), 15, 40, chosen=(Cell(0, 4),), pointed=Turn(3, 1))
    assert [marked(scene, "win").count(stone) for stone in "○◦"] == [4, 1]
    assert marked(replace(scene, pointed=None), "win") == ""


def test_a_turn_is_shown_before_it_is_made_while_it_is_made_and_after_it():
    start, view = PENTAGO.initial(), PENTAGO.board_view()
    after = start.play(PENTAGO.parse_move("a1/0r"))
    scenes = [
        Scene(start, 15, 40, chosen=(Cell(0, 0),), pointed=Turn(0, 0)),
        *(Scene(after, 15, 40, before=start, frame=frame) for frame in range(4)),  # with an eighth of a turn on the way
        Scene(after, 15, 40),
    ]
    rows = [view.picture(scene).text().splitlines()[2] for scene in scenes]
    assert [re.search("[○◦]", row).start() for row in rows] == [13, 5, 5, 9, 13, 13]
    assert "(○)│" in rows[-1]
    assert "0 ↻" in view.picture(scenes[-1]).text()


# --- Go and Kalah ---------------------------------------------------------------------------------------------------


def kalah_rows(scene):
    """The text of each line in a picture of Kalah, split into pits, with the stores at both ends."""
    text = KALAH.board_view().picture(scene).text()
    return [[part.strip() for part in line.split("│")] for line in text.splitlines()]


def test_what_sowing_would_capture_is_taken_from_the_pit_opposite():
    rows = kalah_rows(Scene(KALAH.parse_position(CAPTURING), *SMALLEST_ROOM, pointed=1))
    assert rows[2][1:7] == ["", "", "", "", "", "-5"]
    assert rows[8][1:7] == ["-5", "+1", "+1", "+1", "+1", ""]  # the last stone goes into the store as well
    assert rows[6][0].endswith("+6")


def test_an_expected_move_of_north_stands_within_its_pit():
    rows = kalah_rows(Scene(KALAH.initial().play(1), *SMALLEST_ROOM, expected=(2,)))
    assert rows[2][5] == "(1)"


def numbers(text):
    """The numbers in a picture of Kalah: North's line from its last pit on, the stores, South's line."""
    lines = text.splitlines()
    return [int(word.strip("()[]")) for line in (lines[3], lines[5], lines[7]) for word in re.findall("[0-9]+", line)]


def kalah_frames(before, pit):
    """The numbers in each picture of a move of Kalah, and in the picture after the move."""
    view, after = KALAH.board_view(), before.play(pit)
    count = view.frames(before, after)
    scenes = [Scene(after, *SMALLEST_ROOM, before=before, frame=frame) for frame in range(count)]
    return [numbers(view.picture(scene).text()) for scene in [*scenes, Scene(after, *SMALLEST_ROOM)]]


CAPTURING = "5 5 4 4 4 0 1 5 5 5 4 0 5 1 b"
START = "4 4 4 4 4 4 0 4 4 4 4 4 4 0 b"


@pytest.mark.parametrize(
    ("text", "pit", "frames", "sown", "after"),
    [
        (START, 3, 4, [4, 4, 4, 4, 4, 4, 0, 1, 4, 4, 0, 5, 5, 5], [4, 4, 4, 4, 4, 4, 0, 1, 4, 4, 0, 5, 5, 5]),
        (CAPTURING, 1, 5, [5, 0, 4, 5, 5, 5, 1, 1, 0, 6, 5, 5, 5, 1], [5, 0, 4, 5, 5, 0, 1, 7, 0, 6, 5, 5, 5, 0]),
        ("14 0 0 0 0 0 1 5 5 5 4 8 5 1 b", 1, 6, None, None),  # a round of the board
    ],
    ids=["stones are sown one by one", "what is captured is moved behind the last one", "few pictures of many stones"],
)
def test_sowing_is_shown(text, pit, frames, sown, after):
    *shown, end = kalah_frames(KALAH.parse_position(text), pit)
    assert len(shown) == frames
    assert shown[-1] == (sown or end)
    assert end == (after or end)
    if text == START:
        assert [sum(numbers) for numbers in shown] == [45, 46, 47, 48]
        assert shown[0] == [4, 4, 4, 4, 4, 4, 0, 0, 4, 4, 0, 5, 4, 4]


def test_at_the_end_of_go_the_area_is_marked_and_counted():
    game = load_game("go", size=5)
    moves = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass A1 pass pass"
    position = play_moves(game, moves.split())[-1]
    assert position.result.winner == SECOND
    picture = game.board_view().picture(Scene(position))
    ghosts = [span.text for line in picture.lines for span in line if span.role in GHOSTS]
    assert ghosts.count("◦") == 5 and "•" not in ghosts  # the stone on A1 makes black's side neutral
    black, white = game.board_view().score(position).splitlines()
    assert black == "Black: 5 stones + 0 territory = 5"
    assert white == "White: 6 stones + 5 territory + 7 komi = 18"
    assert position.result.margin == 18 - 5
    rows = game.board_view().picture(Scene(position, ascii=True)).text().splitlines()[1:-1]
    assert "".join(rows).count("o") == 5
    open_ = game.board_view().picture(Scene(play_moves(game, ["C3", "pass"])[-1]))
    assert "•" not in open_.text()  # nothing is counted before the end


def test_a_stone_of_go_that_is_not_there_yet_differs_in_shape():
    scene = Scene(GAMES["go 9"].initial(), *SMALLEST_ROOM, pointed=GoMove(0, 0))
    there = replace(scene, position=scene.position.play(GoMove(0, 0)))
    for shown, shapes in ((scene, ("[ • ]", "[ x ]")), (there, ("[▐█▌]", "[XXX]"))):
        for is_ascii, shape in enumerate(shapes):
            assert shape in GAMES["go 9"].board_view().picture(replace(shown, ascii=bool(is_ascii))).text()


def extent_of(picture):
    """How many lines a picture has, and how many characters its first line."""
    return len(picture.lines), sum(len(span.text) for span in picture.lines[0])


@pytest.mark.parametrize(
    ("name", "room", "extent", "black", "white"),
    [
        ("go 9", ROOMS[0], (19, 41), ["▐█▌"], ["▐ ▌"]),
        ("go 9", ROOMS[1], (37, 77), ["▟█████▙", "███████", "▜█████▛"], ["╭─────╮", "│     │", "╰─────╯"]),
        ("go 9", ROOMS[2], (47, 95), ["▟███████▙", "█████████", "▜███████▛"], ["╭───────╮", "│       │", "╰───────╯"]),
        ("go 13", ROOMS[2], (41, 83), ["▟███▙", "█████", "▜███▛"], ["╭───╮", "│   │", "╰───╯"]),
        ("go 19", ROOMS[0], (21, 43), ["●"], ["○"]),
        ("go 19", ROOMS[1], (21, 81), ["▐█▌"], ["▐ ▌"]),
        ("go 19", ROOMS[2], (39, 81), ["▐█▌"], ["▐ ▌"]),
    ],
)
def test_the_board_and_the_stones_of_go_grow_with_the_room(name, room, extent, black, white):
    position = play_moves(GAMES[name], ["C3", "G7"])[-1]
    picture = GAMES[name].board_view().picture(Scene(position, *room))
    assert extent_of(picture) == extent
    for role, lines in (("first", black), ("second", white)):
        shown = [span.text for line in picture.lines for span in line if span.role == role]
        assert list(dict.fromkeys(shown)) == lines


def test_the_pits_of_kalah_grow_with_the_room_and_show_their_stones():
    pictures = [KALAH.board_view().picture(Scene(KALAH.initial(), *room)) for room in ROOMS]
    assert [extent_of(picture) for picture in pictures] == [(11, 43), (17, 79), (21, 109)]
    assert [picture.text().count("•") for picture in pictures] == [0, 48, 48]
    crowded = KALAH.parse_position("48 0 0 0 0 0 0 0 0 0 0 0 0 0 b")
    assert KALAH.board_view().picture(Scene(crowded, *ROOMS[1])).text().count("•") == 15  # as many as fit


def test_numbers_of_expected_moves_stand_on_free_points_and_others_are_named_below():
    game = load_game("go", size=5)
    start = play_moves(game, ["A2", "A1", "C3", "E5"])[-1]  # black takes A1 with B1
    line = [game.parse_move(text) for text in ["B1", "pass", "A1", "D5"]]
    text = game.board_view().picture(Scene(start, height=11, expected=tuple(line))).text().splitlines()
    assert text[9].startswith(" 1 ▐ ▌──1")
    assert "4" in text[1][3:20]
    assert text[-1] == " [ pass ]  2: pass, 3: A1"
    assert game.board_view().picture(Scene(start)).text().splitlines()[-1] == " [ pass ]  ●+0 ○+0 komi 7"
