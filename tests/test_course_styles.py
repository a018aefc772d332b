"""Agents for the frameworks of COMP 424, unchanged: loaded, asked, checked; and the rules of these games."""

import random
import re
from pathlib import Path

import click
import numpy as np
import pytest

import unforced
from agents.agent import AgentError
from agents.course import helpers
from agents.course.styles import STYLES, is_course_file, style_of
from agents.limits import Limits
from agents.loading import load_agent
from commands import playing
from commands.course_simulator import board_in, boards
from commands.game_of_agents import game_of_agents
from commands.new import contents
from game import load_game
from options import Failure, InputError
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import Reason
from simulator.referee.in_process import agent_here, answer_of
from simulator.sandbox.cores import choose_cores
from simulator.submission import trials
from simulator.submission.advice import finding_of
from simulator.submission.check import CheckTask
from simulator.submission.environment import known_to
from simulator.submission.files import find_submission
from simulator.tournament.events import Ended
from tests import command_line
from tests.course_files import FILES, GAMES, one_answer, write_course_folder

ATAXX, OTHELLO = load_game(str(GAMES / "ataxx.py")), load_game(str(GAMES / "othello.py"))
COLOSSEUM = load_game(str(GAMES / "colosseum.py"), size=4)
OPEN_4X4 = "9113/8002/8002/c446"
LIMITS = Limits(first_move_seconds=60, move_seconds=2, cushion_seconds=5)


# --- Rules ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("x..../...o./..o../...../..... x", "b2", "x..../.x.o./..x../...../..... o"),
        ("x..../...o./..o../...../..... x", "a1-c2", "...../..xx./..x../...../..... o x..../...o./..o../...../....."),
        ("x33./333./333o x", "pass", "x33./333./333o o x33./333./333o"),
    ],
)
def test_discs_double_or_jump_and_take_those_around(before, move, after):
    position = ATAXX.parse_position(before)
    assert str(position.play(ATAXX.parse_move(move, position))) == after


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("xxo/xoo/xx. o", "open"),
        ("xxo/xoo/xxo o", 0),
        ("x../.../... o", 0),
        ("o3x/333/333 x", None),
        ("o3./333/333 x", 1),
        (f"x3../..3o x{' x3../..3o' * 2}", None),
        ("x3../..3o x x3../..3o", "open"),
    ],
)
def test_ataxx_ends_when_full_or_stuck_or_without_discs_or_at_a_third_repetition(text, winner):
    result = ATAXX.parse_position(text).result
    assert ("open" if result is None else result.winner) == winner


def test_an_ataxx_board_may_have_obstacles():
    game = load_game(str(GAMES / "ataxx.py"), board="1.2/.3./2.1")
    assert str(game.initial()) == "x.o/.3./o.x x"


def slowly_reached(walls, start, steps, blocked):
    """The cells that a player can reach, by following every path."""
    found = {start}
    if steps:
        for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            cell = (start[0] + down, start[1] + right)
            if not walls[*start, side] and cell != blocked:
                found |= slowly_reached(walls, cell, steps - 1, blocked)
    return found


@pytest.mark.parametrize("size", [4, 7])
def test_moves_and_areas_of_colosseum_are_those_found_slowly(size):
    game, rng = load_game(str(GAMES / "colosseum.py"), size=size, layout=2), random.Random(1)
    for _ in range(3):
        position = game.initial()
        while position.result is None:
            walls, cells, player = position.words
            reach = slowly_reached(walls, cells[player], (size + 1) // 2, cells[1 - player])
            assert {cell for cell, _ in position.legal_moves()} == {cell for cell in reach if not walls[cell].all()}
            assert all(not walls[*cell, side] for cell, side in position.legal_moves())
            position = position.play(rng.choice(position.legal_moves()))
        walls, cells, _ = position.words
        assert cells[1] not in game.rules.reached(walls.tolist(), cells[0])


@pytest.mark.parametrize(
    ("rows", "cells", "winner"),
    [
        (OPEN_4X4, "a1 d4", "open"),
        ("9113/8002/c446/d557", "a1 d4", 0),
        ("9113/c446/9113/c446", "a1 d4", None),
        ("d557/9113/8002/c446", "a1 d4", 1),
    ],
)
def test_the_larger_area_wins(rows, cells, winner):
    result = COLOSSEUM.parse_position(f"{rows} {cells} x").result
    assert ("open" if result is None else result.winner) == winner


@pytest.mark.parametrize(
    "text",
    [
        "0113/8002/8002/c446 a1 d4 x",
        "9313/8002/8002/c446 a1 d4 x",
        *(f"{OPEN_4X4} {cells} x" for cells in ("a1 d9", "a0 d4", "a1 a1")),
        "9113 a1 x",
    ],
)
def test_a_board_with_walls_of_one_side_only_or_players_off_the_board_is_no_position(text):
    with pytest.raises(InputError, match="is no position"):
        COLOSSEUM.parse_position(text)


def test_layouts_differ_and_look_the_same_to_both_players():
    texts = set()
    for layout in range(10):
        walls, cells, _ = load_game(str(GAMES / "colosseum.py"), size=6, layout=layout).initial().words
        assert np.array_equal(walls, walls[::-1, ::-1, [2, 3, 0, 1]])
        assert np.add(*cells).tolist() == [5, 5]
        texts.add(walls.tobytes())
    assert len(texts) == 10


# --- Helpers --------------------------------------------------------------------------------------------------------


def test_helpers_of_othello_go_by_its_rules():
    helpers.use(OTHELLO)
    board = OTHELLO.initial().board
    assert helpers.get_valid_moves(board, 1) == list(OTHELLO.initial().legal_moves())
    assert [helpers.count_capture(board, cell, 1) for cell in ((2, 3), (3, 3), (0, 0))] == [1, 0, 0]
    directions = {step: helpers.count_capture_dir(board, (2, 3), 1, step) for step in helpers.get_directions()}
    assert [step for step, count in directions.items() if count] == [(1, 0)]
    placed = board.copy()
    placed[2, 3] = 1
    helpers.flip_discs(placed, (2, 3), 1, (1, 0))
    helpers.execute_move(board, (np.int64(2), np.int64(3)), 1)
    assert np.array_equal(board, placed) and board[3, 3] == 1
    assert helpers.check_endgame(board, 2, 1) == (False, 4, 1)
    over = np.ones((8, 8), int)
    assert helpers.check_endgame(over, 1, 2) == (True, 64, 0)
    assert helpers.get_valid_moves(over, 1) == [] and helpers.random_move(over, 1) is None


def test_helpers_of_ataxx_go_by_its_rules():
    helpers.use(ATAXX)
    board = ATAXX.parse_position("xx.../...o./...../...../....o x").board
    moves = helpers.get_valid_moves(board, 1)
    pairs = {(move.get_src(), move.get_dest()) for move in moves}
    assert len(pairs) == len(moves)
    assert {src for src, dest in pairs if dest == (1, 1)} == {(0, 0), (0, 1)}  # whichever doubles
    change = {pair: helpers.count_disc_count_change(board, helpers.MoveCoordinates(*pair), 1) for pair in pairs}
    assert (change[(0, 1), (0, 2)], change[(0, 0), (0, 2)], change[(0, 0), (1, 1)]) == (2, 1, 1)
    cells = [(row, column) for row in range(5) for column in range(5)]
    every = [helpers.MoveCoordinates(src, dest) for src in cells for dest in cells]
    assert {(m.get_src(), m.get_dest()) for m in every if helpers.check_move_validity(board, m, 1)} == pairs
    wrong = helpers.MoveCoordinates((4, 4), (4, 3))
    assert helpers.count_disc_count_change(board, wrong, 1) == -1
    with pytest.raises(ValueError, match="no legal move of player 1"):
        helpers.execute_move(board, wrong, 1)
    helpers.execute_move(board, helpers.MoveCoordinates((0, 1), (1, 2)), 1)
    assert helpers.check_endgame(board) == (False, 4, 1)
    assert helpers.check_endgame(np.where(board == 2, 0, board)) == (True, 25, 0)


def test_helpers_of_ataxx_know_boards_that_are_wider_than_high():
    wide = load_game(str(GAMES / "ataxx.py"), board="x...o/...../o...x")
    helpers.use(wide)
    board, (src, dest) = wide.initial().board, ((2, 4), (2, 3))
    doubling = helpers.MoveCoordinates(src, dest)
    assert helpers.move_of(board, doubling, 1) == dest in wide.initial().legal_moves()
    jump = helpers.MoveCoordinates(src, (2, 2))
    assert helpers.check_move_validity(board, doubling, 1) and helpers.check_move_validity(board, jump, 1)


def test_moves_of_ataxx_are_in_the_order_of_the_frameworks():
    helpers.use(ATAXX)
    moves = helpers.get_valid_moves(ATAXX.parse_position("...../...../..x../...../....o x").board, 1)
    steps = [tuple(np.subtract(move.get_dest(), move.get_src()).tolist()) for move in moves]
    assert steps == [*helpers.get_directions(), *helpers.get_two_tile_directions()][:-1]
    assert sorted(steps[:8]) == sorted({(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)} - {(0, 0)})
    assert len({*steps[8:]}) == 15 and all(max(map(abs, step)) == 2 for step in steps[8:])


def test_searches_with_helpers_do_not_ask_the_rules_at_every_node(monkeypatch):
    helpers.use(ATAXX)
    board = ATAXX.initial().board
    monkeypatch.setattr(type(ATAXX), "moves_of", None)
    monkeypatch.setattr(type(ATAXX), "result_of", None)
    move = helpers.get_valid_moves(board, 1)[0]
    assert helpers.count_disc_count_change(board, move, 1) == 1
    helpers.execute_move(board, move, 1)
    assert helpers.check_endgame(board) == (False, 3, 2)


def test_scores_divide_as_numbers_of_numpy_do():
    helpers.use(OTHELLO)
    over = np.where(np.arange(64).reshape(8, 8) < 9, 1, 0)
    _, mine, others = helpers.check_endgame(over, 1, 2)
    with np.errstate(divide="ignore"):
        assert mine / others == np.inf


# --- Students' files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FILES)
def test_a_file_of_each_framework_plays_unchanged_in_the_sandbox(tmp_path, game):
    write_course_folder(game, tmp_path / "ann")
    size = 4 if game == "othello" else 5
    record = unforced.play(
        str(tmp_path / "ann"), "random_agent", str(GAMES / f"{game}.py"), limits=LIMITS, seed=1, size=size
    )
    assert record.verdict.reason == "normal", record.verdict.text
    assert record.agents[0] == "ann"


@pytest.mark.slow
def test_a_check_passes_a_folder_of_a_framework_with_modules_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(trials, "BUDGET_SECONDS", -1.0)  # a game from each side
    write_course_folder("othello", tmp_path / "ann")
    game = load_game(str(GAMES / "othello.py"), size=4)
    conditions = Conditions(game.name, {"size": 4}, limits=LIMITS)
    report = CheckTask(tmp_path / "ann", conditions).run(lambda step: None, choose_cores(1))
    assert report.passed, [finding.text for step in report.steps for finding in step.findings]


def test_a_single_file_brings_the_modules_that_it_imports_from_the_package(tmp_path):
    file = write_course_folder("othello", tmp_path)
    assert [str(name) for name in find_submission(file).files] == ["corners.py", "random_agent.py", "student_agent.py"]


def test_modules_beside_the_agents_file_are_its_own(tmp_path):
    file = write_course_folder("othello", tmp_path)
    (file.parent / "table.py").touch()
    assert file.parent != tmp_path and {"table", "agents"} <= known_to(find_submission(tmp_path))


def test_advice_speaks_of_what_such_a_file_knows(tmp_path):
    submission = find_submission(write_course_folder("othello", tmp_path))
    assert "time.time()" in finding_of(Reason.TIMEOUT, "lost on time", (), submission).advice
    for text in ("made an illegal move", "made an illegal move at move 3: 'd4' (d4 is taken)"):
        assert "get_valid_moves" in finding_of(Reason.ILLEGAL, text, (), submission).advice
    for text in ("has no method `step`", "StudentAgent.__init__() missing 1 argument", "lost on time: it loaded"):
        advice = finding_of(Reason.CRASH, text, (), submission).advice
        assert advice and "setup" not in advice and "clock" not in advice


@pytest.mark.parametrize(
    ("game", "answer", "text"),
    [
        (OTHELLO, "None", "returned None, and not one of"),
        (OTHELLO, "(3, 3)", "returned d4"),
        (OTHELLO, "(-1, 3)", "returned -1-3"),
        (OTHELLO, "'the middle'", "returned the middle"),
        (OTHELLO, "7", "returned 7"),
        (ATAXX, "helpers.MoveCoordinates((0, 6), (1, 6))", "returned g1-g2"),
        (ATAXX, "helpers.MoveCoordinates((0, 0), (3, 3))", "returned a1-d4"),
        (ATAXX, "(0, 0)", "returned a1"),
        (COLOSSEUM, "(my_pos, -1)", r"returned \(.*, -1\)"),
        (COLOSSEUM, "(adv_pos, 1)", "returned [a-d][1-4]-r"),
        (COLOSSEUM, "my_pos", r"returned \(\d, \d\)"),
    ],
)
def test_answers_that_are_no_legal_moves_are_called_so(tmp_path, game, answer, text):
    parameters = ("chess_board, my_pos, adv_pos, max_step",) if game is COLOSSEUM else ()
    with pytest.raises(Failure, match=text):
        answered(game, game.initial(), tmp_path, answer, *parameters)


def answered(game, position, *file):
    """The move that an agent with one answer makes."""
    agent = agent_here(one_answer(*file), game)
    agent.setup()
    return answer_of(agent, position)[0].last_move


@pytest.mark.parametrize(
    ("game", "answer", "text"),
    [
        (OTHELLO, "np.array([2, 3])", "d3"),
        (ATAXX, "helpers.MoveCoordinates(np.array([0, 0]), np.array([1, 1]))", "b2"),
        (ATAXX, "((0, 0), (2, 2))", "a1-c3"),
    ],
)
def test_a_move_may_have_numbers_of_numpy(tmp_path, game, answer, text):
    assert game.format_move(answered(game, game.initial(), tmp_path, answer)) == text


def test_who_has_to_pass_is_not_asked(tmp_path):
    position = OTHELLO.parse_position("/".join(["wb......", *["........"] * 7]) + " b")
    assert position.legal_moves() == (None,)
    assert answered(OTHELLO, position, tmp_path, "1 / 0") is None


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (COLOSSEUM, "is that of another game: colosseum calls step(self, chess_board, my_pos, adv_pos, max_step)"),
        (load_game("pentago"), "these do not play pentago; choose a --game such as examples/games/colosseum.py"),
    ],
)
def test_another_game_than_the_files_is_refused(tmp_path, game, text):
    with pytest.raises(AgentError, match=re.escape(text)):
        agent_here(one_answer(tmp_path, "None"), game)


def test_a_step_without_self_is_told_so(tmp_path):
    file = Path(one_answer(tmp_path, "None"))
    file.write_text(file.read_text().replace("def step(self, ", "def step("))
    with pytest.raises(AgentError, match=r"its step\(chess_board, player, opponent\) lacks `self`: othello calls"):
        agent_here(str(file), OTHELLO)


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("student_agent", "student_agent"),
        ("minimax_agent", "course_minimax_agent"),
        ("random", "course_random_agent"),
        ("Ann's 2nd try", "Ann_s_2nd_try_agent"),
        ("2nd_agent", "course_2nd_agent"),
    ],
)
def test_an_agent_may_have_any_name_in_the_framework(tmp_path, name, here):
    file = Path(one_answer(tmp_path, "(2, 3)"))
    file.write_text(file.read_text().replace('"answers"', repr(name)))
    assert load_agent(str(file)).registered_name == here


def test_helpers_beside_the_file_go_before_ours(tmp_path):
    (tmp_path / "helpers.py").write_text("CELL = (2, 3)\n")
    agent = load_agent(one_answer(tmp_path, "helpers.CELL"))(OTHELLO)
    agent.setup()
    assert agent.step(OTHELLO.initial(), None) == (2, 3)


def test_a_store_of_the_students_own_is_no_framework():
    assert not is_course_file("from store import Table\nfrom agents import Agent, register_agent\n")
    assert is_course_file("from store import (\n    Table,\n    register_agent,\n)\n")


# --- New agents -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STYLES)
def test_a_new_agent_of_each_style_is_recognised_and_plays(tmp_path, name):
    game = load_game(STYLES[name].game_file(), size=4)
    folder = tmp_path / "bob"
    folder.mkdir()
    texts = contents(folder, game, STYLES[name])
    assert list(texts) == ["student_agent.py", "README.md"]
    assert style_of(texts["student_agent.py"]) is STYLES[name]
    (folder / "student_agent.py").write_text(texts["student_agent.py"])
    record = unforced.play(str(folder), "random_agent", game.name, referee=False, seed=1, size=4)
    assert record.verdict.reason == "normal"


# --- python -m simulator --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FILES)
def test_the_game_is_that_for_which_an_agent_is_written(tmp_path, game):
    write_course_folder(game, tmp_path / "ann")
    (found,) = game_of_agents(["random_agent", "--pairs", "2", f"--web={tmp_path}", str(tmp_path / "ann")])
    assert found.endswith(f"{game}.py")


def test_a_command_without_game_plays_that_of_its_agents(tmp_path):
    write_course_folder("othello", tmp_path / "ann")
    result = command_line.invoke("agents", tmp_path / "ann")
    assert (result.exit_code, "pentago" in result.output) == (0, False), result.output


def test_agents_of_two_games_ask_for_the_game_and_other_files_and_limits_do_not_matter(tmp_path):
    for game in ("othello", "ataxx"):
        write_course_folder(game, tmp_path / game)
    (tmp_path / "plain.py").write_text("from agents import Agent")
    (tmp_path / "board.csv").write_text("1,0\n0,1")
    (found,) = game_of_agents([str(tmp_path / "board.csv"), f"{tmp_path / 'othello'}@move_time=1", "random_agent"])
    assert found.endswith("othello.py")
    for other in ("ataxx", "plain.py"):
        with pytest.raises(click.UsageError, match="for different games: choose one with --game"):
            game_of_agents([str(tmp_path / other), str(tmp_path / "othello")])


def test_a_file_that_does_not_show_its_game_asks_for_it(tmp_path):
    with pytest.raises(click.UsageError, match="name the game's file with --game"):
        game_of_agents([one_answer(tmp_path, "None")])


def test_a_board_is_read_from_a_file(tmp_path):
    (tmp_path / "board.csv").write_text("1,0,2\n0,3,0\n2,0,1")
    assert board_in(tmp_path / "board.csv") == "102/030/201"
    (tmp_path / "board.csv").write_text("1;0;2")
    with pytest.raises(InputError, match="is not a board"):
        board_in(tmp_path / "board.csv")


def test_boards_are_drawn_from_the_sizes_that_a_game_has_or_from_a_folder(tmp_path):
    conditions = Conditions(OTHELLO.name)
    assert boards(conditions, None, None, None) == [conditions]
    assert [chosen.game_options["size"] for chosen in boards(conditions, 5, 10, None)] == [6, 8, 10]
    with pytest.raises(InputError, match="no boards of a size from 7 to 7"):
        boards(conditions, 7, 7, None)
    with pytest.raises(InputError, match="has no boards"):
        boards(conditions, None, None, tmp_path)
    (tmp_path / "ragged.csv").write_text("1,0,2\n0,1")
    with pytest.raises(InputError, match=r"ragged.csv is not a board of this game"):
        boards(Conditions(ATAXX.name), None, None, tmp_path)


def test_the_base_class_of_a_framework_is_not_the_agent(tmp_path):
    agents = write_course_folder("othello", tmp_path).parent
    (agents / "agent.py").write_text("class Agent: pass")
    assert find_submission(agents).agent.name == "student_agent.py"


def test_autoplay_draws_a_board_for_each_two_games(tmp_path, monkeypatch):
    for name, cells in (("one", "1,0,2\n0,0,0\n2,0,1"), ("two", "1,0,0,2\n0,3,0,0\n2,0,0,1")):
        (tmp_path / f"{name}.csv").write_text(cells)
    plans = []
    monkeypatch.setattr(
        playing, "played_match", lambda plan, *_: plans.append(plan) or Ended(plan.names, plan.settings)
    )
    flags = ("--game", str(GAMES / "ataxx.py"), "--autoplay", "--autoplay_runs", 7, "--board_roster_dir", tmp_path)
    result = command_line.invoke("simulator", *flags, "--seed", 5)
    assert result.exit_code == 0, result.output
    drawn = {plan.settings.conditions.game_options["board"]: plan.settings for plan in plans}
    assert {*drawn} == {"102/000/201", "1002/0300/2001"}
    assert sum(settings.games for settings in drawn.values()) == 7
    assert len({settings.seed for settings in drawn.values()}) == 2
