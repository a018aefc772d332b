"""Studies run, go on where they were stopped, and print what makes sense."""

import csv
import json
import re
import shutil
import subprocess
import sys
from contextlib import nullcontext
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest
from click.testing import CliRunner

from agents.alphabeta.searcher import Searcher
from game import load_game
from learning.workers import WorkerError, Workers
from simulator.records import provenance as provenance_module
from studies import STUDIES, chess_trap_values, running
from studies import __main__ as studies_command
from studies.__main__ import main, missing_for, status_of, verdict_of
from studies.convergence import enough
from studies.density import BOARD, exact_values
from studies.journal import Journal, key_of, unpack
from studies.literature.unordered import unordered_searcher
from studies.matches import opening, play_pair, share_of
from studies.minimax_order import chances_by_minimax
from studies.plots import note_of
from studies.results import columns_of, draw_picture, provenance, read_table, write_table
from studies.running import finished_units, run_study
from studies.study import Extent, load_study
from studies.told_apart import count_apart
from studies.trap_positions import PentagoJudge
from tests import contract
from tests.programs import PROJECT
from tests.searches import tactics

QUICK = Extent(quick=True)
# The others take long, most of them because they compile, for a minute or more, what no other test needs.
FAST = ("pathology", "chess_traps")
EACH = [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in STUDIES]


def looks_sane(row):
    shares = [row[name] for name in ("low", "share", "high") if row.get(name) is not None]
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert all(row[name] > 0 for name in ("games", "trees", "positions") if row.get(name) is not None)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_was_measured_does_not_make_a_version_dirty(tmp_path, monkeypatch):
    def git(*arguments):
        subprocess.run(["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x", *arguments], check=True)

    monkeypatch.setattr(provenance_module, "PROJECT", tmp_path)
    table, figure = tmp_path / "studies" / "results" / "one.csv", tmp_path / "docs" / "figures" / "one.md"
    program, report = tmp_path / "program.py", tmp_path / "REPORT.md"
    for path in (table, figure, program, report):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n")
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message=first")
    version = provenance_module.commit()
    assert len(version) == 12
    for path in (table, figure, report):
        path.write_text("2\n")
    assert provenance_module.commit() == version
    program.write_text("2\n")
    assert provenance_module.commit() == f"{version}-dirty"


# --- Each study -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EACH)
def test_a_quick_run_makes_a_table_and_a_picture(name, tmp_path):
    study, journal = load_study(name), Journal(None)
    if lacking := missing_for(study):
        pytest.skip(f"{' and '.join(lacking)} is not installed")
    rows = study.tabulate(run_study(name, QUICK, journal))
    assert rows
    for row in rows:
        looks_sane(row)
    write_table(tmp_path / "table.csv", rows, provenance(study, QUICK, journal))
    lines = (tmp_path / "table.csv").read_text().splitlines()
    comments = [line for line in lines if line.startswith("#")]
    for words in ("Claim: ", f"Command: python -m studies {name} --quick --seed 1", "Version: ", "Machine: "):
        assert any(line.startswith(f"# {words}") for line in comments)
    table = list(csv.DictReader(lines[len(comments) :]))
    assert len(table) == len(rows) and list(table[0]) == columns_of(rows)
    if find_spec("matplotlib"):
        draw_picture(tmp_path / "picture.png", study, rows)
        assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", STUDIES)
def test_a_larger_plan_has_the_units_of_the_smaller_one_another_seed_has_others_and_all_are_json(name):
    plan = load_study(name).plan
    small, large, other = (
        [key_of(unit) for unit in plan(Extent(scale=n, seed=s))] for n, s in ((1, 1), (3, 1), (1, 2))
    )
    assert set(small) < set(large) and len(set(large)) == len(large)
    assert not set(small) & set(other)
    for unit in plan(QUICK):
        assert key_of(json.loads(json.dumps(unit))) == key_of(unit)


@pytest.fixture(scope="module")
def pathology(tmp_path_factory):
    """The result of a quick run of this study, and the text of its journal."""
    path = tmp_path_factory.mktemp("pathology") / "units.jsonl"
    return run_study("pathology", QUICK, Journal(path)), path.read_text()


def test_minimax_is_pathological_where_leaves_are_independent_and_not_where_values_grow(pathology):
    done, _ = pathology
    share = {(row["tree"], row["depth"]): row["share"] for row in load_study("pathology").tabulate(done)}
    assert share["independent leaves", 10] < share["independent leaves", 2]
    assert share["incremental values", 10] > share["incremental values", 1]
    assert share["independent leaves", 12] == share["incremental values", 12] == 1


@pytest.mark.slow  # alpha-beta is compiled for a board that nothing else plays on
def test_the_judge_of_kalahs_ends_is_plain_minimax():
    @cache
    def value(position):
        if position.result is not None:
            return round(2 * position.result.value_for(position.to_move) - 1)
        after = [position.play(move) for move in position.legal_moves()]
        return max(value(each) if each.to_move == position.to_move else -value(each) for each in after)

    game, met = load_game("kalah", **BOARD), set()
    for seed in range(6):
        position = opening(game, 18, seed)
        for move, found in exact_values(game, position).items():
            after = position.play(move)
            expected = value(after) if after.to_move == position.to_move else -value(after)
            if after.result is None:
                assert found == expected
                met.add(found)
    assert {1, -1} <= met


@pytest.mark.slow
def test_the_judge_of_pentago_knows_in_how_many_plies_a_win_is_forced():
    judge, cases = PentagoJudge(), [(depth, case) for depth in (1, 3, 5) for case in tactics("win", depth)]
    assert len(cases) > 50
    for depth, case in cases:
        assert judge.level(None, judge.game.parse_position(case["position"]), 5) == depth


def test_a_picture_says_how_many_what_whiskers_are_and_what_one_half_means():
    rows = [{"games": 6, "share": 0.5, "low": 0.2, "high": 0.8}, {"games": 1200, "share": 0.5, "low": 0.4, "high": 0.6}]
    note = "n = 6 to 1,200 games; hollow: few, with their number; whiskers: 95 % intervals; dotted, 0.5: equally strong"
    assert note_of(rows, "equally strong") == note
    assert note_of([{"positions": 5, "depth": 3.5}]) == "n = 5 positions"  # a mean is not drawn hollow


@pytest.mark.parametrize(("name", "rows"), [("tree_shape", 1), ("bandits", 1), ("trap_values", 0)])
def test_the_picture_shows_what_is_finished_so_far(name, rows, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra of the studies is not installed")
    finished = read_table(studies_command.RESULTS / f"{name}.csv")[:rows]
    draw_picture(tmp_path / "picture.png", load_study(name), finished)
    assert (tmp_path / "picture.png").exists()


def test_selectivity_shows_trees_of_which_no_game_is_played_yet(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra of the studies is not installed")
    usual, other = read_table(studies_command.RESULTS / "selectivity.csv")[:2]
    rows = [usual, other | dict.fromkeys(("games", "share", "low", "high"))]
    draw_picture(tmp_path / "picture.png", load_study("selectivity"), rows)
    assert (tmp_path / "picture.png").exists()


# --- Work that goes on ----------------------------------------------------------------------------------------------


def test_what_is_finished_is_not_done_again(pathology, tmp_path, monkeypatch):
    done, text = pathology
    (tmp_path / "units.jsonl").write_text(text)
    monkeypatch.setattr(running, "work", lambda name, unit: pytest.fail("this unit was done"))
    assert run_study("pathology", QUICK, Journal(tmp_path / "units.jsonl")) == done


def test_half_a_line_is_cut_off_when_something_is_added_and_not_before(tmp_path):
    path = tmp_path / "units.jsonl"
    Journal(path).add({"seed": 1}, {}, 0.1)
    text = path.read_text()
    path.write_text(text + '{"unit":')
    journal = Journal(path)
    assert path.read_text() == text + '{"unit":' and journal.result_of({"seed": 1}) == {}
    journal.add({"seed": 2}, {}, 0.1)
    assert [json.loads(line)["unit"]["seed"] for line in path.read_text().splitlines()] == [1, 2]


def test_what_is_no_finished_unit_is_left_out_with_its_line(tmp_path, capsys):
    path = tmp_path / "units.jsonl"
    Journal(path).add({"seed": 1}, {}, 0.1)
    path.write_bytes(b"[]\n\n{]\n\0\xff\n" + path.read_bytes())
    assert Journal(path).result_of({"seed": 1}) == {}
    assert re.findall(r"line (\d)", capsys.readouterr().err) == ["1", "3", "4"]


def test_studies_of_which_nothing_is_finished_are_left_out_and_showing_nothing_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(studies_command, "WORK", tmp_path)
    monkeypatch.setattr(studies_command, "RESULTS", tmp_path)
    done = CliRunner().invoke(main, [*FAST[:1] * 2, "--so-far", "--output", str(tmp_path)])
    assert done.output.count("pathology: left out, since nothing of it is finished so far") == 2
    assert done.exit_code == 1 and "run a study first, without --so-far" in done.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("pathology --so-far --fresh", "give one of them"),
        ("pathology --redraw --seed 2", "leave --scale, --seed and --workers out"),
        ("--scale 2", "name a study"),
        ("pathology --scale nan", "has to be a number, not nan"),
    ],
)
def test_options_that_would_do_nothing_are_refused(options, words):
    done = CliRunner().invoke(main, options.split())
    assert done.exit_code == 2 and words in done.output


def test_a_table_says_what_its_units_cost_by_which_versions_and_on_which_machines(pathology, tmp_path):
    path, (_, text) = tmp_path / "units.jsonl", pathology
    first, *others = map(json.loads, text.splitlines())
    first |= {"seconds": 3600, "commit": "abc", "machine": "another"}
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (first, *others)))
    lines = provenance(load_study("pathology"), QUICK, Journal(path))
    said = {name: text for name, _, text in (line.partition(": ") for line in lines)}
    assert said["Cost"] == "1 processor hours"
    assert "abc, " in said["Version"] + ", " and "another" in said["Machine"].split("; and ")
    assert others[0]["machine"] in said["Machine"]


@pytest.fixture
def shortly(monkeypatch, tmp_path):
    """Run the short study in folders of its own; returns a function that does so, and its folder of results."""
    monkeypatch.setattr("studies.pathology.TREES_A_UNIT", 30)
    monkeypatch.setattr(studies_command, "WORK", tmp_path / "work")
    monkeypatch.setattr(studies_command, "RESULTS", tmp_path / "results")
    return lambda *options: CliRunner().invoke(main, ["pathology", "--scale", "0.1", *options]), tmp_path / "results"


def test_units_are_kept_beside_the_table_and_make_it_again(shortly, monkeypatch, tmp_path):
    run, results = shortly
    assert run().exit_code == 0
    units, table = results / "pathology.jsonl.xz", results / "pathology.csv"
    before = table.read_text()
    assert not list((tmp_path / "work").iterdir())  # the next run begins with the units beside the table
    table.unlink()
    monkeypatch.setattr(running, "work", lambda name, unit: pytest.fail("this unit was done"))
    again = run()
    assert "all 4 units were finished before; --fresh does them again" in again.output and table.read_text() == before
    assert run("--so-far", "--output", str(tmp_path / "other")).exit_code == 0
    assert (tmp_path / "other" / "pathology.csv").read_text() == before
    with pytest.raises(pytest.fail.Exception):
        run("--fresh", "--output", str(tmp_path / "other"))
    shutil.rmtree(tmp_path / "work")
    units.write_bytes(b"x")
    damaged = run()
    assert damaged.exit_code == 1 and "pathology.jsonl.xz is damaged" in damaged.output


def test_a_table_of_more_units_is_not_replaced_unless_they_are_done_anew(shortly, monkeypatch):
    run, results = shortly
    assert run("--scale", "0.2").exit_code == 0
    table = (results / "pathology.csv").read_text()
    monkeypatch.setattr(running, "work", lambda name, unit: pytest.fail("this is refused before any work"))
    for options in (), ("--so-far",), ("--quick", "--scale", "1", "--output", str(results)):
        refused = run(*options)
        words = "is of 8 units of work (python -m studies pathology --scale 0.2 --seed 1), this one would be of"
        assert refused.exit_code == 1 and words in refused.output, refused.output
    assert (results / "pathology.csv").read_text() == table
    several = run("pathology", "--so-far")  # all are done or refused
    assert several.exit_code == 1 and several.output.count("pathology: left out, since ") == 2
    assert run("--so-far", "--scale", "0.2").exit_code == 0


def test_ctrl_c_ends_the_command_silently_while_it_starts():
    for module in ("click", "studies.running"):
        code = f"""import sys, runpy
class Stops:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stops())
runpy.run_module("studies", run_name="__main__")
"""
        done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], ""),
        (["pathology", "--quick"], "\nstopped; nothing of a quick run is kept\n"),
        (["pathology"], "\nstopped; the same command continues\n"),
        (["pathology", "--fresh"], "\nstopped; the same command without --fresh continues\n"),
    ],
)
def test_after_ctrl_c_the_command_says_how_to_go_on(options, words, tmp_path, monkeypatch):
    def stopped(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(studies_command, "load_study", stopped)
    done = CliRunner().invoke(main, options)
    assert (done.exit_code, done.output) == (130, words)


def test_without_a_reader_the_command_ends_silently():
    line, pipe = [sys.executable, "-m", "studies"], subprocess.PIPE
    with subprocess.Popen(line, cwd=PROJECT, stdout=pipe, stderr=pipe, text=True, bufsize=1) as listing:
        listing.stdout.close()
        assert listing.stderr.read() == "" and listing.wait() == 1


KEPT = sorted(path.name.partition(".")[0] for path in studies_command.RESULTS.glob("*.jsonl.xz"))


@pytest.mark.parametrize("name", KEPT)
def test_the_table_of_a_study_is_that_of_its_units(name, tmp_path):
    units, table = (studies_command.RESULTS / f"{name}{end}" for end in (".jsonl.xz", ".csv"))
    unpack(units, tmp_path / "units.jsonl")
    command = next(line for line in table.read_text().splitlines() if line.startswith("# Command: "))
    scale = re.search(r"--scale (\S+)", command)
    extent = Extent(scale=float(scale[1]) if scale else 1.0)
    study, journal = load_study(name), Journal(tmp_path / "units.jsonl")
    done = finished_units(study.plan(extent), journal)
    write_table(tmp_path / "table.csv", study.tabulate(done), provenance(study, extent, journal))
    made, there = read_table(tmp_path / "table.csv"), read_table(table)
    assert done and [row for row in made if not any(row.items() <= other.items() for other in there)] == []
    if f"# Done: {len(done):,} of " in table.read_text():  # else some units of the table are lost
        assert (tmp_path / "table.csv").read_text() == table.read_text()


def test_a_line_that_was_cut_off_is_done_again(pathology, tmp_path):
    path, (done, whole) = tmp_path / "units.jsonl", pathology
    path.write_text(whole[: len(whole) - 20])
    assert Journal(path).result_of(done[1].unit) is None
    assert run_study("pathology", QUICK, Journal(path)) == done
    again, before = ([json.loads(line) for line in text.splitlines()] for text in (path.read_text(), whole))
    assert [entry | {"seconds": 0} for entry in again] == [entry | {"seconds": 0} for entry in before]


def test_two_workers_find_what_one_finds(monkeypatch):
    monkeypatch.setattr("studies.pathology.TREES_A_UNIT", 30)
    one, two = (run_study("pathology", Extent(scale=0.1), Journal(None), workers) for workers in (1, 2))
    assert len(one) == 4 and one == two  # the first unit is done here, the others by the workers


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (WorkerError("a worker has died, exit code -9"), 1, "Error: a worker has died, exit code -9\n"),
        (KeyboardInterrupt(), 130, "stopped; the same command continues\n"),
    ],
)
def test_if_a_worker_dies_and_after_ctrl_c_that_is_said_and_finished_units_are_kept(
    error, code, words, tmp_path, monkeypatch
):
    def stopped(workers, function, tasks):
        task = next(tasks)
        yield task, function(*task)
        raise error

    monkeypatch.setattr(studies_command, "WORK", tmp_path)
    monkeypatch.setattr(studies_command, "RESULTS", tmp_path)
    monkeypatch.setattr(Workers, "results", stopped)
    done = CliRunner().invoke(main, ["pathology", "--scale", "0.1", "--output", str(tmp_path)])
    assert (done.exit_code, done.output.endswith(words)) == (code, True), done.output
    assert (tmp_path / "pathology.jsonl").read_text().count("\n") == 2 and not (tmp_path / "pathology.csv").exists()


def test_a_pair_depends_on_its_seed_only():
    pentago = load_game("pentago")
    texts = ("random_agent", "random_agent")
    assert len({play_pair(texts, pentago, seed=5) for _ in range(2)}) == 1
    assert share_of([2.0, 1.5, 0.5])["share"] == pytest.approx(2 / 3) and share_of([1.0])["games"] == 2


# --- The command line -----------------------------------------------------------------------------------------------


def test_the_table_is_printed_and_written_where_asked_for(tmp_path):
    done = CliRunner().invoke(main, ["pathology", "--quick", "--output", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.output.splitlines()[-1])["pathology"]
    assert len(rows) == 24 and (tmp_path / "pathology.csv").exists()


def test_a_picture_is_drawn_again_from_its_table(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="the extra of the studies is not installed")
    table = studies_command.RESULTS / "rave.csv"
    (tmp_path / table.name).write_text(table.read_text())
    done = CliRunner().invoke(main, ["rave", "--redraw", "--output", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    assert f"written to {tmp_path / 'rave.png'}" in done.output
    assert (tmp_path / "rave.png").read_bytes().startswith(b"\x89PNG")
    (row, *_) = json.loads(done.output.splitlines()[-1])["rave"]
    assert isinstance(row["games"], int) and isinstance(row["share"], float) and isinstance(row["agent"], str)
    for broken in (b"", b"\xa1", b"agent,share\n<<<<<<<\n"):
        (tmp_path / table.name).write_bytes(broken)
        assert "is no table of a" in CliRunner().invoke(main, ["rave", "--redraw", "--output", str(tmp_path)]).output
    (tmp_path / table.name).unlink()
    assert "there is no table" in CliRunner().invoke(main, ["rave", "--redraw", "--output", str(tmp_path)]).output
    monkeypatch.setattr(studies_command, "WORK", tmp_path)  # where --quick has its table
    assert f"no table {tmp_path}" in CliRunner().invoke(main, ["rave", "--redraw", "--quick"]).output


def test_a_picture_is_not_drawn_again_without_matplotlib(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = CliRunner().invoke(main, ["chess_traps", "--redraw"])
    assert done.exit_code == 1 and "Error: no picture: matplotlib is not installed" in done.output


def test_the_page_of_the_studies_has_a_verdict_on_each():
    page = studies_command.README.read_text()
    verdicts = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`(\w+)`", verdicts)) == set(STUDIES)


def test_without_a_name_each_study_is_listed_with_the_verdict_on_it_and_how_much_of_it_is_done(tmp_path, monkeypatch):
    shown = CliRunner().invoke(main, [])
    listed = " ".join(shown.output.split())
    assert shown.exit_code == 0
    for name in STUDIES:
        verdict, status = verdict_of(name), status_of(name)
        assert f"{name}: {load_study(name).title}" in shown.output
        assert verdict and verdict in listed
        assert re.fullmatch(r"done: [\d,]+ of [\d,]+ units of work; (cost: .+; )?version: .+", status)
        assert status in listed
    assert "UCTMAX_H against unordered alpha-beta" in status_of("uctmax")
    monkeypatch.setattr(studies_command, "RESULTS", tmp_path)
    assert status_of("pathology") == "not done"


def test_the_help_names_values_and_examples_as_that_of_the_other_commands_does():
    shown = CliRunner().invoke(main, ["--help"]).output
    assert "--seed N" in shown and "--output FOLDER" in shown and "RANGE" not in shown and "Examples:" in shown


def test_an_unknown_study_is_refused_with_the_names_of_those_that_exist():
    done = CliRunner().invoke(main, ["pathology", "chess", "--quick"])
    assert done.exit_code == 1 and re.match("Error: no study is called 'chess'; there are: .*pathology", done.output)
    assert "no study is called 'chess'" in CliRunner().invoke(main, ["chess"]).output


def test_a_study_that_lacks_a_program_is_left_out(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("studies.__main__.program_named", lambda name: None)
    done = CliRunner().invoke(main, ["plain_go", "--quick"])
    assert done.exit_code == 0 and "left out, since gnugo is not installed" in done.output


# --- UCT in chess ---------------------------------------------------------------------------------------------------


def test_uct_in_chess_counts_every_simulation_and_finds_a_mate_at_hand():
    chess = pytest.importorskip("chess", reason="the extra of the studies is not installed")
    from studies.chess_uct import ChessUCT

    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    search = ChessUCT(board, 0.4, seed=1)
    search.search(400)
    nodes = [search.root]
    for node in nodes:
        nodes += node.children.values()
        below = sum(child.visits for child in node.children.values())
        assert not node.children or node.visits in (below, below + 1)
    assert search.root.visits == 400
    assert board.san(max(search.values(), key=search.values().get)) == "Rd8#"


def test_of_a_game_of_chess_one_position_is_searched(monkeypatch):
    chess = pytest.importorskip("chess")
    start, boards, judged = chess.Board(), [], []
    for ply in range(45):
        boards.append(start.copy())
        start.push_uci(("g1f3", "g8f6", "f3g1", "f6g8")[ply % 4])
    monkeypatch.setattr("studies.chess_positions.stockfish", lambda: nullcontext())
    monkeypatch.setattr("studies.chess_positions.game_positions", lambda *arguments: iter(boards))

    def one_trap(engine, board):
        judged.append(board.ply())
        return {move: 3 * (i == 0) for i, move in enumerate(board.legal_moves)}

    monkeypatch.setattr("studies.chess_positions.judged_moves", one_trap)
    units = [{"play": "random", "seed": seed, "plies": (20, 30, 40), "simulations": (30, 60)} for seed in range(9)]
    results = [chess_trap_values.work(unit) for unit in units]
    assert set(judged) == {20, 30, 40} and len(judged) == len(units)
    assert all([len(found) for found in result["counts"]] == [1, 1] for result in results)


@pytest.mark.slow
def test_chances_by_minimax_are_those_of_looking_at_everything_also_after_an_extra_turn():
    game = load_game("kalah")
    position = game.initial()
    again = [after for after in map(position.play, position.legal_moves()) if after.to_move == position.to_move]
    assert again

    def value(at: Any, plies: int) -> float:
        if plies == 0:
            return float(contract.evaluate(game.kernel, game.state(at)))
        found = [(after, value(after, plies - 1)) for after in map(at.play, at.legal_moves())]
        return max(chance if after.to_move == at.to_move else 1 - chance for after, chance in found)

    for after, chance in chances_by_minimax(game, position, 3).items():
        expected = value(after, 2)
        assert chance == pytest.approx(expected if after in again else 1 - expected, abs=1e-5)


@pytest.mark.slow
def test_unordered_alpha_beta_finds_the_value_of_the_ordered_one_and_expands_more():
    game = load_game("kalah")
    ordered, unordered = Searcher(game, 1 << 16), unordered_searcher(game, seed=0)
    expanded = [0, 0]
    for seed in range(20):
        position = opening(game, 8, seed)
        for i, searcher in enumerate((ordered, unordered)):
            searcher.search(position, depth=6)
            expanded[i] += searcher.expanded
        assert ordered.value == unordered.value
    assert expanded[1] > 1.5 * expanded[0]


def test_no_opening_of_tuning_is_one_of_the_test():
    parts = {"tuning": set(), "test": set()}
    for unit in load_study("uctmax").plan(Extent(scale=3)):
        parts[unit["part"]].add(unit["seed"])
    assert not parts["tuning"] & parts["test"]


def test_equal_values_are_half_told_apart():
    levels, values = {"a": 0, "b": 0, "c": 3, "d": 5}, {"a": 0.6, "b": 0.2, "c": 0.2, "d": 0.0}
    found = count_apart(levels, values, (1, 3, 5))
    assert found == {"1": [0, 0], "3": [2, 1.5], "5": [2, 2]}


def test_enough_simulations_are_those_after_which_no_share_is_too_small() -> None:
    assert enough([2, 4, 8, 16], [0.95, 0.9, 0.96, 1.0]) == 8
    assert enough([2, 4], [0.96, 0.94]) is None
    assert enough([2, 4], [0.95, 0.95]) == 2
