"""`runner.py games`: what there is to play; and the other commands with a game that is a file."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from agents.agent import parse_agent
from game import load_game
from simulator.play.replay import Replay
from simulator.records.reader import PlayedGame
from simulator.records.schema import Pair
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.referee.referee import play_game
from simulator.tournament.tasks import PairTask
from simulator.tournament.workers.fingerprint import Handshake
from tests.command_line import invoke
from tests.programs import PASSES, RESIGNER
from tests.submissions import FIRST, agent
from tests.test_game_files import NIM

pytestmark = pytest.mark.usefixtures("games_of_the_user_are_left_alone")

CONNECT_FOUR = Path("examples/games/connect_four.py").resolve()
MATCH = "match random_agent random_agent --game"
TAKES_3, TAKES_2 = (f"{PASSES} --moves {number}" for number in (3, 2))


def run(line, *more, says="", typed="", status=0):
    """Run a command line, then `more` as arguments that are not split; returns its output."""
    result = invoke(*shlex.split(line), *more, text=typed)
    assert result.exit_code == status, result.output
    assert says in " ".join(result.output.split())
    return result.output


def test_games_and_examples_are_listed_with_their_options():
    listed = run("games")
    for words in ("go\n  Go on", "--komi: White's points", str(CONNECT_FOUR), "--rows: a whole number [default: 6]"):
        assert words in listed


def test_a_game_is_described_in_detail_and_as_json():
    assert "a  b  c" in run("games examples/games/tic_tac_toe.py", says="moves at the start, 9: a1, b1, c1")
    (found,) = json.loads(run("games --json", CONNECT_FOUR))
    assert (found["title"], found["compiled"], found["moves"]) == ("connect_four", False, list("0123456"))
    assert found["options"][0] == {"name": "rows", "default": "6", "values": "a whole number", "help": ""}
    assert {"random_agent", "uct_agent"} <= {*found["agents"]} and "gobble_agent" not in found["agents"]


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A copy of Connect Four in the current folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(CONNECT_FOUR, tmp_path)
    return CONNECT_FOUR.name


def test_help_lists_the_options_of_a_file(game):
    assert "--rows N In connect_four [default: 6; a whole number]" in " ".join(run(f"match --game={game} -h").split())


def test_an_option_of_a_file_that_a_command_has_already_is_refused(tmp_path):
    path = tmp_path / "clash.py"
    path.write_text(CONNECT_FOUR.read_text().replace("rows: int", "seed: int = 1, rows: int"))
    run(MATCH, path, says="--seed is an option of commands: give that of the game another name", status=2)


def test_a_saved_game_goes_on_where_its_file_is(game, tmp_path, monkeypatch):
    line = f"play --side x --agent human_agent --game {game} --rows 5"
    played = run(line, typed="3\n2\nsave g.json\nquit\n")
    assert f"--game={tmp_path / game}#" in played.replace("'", "")
    (tmp_path / "elsewhere").mkdir()
    for file in (game, "g.json"):
        shutil.move(file, tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert " 5  .  . (o) x" in run("play --load g.json", typed="quit\n")
    Path(game).write_text(CONNECT_FOUR.read_text() + "# other rules\n")
    run("play --load g.json", says="was changed since these games were played", status=2)


def test_analyze_searches_in_plain_python(game):
    found = json.loads(run(f"analyze --game {game} --moves '3 2 3 2 3 2' --simulations 100 --json"))
    assert (found["best"], found["proven"], found["moves"][0]["resolved"]) == ("3", "win", "win")


def test_a_new_agent_is_for_the_game_of_a_file(game, tmp_path):
    run(f"new ann --game {game}", says=f"match ann greedy_agent --game {tmp_path / game}")
    assert "int64[6, 7]" in (tmp_path / "ann" / "agent.py").read_text()
    assert f'load_game("{tmp_path / game}")' in (tmp_path / "ann" / "test_agent.py").read_text()


# --- Matches and tournaments ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("played_here")
def test_a_tournament_of_a_file_is_resumed_extended_shown_and_reported(game, tmp_path):
    (tmp_path / "league.toml").write_text(f'agents = ["{TAKES_3}", "{RESIGNER}"]\ngame = "{game}"\nrows = 5\n')
    run("tournament league.toml", says="complete; records: league.db")
    run("tournament league.toml", says="complete")
    run("tournament league.toml --pairs 2 --extend", says="complete")
    assert len(run("export league.db --format csv").splitlines()) == 5
    assert " 5  ." in run("replay league.db")
    run("report league.db -o page", says="4 games of 2 agents")
    assert '"connect_four"' in (tmp_path / "page" / "index.html").read_text()
    (tmp_path / game).write_text(CONNECT_FOUR.read_text() + "# other rules\n")
    run("tournament league.toml", says=f"game: {game}#", status=1)
    run("replay league.db", says="was changed since these games were played", status=2)


@pytest.mark.usefixtures("played_here")
def test_what_rules_print_is_no_part_of_the_json(wrong):
    game = wrong(NIM.replace("def result(state): ", "def result(state):\n    print('hello')\n    "))
    agents = f"'{TAKES_3}' '{TAKES_2}'"
    for line in (f"analyze --game {game} --simulations 20 --json", f"tournament {agents} --game {game} --json"):
        found = invoke(*shlex.split(line)).stdout.splitlines()
        assert found and all(json.loads(text) for text in found)


# With BUGGY, the first move fails; with LATE, a result fails in the middle of a game.
COPIED = "board = board.copy()"
BUGGY = CONNECT_FOUR.read_text().replace(COPIED, f"{COPIED}; 1 / int((board == 0).all())")
LATE = NIM.replace("1 - state[1] if", "1 - state[1] // (state[0][0] > 3) if")
LOOKS = agent(f"[position.play(move).result for move in position.legal_moves()]\n        {FIRST}")


@pytest.mark.parametrize("line", [MATCH, "simulator --game", "gtp --game"])
def test_a_match_is_not_begun_with_rules_that_fail(tmp_path, line):
    path = tmp_path / "buggy.py"
    path.write_text(BUGGY)
    assert "ZeroDivisionError" in run(line, path, says="buggy has a mistake; python runner.py", status=1)


def test_a_match_is_not_begun_with_a_game_that_never_ends(tmp_path, monkeypatch):
    path = tmp_path / "endless.py"
    path.write_text(f"{NIM}\ndef play(state, taken): return (state[0][0] % 9 + 3, 3), 1 - state[1]\n")
    monkeypatch.setattr("commands.wrong_rules.MOMENT_SECONDS", 0.01)  # the end of no game is looked at closely
    assert "is not over after 2,000 moves" in run(MATCH, path, says="endless has a mistake", status=1)


@pytest.fixture
def wrong(tmp_path, monkeypatch):
    """A function that writes rules into a file in the current folder, and names it."""
    monkeypatch.chdir(tmp_path)
    return lambda rules: Path("wrong.py").write_text(rules) and "wrong.py"


def test_a_game_that_is_over_at_its_start_is_shown_and_no_agent_is_written_for_it(wrong):
    game = wrong(f"{NIM}def initial(): return (0, 3), 0\n")
    run(f"play --plain --game {game}", says="Game over: ", typed="quit\n")
    run(f"new ann --game {game}", says="the game is over at the start", status=1)


@pytest.mark.usefixtures("played_here")
def test_a_match_counts_no_game_whose_rules_fail_that_did_not_before(wrong, monkeypatch):
    monkeypatch.setattr("commands.playing.refuse_wrong_rules", lambda game: None)
    match = f"match '{TAKES_2}' '{TAKES_3}' --game {wrong(BUGGY)} --opening-plies 0"
    assert "2 void games (" in run(match, says="the rules fail: wrong: play fails", status=1)


# An agent that crashes where the rules fail does not lose.
@pytest.mark.parametrize(("first", "shown"), [(TAKES_3, 2), ("looks.py", 3)], ids=["by the referee", "by an agent"])
def test_a_game_is_void_whose_result_fails_and_can_be_replayed_up_to_there(wrong, first, shown):
    Path("looks.py").write_text(LOOKS)
    record = play_game([parse_agent(first), parse_agent(TAKES_2)], Conditions(load_game(wrong(LATE)).name))
    assert record.verdict.reason is Reason.VOID
    assert "the rules fail: wrong: result fails" in record.verdict.text
    assert [bool(position.legal_moves()) for position in Replay(PlayedGame(1, record)).positions] == [True] * shown


PASSING = """
def initial(): return 3, 0
def legal_moves(state): return [None]
def play(state, move): return state[0] - 1, 1 - state[1]
def result(state): return "draw" if state[0] == 0 else None
"""


def test_a_game_is_recorded_whose_last_position_cannot_be_written(wrong):
    rules = f"{PASSING}def to_text(state): return str(6 // state[0])\ndef from_text(text): return initial()\n"
    record = play_game([parse_agent("random_agent")] * 2, Conditions(load_game(wrong(rules)).name))
    assert (record.verdict.reason, len(record.moves), record.final_position) == (Reason.NORMAL, 3, "")


@pytest.mark.usefixtures("played_here")
def test_a_pass_that_is_none_is_no_resignation(tmp_path):
    path = tmp_path / "passing.py"
    path.write_text(PASSING)
    played = run(f"play --plain --side none --agent random_agent --game {path}", says="Game over: a draw")
    assert "resigns" not in played and played.count("random_agent plays") == 3


def test_workers_play_no_other_rules_than_those_that_were_agreed(game):
    conditions, specs = Conditions(game=load_game(game).name), (parse_agent("random_agent"),) * 2
    handshake = Handshake.of(conditions, {"random_agent": specs[0]})
    assert handshake.objection((0,)) == ""
    Path(game).write_text(CONNECT_FOUR.read_text() + "# other rules\n")
    task = PairTask(Pair(1, 1, 1, "a", "b", (), 1), conditions, specs)
    for refusal in (handshake.objection((0,)), task.run(print, (0,))):
        assert "was changed since these games were played" in refusal
