"""SGF files: another library reads what we write, we read what others write, and broken files are explained."""

import pytest
from sgfmill import sgf

from agents.limits import Limits
from agents.random_agent import RandomAgent
from game import SECOND, NotationError, load_game
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.analysis import Analysis
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from simulator.records.sgf_reader import read_sgf
from simulator.records.sgf_writer import result_text, sgf_of, sgf_of_moves, stones_of
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from tests.gtp_engines import say

ENDED = Verdict(0, Reason.NORMAL, "black_agent wins by 17.5 points", ply=4)


def record_of(**changes):
    moves = (
        MoveRecord(1, 1, "pass", 0.25, 50.0, analysis=Analysis(value=0.25, simulations=1000)),
        MoveRecord(2, 0, "E1", 1.5, 50.0, replaced=True, answer="B2"),
        MoveRecord(3, 1, "pass", 0.5, 50.0),
    )
    record = {
        "game": "go",
        "agents": ("black_agent", "white [2] agent"),
        "seed": 7,
        "opening": ("A5",),
        "moves": moves,
        "result": "B+17.5",
        "final_position": "",
        "verdict": ENDED,
        "peak_memory_mb": (50.0, 50.0),
        "options": {"size": 5, "komi": 6.5},
        "date": "2026-11-21T06:18:07+00:00",
    }
    return GameRecord(**record | changes)


# --- Writing --------------------------------------------------------------------------------------------------------


def test_record_is_written_with_all_that_a_reader_wants():
    written = sgf.Sgf_game.from_bytes(sgf_of(record_of(limits=(Limits(30, 2), Limits(30, 2)))))
    root = written.get_root()
    assert (written.get_size(), written.get_komi(), root.get("RE"), root.get("RU")) == (5, 6.5, "B+17.5", "Chinese")
    assert (written.get_player_name("b"), written.get_player_name("w")) == ("black_agent", "white [2] agent")
    assert root.get("DT") == "2026-11-21" and root.get("AP")[0] == "Unforced" and root.get("FF") == 4
    assert root.get("TM") == 0 and root.get("OT") == "2 s a move, 30 s for the first" and "seed 7" in root.get("C")
    nodes = list(written.main_sequence_iter())[1:]
    assert [node.get_move() for node in nodes] == [("b", (4, 0)), ("w", None), ("b", (0, 4)), ("w", None)]


def test_comments_say_what_a_move_took_and_what_the_agent_thought():
    nodes = list(sgf.Sgf_game.from_bytes(sgf_of(record_of())).main_sequence_iter())[1:]
    comments = [node.get("C") for node in nodes]
    assert comments[0] == "opening"
    assert comments[1] == "0.250 s, value 0.2500, simulations 1000"
    assert "1.500 s" in comments[2] and "B2 was answered, a random move played" in comments[2]
    assert comments[3] == "0.500 s\n\nblack_agent wins by 17.5 points"


def test_record_without_moves_has_its_verdict_at_the_root():
    content = sgf_of(record_of(opening=(), moves=(), result="W+", verdict=Verdict(1, Reason.CRASH, "it fell", 0, 0)))
    root = sgf.Sgf_game.from_bytes(content).get_root()
    assert root.get("RE") == "W+F" and root.get("C").endswith("it fell")


@pytest.mark.parametrize(
    ("result", "winner", "reason", "text"),
    [
        ("B+3.5", 0, Reason.NORMAL, "B+3.5"),
        ("0", None, Reason.NORMAL, "0"),
        ("W+", 1, Reason.RESIGNATION, "W+R"),
        ("W+", 1, Reason.TIMEOUT, "W+T"),
        ("B+", 0, Reason.ILLEGAL, "B+F"),
        ("B+", 0, Reason.CRASH, "B+F"),
        ("B+", 0, Reason.MEMORY, "B+F"),
        ("none", None, Reason.VOID, "Void"),
    ],
)
def test_results_are_those_of_sgf(result, winner, reason, text):
    assert result_text(result, Verdict(winner, reason, "", 0)) == text


def test_game_of_the_terminal_is_written_with_the_stones_that_it_began_with(tmp_path):
    game = load_game("go", size=5, komi=0.5)
    stones = [game.parse_move(text) for text in ("A1", "B2")]
    positions = [game.set_up(black=stones, white=[game.parse_move("E5")], to_move=SECOND)]
    for text in ("C3", "D4", "pass", "pass"):
        positions.append(positions[-1].play(game.parse_move(text)))
    path = tmp_path / "game.sgf"
    path.write_bytes(sgf_of_moves(game, positions, ("a", "b"), date="2026-11-21", comment="counted"))
    read = read_sgf(path)
    assert list(read.positions) == positions and read.names == ("a", "b")
    assert stones_of(read.positions[0]) == {"B2": 0, "A1": 0, "E5": 1} and read.positions[0].to_move == SECOND
    assert read.moves == ((1, "C3"), (0, "D4"), (1, "pass"), (0, "pass"))
    assert read.result.startswith("B+")


def test_handicap_is_written_as_one():
    game = load_game("go", size=9)
    positions = [game.set_up(black=game.handicap_points(3), to_move=SECOND)]
    root = sgf.Sgf_game.from_bytes(sgf_of_moves(game, positions, ("a", "b"))).get_root()
    assert root.get("HA") == 3 and root.get("AB") == {(2, 2), (6, 6), (6, 2)} and root.get("PL") == "w"


@pytest.mark.parametrize(("given", "text"), [("", "?"), ("W+R", "W+R")])
def test_open_game_has_no_result_but_the_one_that_is_given(given, text):
    game = load_game("go", size=5)
    root = sgf.Sgf_game.from_bytes(sgf_of_moves(game, [game.initial()], ("a", "b"), result=given)).get_root()
    assert root.get("RE") == text and not root.has_property("PL") and not root.has_property("AB")


# --- Reading --------------------------------------------------------------------------------------------------------


def read_text(folder, text, move_number=None):
    path = folder / "game.sgf"
    path.write_text(text)
    return read_sgf(path, move_number)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;SZ[5]KM[6.5];B[aa];W[ee])", "b..../...../...../...../....w b - 6.5"),
        ("(;GM[1]FF[3]SZ[5]KM[0];B[tt];W[])", "...../...../...../...../..... b - 0 2"),
        ("(;SZ[5]KM[1];B[aa];B[bb])", "b..../.b.../...../...../..... w - 1"),
        ("(;SZ[5]KM[1];B[aa](;W[bb];B[cc])(;W[dd]))", "b..../.w.../..b../...../..... w - 1"),
        ("(;SZ[5]KM[1]HA[2]AB[aa][ee])", "b..../...../...../...../....b w - 1"),
        ("(;SZ[5]KM[1]HA[2]AB[aa][ee];W[cc])", "b..../...../..w../...../....b b - 1"),
        ("(;SZ[5]KM[1]AB[aa:bb]AW[ee])", "bb.../bb.../...../...../....w b - 1"),
        ("(;SZ[5]KM[1]AB[aa]PL[W])", "b..../...../...../...../..... w - 1"),
        ("(;SZ[5]KM[1]PL[W])", "...../...../...../...../..... w - 1"),
        ("(;SZ[5]KM[1];B[aa];AE[aa]AW[bb]PL[B];B[cc])", "...../.w.../..b../...../..... w - 1"),
        ("(;SZ[5]KM[1];B[aa];W[tt];B[tt];W[bb])", "b..../.w.../...../...../..... b - 1"),
        (
            "junk before (;SZ[5]KM[1]C[a comment; with \\] in it];C[nothing];B[aa]) junk",
            "b..../...../...../...../..... w - 1",
        ),
        ("(;SZ[5]KM[1];B[aa])(;SZ[9];B[bb])", "b..../...../...../...../..... w - 1"),
    ],
)
def test_files_of_others_are_read(tmp_path, text, expected):
    assert str(read_text(tmp_path, text).positions[-1]) == expected


def test_size_is_19_unless_the_file_says_otherwise_and_komi_may_be_missing(tmp_path):
    read = read_text(tmp_path, "(;B[pd])")
    assert read.game.size == 19 and read.moves == ((0, "Q16"),) and read.positions[0].komi == 7.5


@pytest.mark.parametrize(("number", "moves"), [(1, 0), (2, 1), (3, 2), (4, 3), (None, 3)])
def test_position_before_a_move(tmp_path, number, moves):
    assert len(read_text(tmp_path, "(;SZ[5];B[aa];W[bb];B[cc])", number).moves) == moves


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        *((text, None, "not a readable SGF") for text in ("", "hello", "(;SZ[5];B[aa]", "(;SZ[five])")),
        *((f"(;SZ[5]{more})", None, "not a readable SGF") for more in ("KM[much]", "CA[klingon]")),
        ("(;SZ[5]KM[nan])", None, "komi must be"),
        ("(;GM[2]SZ[8])", None, "GM is 2"),
        ("(;SZ[26])", None, "26"),
        ("(;SZ[1])", None, "1"),
        ("(;SZ[5];B[aa];W[aa])", None, "move 2, A5: A5 is taken"),
        ("(;SZ[5];B[zz])", None, "move 1 is not on a board"),
        ("(;SZ[5];B[aa]W[bb])", None, "move 1: both players move in one node"),
        ("(;SZ[5]AB[zz])", None, "set up before move 1"),
        ("(;SZ[5]AB[ab][ba]AW[aa])", None, "without a liberty"),
        (f"(;SZ[5]{';B[]' * 10_000})", None, "10,001 nodes, more than 10,000"),
        ("(;SZ[5]PL[Q])", None, "neither black nor white"),
        ("(;SZ[5];B[aa])", 3, "before move 3: the game has 1 move"),
        ("(;SZ[5];B[aa])", 0, "before move 0"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, text, number, reason):
    with pytest.raises(NotationError, match=reason) as caught:
        read_text(tmp_path, text, number)
    assert "game.sgf" in str(caught.value)


@pytest.mark.parametrize("komi", ["6,5", "6.5 "])
def test_a_decimal_comma_is_read_and_an_empty_komi_is_none(tmp_path, komi):
    assert read_text(tmp_path, f"(;GM[1]SZ[9]KM[{komi}];B[ee])").game.komi == 6.5
    assert read_text(tmp_path, "(;GM[1]SZ[9]KM[];B[ee])").game.komi == load_game("go", size=9).komi


@pytest.mark.parametrize(
    ("root", "komi"),
    [
        ("KM[375]RU[Chinese]AP[GNU Go:3.8]AP[foxwq]", 7.5),
        ("KM[650]RU[Japanese]AP[SGFC:2.0]", 6.5),
        ("KM[50]HA[2]AP[foxwq]", 0.5),
        ("KM[7.5]AP[foxwq]", 7.5),
        ("KM[50]", 50),
        ("KM[375]AP[Unforced:0.1.0]", 375),
    ],
)
def test_komi_in_hundredths_of_points_or_of_chinese_stones(tmp_path, root, komi):
    assert read_text(tmp_path, f"(;SZ[19]{root};B[pd])").game.komi == komi


@pytest.mark.parametrize(
    ("declared", "written_in", "name"),
    [
        ("CA[Shift_JIS]", "shift_jis", "ソ"),  # its second byte is a backslash
        ("CA[Big5]", "big5", "許"),
        ("CA[gb2312]", "gbk", "申真谞"),  # the last letter is in GBK only
        ("CA[UTF-8]", "utf-8-sig", "柯洁"),
        ("", "utf-8", "柯洁"),
        ("CA[]", "latin-1", "Édouard"),
        ("", "latin-1", "Édouard"),
    ],
)
def test_names_in_other_encodings(tmp_path, declared, written_in, name):
    path = tmp_path / "game.sgf"
    path.write_bytes(f"(;SZ[5]{declared}PB[{name}];B[aa])".encode(written_in))
    read = read_sgf(path)
    assert read.names[0] == name and len(read.moves) == 1


def test_control_characters_in_a_file_do_not_reach_the_terminal(tmp_path):
    read = read_text(tmp_path, "(;SZ[5]PB[Ann\x1b\\]0;title\x07]RE[B+R\x1b];B[aa])")
    assert read.names[0] == "Ann ]0;title" and read.result == "B+R"


def test_who_is_to_move_after_a_move_is_no_set_up(tmp_path):
    moves = ("B[ee]PL[W]", "W[cc]PL[B]", "B[tt]PL[W]", "W[tt]PL[B]", "PL[B]")
    assert read_text(tmp_path, f"(;GM[1]SZ[9];{';'.join(moves)})").positions[-1].result is not None


def test_illegal_move_after_the_wanted_position_does_not_matter(tmp_path):
    assert len(read_text(tmp_path, "(;SZ[5];B[aa];W[aa])", 2).moves) == 1


@pytest.mark.parametrize("name", ["missing.sgf", ".", "bad\0name"])
def test_what_is_no_file_is_told(tmp_path, name):
    with pytest.raises(NotationError, match=r"no file|is a folder|cannot read"):
        read_sgf(tmp_path / name)


# --- loadsgf --------------------------------------------------------------------------------------------------------


@pytest.fixture
def engine():
    return Engine("go", AgentHost(RandomAgent), command_sets("go", read_sgf), {"size": 9, "komi": 7.0})


def test_loadsgf_sets_size_komi_stones_and_moves_and_undo_takes_moves_back(engine, tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text("(;SZ[5]KM[0.5]HA[2]AB[aa][ee];W[cc];B[dd])")
    assert say(engine, f"loadsgf {path}") == "="
    assert say(engine, "unforced-position") == "= b..../...../..w../...b./....b w - 0.5"
    assert [say(engine, "undo") for _ in range(3)] == ["=", "=", "? cannot undo"]
    assert say(engine, "unforced-position") == "= b..../...../...../...../....b w - 0.5"
    assert say(engine, f'loadsgf "{path}" 2') == "="
    assert say(engine, "unforced-position") == "= b..../...../..w../...../....b b - 0.5"
    assert say(engine, f"loadsgf {path} 100") == "=" and len(engine.positions) == 3  # as GTP wants it
    assert say(engine, f"loadsgf {path} 0") == "? cannot load file"
    assert say(engine, "genmove b").startswith("= ")


def test_file_without_komi_has_that_of_its_size_where_nobody_has_set_one(tmp_path):
    engine = Engine("go", AgentHost(RandomAgent), command_sets("go", read_sgf), {"size": 9})
    (tmp_path / "x.sgf").write_text("(;GM[1]SZ[19])")
    assert say(engine, f"loadsgf {tmp_path / 'x.sgf'}") == "="
    assert engine.game.komi == 7.5
    say(engine, "boardsize 9")
    assert engine.game.komi == 7


def test_the_komi_of_a_file_is_not_that_of_the_next(tmp_path):
    engine = Engine("go", AgentHost(RandomAgent), command_sets("go", read_sgf), {"size": 9})
    for name, text in {"with": "(;SZ[9]KM[6.5])", "without": "(;SZ[9])", "large": "(;SZ[19])"}.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    komi = []
    for name in ("without", "with", "without", "with", "large"):
        assert say(engine, f"loadsgf {tmp_path / name}.sgf") == "="
        komi.append(engine.game.komi)
    assert komi == [7, 6.5, 7, 6.5, 7.5]


def test_an_agent_whose_close_raises_does_not_keep_the_board_from_changing(capsys):
    class Clinging(RandomAgent):
        def close(self):
            raise ValueError("not yet")

    engine = Engine("go", AgentHost(Clinging), command_sets("go", read_sgf), {"size": 9})
    say(engine, "genmove b")
    assert say(engine, "boardsize 19") == "="
    assert engine.position.board.shape == (19, 19)
    assert say(engine, "genmove b").startswith("= ")
    assert "not yet" in capsys.readouterr().err


def test_file_without_komi_leaves_it_as_it_was(engine, tmp_path):
    (tmp_path / "x.sgf").write_text("(;SZ[5];B[aa])")
    say(engine, "komi 3.5")
    assert say(engine, f"loadsgf {tmp_path / 'x.sgf'}") == "="
    assert say(engine, "unforced-position").endswith(" w - 3.5")


@pytest.mark.parametrize("text", ["", "(;SZ[5];B[aa];W[aa])", "(;SZ[99])", "(;GM[3])"])
def test_file_that_cannot_be_loaded_leaves_the_board_as_it_was(engine, tmp_path, text):
    (tmp_path / "x.sgf").write_text(text)
    say(engine, "play b D4")
    before = say(engine, "unforced-position")
    for line in (f"loadsgf {tmp_path / 'x.sgf'}", f"loadsgf {tmp_path / 'y.sgf'}", f"loadsgf {tmp_path / 'x.sgf'} 9"):
        assert say(engine, line) == "? cannot load file"
    assert say(engine, "loadsgf") == "? syntax error"
    assert say(engine, "unforced-position") == before and say(engine, "boardsize 9") == "="


def test_other_games_have_no_loadsgf():
    engine = Engine("pentago", AgentHost(RandomAgent), command_sets("pentago", read_sgf))
    assert say(engine, "loadsgf x.sgf") == "? unknown command"
