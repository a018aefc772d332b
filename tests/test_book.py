"""The opening book: mirror images, minimax, building in several runs, broken files, the agent that plays by it."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import game
from agents import book as agents_book
from agents.agent import AgentError
from agents.book import Book, BookError, images, key_of, move_to
from agents.limits import Clock
from agents.loading import load_agent
from agents.process_memory import held_bytes
from game import load_game
from go.position import orientations
from learning import book_building
from learning.book import DOUBT, OpeningBook, Reply, Searched
from learning.book_building import BookBuilding, BookFile, Effort, search_position
from learning.book_report import render
from learning.files import FileError
from tests.command_line import typed
from tests.searches import agent_of, position_after

game.register_game("learned_tictactoe", "tests.learned_tictactoe:LearnedTicTacToe")
PENTAGO, TICTACTOE, GO = load_game("pentago"), load_game("learned_tictactoe"), load_game("go", size=5)


def built(path, name="pentago", positions=None, **options):
    """A book built in a file by this process."""
    file = BookFile.opened(path, name, options)
    BookBuilding(file, Effort(simulations=40)).run(positions=positions)
    return file


@pytest.fixture(scope="module")
def pentago(tmp_path_factory):
    """A book of Pentago's initial position, its first moves, and a few more."""
    return built(tmp_path_factory.mktemp("book") / "pentago.jsonl", positions=25)


@pytest.fixture
def pentago_book(pentago, tmp_path, monkeypatch):
    """Make that book the game's, with 1000 s of search at every position."""
    monkeypatch.setattr(type(PENTAGO), "book", tmp_path / "book.npz")
    for key, found in pentago.book.searched.items():
        monkeypatch.setitem(pentago.book.searched, key, replace(found, seconds=1000.0))
    pentago.export(PENTAGO.book)
    return Book.read(PENTAGO, PENTAGO.book)


# --- Mirror images --------------------------------------------------------------------------------------------------


def turned(position):
    """A position of Pentago turned by 180 degrees."""
    rows, _, mover = str(position).partition(" ")
    return PENTAGO.parse_position(f"{rows[::-1]} {mover}")


@pytest.mark.parametrize("seed", range(10))
def test_mirror_images_have_the_same_key_and_legal_moves_to_the_mirrored_successor(seed):
    position = position_after(PENTAGO, 5, seed)
    assert key_of(PENTAGO, position) == key_of(PENTAGO, turned(position))
    assert key_of(PENTAGO, position) != key_of(PENTAGO, position_after(PENTAGO, 5, seed + 100))
    assert len(images(PENTAGO, position)) == 2
    assert len(images(PENTAGO, PENTAGO.initial())) == 1
    after = position.play(random.Random(seed).choice(position.legal_moves()))
    for place in (position, turned(position)):
        move = move_to(PENTAGO, place, key_of(PENTAGO, after))
        assert move in place.legal_moves()
        assert key_of(PENTAGO, place.play(move)) == key_of(PENTAGO, after)
    assert move_to(PENTAGO, position, key_of(PENTAGO, position_after(PENTAGO, 7, seed))) is None


def test_the_book_says_the_same_of_a_position_and_its_mirror_image(pentago_book, pentago):
    for found in pentago.book.searched.values():
        position = PENTAGO.parse_position(found.position)
        entry = pentago_book.find(position)
        assert entry == pentago_book.find(turned(position))
        assert all(move_to(PENTAGO, place, entry.moves[0]) for place in (position, turned(position)))


# --- What follows from searches -------------------------------------------------------------------------------------


def found_at(position, replies, proven=None, seconds=1.0):
    """A searched position with these replies, each a move, a value, a share and an outcome."""
    place = TICTACTOE.parse_position(position)
    return Searched(
        position=position,
        key=key_of(TICTACTOE, place),
        ply=place.ply,
        to_move=place.to_move,
        proven=proven,
        seconds=seconds,
        simulations=1,
        depth=1,
        replies=tuple(
            Reply(move, key_of(TICTACTOE, place.play(TICTACTOE.parse_move(move, place))), False, value, share, outcome)
            for move, value, share, outcome in replies
        ),
    )


START = ".../.../... x"
CENTRE, CORNER = ".../.x./... o", "x../.../... o"
CENTRE_MOVE, CORNER_MOVE = (TICTACTOE.format_move(move) for move in (4, 0))
EDGE_MOVE = TICTACTOE.format_move(1)


def judged(*searched):
    """How a book of these searched positions judges the start."""
    book = OpeningBook(TICTACTOE, searched)
    return book.judged()[book.start]


def test_a_move_is_worth_what_the_position_after_it_is_worth_to_the_opponent():
    start = found_at(START, [(CENTRE_MOVE, 0.7, 0.5, None), (CORNER_MOVE, 0.6, 0.5, None)])
    found = judged(start, found_at(CENTRE, [(CORNER_MOVE, 0.6, 0.5, None), (EDGE_MOVE, 0.2, 0.5, None)], seconds=2.0))
    assert found.value == 0.6  # the centre was refuted
    assert [opinion.reply.move for opinion in found.opinions] == [CORNER_MOVE, CENTRE_MOVE]
    assert found.opinions[1].value == pytest.approx(0.4)


def test_what_is_reached_by_several_ways_was_searched_once():
    edge, centre, corner = EDGE_MOVE, CENTRE_MOVE, CORNER_MOVE
    replies = [
        (START, (centre, corner)),
        (CENTRE, (edge,)),
        (CORNER, (edge,)),
        (".o./.x./... x", (corner,)),
        ("xo./.../... x", (centre,)),
        ("xo./.x./... o", (TICTACTOE.format_move(8),)),
    ]
    book = OpeningBook(
        TICTACTOE,
        [
            found_at(position, [(move, 0.5, 1.0, None) for move in moves], seconds=2.0**i)
            for i, (position, moves) in enumerate(replies)
        ],
    )
    assert list(book.seconds().values()) == [32, 8 + 32, 16 + 32, 2 + 8 + 32, 4 + 16 + 32, 63]


def test_what_only_the_search_before_it_says_counts_a_little_less():
    replies = [(CENTRE_MOVE, 0.7, 0.5, None), (CORNER_MOVE, 0.6 + DOUBT / 2, 0.5, None)]
    found = judged(found_at(START, replies), found_at(CENTRE, [(CORNER_MOVE, 0.4, 1.0, None)]))
    assert found.opinions[0].reply.move == CENTRE_MOVE
    assert [len(found.choices(doubt)) for doubt in (DOUBT, 0.0)] == [2, 1]


def test_a_reply_that_is_proved_lost_proves_a_win_and_nothing_that_is_no_win_is_played():
    start = found_at(START, [(CENTRE_MOVE, 0.7, 0.5, None), (CORNER_MOVE, 0.999, 0.5, None)])
    found = judged(start, found_at(CENTRE, [(CORNER_MOVE, 0.0, 1.0, "loss")], proven="loss"))
    assert (found.value, found.proven) == (1.0, "win")
    assert [opinion.reply.move for opinion in found.choices(0.5)] == [CENTRE_MOVE]


def test_the_same_player_moves_again_in_a_position_that_is_worth_the_same():
    start = found_at(START, [(CENTRE_MOVE, 0.7, 1.0, None)])
    start = replace(start, replies=(replace(start.replies[0], keeps_turn=True),))
    assert judged(start, found_at(CENTRE, [(CORNER_MOVE, 0.2, 1.0, None)])).value == 0.2


def test_first_moves_are_searched_first_then_what_is_likeliest_to_arise():
    book = OpeningBook(TICTACTOE)
    order = []
    for _ in range(7):
        wanted = book.next_position([])
        order.append(wanted.move)
        place = TICTACTOE.parse_position(wanted.position)
        place = place if wanted.move is None else place.play(TICTACTOE.parse_move(wanted.move, place))
        texts = [TICTACTOE.format_move(move) for move in place.legal_moves()]
        shares = [0.7, 0.2, *[0.1 / (len(texts) - 2)] * (len(texts) - 2)]
        replies = [(text, 0.6, share, None) for text, share in zip(texts, shares, strict=True)]
        found = found_at(str(place), replies)
        book.searched[found.key] = found
    assert order[0] is None
    assert len(set(order)) == 7  # None, and six of the nine first moves, as mirror images count once
    wanted = book.next_position([])
    place = TICTACTOE.parse_position(wanted.position)
    assert place.ply == 1
    assert place.play(TICTACTOE.parse_move(wanted.move, place)).ply == 2
    assert book.next_position([wanted.key]).likelihood <= wanted.likelihood


def test_a_position_of_go_has_the_same_key_however_the_board_is_turned_unless_it_has_another_ko_or_komi():
    rows = [".bw..", "b.bw.", ".bw..", ".....", "....."]
    keys = set()
    for turned in orientations(np.array([[*row] for row in rows])):
        text = "/".join("".join(row) for row in turned)
        keys.add(key_of(GO, GO.parse_position(f"{text} w - 7")))
    assert len(keys) == 1
    for other in ("w B4 7", "b - 7", "w - 6.5", "w - 7 1"):
        keys.add(key_of(GO, GO.parse_position(f"{'/'.join(rows)} {other}")))
    assert len(keys) == 5


def test_the_agent_plays_go_by_a_book(tmp_path, monkeypatch):
    monkeypatch.setattr(type(GO), "book", tmp_path / "book.npz")
    file = built(tmp_path / "go.jsonl", "go", 14, size=5)
    searched = file.book.searched.values()
    assert {found.ply for found in searched} >= {0, 1, 2}
    start = file.book.searched[file.book.start]
    assert file.book.seconds()[file.book.start] == pytest.approx(sum(found.seconds for found in searched))
    best = file.book.judged()[file.book.start].opinions[0]
    assert best.value == 1 - file.book.judged()[best.reply.key].value != start.replies[0].value
    file.export(GO.book)
    agent = agent_of("uct_agent:capacity=10000", GO, move_seconds=0.001)
    agent.setup()
    move = agent.step(GO.initial(), Clock(0.001))
    assert "book_seconds" in agent.analysis()
    assert move in GO.initial().legal_moves()


# --- Building -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_book_of_tic_tac_toe_knows_that_it_is_drawn_and_never_loses(tmp_path):
    """It holds every position that can arise while one side plays by the book, except after a proof."""
    file = built(tmp_path / "tictactoe.jsonl", "learned_tictactoe")
    assert file.book.next_position([]) is None
    assert file.book.judged()[file.book.start].value == 0.5
    file.export(tmp_path / "book.npz")
    book = Book.read(TICTACTOE, tmp_path / "book.npz")
    for seed in range(40):
        rng, position, side = random.Random(seed), TICTACTOE.initial(), seed % 2
        while position.result is None and (position.to_move != side or (entry := book.find(position))):
            if position.to_move == side:
                move = move_to(TICTACTOE, position, rng.choice(entry.moves))
            else:
                move = rng.choice(position.legal_moves())
            position = position.play(move)
        assert position.result is None or position.result.winner != 1 - side


def test_building_goes_on_from_the_file_as_if_it_had_not_been_interrupted(tmp_path):
    path = tmp_path / "book.jsonl"
    assert len(built(path, positions=3).book.searched) == 3
    path.write_text(path.read_text()[:-9])  # the third one is cut off
    before = path.stat()
    assert len(built(path, positions=10).book.searched) == 10
    assert path.stat().st_ino == before.st_ino  # a large file is not written anew with each position
    whole = list(built(tmp_path / "whole.jsonl", positions=10).book.searched.values())
    parts = list(BookFile.read(tmp_path / "book.jsonl").book.searched.values())
    assert [replace(found, seconds=0.0) for found in parts] == [replace(found, seconds=0.0) for found in whole]


def test_an_interrupted_search_loses_only_its_own_position(tmp_path, monkeypatch):
    def interrupted(*task):
        if task[-1] is not None and len(BookFile.read(tmp_path / "book.jsonl").book.searched) == 4:
            raise KeyboardInterrupt
        return search_position(*task)

    monkeypatch.setattr("learning.book_building.search_position", interrupted)
    with pytest.raises(KeyboardInterrupt):
        built(tmp_path / "book.jsonl")
    assert len(BookFile.read(tmp_path / "book.jsonl").book.searched) == 4


def test_a_book_of_another_game_or_evaluation_is_not_gone_on_with(tmp_path, monkeypatch):
    path, opinion = tmp_path / "book.jsonl", book_building.first_opinion
    built(path, positions=1)
    # To compile the search of the other game takes 9 s.
    monkeypatch.setattr(book_building, "first_opinion", lambda game: opinion(game) if game.name == "pentago" else [])
    with pytest.raises(FileError, match="begun with another game"):
        BookFile.opened(path, "learned_tictactoe", {})
    header, *lines = path.read_text().splitlines()
    changed = json.loads(header) | {"first_opinion": [0.5, 0.5]}
    path.write_text("\n".join([json.dumps(changed), *lines]))
    with pytest.raises(FileError, match="begun with another evaluation"):
        BookFile.opened(path, "pentago", {})


@pytest.mark.parametrize("content", ["", "{}\n", "[]\n", "no JSON", '{"version": 1, "game": "pentago"}\n'])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    (tmp_path / "book.jsonl").write_text(content)
    with pytest.raises(FileError):
        BookFile.read(tmp_path / "book.jsonl")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"ply": "1"}, r"Expected `int`, got `str` - at `\$.ply`"),
        ({"seconds": None}, r"Expected `float`, got `null` - at `\$.seconds`"),
        ({"proven": "maybe"}, r"matching regex .*win.* - at `\$.proven`"),
        ({"key": [1]}, r"`array` of length 2, got 1 - at `\$.key`"),
        ({"replies": []}, r"`array` of length >= 1 - at `\$.replies`"),
    ],
)
def test_a_position_with_impossible_values_is_refused(tmp_path, wrong, words):
    path = tmp_path / "book.jsonl"
    built(path, positions=1)
    header, line = path.read_text().splitlines()
    path.write_text(f"{header}\n{json.dumps(json.loads(line) | wrong)}\n")
    with pytest.raises(FileError, match=f"is not a file of `book`: .*{words}"):
        BookFile.read(path)


def test_the_command_builds_reports_and_exports(tmp_path):
    command, archive = f"book --game pentago --file {tmp_path / 'book.jsonl'}", tmp_path / "book.npz"
    assert typed(f"{command} --report").exit_code != 0
    done = typed(f"{command} --simulations 30 --positions 8 --workers 1")
    assert (done.exit_code, len(done.output.splitlines())) == (0, 8)
    done = typed(f"{command} --report --export {archive}")
    assert done.exit_code == 0
    assert "8 positions" in done.output
    assert "The initial position is worth" in done.output
    narrow = Book.read(PENTAGO, archive).find(PENTAGO.initial()).moves
    assert typed(f"{command} --export {archive} --margin 1").exit_code == 0
    assert set(narrow) < set(Book.read(PENTAGO, archive).find(PENTAGO.initial()).moves)


def test_the_report_has_all_first_moves_by_value(pentago):
    lines = render(pentago.book).splitlines()
    first = lines.index(next(line for line in lines if line.startswith("first move"))) + 1
    rows = lines[first : lines.index("", first)]
    assert len(rows) == 18  # 36 cells, mirror images once
    assert rows[0].split()[0].endswith("*")


# --- The archive ----------------------------------------------------------------------------------------------------


def test_a_missing_book_is_an_empty_one(tmp_path):
    assert Book.read(PENTAGO, tmp_path / "none.npz").find(PENTAGO.initial()) is None


@pytest.mark.parametrize(
    "change",
    [
        {"keys": np.zeros((3, 2), np.uint64)},
        {"value": np.array([2.0], np.float32)},
        {"value": np.array([np.nan], np.float32)},
        {"proved": np.array([4], np.int8)},
        {"first": np.array([0, 5], np.int32)},
        {"first": np.array([0, 0], np.int32), "moves": np.zeros((0, 2), np.uint64)},
        {"moves": np.zeros((1, 2), np.int64)},
        {"meta": np.array('{"version": 2, "game": "go"}')},
        {"meta": np.array('{"game": "pentago"}')},
        {"meta": np.array("no JSON")},
        {"meta": None},
    ],
)
def test_a_broken_book_says_so(tmp_path, change):
    arrays = {
        "keys": np.array([key_of(PENTAGO, PENTAGO.initial())], np.uint64),
        "value": np.array([0.5], np.float32),
        "proved": np.zeros(1, np.int8),
        "seconds": np.ones(1, np.float32),
        "first": np.array([0, 1], np.int32),
        "moves": np.array([[0, 1]], np.uint64),
        "meta": np.array('{"version": 2, "game": "pentago"}'),
    }
    path = tmp_path / "book.npz"
    np.savez(path, **arrays)
    assert Book.read(PENTAGO, path).find(PENTAGO.initial()) is not None
    np.savez(path, **{name: array for name, array in (arrays | change).items() if array is not None})
    with pytest.raises(BookError, match="opening book"):
        Book.read(PENTAGO, path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive"])
def test_a_file_that_is_no_archive_is_refused_also_by_the_agent(tmp_path, monkeypatch, content):
    monkeypatch.setattr(type(PENTAGO), "book", tmp_path / "book.npz")
    PENTAGO.book.write_bytes(content)
    with pytest.raises(BookError, match="cannot be used as an opening book"):
        Book.read(PENTAGO, PENTAGO.book)
    with pytest.raises(AgentError, match="cannot be used as an opening book"):
        agent_with_book()


# --- The agent ------------------------------------------------------------------------------------------------------


def agent_with_book(more=""):
    agent = agent_of(f"uct_agent:capacity=10000{more}", move_seconds=0.2)
    agent.setup()
    return agent


def test_the_agent_plays_the_books_moves_as_long_as_there_are_any(pentago_book):
    agent, position = agent_with_book(), PENTAGO.initial()
    plies = 0
    while (entry := pentago_book.find(position)) is not None:
        move = agent.step(position, Clock(2.0))
        said = agent.analysis()
        assert move in position.legal_moves()
        assert key_of(PENTAGO, position.play(move)) in entry.moves
        assert (said["value"], said["simulations"]) == (entry.value, 0)
        assert said["book_seconds"] >= 1000
        assert said["pv"][0] == str(move)
        assert 1 <= len(said["pv"]) <= agents_book.LONGEST_LINE
        position, plies = position.play(move), plies + 1
    assert plies >= 2
    assert agent.step(position, Clock(0.2)) in position.legal_moves()
    assert agent.analysis()["simulations"] > 0
    assert "book_seconds" not in agent.analysis()


def test_analyze_says_that_a_position_is_in_the_book(pentago_book):
    asked = f"analyze --simulations 50 --memory {held_bytes() // 1_000_000 + 300}"
    value = pentago_book.find(PENTAGO.initial()).value  # the start and 24 positions after it, 1000 s each
    assert f"in the opening book: worth {value:.3f} after 25,000 s of search" in typed(asked).output
    assert "opening book" not in typed(f"{asked} --moves 'c3/0r f6/0r d1/0r a6/0r'").output
    assert json.loads(typed(f"{asked} --json").stdout)["book"] == {"value": round(value, 4), "seconds": 25_000.0}


def test_the_agent_turns_the_move_with_the_board(pentago_book):
    agent = agent_with_book()
    for found in ("w...../....../....../....../....../...... b", "....../....../....../....../....../.....w b"):
        position = PENTAGO.parse_position(found)
        move = agent.step(position, Clock(2.0))
        assert agent.analysis()["simulations"] == 0
        assert key_of(PENTAGO, position.play(move)) in pentago_book.find(position).moves


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        (",simulations=50", 1000.0),
        (",book=no", 1000.0),
        pytest.param(",preset=playouts", 1000.0, marks=pytest.mark.slow),
        ("", 0.01),  # less than there is time
    ],
)
def test_a_position_is_searched_where_the_book_is_not_asked_or_has_searched_it_for_less_time(
    pentago_book, options, seconds
):
    pentago_book._arrays["seconds"][:] = seconds
    agent = agent_with_book(options)
    agent._book = pentago_book if seconds < 1 else agent._book
    agent.step(PENTAGO.initial(), Clock(0.2))
    assert agent.analysis()["simulations"] > 0


def test_games_without_a_book_have_the_option_off():
    agent_class = load_agent("uct_agent")
    assert agent_class.option_defaults(load_game("kalah"))["book"].default is False
    assert agent_class.option_defaults(PENTAGO)["book"].default is True
