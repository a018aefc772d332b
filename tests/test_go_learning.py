"""Go on 9x9 learns: what is recorded of a search on a tree, symmetries, the end of a game, a small folder."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from game import FIRST, SECOND, Result
from game.network import logit_of, sigmoid
from go import evaluation
from go.evaluation import evaluation_of, value_by_network
from go.position import PASS
from learning.folder import Folder
from learning.generations import Learning
from learning.network import load_learned
from learning.positions import Positions, random_images, words_of
from learning.recording import INNER_WEIGHT, VISITED_OFTEN, Record
from learning.self_play import CLEAR_SEARCHES, Conditions, Ending, searcher_for
from learning.steps import forward, scratch_for
from learning.weights import load_weights
from options import InputError
from tests.command_line import typed
from tests.test_go_evaluation import positions
from tests.test_go_rules import rows_of

GO = load_learned("go", {})


def words(position):
    """A position as it is recorded."""
    return words_of(GO, GO.state(position))


# --- What is recorded ------------------------------------------------------------------------------------------------


def test_a_symmetry_of_the_features_is_one_of_the_board():
    for position in positions(5, 1):
        board, side = np.array([[*row] for row in rows_of(position.board)]), str(position).split()[1]
        images = [np.rot90(half, turn) for half in (board, board.T) for turn in range(4)]
        seen = [words(GO.parse_position(f"{'/'.join(map(''.join, image))} {side} - 7")) for image in images]
        found = [np.append(np.sort(symmetry[seen[0][:-1]]), seen[0][-1]) for symmetry in GO.symmetries]
        assert {tuple(each) for each in seen} == {tuple(each) for each in found}
        same = Positions(np.tile(seen[0], (200, 1)), *np.zeros((3, 200)))
        in_training = random_images(same, GO, np.random.default_rng(1))
        assert {tuple(each) for each in in_training.states} == {tuple(each) for each in found}


def test_training_computes_the_values_that_the_search_sees():
    network, _ = load_weights(evaluation.FILE, GO)
    scratch = scratch_for(GO, network, seed=1)
    for position in positions(20, 3):
        *scratch.active[:], bucket = words(position)
        forward(network, scratch.active, bucket, scratch.channels, scratch.hidden)
        value = sigmoid(logit_of(network, bucket, scratch.hidden))
        assert value == pytest.approx(float(value_by_network(GO.kernel, position.search_state())), abs=1e-4)


def test_a_position_after_a_pass_is_not_recorded():
    assert words(GO.initial()) is not None and words(GO.initial().play(PASS)) is None


def test_a_search_records_its_root_and_nodes_with_their_values_for_the_player_to_move():
    searcher = searcher_for(GO, Conditions(None, 300), seed=1)
    searcher.begin(GO.initial())
    searcher.search(simulations=300)
    record = Record(searcher)
    record.add_search()
    found, known = record.positions(Result(SECOND), 7), {}
    waiting = [(GO.initial(), 0)]
    while waiting:
        position, place = waiting.pop()
        for child in searcher.children(place):
            if child.visits >= VISITED_OFTEN:
                after = position.play(searcher.move_to(position, child.node))
                known[words(after).tobytes()] = 1 - child.value
                waiting.append((after, child.node))
    assert np.array_equal(found.states[0], words(GO.initial()))
    assert found.targets[0] == pytest.approx(searcher.value / 2) and found.weights[0] == 1
    assert 1 <= found.size - 1 <= 5 and set(found.games) == {7}
    for state, target, weight in zip(found.states[1:], found.targets[1:], found.weights[1:], strict=True):
        assert target == pytest.approx(known[state.tobytes()]) and weight == np.float32(INNER_WEIGHT)


@pytest.mark.parametrize("game", [GO, load_learned("pentago", {})], ids=lambda game: game.name)
def test_without_weights_leaves_are_playouts(game):
    assert searcher_for(game, Conditions(None, 50), seed=1).settings.leaf == "playout"


# --- Games -----------------------------------------------------------------------------------------------------------


def results(ending, values, ply=0, proven=None):
    """What an ending says after searches with these values for Black, who moves first."""
    found = []
    for i, value in enumerate(values):
        position = SimpleNamespace(to_move=i % 2, ply=ply + i)
        seen = value if i % 2 == FIRST else 1 - value
        found.append(ending.result(SimpleNamespace(position=position, value=seen, proven=proven)))
    return found


def test_a_game_ends_when_it_is_clear_proved_or_very_long(monkeypatch):
    monkeypatch.setattr(GO, "adjudicate", lambda position: f"as it stands after {position.ply}")
    open_yet = [None] * (CLEAR_SEARCHES - 1)
    assert results(Ending(GO), [0.99] * CLEAR_SEARCHES) == [*open_yet, Result(FIRST)]
    assert results(Ending(GO), [0.01] * CLEAR_SEARCHES) == [*open_yet, Result(SECOND)]
    assert results(Ending(GO), [0.01, 0.01, 0.01, 0.5] * 2) == [None] * 8
    assert results(Ending(GO), [0.99, 0.01] * CLEAR_SEARCHES) == [None] * 2 * CLEAR_SEARCHES  # each side claims it
    played_out = Ending(GO)
    played_out.resign_at = 0.0
    assert results(played_out, [0.99] * 5, ply=320) == [None] * 4 + ["as it stands after 324"]
    assert results(played_out, [1.0], proven="win") == [Result(FIRST)]
    assert results(Ending(load_learned("pentago", {})), [1.0] * 5) == [None] * 5


def test_a_new_folder_for_a_game_on_a_tree_begins_without_greedy_games(tmp_path):
    assert Folder.opened(tmp_path / "go", game="go").settings.greedy_games == 0
    with pytest.raises(InputError, match="no greedy games"):
        Folder.opened(tmp_path / "other", game="go", greedy_games=100)
    assert Folder.opened(tmp_path / "pentago", game="pentago").settings.greedy_games > 0


@pytest.mark.slow
def test_go_is_learned_resumed_and_exported(tmp_path):
    learn, weights = f"learn --game go --folder {tmp_path / 'go'}", tmp_path / "weights.npz"
    small = {"width": 16, "simulations": 20, "games": 20, "pairs": 5}
    Learning(Folder.opened(tmp_path / "go", game="go", **small), 1).run(generations=1)
    done = typed(f"{learn} --workers 1 --hours 0.00001")
    assert done.exit_code == 0 and done.output.startswith("generation 1: 20 games"), done.output
    first, second = Folder.read(tmp_path / "go").log
    assert first.games == 20 and second.trained_on == first.positions + second.positions
    assert sum(second.pairs) == 5
    shown = typed(f"{learn} --report --export {weights}")
    assert shown.exit_code == 0 and "log loss" in shown.output
    with np.load(weights) as arrays:
        assert evaluation_of(arrays).rows.shape[1] == 16


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--size 13", "learned on 9x9"),
        ("--komi 0.5", "with komi 7"),
        ("--width 8", "needs a multiple of 16 hidden units, not 8"),
        ("--from pentago", "the games in pentago are of pentago, not of go"),
    ],
)
def test_what_the_network_cannot_be_is_refused(tmp_path, monkeypatch, options, complaint):
    monkeypatch.chdir(tmp_path)
    Folder.opened(Path("pentago"))
    refused = typed(f"learn --game go --folder {tmp_path / 'go'} {options}")
    assert refused.exit_code == 2 and complaint in refused.output and not (tmp_path / "go").exists()
