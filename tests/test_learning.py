"""Learning by self-play: a small game learned from nothing, folders that go on, workers, the command."""

import errno
import json
import math
import os
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

import game
from agents.agent import AgentError, parse_agent
from commands.learn import one_line
from game import load_game
from learning import gate, generations, self_play
from learning.bootstrap import greedy_games
from learning.files import FileError, load_json_lines
from learning.folder import Folder, Generation
from learning.gate import play_pairs
from learning.generations import Learning, export_weights
from learning.network import fresh, load_learned, zeros
from learning.positions import Positions, is_held_out, load_positions, newest_positions, save_positions
from learning.report import render
from learning.self_play import Conditions, play_games, searcher_for
from learning.weights import load_weights, save_weights
from learning.workers import WorkerError, Workers
from options import OptionError
from pentago.evaluation import WEIGHTS
from tests.command_line import typed
from tests.programs import PATIENCE_SECONDS, command, interrupted
from tests.searches import worth

game.register_game("learned_tictactoe", "tests.learned_tictactoe:LearnedTicTacToe")
TICTACTOE = load_game("learned_tictactoe")

SMALL = {"game": "learned_tictactoe", "width": 8, "simulations": 30, "games": 200, "pairs": 10, "greedy_games": 1000}
KNOWN = {}  # exact values


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A folder with three generations of tic-tac-toe; the search has to be compiled, so these tests are slow."""
    folder = Folder.opened(tmp_path_factory.mktemp("learning") / "learned", **SMALL)
    Learning(folder, workers=1).run(generations=3)
    return folder


# --- Tic-tac-toe from nothing ---------------------------------------------------------------------------------------


def results_against_perfect_play(position, choose, side):
    """Every result of a player who moves by `choose` against all moves of an opponent who makes no mistake."""
    if position.result is not None:
        yield position.result.winner
    elif position.to_move == side:
        yield from results_against_perfect_play(position.play(choose(position)), choose, side)
    else:
        best = worth(position, KNOWN)
        for move in position.legal_moves():
            if 1 - worth(position.play(move), KNOWN) == best:
                yield from results_against_perfect_play(position.play(move), choose, side)


def winners_against_perfect_play(the_game, weights, side):
    searcher = searcher_for(the_game, Conditions(weights, 30), seed=1)

    def choose(position):
        searcher.begin(position)
        searcher.search(simulations=30)
        return searcher.best_move()

    return set(results_against_perfect_play(the_game.initial(), choose, side))


@pytest.mark.slow
def test_what_was_learned_draws_against_perfect_play_and_knowing_nothing_does_not(learned, tmp_path):
    weights = learned.weights(learned.champion)
    assert winners_against_perfect_play(TICTACTOE, weights, game.FIRST) == {None}
    assert winners_against_perfect_play(TICTACTOE, weights, game.SECOND) == {None}
    save_weights(tmp_path / "nothing.npz", zeros(TICTACTOE, 8), {})
    assert game.FIRST in winners_against_perfect_play(TICTACTOE, tmp_path / "nothing.npz", game.SECOND)


@pytest.mark.slow
def test_the_same_seed_learns_the_same(learned, tmp_path):
    again = Folder.opened(tmp_path / "again", **SMALL)
    Learning(again, workers=1).run(generations=2)
    for one, other in zip(learned.log, again.log, strict=False):
        assert replace(other, hours=one.hours, seconds=one.seconds) == one
    weights = [load_weights(folder.weights(1), TICTACTOE)[0].all for folder in (learned, again)]
    assert np.array_equal(*weights)


@pytest.mark.slow
def test_learning_that_was_stopped_in_a_generation_goes_on_to_the_same_end(learned, tmp_path):
    folder = Folder.opened(tmp_path / "stopped", **SMALL)

    def stop(text):
        if text.startswith("generation 1: games 60"):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        Learning(folder, 1, stop).run(generations=2)
    assert len(folder.log) == 1 and len(folder.parts(1)) == 4
    again = Folder.opened(folder.path)
    Learning(again, 1).run(generations=2)
    assert again.log[1].log_loss == learned.log[1].log_loss and again.log[1].pairs == learned.log[1].pairs
    assert not again.parts(1) and not again.positions(0).exists()


@pytest.mark.slow
def test_learning_that_was_stopped_in_a_match_does_not_train_again(learned, tmp_path, monkeypatch):
    folder = Folder.opened(tmp_path / "stopped", **SMALL)
    Learning(folder, 1).run(generations=1)
    with monkeypatch.context() as patched, pytest.raises(InterruptedError):
        patched.setattr(generations, "play_pairs", Mock(side_effect=InterruptedError))
        Learning(folder, 1).run(generations=2)
    monkeypatch.setattr(generations, "train", None)
    Learning(folder, 1).run(generations=2)
    assert replace(folder.log[1], hours=0, seconds={}) == replace(learned.log[1], hours=0, seconds={})


@pytest.mark.slow
def test_time_that_is_over_ends_a_generation_early_but_finishes_it(tmp_path):
    folder = Folder.opened(tmp_path / "short", **SMALL)
    Learning(folder, 1).run(hours=1e-9)
    (generation,) = folder.log
    assert 400 < generation.games <= 500  # one task; a game that ends in its opening leaves no position


@pytest.mark.slow
def test_a_wider_network_starts_with_the_games_of_another_folder(learned, tmp_path):
    searched = sum(generation.positions for generation in learned.log[1:])
    settings = SMALL | {"width": 16, "origin": str(learned.path), "positions": searched}
    wide = Folder.opened(tmp_path / "wide", **settings)
    Learning(wide, 1).run(generations=2)
    assert wide.log[0].positions == wide.log[0].trained_on == searched
    assert wide.log[0].games == sum(generation.games for generation in learned.log[1:])
    assert wide.log[1].trained_on == wide.log[1].positions  # the newest only: more would be too many
    assert load_weights(wide.weights(1), TICTACTOE)[0].width == 16


@pytest.mark.slow
def test_learning_goes_on_from_weights_in_a_file(learned, tmp_path):
    file = tmp_path / "weights.npz"
    export_weights(learned, file)
    folder = Folder.opened(tmp_path / "longer", **SMALL | {"origin": str(file), "games": 50})  # parts of 20, 20 and 10
    Learning(folder, 1).run(generations=2)
    first, given = (load_weights(path, TICTACTOE)[0].all for path in (folder.weights(0), file))
    assert np.array_equal(first, given)
    assert folder.log[0].trained_on == 0 and folder.log[0].games == 50
    assert folder.log[1].trained_on == folder.log[0].positions + folder.log[1].positions


@pytest.mark.slow
def test_a_step_goes_a_part_of_the_way_that_training_goes(learned, tmp_path):
    found = []
    for step in (1.0, 0.25):
        folder = Folder.opened(tmp_path / str(step), **SMALL | {"origin": str(learned.weights(0)), "step": step})
        Learning(folder, 1).run(generations=2)
        start, end = (load_weights(folder.weights(n), TICTACTOE)[0].all for n in (0, 1))
        found.append(end - start)
    assert np.abs(found[0]).max() > 0.01
    assert np.allclose(found[1], 0.25 * found[0], atol=1e-6)


@pytest.mark.slow
def test_export_is_the_champions_weights_and_how_they_were_made(learned, tmp_path):
    meta = export_weights(learned, tmp_path / "weights.npz")
    network, found = load_weights(tmp_path / "weights.npz", TICTACTOE)
    champion, _ = load_weights(learned.weights(learned.champion), TICTACTOE)
    assert np.array_equal(network.all, champion.all)
    assert found == meta and found["generation"] == learned.champion and found["game"] == "learned_tictactoe"
    assert found["games"] == sum(generation.games for generation in learned.log[: learned.champion + 1])


@pytest.mark.slow
def test_the_mean_of_the_champions_weights_can_be_exported(learned, tmp_path):
    meta = export_weights(learned, tmp_path / "weights.npz", mean=True)
    champions = [generation.number for generation in learned.log if generation.champion == generation.number]
    network, found = load_weights(tmp_path / "weights.npz", TICTACTOE)
    each = [load_weights(learned.weights(number), TICTACTOE)[0].all for number in champions]
    assert len(each) > 1 and np.allclose(network.all, sum(each) / len(each), atol=1e-6)
    assert found == meta and found["champions"] == champions and "log_loss" not in found


@pytest.mark.slow
def test_the_report_has_a_row_for_each_generation_and_a_curve(learned):
    lines = render(learned.log).splitlines()
    assert [line.split()[0].rstrip("*") for line in lines[1:4]] == ["0", "1", "2"]
    assert sum("*" in line for line in lines[5:]) >= 1


def test_a_difference_that_rounds_to_nothing_from_below_has_no_minus():
    generation = Generation(1, 1, 0.5, 9, 9, 9, 0.6, 0.4, 0.7, [0, 1, 400, 0, 0], -0.4, -1.3, 0.4, -0.4, {})
    assert ", +0 Elo (-1 to +0), " in one_line(generation)
    assert render([generation]).splitlines()[1].split()[-5:] == ["+0", "(-1", "to", "+0)", "+0"]


def test_first_games_of_two_seeds_have_nothing_in_common():
    one, other = (
        generations.greedy_positions("learned_tictactoe", {}, (seed, 1, 0), first, 20).states.tolist()
        for seed, first in ((501, 0), (1, 500))
    )
    assert one != other


def test_a_match_has_as_many_pairs_as_were_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(generations, "play_pairs", lambda *task: [0, 0, task[-1], 0, 0])
    learning = Learning(Folder.opened(tmp_path, **SMALL | {"pairs": 7}), workers=1)
    with Workers(1) as workers:
        assert learning._match(workers, 1) == [0, 0, 7, 0, 0]


def test_the_games_of_another_folder_are_needed_once(tmp_path):
    other, positions = Folder.opened(tmp_path / "other", **SMALL), greedy_games(TICTACTOE, 30, seed=1)
    save_positions(other.positions(0), positions)
    learning = Learning(Folder.opened(tmp_path / "wide", **SMALL | {"origin": str(other.path)}), workers=1)
    with Workers(1) as workers:
        assert learning._play(workers, 0, math.inf) == (len(set(positions.games.tolist())), positions.size)
        shutil.rmtree(other.path)
        assert learning._play(workers, 0, math.inf)[1] == positions.size


def test_a_folder_without_a_finished_generation_is_named_and_can_be_learned_from_later(tmp_path):
    other = Folder.opened(tmp_path / "other", **SMALL)
    learning = Learning(Folder.opened(tmp_path / "wide", **SMALL | {"origin": str(other.path)}), workers=1)
    with Workers(1) as workers:
        with pytest.raises(FileError, match="other has no positions of a finished generation yet"):
            learning._play(workers, 0, math.inf)
        save_positions(other.positions(0), greedy_games(TICTACTOE, 30, seed=1))
        assert learning._play(workers, 0, math.inf)[1] > 0


def test_two_processes_do_not_learn_in_one_folder(tmp_path):
    folder = Folder.opened(tmp_path, **SMALL)
    with folder.locked(), pytest.raises(FileError, match="in use"):
        Learning(Folder.opened(tmp_path), workers=1).run(generations=1)


def test_of_two_processes_that_begin_a_folder_at_the_same_time_one_learns(tmp_path):
    (tmp_path / ".settings.json.1.half").touch()  # is being written, or a process that wrote it was killed
    with Folder.opened(tmp_path, **SMALL).locked():
        (tmp_path / "settings.json").unlink()  # the other process has not found them yet
        with pytest.raises(FileError, match="in use"), Folder.opened(tmp_path, **SMALL).locked():
            pass


def test_workers_that_cannot_be_started_are_explained_and_what_to_do(monkeypatch):
    def fails(process):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", fails)
    with pytest.raises(WorkerError, match=r"no worker process can be started .*: end other programs"):
        Workers(2)


@pytest.mark.parametrize("play", [play_games, play_pairs])
def test_a_game_is_the_same_whatever_was_played_before_it(monkeypatch, play):
    searchers = []

    def kept(*arguments):
        searchers.append(searcher_for(*arguments))
        return searchers[-1]

    for module in (self_play, gate):
        monkeypatch.setattr(module, "searcher_for", kept)
    conditions = [Conditions(WEIGHTS, 300)] * (1 if play is play_games else 2)
    found = []
    for first in (2, 1, 2):
        played = play("pentago", {}, *conditions, (1, 2, 3), first, 3 - first)
        rest = played.states[played.games == 2].tolist() if play is play_games else None
        solver = searchers[-1]._work.solver
        found.append((rest, searchers[-1].rng.tolist(), solver.counters.tolist(), solver.table.tolist()))
    assert found[0] == found[1] == found[2]
    assert any(searcher._work.solver.counters[0] for searcher in searchers)  # the solver was asked


# --- Folders and files ----------------------------------------------------------------------------------------------


def finished(number, **changed):
    """The line of a finished generation in a folder's log."""
    whole = dict.fromkeys(("games", "positions", "trained_on"), 200) | {"number": number, "champion": number}
    shares = dict.fromkeys(("hours", "log_loss", "rmse", "accuracy", "elo", "elo_low", "elo_high", "total_elo"), 0.5)
    return json.dumps(whole | shares | {"pairs": None, "seconds": {}} | changed) + "\n"


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("settings.json", None, "is not a folder of `learn`: there is no file .*settings.json"),
        ("settings.json", "{", "is not JSON"),
        ("settings.json", "[]", "is not a folder of `learn`"),
        ("settings.json", '{"version": 1, "depth": 3}', "is not a folder of `learn`"),
        ("settings.json", '{"version": 2}', "another version"),
        ("settings.json", '{"version": 1, "width": "64"}', r"Expected `int`, got `str` - at `\$.width`"),
        ("settings.json", '{"version": 1, "pairs": 0}', r"`int` >= 1 - at `\$.pairs`"),
        ("settings.json", '{"version": 1, "step": NaN}', r"`float` > 0.0 - at `\$.step`"),
        ("log.jsonl", "{\n", "line 1, is not one JSON value"),
        ("log.jsonl", "{}\n", "is not a folder of `learn`"),
        ("log.jsonl", finished(0, hours=None), r"Expected `float`, got `null` - at `\$.hours`"),
        ("log.jsonl", finished(0, elo=math.nan), "line 1, is not one JSON value"),
        ("log.jsonl", finished(1), "log.jsonl, line 1, is not generation 0"),
    ],
)
def test_a_broken_folder_is_refused(tmp_path, name, content, complaint):
    Folder.opened(tmp_path, **SMALL)
    (tmp_path / "log.jsonl").touch()
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(FileError, match=complaint):
        Folder.opened(tmp_path)


def test_times_that_somebody_has_edited_are_shown(tmp_path):
    Folder.opened(tmp_path, **SMALL)
    (tmp_path / "log.jsonl").write_text(finished(0, hours=9) + finished(1, hours=1))
    assert "generation 1 are the best" in render(Folder.read(tmp_path).log)


def test_a_folder_with_other_settings_is_refused_and_unnamed_ones_are_its_own(tmp_path):
    Folder.opened(tmp_path, **SMALL)
    assert Folder.opened(tmp_path, width=8, seed=None).settings.games == 200
    with pytest.raises(FileError, match="begun with width 8, not with 16"):
        Folder.opened(tmp_path, width=16)
    with pytest.raises(FileError, match="begun without --from, not with other"):
        Folder.opened(tmp_path, origin="other")


def test_weights_and_positions_of_another_game_or_none_at_all_are_refused(tmp_path):
    path = tmp_path / "weights.npz"
    save_weights(path, fresh(TICTACTOE, 8, seed=1), {})
    with pytest.raises(FileError, match="no weights for pentago"):
        load_weights(path, load_game("pentago"))
    path.write_text("no archive")
    with pytest.raises(FileError, match="is not an archive"):
        load_weights(path, TICTACTOE)
    save_positions(path, greedy_games(TICTACTOE, 30, seed=1))
    with pytest.raises(FileError, match=r"no positions of go: states is .*, not uint16 \(\d+, 82\)"):
        load_positions(path, load_learned("go", {}))


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"targets": np.array(0.5, np.float32)}, "no positions of learned_tictactoe: states is"),
        ({"targets": np.array([0.5, np.nan], np.float32)}, r"position 1 has the target nan and the weight 1\.0"),
        ({"weights": np.array([np.inf, 1], np.float32)}, r"position 0 has the target 0\.5 and the weight inf"),
    ],
)
def test_positions_with_impossible_values_are_refused(tmp_path, changed, complaint):
    states, halves = np.zeros((2, 2), np.uint64), np.full(2, 0.5, np.float32)
    positions = Positions(states, halves, np.ones(2, np.float32), np.zeros(2, np.int32))
    save_positions(tmp_path / "positions.npz", positions._replace(**changed))
    with pytest.raises(FileError, match=complaint):
        load_positions(tmp_path / "positions.npz", TICTACTOE)


def test_named_pipes_are_refused_and_nobody_waits_for_them(tmp_path):
    os.mkfifo(path := tmp_path / "pipe.npz")
    for read in (load_json_lines, lambda path: load_weights(path, TICTACTOE)):
        with pytest.raises(OSError, match="is a pipe or a device, not a file"):
            read(path)


def test_positions_come_back_as_they_were_and_the_newest_are_whole_files_from_the_end(tmp_path):
    paths = [tmp_path / f"{number}.npz" for number in range(3)]
    for number, path in enumerate(paths):
        positions = greedy_games(TICTACTOE, 10, seed=number)
        save_positions(path, positions)
        for array, found in zip(positions, load_positions(path, TICTACTOE), strict=True):
            assert np.array_equal(array, found) and array.dtype == found.dtype
    sizes = [load_positions(path, TICTACTOE).size for path in paths]
    positions, too_old = newest_positions(paths, TICTACTOE, sizes[1] + sizes[2])
    assert positions.size == sizes[1] + sizes[2] and too_old == paths[:1]
    assert len(set(positions.games)) == sum(len(set(load_positions(path, TICTACTOE).games)) for path in paths[1:])
    assert positions.games.dtype == np.int32
    held_out = [is_held_out(load_positions(path, TICTACTOE)) for path in paths[1:]]
    assert np.array_equal(is_held_out(positions), np.concatenate(held_out))
    assert newest_positions(paths, TICTACTOE, 1)[1] == paths[:2]


# --- Workers and the command ----------------------------------------------------------------------------------------


def test_workers_do_every_task_once_and_get_no_ctrl_c_while_they_are_started():
    with Workers(2) as workers:
        for process in workers._connections.values():
            os.kill(process.pid, signal.SIGINT)
        found = dict(workers.results(divmod, [(number, 7) for number in range(20)]))
        assert found == {(number, 7): divmod(number, 7) for number in range(20)}
        assert dict(workers.results(divmod, [(1, 2)])) == {(1, 2): (0, 1)}


def test_a_task_that_fails_and_a_worker_that_dies_are_errors():
    with Workers(2) as workers:
        for function, argument, error, words in (
            (divmod, (1, 0), WorkerError, "ZeroDivisionError"),
            (_refuse, ("x",), OptionError, r"^size is no number: 'x'"),
            (parse_agent, ("uct_agent:c",), AgentError, "is no option"),
            (open, ("/no/such/file",), FileNotFoundError, "/no/such/file"),
            (_leave, (3,), WorkerError, "has died"),
        ):
            with pytest.raises(error, match=words):
                list(workers.results(function, [argument]))


def test_a_worker_that_dies_before_it_has_read_a_task_is_an_error():
    with Workers(2) as workers:
        for connection, process in workers._connections.items():
            connection.send((divmod, (1, 2)))
            process.kill()
            with pytest.raises(WorkerError, match="a worker has died, exit code -9"):
                workers._received(connection)
        with pytest.raises(WorkerError, match="a worker has died, exit code -9"):
            list(workers.results(divmod, [(1, 2)]))


def test_a_worker_ends_with_who_started_it_also_during_a_task():
    def start():
        workers = Workers(2)
        assert dict(workers.results(divmod, [(1, 7), (2, 7)])) == {(1, 7): (0, 1), (2, 7): (0, 2)}
        for connection in workers._connections:
            connection.send((time.sleep, (600,)))
        return workers

    with ThreadPoolExecutor(1) as pool:  # for the kernel, a thread that ends is as good as a process
        workers = pool.submit(start).result()
    with workers:
        for process in workers._connections.values():
            process.join(PATIENCE_SECONDS)
            assert process.exitcode == -signal.SIGKILL


def _leave(code):
    os._exit(code)


def _refuse(text):
    raise OptionError("size", f"is no number: {text!r}")


def test_the_command_learns_reports_and_exports(tmp_path, monkeypatch):
    """Games that are searched are those of `greedy_agent` here: to compile this game's search takes 9 s."""

    def play(name, options, conditions, seed, first, count):
        assert conditions.weights
        return greedy_games(TICTACTOE, count, seed=1, first=first)

    monkeypatch.setattr(generations, "play_games", play)
    monkeypatch.setattr(generations, "play_pairs", lambda *task: [0, 0, task[-1], 0, 0])
    learn, weights = f"learn --game learned_tictactoe --folder {tmp_path / 'a'}", tmp_path / "weights.npz"
    monkeypatch.setattr("commands.errors.LOG_SECONDS", 0.0)  # stderr is no terminal here
    done = typed(f"{learn} --workers 1 --hours 0.0001 --games 40 --width 8")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("generation 0: ")
    assert "generation 0: games 0 to" in done.stderr and "generation 0: epoch 1, log loss" in done.stderr
    shown = typed(f"{learn} --report --export {weights}")
    assert shown.exit_code == 0 and "log loss" in shown.output and weights.exists()
    assert json.loads(str(np.load(weights)["meta"]))["generation"] == 0
    grown = f"learn --game learned_tictactoe --from {weights} --hours 0.0001 --games 40 --folder"
    for _ in range(2):  # the second time, the file of weights is gone and not needed
        done = typed(f"{grown} {tmp_path / 'c'} --workers 1")
        assert done.exit_code == 0, done.output
        weights.unlink(missing_ok=True)
    Folder.opened(tmp_path / "d", game="learned_tictactoe", games=40, origin=str(weights))  # and stopped at once
    refused = typed(f"{grown} {tmp_path / 'd'} --workers 2")
    assert (refused.exit_code, refused.output) == (1, f"Error: there is no file {weights}\n")
    refused = typed(f"learn --folder {tmp_path / 'b'} --width 100")
    assert refused.exit_code == 2 and "with 100 hidden units cannot be used (see --width)" in refused.output
    refused = typed(f"{learn} --report --mean")
    assert refused.exit_code == 2 and "--mean has no effect without --export" in refused.output


@pytest.mark.parametrize("sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_stop_ends_all_processes_says_how_to_go_on_and_keeps_what_was_played(tmp_path, sent):
    greedy_games(load_game("pentago"), 1, seed=1)  # compiled here once, and not by both workers
    with command("learn", "--folder", tmp_path / "learned", "--workers", 2) as process:
        while not list(tmp_path.rglob("positions-0000-*.npz")) and process.poll() is None:
            time.sleep(0.05)
        out, errors = interrupted(process, sent)
    assert out == "" and "Traceback" not in errors
    assert f"the same command goes on from what is in {tmp_path / 'learned'}" in errors
    assert Folder.opened(tmp_path / "learned").parts(0)
