"""A game in progress: moves taken back and redone, who plays, how the game ends, and what is saved."""

import json
import shutil
import zipfile

import pytest

from agents.limits import Limits
from game import FIRST, SECOND, IllegalMove, NotationError, RulesError, load_game
from options import InputError
from simulator.play.autosave import Autosave, forget, newest
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import Handicap, PlaySettings
from simulator.records.saved_game import EXPECTED, SavedGame, load_game_file, record_of, replay, write_file
from tests.programs import finished
from tests.submissions import agent
from tests.test_game_files import NIM

PENTAGO = load_game("pentago")
PEOPLE = ("human_agent", "human_agent")
AGENTS = ("random_agent", "uct_agent:c=1")
NO_TIMES = ([1], [1, -1], ["1", 2], "12", [float("nan"), 1], [True, 1])
MIDDLE = "wwww../bbbb../....../....../....../...... w"


def game(*moves, players=("human_agent", "random_agent"), **more):
    return GameInProgress(PENTAGO, replay(PENTAGO, SavedGame(moves=moves, **more)), players)


def with_values(**values):
    """The JSON of a saved game with these values."""
    return json.dumps(SavedGame().to_json() | values)


def play(played, *moves):
    for move in moves:
        played.play(PENTAGO.parse_move(move))


def of_a_file(tmp_path, more):
    """A game of Nim between people."""
    path = tmp_path / "nim.py"
    path.write_text(NIM + more)
    return GameInProgress.continued(SavedGame(game=str(path), players=PEOPLE))


def test_a_game_whose_players_have_longer_names_is_resigned_saved_and_shown_again(tmp_path):
    played = of_a_file(tmp_path, "players = 'Red', 'Blue'\n")
    played.lose(FIRST)
    again = GameInProgress.continued(played.saved())
    assert (played.winner, again.winner, again.is_over) == (SECOND, SECOND, True)
    assert record_of(again.saved()).verdict.winner == SECOND


def test_a_game_that_may_be_no_longer_is_a_draw(tmp_path):
    played = of_a_file(tmp_path, "longest_game = 1\n")
    assert not played.is_over
    played.play(1)
    assert (played.is_over, played.winner, played.ending()) == (True, None, "a draw")
    record = record_of(played.saved())
    assert record.result == "0" and record.verdict.text.startswith("stopped after 1 move, the most")


def test_a_game_of_go_that_may_be_no_longer_has_its_result_in_sgf(tmp_path):
    played = GameInProgress.continued(SavedGame(game="go", options={"size": 5}, players=PEOPLE))
    played.game.longest_game = 1
    played.play(played.game.parse_move("C3"))
    played.save(tmp_path / "game.sgf")
    assert "RE[B+18]" in (tmp_path / "game.sgf").read_text()


def test_a_move_after_which_the_rules_of_a_file_fail_changes_nothing(tmp_path):
    fails = "def legal_moves(state): return [1] if state[0][0] > 2 else 1 // 0\n"
    played = of_a_file(tmp_path, fails)
    before = list(played.positions)
    with pytest.raises(RulesError, match="legal_moves"):
        while True:
            played.play(1)
            before = list(played.positions)
    assert played.positions == before


def test_an_agent_in_a_folder_or_zip_file_can_play(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "agent.py").write_text(agent())
    with zipfile.ZipFile(tmp_path / "bob.zip", "w") as file:
        file.writestr("agent.py", agent())
    played = game()
    assert [played.why_absent(str(tmp_path / name)) for name in ("ann", "bob.zip")] == ["", ""]
    assert "nobody" in played.why_absent("nobody")


def test_the_side_of_a_saved_game_counts_only_if_it_does_not_say_who_plays():
    assert GameInProgress.continued(SavedGame(side="x", players=AGENTS)).players == list(AGENTS)
    with pytest.raises(NotationError, match="no side 'x': choose w or b"):
        GameInProgress.continued(SavedGame(side="x"))


# --- Back and forth -------------------------------------------------------------------------------------------------


def test_an_illegal_move_changes_nothing():
    played = game("c3/1r", "a1/1r")
    played.go_on_from(played.turns_to_undo()[-1])
    with pytest.raises(IllegalMove):
        played.play("c3")
    assert played.turns_to_redo()


def test_another_move_to_the_same_position_is_the_one_that_was_played():
    played = game("a1/3r", players=PEOPLE)
    played.go_on_from(played.turns_to_undo()[-1])
    played.play(played.game.parse_move("a1/3f", played.position))
    assert (played.moves, played.turns_to_redo()) == (["a1/3f"], [])


@pytest.mark.parametrize(("players", "left"), [(PEOPLE, 2), (AGENTS, 2), (("human_agent", "random_agent"), 2)])
def test_undo_takes_back_to_where_a_person_was_to_move_and_with_two_agents_one_move(players, left):
    played = game("c3/1r", "a1/1r", "b2/1r", players=players)
    played.go_on_from(played.turns_to_undo()[-1])
    assert played.present == left


# --- Who plays, and how it ends -------------------------------------------------------------------------------------


def test_players_are_called_what_people_call_them():
    assert [game().name_of(side) for side in (0, 1)] == ["you", "random_agent"]
    assert [game(players=PEOPLE).name_of(side) for side in (0, 1)] == ["White", "Black"]
    assert game(players=("level_agent:level=2", "human_agent")).name_of(0) == "level 2 (beginner)"


@pytest.mark.parametrize(
    ("players", "ending"),
    [
        (("human_agent", "random_agent"), "you resign; random_agent wins"),
        (PEOPLE, "White resigns; Black wins"),
        (AGENTS, "random_agent resigns; uct_agent:c=1 wins"),
    ],
)
def test_whoever_resigns_the_other_wins_and_that_is_said(players, ending):
    played = game(players=players)
    played.lose(FIRST)
    assert played.ending() == ending


# --- Saving ---------------------------------------------------------------------------------------------------------


def saved_and_loaded(played, file):
    """Save a game in a file and load it again."""
    played.save(file)
    return GameInProgress.continued(load_game_file(file))


@pytest.mark.parametrize("players", [PEOPLE, AGENTS, ("human_agent", "a.py"), ("a.py", "human_agent")])
@pytest.mark.parametrize("name", ["game.json", "game.jsonl"])
def test_a_saved_game_comes_back_with_who_plays(tmp_path, players, name):
    played = game("c3/1r", "a1/1r", players=players)
    loaded = saved_and_loaded(played, tmp_path / name)
    assert (loaded.line, tuple(loaded.players)) == (played.line, players)
    assert len((tmp_path / name).read_text().splitlines()) == 1 or name == "game.json"


def test_a_record_of_a_match_is_gone_on_with(tmp_path):
    move = {"ply": 1, "player": 1, "move": "a1/1r", "seconds": 0.1, "peak_memory_mb": 1.0}
    verdict = {"winner": 0, "reason": "timeout", "text": "b was late", "ply": 2}
    more = {"seed": 1, "result": "W+", "final_position": "", "peak_memory_mb": [0, 0], "options": {}}
    record = {"game": "pentago", "agents": ["a", "b"], "opening": ["c3/1r"], "moves": [move], "verdict": verdict} | more
    (tmp_path / "match.jsonl").write_text(json.dumps(record) + "\n")
    saved = load_game_file(tmp_path / "match.jsonl")
    assert (saved.moves, saved.result) == (("c3/1r", "a1/1r"), "W+T")
    del record["seed"]
    (tmp_path / "match.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(NotationError, match="its record is incomplete"):
        load_game_file(tmp_path / "match.jsonl")


def test_the_time_that_was_used_comes_back_and_a_new_game_begins_without(tmp_path):
    played = game("c3/1r")
    played.seconds[:] = 75.04, 3.5
    again = saved_and_loaded(played, tmp_path / "game.json")
    assert again.seconds == [75.0, 3.5]
    played.take_over(again)
    assert played.seconds == [75.0, 3.5]
    played.new_game()
    assert played.seconds == [0, 0]
    assert "seconds" not in played.saved().to_json()


def test_a_game_from_the_middle_is_saved_with_its_beginning_and_its_result(tmp_path):
    played = game(position=MIDDLE, players=PEOPLE)
    play(played, "e1/3r")
    played.save(tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text())
    assert (content["position"], content["moves"], content["result"]) == (MIDDLE, ["e1/3r"], "W+")


@pytest.mark.parametrize(("side", "result"), [(FIRST, "B+R"), (SECOND, "W+R")])
def test_a_resignation_is_saved_and_told_when_the_game_is_loaded(tmp_path, side, result):
    played = game("c3/1r", "a1/1r")
    played.lose(side)
    loaded = saved_and_loaded(played, tmp_path / "game.json")
    assert loaded.ending() == f"the game ended by resignation: {result}"
    loaded.go_on_from(loaded.turns_to_undo()[-1])
    assert loaded.saved().result == "none"


@pytest.mark.parametrize("result", ["none", "0", "W+", "B+3.5", "x+R", "?"])
def test_a_result_that_is_no_forfeit_leaves_a_game_open(result):
    assert not GameInProgress(PENTAGO, result=result).is_over


def test_what_is_written_over_stays_as_it_is_if_writing_fails(tmp_path, monkeypatch):
    path, link = tmp_path / "game.json", tmp_path / "link.json"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    monkeypatch.setattr(shutil, "copymode", lambda old, new: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_file(path, b"after", over=True)
    assert (path.read_text(), len(list(tmp_path.iterdir()))) == ("before", 2)
    monkeypatch.undo()
    write_file(link, b"after", over=True)
    assert (path.read_text(), link.is_symlink(), path.stat().st_mode & 0o777) == ("after", True, 0o640)


def test_of_a_new_file_that_cannot_be_written_whole_nothing_is_left(tmp_path):
    code = """
import resource, signal, sys
from pathlib import Path
from simulator.records.saved_game import write_file
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))
write_file(Path(sys.argv[1]), b"x" * 100)
"""
    assert "cannot write" in finished("-c", code, tmp_path / "game.json").stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


# --- The running game -----------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of running games."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "unforced" / "games"


def keep(saved, *over, file=None):
    """Write a game as a program that plays it does, and close as when that program ends."""
    with Autosave(PlaySettings(), file) as kept:
        kept.write(saved, *over)


ONE_MOVE, RESIGNED = SavedGame(moves=("c3/1r",)), SavedGame(moves=("c3/1r",), result="W+R")


def test_a_running_game_can_be_resumed_once_its_program_has_gone(folder):
    settings = PlaySettings(Limits(move_seconds=0.5), "greedy_agent", 4, True, handicap=Handicap(2, 3), coach=True)
    saved = game("c3/1r", players=AGENTS).saved()
    kept = Autosave(settings)
    kept.write(saved)
    with pytest.raises(InputError, match="no game to resume"):
        newest()  # the program that plays the game still runs
    kept.close()
    found = newest()
    assert (found.saved, found.settings) == (saved, settings)
    forget(found.file)
    assert list(folder.iterdir()) == []


def test_a_game_that_was_not_begun_is_not_kept_but_one_from_a_position_is(folder):
    with Autosave(PlaySettings()) as kept:
        kept.write(ONE_MOVE)
        assert kept.is_kept
        kept.write(SavedGame())
        assert not kept.is_kept
    assert list(folder.iterdir()) == []
    keep(SavedGame(position=MIDDLE))
    assert newest().saved.position == MIDDLE


def test_a_game_that_is_over_can_be_resumed_once_until_another_begins(folder):
    keep(RESIGNED, True)
    found = newest()
    assert found.saved.result == "W+R"
    keep(found.saved, True, file=found.file)
    assert list(folder.iterdir()) == []
    keep(RESIGNED, True)
    with Autosave(PlaySettings()) as other:
        other.write(SavedGame())
        assert len(list(folder.glob("*.game"))) == 0


def test_a_resumed_game_is_kept_where_it_was_found(folder):
    keep(ONE_MOVE)
    found = newest()
    with Autosave(PlaySettings(), found.file) as kept:
        kept.write(SavedGame(moves=("c3/1r", "a1/1r")))
        with pytest.raises(InputError, match="no game to resume"):
            newest()
        kept.write(RESIGNED, True)
        kept.write(RESIGNED, True)
    assert newest().saved.result == "W+R"
    assert newest().file == found.file


def test_the_newest_of_several_games_is_resumed_and_a_broken_file_is_passed_over(folder):
    for move in ("c3/1r", "a1/1r"):
        keep(SavedGame(moves=(move,)))
    assert newest().saved.moves == ("a1/1r",)
    files = sorted(folder.glob("*.game"))
    content = json.loads(files[-1].read_text())
    unplayable = SavedGame(moves=("c3/1r", "c3/1r")).to_json()
    broken = ({"saved": content["saved"]}, [], content | {"settings": 5}, content | {"saved": unplayable})
    for text in (*map(json.dumps, broken), "half a fi"):
        files[-1].write_text(text)
        assert newest().saved.moves == ("c3/1r",)


def test_where_nothing_can_be_written_the_game_is_played_all_the_same(folder):
    folder.parent.write_text("")
    with Autosave(PlaySettings()) as kept:
        kept.write(ONE_MOVE)
        assert kept.problem
        assert not kept.is_kept
        folder.parent.unlink()
        kept.write(ONE_MOVE)  # it tries again
        assert kept.is_kept
        assert not kept.problem


# --- The handicap ---------------------------------------------------------------------------------------------------


def test_a_handicap_divides_time_and_memory_but_leaves_the_first_move_its_time():
    limits = Handicap.read("time=4,memory=2").of(Limits())
    assert (limits.first_move_seconds, limits.move_seconds, limits.memory_mb) == (30.0, 0.5, 250)
    assert Handicap.read("10").of(Limits()).move_seconds == 0.2
    assert Handicap.read("").of(Limits()) == Limits()
    assert Handicap(memory=100).of(Limits()).memory_mb == 250  # an agent has to fit


@pytest.mark.parametrize("text", ["0.5", "time=0", "time=2,time=3", "memory", "2,3", "time=-1", "speed=2", "time=1e9"])
def test_what_is_no_handicap_is_refused_in_words(text):
    with pytest.raises(InputError, match="is no handicap"):
        Handicap.read(text)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (with_values(result=1), "'result' should be a text"),
        (with_values(moves="a"), "'moves' should be a list"),
        *((with_values(players=players), "'players' should be") for players in (["a"], ["a", 1], "ab")),
        *((with_values(seconds=seconds), "list of two numbers") for seconds in NO_TIMES),
        ("[]", 'has no "unforced"'),
        ('{"unforced": 1}', "'game' should be a text"),
        ('{"moves": [], "opening": [], "verdict": []}', "its record is incomplete"),
        ('{"moves": [5], "opening": [], "verdict": {}}', "its record is incomplete"),
        ("[" * 100_000, "its JSON is nested too deeply"),
        ("{}", 'it has no "unforced": 1, with which a saved game begins'),
        ('{"unforced": 7}', 'its "unforced" is 7, and only version 1 can be read'),
        ('{"unforced": true}', 'its "unforced" is True, and only version 1 can be read'),
        ("", "it is empty"),
        ("c3/0r", "it is neither JSON nor SGF"),
        ("SQLite format 3\0", "it has the games of a match or tournament: python runner.py replay /"),
        ('{\n "unforced": 1,\n "mo', "its JSON breaks off at the end, as if the file had been cut off"),
        ('{"unforced": 1, "moves": ["c3', "its JSON breaks off at the end"),
        ('{\n "unforced" 1\n}', "it is no valid JSON from line 2, column 13 on"),
        ('{"unforced" 1}', "it is no valid JSON from character 13 on"),
        ('{"a": 1}\n{"b": 2}', "more follows after its JSON, from line 2, column 1 on"),
        ('{"unforced": ' + "1" * 5000 + "}", "a number in it has too many digits"),
        ('{"\xff": 1}', "it is not UTF-8 text"),
    ],
    ids=range(29),
)
def test_what_is_wrong_with_a_broken_file_is_said_in_words_and_what_is_expected(tmp_path, content, words):
    (tmp_path / "game.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(NotationError) as caught:
        load_game_file(tmp_path / "game.json")
    assert "game.json is not a saved game: " in str(caught.value) and words in str(caught.value)
    assert str(caught.value).endswith(EXPECTED)
